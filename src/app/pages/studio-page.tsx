import { Outlet } from 'react-router';
import { CreatorActions, Shell } from '#app/pages/shell.tsx';
import { creatorTabs } from '#app/pages/tabs.ts';
import { RequireAccess, useMe } from '#features/accounts/guard.tsx';
import { MeasurePages } from '#features/audit/measure-pages.tsx';
import { FirstOpenNotice } from '#features/insights/first-open-notice.tsx';
import { GuessedNotice } from '#features/links/password-alert-notice.tsx';
import { KeepPush } from '#features/notices/keep-push.tsx';

/** The frame around every page of a signed-in creator. */
export default function StudioPage() {
  const { me } = useMe();
  return (
    <RequireAccess>
      <Shell tabs={creatorTabs} actions={<CreatorActions />} isBeta={me?.entitlements.isBeta === true}>
        <FirstOpenNotice />
        <GuessedNotice />
        {me?.isAdmin && <MeasurePages />}
        <KeepPush userId={me?.user?.id} />
        <Outlet />
      </Shell>
    </RequireAccess>
  );
}
