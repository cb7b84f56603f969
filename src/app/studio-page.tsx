import { Outlet } from 'react-router';
import { CreatorActions, Shell } from '#app/shell.tsx';
import { creatorTabs } from '#app/tabs.ts';

/** The frame around every page of a signed-in creator. */
export default function StudioPage() {
  return (
    <Shell tabs={creatorTabs} actions={<CreatorActions />}>
      <Outlet />
    </Shell>
  );
}
