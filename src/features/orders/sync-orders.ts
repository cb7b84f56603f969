import type { Engines } from '#engines/engines.ts';
import type { Checkout, Realm } from '#engines/payments/payments.ts';
import type { Asking } from '#engines/shared-run.ts';
import { adoptExpected } from '#features/books/adopting-cards.ts';
import { askOnce } from '#features/books/asked-once.ts';
import { syncSoon, syncTogether } from '#features/books/ledger-sync.ts';
import { moneyNow } from '#features/books/money-clock.ts';
import { withObjectLock } from '#features/books/object-lock.ts';
import { syncRefundOf } from '#features/plans/bill-refunds.ts';
import { syncPlan, syncPlanSession } from '#features/plans/sync-plan.ts';
import { isUuid } from '#kit/ids.ts';
import { watchCards } from './card-tests.ts';
import { findFan, findFanOf } from './fans-store.ts';
import { findOrder, findOrderOfSession, type OrderRow } from './orders-store.ts';
import { syncPack } from './packs.ts';
import { findSessionOfPayment } from './payments/sessions-store.ts';
import { isWritten, writePayment } from './payments/writing-orders.ts';
import { isEndedHere, wasPaid } from './rules.ts';
import { syncFan } from './sync-fan.ts';

const system = { kind: 'system' } as const;
/** Lost to somebody who was quicker, so often that something else is wrong. */
const mostRounds = 20;

/** An order, and whether the bank has its payment under way. */
export type AskedOrder = OrderRow & { isProcessing: boolean };

/**
 * Asks the provider what became of a checkout and writes it down: order, receipt, mails and what it opens in one transaction.
 * Repeating it changes nothing; it is right whenever, however often and by whomever it is called. Whoever asks about the same
 * checkout meanwhile shares the next answer. The books are brought up by whoever calls.
 * @returns the order as it is now; undefined when it is none of ours
 */
export const askOrder = (engines: Engines, sessionId: string, asking?: Asking): Promise<AskedOrder | undefined> =>
  askOnce(engines, ['order', sessionId], () => syncOrder(engines, sessionId), asking);

/** For whom something is brought down. */
export interface Bringing {
  /** What was asked then or later is new enough, by `performance.now()`. */
  sinceMs?: number;
  /** Whoever calls brings up the books afterwards, of several payments together. */
  isBookedLater?: boolean;
}

/** The same, and then the books. */
export async function syncSession(
  engines: Engines,
  sessionId: string,
  { sinceMs, isBookedLater = false }: Bringing = {},
): Promise<OrderRow | undefined> {
  const order = await askOrder(engines, sessionId, { isUrgent: true, sinceMs });
  if (order !== undefined && wasPaid(order.state) && !isBookedLater) await syncTogether(engines);
  return order;
}

async function syncOrder(engines: Engines, sessionId: string): Promise<AskedOrder | undefined> {
  const asked = await withObjectLock(engines, sessionId, () => syncKnown(engines, sessionId));
  if (asked === undefined) return undefined;
  const { order, subscriptionId } = asked;
  if (order.kind !== 'fan_sub' || order.paidAt === null || subscriptionId === undefined) return order;
  // What is paid every month is more than its first payment, and is asked about as well.
  await syncFan(engines, subscriptionId, { firstOrder: order });
  const after = await findOrder(engines.database, order.id);
  return after && { ...after, isProcessing: order.isProcessing };
}

async function syncKnown(
  engines: Engines,
  sessionId: string,
): Promise<{ order: AskedOrder; subscriptionId: string | undefined } | undefined> {
  const { database, payments, log } = engines;
  for (let round = 0; round < mostRounds; round++) {
    const known = await findOrderOfSession(database, payments.realm, sessionId);
    const found = await payments.findCheckout(sessionId);
    // A payment may be told of before we have written down where it was to be paid.
    const order = known ?? (await findNamed(engines, found));
    if (order === undefined) return undefined;
    if (!isOf(order, found, payments.realm)) {
      log.error({ area: 'money', orderId: order.id, sessionId }, 'a checkout names an order that it was not made for');
      return undefined;
    }
    const checkout = await watchCards(engines, order, await endWithOrder(engines, order, found), moneyNow(engines));
    const after = await write(engines, order, checkout);
    if (after !== undefined)
      return {
        order: { ...after, isProcessing: checkout.state === 'processing' },
        subscriptionId: checkout.subscriptionId,
      };
  }
  throw new Error('An order was changed by somebody else again and again.');
}

/** @returns the order as it is then; undefined when somebody was quicker */
async function write(engines: Engines, order: OrderRow, checkout: Checkout): Promise<OrderRow | undefined> {
  if (isWritten(order, checkout)) {
    const now = await findOrder(engines.database, order.id);
    return now?.syncedVersion === order.syncedVersion ? now : undefined;
  }
  return engines.database.work(system, async (tx) =>
    (await writePayment(engines, tx, order, checkout)) ? findOrder(tx, order.id) : undefined,
  );
}

