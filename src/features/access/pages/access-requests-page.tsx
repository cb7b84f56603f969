import { PageHeader } from '#ui/layout/page-header.tsx';
import { GrantList } from './grant-list.tsx';
import { RequestCards } from './request-cards.tsx';

export const meta = () => [{ title: 'Access requests · PrivateFans' }, { name: 'robots', content: 'noindex' }];

/** Everybody who asked to see something of the creator's, and who may. */
export default function AccessRequestsPage() {
  return (
    <>
      <PageHeader title="Access requests" back={{ to: '/', label: 'Home' }} />
      <div className="grid gap-7">
        <RequestCards />
        <GrantList />
      </div>
    </>
  );
}
