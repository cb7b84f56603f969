import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { nameSold } from '#features/orders/sold-words.ts';
import { nameCountry } from '#kit/country-names.ts';
import { formatMoney, isolate } from '#kit/text.ts';
import { formatMoment } from '#kit/time.ts';
import { ButtonLink } from '#ui/buttons/button-link.tsx';
import { useNow } from '#ui/clock.ts';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { SkeletonRows } from '#ui/feedback/skeleton.tsx';
import type { EarningOrder } from './contract.ts';
import { marks, reportedMark } from './earning-marks.ts';
import { money } from './money-calls.tsx';

/** The payment that the address names, with what became of it and where it leads. */
export function EarningOrderDialog() {
  const [search, setSearch] = useSearchParams();
  const orderId = search.get('order');
  const query = useQuery(
    money.earningOrder.queryOptions({ input: { orderId: orderId ?? '' }, enabled: orderId !== null }),
  );
  const close = () =>
    setSearch(
      (all) => {
        all.delete('order');
        return all;
      },
      { preventScrollReset: true },
    );
  const order = orderId === null ? undefined : query.data;
  return (
    <Dialog
      open={orderId !== null}
      onClose={close}
      title={order === undefined ? 'Payment' : nameSold(order.kind, order.months)}
      actions={order && <Ways order={order} />}
    >
      {query.isError && (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} busy={query.isRefetching} />
      )}
      {order === undefined && !query.isError && <SkeletonRows />}
      {order && <Facts order={order} />}
    </Dialog>
  );
}

function Facts({ order }: { order: EarningOrder }) {
  const now = useNow();
  const {
    kind,
    at,
    receiptNumber,
    amountCents,
    feeCents,
    refundedCents,
    keptCents,
    disputeFeeCents,
    currency,
    state,
    isReported,
    link,
    visit,
  } = order;
  const format = (cents: number) => formatMoney(cents, currency.toUpperCase());
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-2 [&>dd]:text-right [&>dd]:wrap-break-word [&>dt]:text-quiet">
      <Fact label="Paid" value={format(amountCents)} />
      {kind !== 'request' && <Fact label="Platform fee" value={format(feeCents)} />}
      {refundedCents > 0 && <Fact label="Given back" value={format(refundedCents)} />}
      <Fact label="Yours" value={format(keptCents)} />
      {disputeFeeCents > 0 && <Fact label="Bank's dispute fee" value={format(-disputeFeeCents)} />}
      <Fact label="State" value={marks[state] ?? 'Paid'} />
      {isReported && <Fact label="Why" value={reportedMark} />}
      <Fact label="When" value={formatMoment(at, now)} />
      {receiptNumber !== null && <Fact label="Receipt" value={`No. ${receiptNumber}`} />}
      {link !== null && <Fact label="Link" value={isolate(link.name) || 'Untitled Link'} />}
      {visit !== null && <Fact label="Visit" value={describeVisit(visit, now)} />}
    </dl>
  );
}

function Fact({ label, value }: { label: string; value: string }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </>
  );
}

function describeVisit(visit: NonNullable<EarningOrder['visit']>, now: Date): string {
  const { at, country, isCountryEstimated, device } = visit;
  const place = country === null ? [] : [`${nameCountry(country)}${isCountryEstimated ? ' (estimated)' : ''}`];
  return [formatMoment(at, now), ...place, device].join(' · ');
}

function Ways({ order: { link, visit, requestId } }: { order: EarningOrder }) {
  return (
    <>
      {visit !== null && (
        <ButtonLink to={`/magic-links/${visit.linkId}?${new URLSearchParams({ visits: visit.cursor })}`}>
          Show the visit
        </ButtonLink>
      )}
      {requestId !== null && <ButtonLink to={`/requests/${requestId}`}>Open the request</ButtonLink>}
      {link !== null && (
        <ButtonLink to={`/magic-links/${link.id}`} variant="outline">
          Open the link
        </ButtonLink>
      )}
    </>
  );
}