/** The order that the provider names: asked again, so that its version is older than what the provider says. */
async function findNamed({ database }: Engines, { orderId }: Checkout): Promise<OrderRow | undefined> {
  return orderId !== undefined && isUuid(orderId) ? findOrder(database, orderId) : undefined;
}

/** Returns whether a checkout is the one of this order: who can open checkouts in our name can write any order's id on one. */
const isOf = (order: OrderRow, checkout: Checkout, { provider, livemode }: Realm): boolean =>
  (order.sessionId === null || order.sessionId === checkout.sessionId) &&
  order.provider === provider &&
  order.livemode === livemode &&
  order.kind === checkout.kind &&
  order.amountCents === checkout.amountCents &&
  order.currency === checkout.currency;

/** What has ended here must not be paid there any more. */
async function endWithOrder({ payments }: Engines, order: OrderRow, checkout: Checkout): Promise<Checkout> {
  if (!isEndedHere(order.state) || checkout.state !== 'open') return checkout;
  await payments.expireCheckout(checkout.sessionId);
  return payments.findCheckout(checkout.sessionId);
}

/** Brings down what a payment, its charge or what went back of it belongs to. @returns false when that is nothing that we know yet */
export async function syncMoney(engines: Engines, objectId: string, bringing?: Bringing): Promise<boolean> {
  const { database, payments } = engines;
  const ownId = await findSessionOfPayment(database, payments.realm, objectId);
  if (ownId !== undefined) return (await syncSession(engines, ownId, bringing)) !== undefined;
  const sessionId = await payments.findSessionOf(objectId);
  if (sessionId !== undefined) return syncKnownSession(engines, sessionId, bringing);
  return syncSubscription(engines, objectId);
}

/** An order's, a plan's or a pack's; of an order that is not known yet only the provider knows that it is one. */
export async function syncAnySession(engines: Engines, sessionId: string, bringing?: Bringing): Promise<boolean> {
  const order = await findOrderOfSession(engines.database, engines.payments.realm, sessionId);
  if (order !== undefined) return (await syncSession(engines, sessionId, bringing)) !== undefined;
  return (await syncPlanSession(engines, sessionId)) !== undefined || syncKnownSession(engines, sessionId, bringing);
}

const syncKnownSession = async (engines: Engines, sessionId: string, bringing?: Bringing): Promise<boolean> =>
  (await syncPack(engines, sessionId, bringing)) !== undefined ||
  (await syncSession(engines, sessionId, bringing)) !== undefined;

/** A creator's plan, or what a fan pays them. */
export async function syncSubscription(engines: Engines, objectId: string): Promise<boolean> {
  const { database, payments } = engines;
  const subscriptionId = await payments.findSubscriptionOf(objectId);
  if (subscriptionId === undefined) return false;
  const fan = await findFanOf(database, payments.realm, subscriptionId);
  if (fan !== undefined) {
    await syncFan(engines, subscriptionId, { invoiceId: await payments.findInvoiceOf(objectId) });
    await syncTogether(engines);
    return true;
  }
  if ((await syncPlan(engines, subscriptionId)) !== undefined) {
    await syncRefundOf(engines, objectId);
    return true;
  }
  // The checkout that it came of is told of as well, and may come later.
  const sessionId = await payments.findSessionOf(subscriptionId);
  return sessionId !== undefined && syncKnownSession(engines, sessionId);
}

/** Asks again about an order of ours, however it was paid. */
export async function syncPayment(
  engines: Engines,
  {
    sessionId,
    subscriptionId,
    invoiceId,
  }: { sessionId: string | null; subscriptionId: string | null; invoiceId: string | null },
): Promise<void> {
  if (sessionId !== null) return void (await syncSession(engines, sessionId));
  if (subscriptionId === null) return;
  await syncFan(engines, subscriptionId, { invoiceId: invoiceId ?? undefined });
  await syncTogether(engines);
}

/** Asks about the cards of all who went to give another one. @param among left out, all of them */
export const settleCards = (engines: Engines, among?: readonly string[]): Promise<void> =>
  adoptExpected(engines, syncSubscription, among);

/** Asks again how several subscriptions stand. */
export async function syncSubscriptions(engines: Engines, fanIds: readonly string[]): Promise<void> {
  const fans = await Promise.all(fanIds.map((fanId) => findFan(engines.database, fanId)));
  const customers = fans.flatMap((fan) => fan?.customerId ?? []);
  if (customers.length > 0) await settleCards(engines, customers);
  for (const fanId of fanIds) {
    const fan = await findFan(engines.database, fanId);
    const subscriptionId = fan?.subscriptionId ?? undefined;
    if (subscriptionId !== undefined)
      await askOnce(engines, ['subscription', subscriptionId], () => syncFan(engines, subscriptionId));
  }
  if (fanIds.length > 0) syncSoon(engines);
}
