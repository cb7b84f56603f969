import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import type { Checkout } from '#engines/payments/payments.ts';
import { moneyNow } from '#features/books/money-clock.ts';
import { endReturned, resumeTimes, stopTimes } from '#features/held/paid-requests-store.ts';
import { paymentFailedEmail } from '#features/notices/money-emails.ts';
import { noteNotice } from '#features/notices/notices-store.ts';
import { queueEmail } from '#features/notices/store.ts';
import type { OrderEnd } from '#features/sales/rules.ts';
import { newId } from '#kit/ids.ts';
import { formatMoney } from '#kit/text.ts';
import { followBank, settleAsking } from '../asking-back.ts';
import { notifyCameBack } from '../emails/notify-came-back.ts';
import { notifyReturned } from '../emails/notify-refunds.ts';
import { notifyScreens } from '../order-screens.ts';
import { keepBuyer, type OrderRow, writeProjection } from '../orders-store.ts';
import { releasePlace } from '../places-store.ts';
import { mailReceipt } from '../receipts.ts';
import { settleRefunds } from '../refunds-store.ts';
import { isEndedHere, type OrderState, opens, orderStateOf, wasPaid } from '../rules.ts';
import { describeSold } from '../sold-words.ts';
import { holdPayment } from './holding.ts';
import { findOrderEnd, returnLate } from './late-payments.ts';
import { addEarned, sumEarned } from './link-earnings-store.ts';
import { insertReceipt } from './receipt-numbers-store.ts';

/** What the provider says of the payment of an order: of its checkout, or of one month's bill. */
export type Paid = Omit<
  Checkout,
  'sessionId' | 'orderId' | 'kind' | 'url' | 'currency' | 'subscriptionId' | 'hasFailed'
> & {
  sessionId: string | undefined;
  /** When, where that is told; else it is now. */
  paidAt?: Date | undefined;
};

/**
 * Writes what became of an order's payment, with its receipt, its mails and what it opens.
 * @returns false when somebody was quicker: then the provider has to be asked again
 */
export async function writePayment(engines: Engines, tx: Tx, order: OrderRow, paid: Paid): Promise<boolean> {
  const now = moneyNow(engines);
  // A refund that the buyer's bank did not take is still owed: it opens nothing again.
  const checkout = { ...paid, refundedCents: Math.max(order.refundedCents, paid.refundedCents) };
  const unreturnedCents = checkout.refundedCents - paid.refundedCents;
  const state = stateAfter(order, checkout);
  const isPaidNow = wasPaid(state) && order.paidAt === null;
  const { chargedAt, sessionId } = checkout;
  const end = await findOrderEnd(tx, order, { sessionId, chargedAt, isPaidNow, now });
  // Who has paid stays who they are: an address that was erased does not come back from the provider.
  const email = order.email === null ? checkout.email : undefined;
  const buyerId = email === undefined ? undefined : await keepBuyer(tx, newId(now.getTime()), email, now);
  const isWritten = await writeProjection(tx, {
    orderId: order.id,
    version: order.syncedVersion,
    state,
    buyerId,
    sessionId: checkout.sessionId,
    paymentId: checkout.paymentId,
    chargeId: checkout.chargeId,
    refundedCents: checkout.refundedCents,
    unreturnedCents,
    paidAt: isPaidNow ? (checkout.paidAt ?? now) : undefined,
    end,
  });
  if (!isWritten) return false;
  if (unreturnedCents > order.unreturnedCents) await notifyCameBack(engines, tx, order, { unreturnedCents, now });
  if (state !== order.state || checkout.refundedCents !== order.refundedCents)
    await followPayment(engines, tx, order, { checkout, state, end, isPaidNow, now });
  return true;
}

/** Returns whether all of what the provider says is written down already, so that there is nothing to write. */
export function isWritten(order: OrderRow, paid: Paid): boolean {
  const { sessionId, paymentId, chargeId, email, refundedCents } = paid;
  return (
    stateAfter(order, paid) === order.state &&
    (sessionId ?? order.sessionId) === order.sessionId &&
    (paymentId ?? null) === order.paymentId &&
    (chargeId ?? null) === order.chargeId &&
    refundedCents === order.refundedCents &&
    order.unreturnedCents === 0 &&
    (email === undefined || order.email !== null)
  );
}

interface Followed {
  checkout: Paid;
  /** What it has become. */
  state: OrderState;
  /** What ended its sale before it was paid. */
  end: OrderEnd | undefined;
  isPaidNow: boolean;
  now: Date;
}

