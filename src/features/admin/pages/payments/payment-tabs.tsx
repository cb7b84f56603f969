import { PageHeader } from '#ui/layout/page-header.tsx';
import { Tabs } from '#ui/layout/tabs.tsx';

const places = [
  { to: '/admin/payments', label: 'Orders', end: true },
  { to: '/admin/payments/disputes', label: 'Disputes' },
  { to: '/admin/payments/requests', label: 'Custom requests' },
  { to: '/admin/payments/payouts', label: 'Payouts' },
  { to: '/admin/payments/events', label: 'Provider events' },
  { to: '/admin/payments/books', label: 'Books' },
];

/** The top of each part of the payments desk. */
export function PaymentsHeader() {
  return (
    <>
      <PageHeader title="Payments" />
      <Tabs label="Payments" tabs={places} />
    </>
  );
}
