import { useQueryClient } from '@tanstack/react-query';
import { accounts } from '#features/accounts/guard.tsx';
import { PartsPage, useMayCheck } from '#features/fullcheck/parts-list.tsx';
import { describeRole, describeSession } from '#features/fullcheck/rules.ts';
import NotFoundPage from './not-found-page.tsx';

export const meta = () => [{ title: 'Session and role · PrivateFans' }, { name: 'robots', content: 'noindex' }];

/** Who this browser is for the server, and what they may do. */
export default function TestAuthPage() {
  const queries = useQueryClient();
  if (!useMayCheck()) return <NotFoundPage />;
  const ask = () => queries.fetchQuery(accounts.me.queryOptions({ staleTime: 0 }));
  return (
    <PartsPage
      name="auth"
      title="Session and role"
      facts="Who this browser is for the server, asked for just now."
      parts={[
        { title: 'Session', look: async () => describeSession(await ask()) },
        { title: 'Role', look: async () => describeRole(await ask()) },
      ]}
    />
  );
}
