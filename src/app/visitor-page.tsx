import { Outlet } from 'react-router';
import { Shell, VisitorActions } from '#app/shell.tsx';
import { visitorTabs } from '#app/tabs.ts';

/** The frame around the public pages, for whoever is not signed in. */
export default function VisitorPage() {
  return (
    <Shell tabs={visitorTabs} actions={<VisitorActions />}>
      <Outlet />
    </Shell>
  );
}
