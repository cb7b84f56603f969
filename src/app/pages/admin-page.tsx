import { Outlet } from 'react-router';
import { Shell } from '#app/pages/shell.tsx';
import { tabsOf } from '#app/pages/tabs.ts';
import { Guarded, useMe } from '#features/accounts/guard.tsx';
import { AdminTabs } from '#features/admin/admin-tabs.tsx';
import { AccountMenu } from '#features/dashboard/account-menu.tsx';

/** The frame around every page of the operator's desk. */
export default function AdminPage() {
  const { me } = useMe();
  return (
    <Guarded need="admin">
      <Shell tabs={tabsOf(me)} actions={me?.user && <AccountMenu me={me} />} isDesk>
        <AdminTabs scopes={me?.adminScopes ?? []} />
        <Outlet />
      </Shell>
    </Guarded>
  );
}
