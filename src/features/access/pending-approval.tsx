import { ButtonLink } from '#ui/buttons/button-link.tsx';
import { List } from '#ui/layout/list.tsx';
import { useLive } from '#wire/use-live.tsx';
import { access, accessNews } from './access-calls.tsx';
import { useRequestList } from './pages/request-cards.tsx';
import { RequestRow } from './pages/request-row.tsx';

/** How many of them stand on the dashboard. */
const mostShown = 3;

/** Who waits for an answer, on the dashboard; nothing while nobody does. */
export function PendingApproval() {
  useLive(accessNews, [access.requests.key()]);
  const page = useRequestList('pending', undefined, mostShown).data?.pages[0];
  if (page === undefined || page.requests.length === 0) return null;
  const more = page.pendingCount - page.requests.length;
  return (
    <section className="grid gap-3" aria-label="Pending Approval">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 className="text-21">Pending Approval</h2>
        <ButtonLink to="/access-requests" variant="bare" className="-mr-2.5">
          {more > 0 ? `All access requests (${more} more)` : 'All access requests'}
        </ButtonLink>
      </div>
      <List label="Pending Approval">
        {page.requests.map((request) => (
          <RequestRow key={request.id} request={request} />
        ))}
      </List>
    </section>
  );
}