/** What follows of an order that has become something else, in the same transaction. */
async function followPayment(engines: Engines, tx: Tx, order: OrderRow, followed: Followed): Promise<void> {
  const { checkout, state, end, isPaidNow, now } = followed;
  const settled = await settleRefunds(tx, order.id, checkout.refundedCents, now);
  const amountCents = checkout.refundedCents - order.refundedCents;
  const wasAsked = state === 'refunded' && (await settleAsking(engines, tx, order.id, { settled, amountCents }));
  await followBank(engines, tx, order, state);
  if (!opens(state) && state !== 'pending' && state !== 'disputed') await releasePlace(tx, order.id);
  if (state === 'failed' && order.state === 'pending') await describeFailed(engines, tx, order, checkout, now);
  if (isPaidNow && end === undefined) await notifyPaid(engines, tx, order, checkout, now);
  if (isPaidNow && end !== undefined) await takeLate(engines, tx, order, { end, email: checkout.email, now });
  const { refundedCents, email } = checkout;
  if (refundedCents > order.refundedCents)
    await notifyReturned(engines, tx, order, { refundedCents, email, settled, wasAsked, now });
  // What came too late was never held for a request.
  if (order.requestId !== null && end === undefined)
    await followRequest(engines, tx, order, { ...followed, requestId: order.requestId });
  if (order.linkId !== null) await keepEarned(engines, tx, { ...order, linkId: order.linkId }, followed);
  await notifyScreens(tx, order);
}

/** What is paid is added; what goes back, or a bank has, makes a link's earnings be added up again, which is seldom. */
async function keepEarned(
  { payments }: Engines,
  tx: Tx,
  { linkId, amountCents, feeCents, paidAt }: OrderRow & { linkId: string },
  { state, isPaidNow }: Followed,
): Promise<void> {
  if (state === 'paid' && isPaidNow) return addEarned(tx, linkId, amountCents - feeCents);
  if (paidAt !== null || isPaidNow) await sumEarned(tx, linkId, payments.realm);
}

async function followRequest(
  engines: Engines,
  tx: Tx,
  order: OrderRow,
  { requestId, checkout, state, isPaidNow, now }: Followed & { requestId: string },
): Promise<void> {
  if (isReturned(state)) await endReturned(tx, requestId, now, { isRefunded: state === 'refunded' });
  if (isPaidNow) await holdPayment(engines, tx, order, { email: checkout.email, now });
  if (state === 'disputed') await stopTimes(tx, requestId, order.id, now);
  if (order.state === 'disputed' && opens(state)) await resumeTimes(tx, requestId, order.id, now);
}

/** It has its receipt as every payment, and goes back at once; its creator, who sold nothing, hears of neither. */
async function takeLate(
  engines: Engines,
  tx: Tx,
  order: OrderRow,
  late: Parameters<typeof returnLate>[3],
): Promise<void> {
  await insertReceipt(tx, order.id, late.now);
  await returnLate(engines, tx, order, late);
}

const isReturned = (state: OrderState) => state === 'refunded' || state === 'charged_back';

/** Returns the state after an answer of the provider: what we ended ourselves stays ended, unless it was paid all the same. */
function stateAfter(order: OrderRow, checkout: Paid): OrderState {
  const state = orderStateOf(checkout);
  return isEndedHere(order.state) && state === 'pending' ? order.state : state;
}

/** Whoever has left was promised an email, and may pay in another way. */
async function describeFailed({ installation, jobs }: Engines, tx: Tx, order: OrderRow, { email }: Paid, now: Date) {
  if (email === undefined) return;
  const { kind, creatorName, amountCents, currency, slug } = order;
  const words = paymentFailedEmail({
    what: describeSold(kind, creatorName),
    amount: formatMoney(amountCents, currency.toUpperCase()),
    page: slug === null ? undefined : `${installation.publicUrl}/view/${slug}`,
  });
  await queueEmail(tx, jobs, { to: email.trim().toLowerCase(), now, ...words });
}

/** The receipt, the mail with it and the creator's notice, exactly once. */
async function notifyPaid(engines: Engines, tx: Tx, order: OrderRow, { email }: Paid, now: Date): Promise<void> {
  const number = await insertReceipt(tx, order.id, now);
  if (number === undefined) return;
  if (email !== undefined) await mailReceipt(engines, tx, order, { number, to: email, now });
  await notePaid(engines, tx, order);
}

/** Their notices keep the time of their day, whatever time it is for money. */
async function notePaid({ clock }: Engines, tx: Tx, order: OrderRow): Promise<void> {
  const { id, kind, creatorId, isOnPage, amountCents, feeCents, currency } = order;
  // Of a subscription they hear when it begins and when it ends, not every month; of custom work by its own words.
  if (creatorId === null || kind === 'fan_sub' || kind === 'request') return;
  const sums = {
    isSale: kind !== 'tip',
    ...(isOnPage && { isOnPage }),
    amountCents,
    shareCents: amountCents - feeCents,
    currency: currency.toUpperCase(),
  };
  await noteNotice(tx, { userId: creatorId, notice: { event: 'tip', orderId: id, ...sums }, now: new Date(clock()) });
}
