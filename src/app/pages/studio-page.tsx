import { Outlet } from 'react-router';
import { BesideStudio } from '#app/pages/beside-studio.tsx';
import { CreatorActions, Shell } from '#app/pages/shell.tsx';
import { creatorTabs, tabsOf } from '#app/pages/tabs.ts';
import { RequireAccess, useMe } from '#features/accounts/guard.tsx';

/** The frame around every page of a signed-in creator. */
export default function StudioPage() {
  const { me } = useMe();
  return (
    <RequireAccess>
      <Shell
        tabs={me?.isAdmin === true ? tabsOf(me) : creatorTabs}
        actions={<CreatorActions />}
        isBeta={me?.entitlements.isBeta === true}
      >
        <BesideStudio me={me} />
        <Outlet />
      </Shell>
    </RequireAccess>
  );
}
