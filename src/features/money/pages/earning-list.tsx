import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { Coins, Ellipsis, Mail, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { formatMoney } from '#kit/text.ts';
import { Button } from '#ui/buttons/button.tsx';
import { ButtonLink } from '#ui/buttons/button-link.tsx';
import { IconButton } from '#ui/buttons/icon-button.tsx';
import { Chip } from '#ui/chip.tsx';
import { ConfirmDialog } from '#ui/dialogs/confirm-dialog.tsx';
import { Menu } from '#ui/dialogs/menu.tsx';
import { EmptyState } from '#ui/feedback/empty-state.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { SkeletonRows } from '#ui/feedback/skeleton.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { Chips } from '#ui/forms/chips.tsx';
import { List, Row } from '#ui/layout/list.tsx';
import { SectionHeader } from '#ui/layout/section-header.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { useWrite } from '#wire/use-write.tsx';
import type { EarningFilter, EarningRow } from '../contract.ts';
import { marks } from '../earning-marks.ts';
import { EarningOrderDialog } from '../earning-order-dialog.tsx';
import { money } from '../money-calls.tsx';
import { describePaid, describeStory, titleOf } from './earning-words.ts';

const filters: { value: EarningFilter; label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'tips', label: 'Tips' },
  { value: 'albums', label: 'Albums' },
  { value: 'subscriptions', label: 'Subscriptions' },
  { value: 'customs', label: 'Customs' },
  { value: 'refunds', label: 'Refunds' },
  { value: 'fees', label: 'Fees' },
  { value: 'payouts', label: 'Payouts' },
];

/** Every payment and what went back, newest first. */
export function EarningList() {
  const [filter, setFilter] = useState<EarningFilter>('all');
  const query = useInfiniteQuery(
    money.listEarnings.infiniteOptions({
      input: (cursor: string | undefined) => ({ filter, limit: 30, ...(cursor !== undefined && { cursor }) }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: (page) => page.nextCursor ?? undefined,
    }),
  );
  const rows = query.data?.pages.flatMap((page) => page.rows) ?? [];
  return (
    <section className="grid gap-3">
      <SectionHeader title="Activity" />
      <div className="-mt-3 mb-1 min-w-0">
        <Chips label="Which lines" options={filters} value={filter} onChange={setFilter} />
      </div>
      {query.isPending && <SkeletonRows />}
      {query.isError && query.data === undefined && (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} busy={query.isRefetching} />
      )}
      {query.data && rows.length === 0 && <Nothing filter={filter} />}
      {rows.length > 0 && (
        <List label="Activity">
          {rows.map((row) => (
            <li key={row.id}>
              <EarningLine row={row} />
            </li>
          ))}
        </List>
      )}
      {query.hasNextPage && (
        <Button
          variant="outline"
          className="justify-self-center"
          busy={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          Show more
        </Button>
      )}
      <EarningOrderDialog />
    </section>
  );
}

const nothing: Readonly<Record<Exclude<EarningFilter, 'all'>, string>> = {
  tips: 'No tips yet.',
  albums: 'No albums sold yet.',
  subscriptions: 'No subscribers yet.',
  customs: 'No custom requests yet.',
  refunds: 'Nothing has been refunded.',
  fees: 'No fees yet.',
  payouts: 'Nothing has been paid out yet.',
};

function Nothing({ filter }: { filter: EarningFilter }) {
  if (filter !== 'all') return <p className="py-6 text-quiet">{nothing[filter]}</p>;
  return (
    <EmptyState
      icon={Coins}
      title="Nothing earned yet"
      action={<ButtonLink to="/magic-links?new=1">New link</ButtonLink>}
    >
      Make a link that opens for a tip, and what you earn will show up here.
    </EmptyState>
  );
}

function EarningLine({ row }: { row: EarningRow }) {
  const { orderId } = row;
  const [isAsking, setAsking] = useState(false);
  const format = (cents: number) => formatMoney(cents, row.currency.toUpperCase());
  const send = useWrite(
    money.sendReceipt.mutationOptions({
      onSuccess: () =>
        toast.success({ title: 'Receipt sent', message: 'It leads back to what was paid for, in any browser.' }),
      onError: ({ message }) => toast.error({ title: "Couldn't send the receipt", message }),
    }),
  );
  const isSale = !['refund', 'fee', 'dispute_fee', 'payout'].includes(row.kind);
  const mark = isSale ? marks[row.state] : undefined;
  const paid = describePaid(row, format(row.grossCents));
  return (
    <>
      <Row
        title={titleOf(row)}
        to={orderId === null ? undefined : `?${new URLSearchParams({ order: orderId })}`}
        mark={mark === undefined ? undefined : <Chip>{mark}</Chip>}
        quiet={paid}
        story={describeStory(row, isSale)}
        end={
          <>
            <span className="mr-1 grid justify-items-end">
              <span>{`${row.amountCents > 0 ? '+' : row.amountCents < 0 ? '−' : ''}${format(Math.abs(row.amountCents))}`}</span>
              <span className="text-13 font-normal text-quiet">
                <RelativeTime at={row.at} />
              </span>
            </span>
            {orderId !== null && row.canRefund && (
              <Menu
                trigger={<IconButton icon={Ellipsis} label={`More about the payment of ${format(row.grossCents)}`} />}
                items={[
                  { label: 'Send receipt again', icon: Mail, onSelect: () => send.mutate({ orderId }) },
                  { label: 'Refund', icon: Undo2, onSelect: () => setAsking(true), danger: true },
                ]}
              />
            )}
          </>
        }
      />
      {orderId !== null && row.canRefund && (
        <RefundDialog row={row} orderId={orderId} open={isAsking} onClose={() => setAsking(false)} />
      )}
    </>
  );
}

interface RefundProps {
  row: EarningRow;
  orderId: string;
  open: boolean;
  onClose: () => void;
}

function RefundDialog({ row, orderId, open, onClose }: RefundProps) {
  const queries = useQueryClient();
  const format = (cents: number) => formatMoney(cents, row.currency.toUpperCase());
  const refund = useWrite(
    money.refund.mutationOptions({
      onSuccess: ({ state }) => {
        onClose();
        toast.success({ title: state === 'refunded' ? 'Refunded' : 'The refund is on its way' });
      },
      onError: ({ message }) => toast.error({ title: "Couldn't refund", message }),
      onSettled: () => queries.invalidateQueries({ queryKey: money.key() }),
    }),
  );
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      danger
      title={`Refund ${format(row.grossCents)}?`}
      description={`All of it goes back to the card${row.isOnPage ? '' : ', and what it opened closes at once'}. Your share of ${format(row.amountCents)} is taken from your balance.`}
      confirm="Refund"
      busy={refund.isPending}
      onConfirm={() => refund.mutate({ orderId })}
    />
  );
}
