import { PageHeader } from '#ui/layout/page-header.tsx';
import { PlanView } from './plan-view.tsx';

export const meta = () => [{ title: 'Billing · PrivateFans' }, { name: 'robots', content: 'noindex' }];

/** Open to whoever is signed in, with a plan or without: what is owed and what was paid has to be within reach. */
export default function BillingPage() {
  return (
    <>
      <PageHeader title="Billing" />
      <PlanView />
    </>
  );
}
