import { PageHeader } from '#ui/layout/page-header.tsx';
import { PlanView } from './plan-view.tsx';

export const meta = () => [{ title: 'Subscription · PrivateFans' }, { name: 'robots', content: 'noindex' }];

export default function SubscriptionPage() {
  return (
    <>
      <PageHeader title="Subscription" />
      <PlanView />
    </>
  );
}
