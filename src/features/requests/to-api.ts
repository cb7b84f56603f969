import type { Engines } from '#engines/engines.ts';
import { requestCode, requestReference } from '#features/held/request-code.ts';
import { receiptCode } from '#features/orders/receipts.ts';
import { splitPayment } from '#features/orders/split-rules.ts';
import { maskEmail } from '#kit/text.ts';
import type { FollowedRequest, MyRequest, OwnRequest, RequestRow as ShownRow, ShownState } from './contract.ts';
import { isOver, isReported, reportUntil } from './rules.ts';
import type { HiddenOfRow, RequestEvent, RequestRow } from './store.ts';

type Row = Omit<RequestRow, HiddenOfRow>;

/** What the bank says of the payment is said before what people do. */
export function shownState(row: Pick<Row, 'state' | 'orderState' | 'actUntil' | 'reportedAt'>): ShownState {
  const { state, orderState } = row;
  if (orderState === 'disputed' || orderState === 'charged_back') return orderState;
  return isReported(row) && orderState !== 'refunded' ? 'reported' : state;
}

/** How far its payment still stands. */
export const findMoneyState = ({ orderState }: Pick<Row, 'orderState'>) => ({
  isDisputed: orderState === 'disputed' || orderState === 'charged_back',
  isReturned: orderState === 'refunded',
});

function showBoth(engines: Engines, row: Row, events: readonly RequestEvent[]) {
  const { title, brief, kind, quantity, lengthMinutes, wantedBy, offeredCents, agreedCents, currency } = row;
  const { isCounter, actUntil, dueAt, dueDays, wasRevised, endReason, refundedCents, createdAt } = row;
  return {
    title,
    brief,
    kind,
    quantity,
    lengthMinutes,
    wantedBy,
    offeredCents,
    agreedCents,
    currency,
    isCounter,
    actUntil,
    dueAt,
    dueDays,
    wasRevised,
    endReason,
    refundedCents: refundedCents ?? 0,
    at: createdAt,
    reference: requestReference(row.id),
    state: shownState(row),
    events: [...events],
    isSandbox: engines.sandbox !== undefined,
  };
}

/** A request as whoever asked follows it. */
export function showFollowed(
  engines: Engines,
  row: RequestRow,
  about: Pick<FollowedRequest, 'isYours' | 'statementDescriptor'> & { events: readonly RequestEvent[] },
): FollowedRequest {
  const { isYours, statementDescriptor, events } = about;
  const { id, creatorName, email, orderId, hasReceipt, deliverySlug, isDeliveryOpen } = row;
  return {
    ...showBoth(engines, row, events),
    code: requestCode(engines, id),
    creatorName,
    isYours,
    statementDescriptor,
    email: maskEmail(email),
    receiptPath: hasReceipt && orderId !== null ? `/receipt/${receiptCode(engines, orderId)}` : null,
    canOpen: deliverySlug !== null && isDeliveryOpen,
    reportUntil: reportUntil({ ...row, ...findMoneyState(row) }),
  };
}

/** A request in the list of whoever asked. */
export function showMine(engines: Engines, row: Row): MyRequest {
  const { id, title, creatorName, offeredCents, agreedCents, currency, createdAt } = row;
  return {
    code: requestCode(engines, id),
    title,
    creatorName,
    offeredCents,
    agreedCents,
    currency,
    state: shownState(row),
    at: createdAt,
  };
}

/** A request as its creator sees it. @param feePercent what the platform keeps of what is not paid yet */
export function showOwn(
  engines: Engines,
  row: Row & Pick<RequestRow, 'sending'>,
  about: { events: readonly RequestEvent[]; days: number; feePercent: number; hasDisputed: boolean },
): OwnRequest {
  const { events, days, feePercent, hasDisputed } = about;
  const { id, linkName, offeredCents, agreedCents, refundedCents, albumId, albumName } = row;
  const left = (agreedCents ?? offeredCents) - (refundedCents ?? 0);
  return {
    ...showBoth(engines, row, events),
    id,
    linkName,
    days,
    hasDisputed,
    sending: row.sending,
    shareCents: splitPayment(Math.max(0, left), row.feePercent ?? feePercent).shareCents,
    album: albumId === null ? null : { id: albumId, name: albumName ?? '' },
  };
}

export function showRow(row: Row): ShownRow {
  const { id, title, isCounter, actUntil, dueAt, offeredCents, agreedCents, currency, createdAt } = row;
  const until = isOver(row.state) ? null : actUntil;
  return {
    id,
    title,
    isCounter,
    actUntil: until,
    dueAt,
    offeredCents,
    agreedCents,
    currency,
    state: shownState(row),
    at: createdAt,
  };
}
