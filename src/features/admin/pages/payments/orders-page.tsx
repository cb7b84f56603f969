import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Receipt } from 'lucide-react';
import { isolate } from '#kit/text.ts';
import { Chip } from '#ui/chip.tsx';
import { EmptyState } from '#ui/feedback/empty-state.tsx';
import { List, Row } from '#ui/layout/list.tsx';
import { SectionHeader } from '#ui/layout/section-header.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { adminPayments } from '../../admin-calls.tsx';
import { orderWords, titleOrder, writeCents } from '../../payment-words.ts';
import type { ListedOrder } from '../../payments-contract.ts';
import { SearchBox } from '../search-box.tsx';
import { useSought } from '../use-sought.ts';
import { Pages } from './more-pages.tsx';
import { PaymentsHeader } from './payment-tabs.tsx';

export const meta = () => [{ title: 'Payments · Admin · PrivateFans' }, { name: 'robots', content: 'noindex' }];

/** Payments: those that wait for an answer, and what a search finds. */
export default function OrdersPage() {
  const [sought, search] = useSought();
  return (
    <>
      <PaymentsHeader />
      <SearchBox
        key={sought}
        label="Find a payment"
        hint="A receipt's number, an order's or provider's id, a buyer's whole address, or a creator's name or @handle"
        initial={sought}
        fewest={0}
        onSearch={search}
      />
      <div className="grid max-w-190 gap-8">
        {sought === '' && <Waiting />}
        <Found query={sought} />
      </div>
    </>
  );
}

/** Buyers who ask the platform; nothing stands here where nobody does. */
function Waiting() {
  const { data } = useQuery(adminPayments.waitingOrders.queryOptions({ input: {} }));
  if (data === undefined || data.orders.length === 0) return null;
  return (
    <section>
      <SectionHeader title="A buyer asks for their money" />
      <OrderList label="Waiting for an answer" orders={data.orders} />
    </section>
  );
}

type Cursor = string | undefined;

function Found({ query: text }: { query: string }) {
  const query = useInfiniteQuery(
    adminPayments.findOrders.infiniteOptions({
      input: (before: Cursor) => ({ query: text, ...(before !== undefined && { before }) }),
      initialPageParam: undefined as Cursor,
      getNextPageParam: ({ next }) => next ?? undefined,
    }),
  );
  return (
    <section>
      <SectionHeader title={text === '' ? 'Newest payments' : 'Found'} />
      <Pages query={query} label="Loading payments">
        {(pages) => {
          const orders = pages.flatMap((page) => page.orders);
          return orders.length === 0 ? (
            <EmptyState icon={Receipt} title={text === '' ? 'Nothing was paid yet' : 'Nothing was found'}>
              {text === ''
                ? 'What buyers pay for appears here.'
                : 'An address and the ids of the provider are searched for as a whole.'}
            </EmptyState>
          ) : (
            <OrderList label="Payments" orders={orders} />
          );
        }}
      </Pages>
    </section>
  );
}

function OrderList({ label, orders }: { label: string; orders: readonly ListedOrder[] }) {
  return (
    <List label={label}>
      {orders.map((order) => (
        <li key={order.id}>
          <OrderRow order={order} />
        </li>
      ))}
    </List>
  );
}

function OrderRow({ order }: { order: ListedOrder }) {
  const { id, state, creatorName, receiptNumber, createdAt, paidAt, refundedCents, currency, waits } = order;
  const { word, tone } = orderWords[state];
  const receipt = receiptNumber === null ? '' : ` · receipt ${receiptNumber}`;
  return (
    <Row
      title={titleOrder(order)}
      to={`/admin/payments/orders/${id}`}
      mark={<Chip tone={tone}>{word}</Chip>}
      quiet={
        <>
          <span>{`${isolate(creatorName)}${receipt} · `}</span>
          <RelativeTime at={paidAt ?? createdAt} />
        </>
      }
      story={
        waits
          ? 'The buyer waits for an answer'
          : refundedCents > 0
            ? `${writeCents(refundedCents, currency)} went back`
            : undefined
      }
    />
  );
}
