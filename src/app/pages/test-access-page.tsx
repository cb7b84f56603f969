import { useQueryClient } from '@tanstack/react-query';
import { accounts } from '#features/accounts/guard.tsx';
import { accessParts } from '#features/fullcheck/browser/browser-parts.ts';
import { PartsPage, useMayCheck } from '#features/fullcheck/parts-list.tsx';
import NotFoundPage from './not-found-page.tsx';

export const meta = () => [{ title: 'This browser · PrivateFans' }, { name: 'robots', content: 'noindex' }];

/** What this browser can do of what a viewer's must. */
export default function TestAccessPage() {
  const queries = useQueryClient();
  if (!useMayCheck()) return <NotFoundPage />;
  const askNow = async () => (await queries.fetchQuery(accounts.me.queryOptions({ staleTime: 0 }))).now;
  return (
    <PartsPage
      name="access"
      title="This browser"
      facts="Whether links can be opened in it."
      parts={accessParts(askNow)}
    />
  );
}
