import { Outlet } from 'react-router';
import { BesideStudio } from '#app/pages/beside-studio.tsx';
import { CreatorActions, Shell } from '#app/pages/shell.tsx';
import { tabsOf } from '#app/pages/tabs.ts';
import { Guarded, useMe } from '#features/accounts/guard.tsx';

/** The frame around pages of whoever is signed in, with a plan or without. */
export default function SessionPage() {
  const { me } = useMe();
  return (
    <Guarded need="session">
      <Shell tabs={tabsOf(me)} actions={me?.hasAccess && <CreatorActions />} isBeta={me?.entitlements.isBeta === true}>
        {me?.hasAccess && <BesideStudio me={me} />}
        <Outlet />
      </Shell>
    </Guarded>
  );
}
