import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import type { Checkout, Realm } from '#engines/payments/payments.ts';
import { noteNotice } from '#features/notices/notices-store.ts';
import { isUuid, newId } from '#kit/ids.ts';
import { type AccountRow, findAccountById, writeAccount } from './accounts-store.ts';
import { settleAsking } from './asking-back.ts';
import { watchCards } from './card-tests.ts';
import { syncLedger } from './ledger.ts';
import { withObjectLock } from './object-lock.ts';
import {
  findOrder,
  findOrderOfSession,
  insertReceipt,
  keepBuyer,
  type OrderRow,
  sumEarned,
  writeProjection,
} from './orders-store.ts';
import { projectPayout } from './payout/project-payout.ts';
import { releasePlace } from './places-store.ts';
import { projectPlanObject } from './plan/project-plan.ts';
import { mailReceipt } from './receipt-mail.ts';
import { settleRefunds } from './refunds-store.ts';
import { isEndedHere, type OrderState, opens, orderStateOf, wasPaid } from './rules.ts';

const system = { kind: 'system' } as const;
/** Lost to somebody who was quicker, so often that something else is wrong. */
const mostRounds = 5;

/** The time of money: in a sandbox a developer may turn it. */
export const moneyNow = ({ linkClock }: Pick<Engines, 'linkClock'>): Date => new Date(linkClock());

/**
 * Asks the provider what became of a checkout and writes it down: order, receipt, mails and what it opens in one transaction,
 * then the books. Repeating it changes nothing; it is right whenever, however often and by whomever it is called.
 * @returns the order as it is now; undefined when it is none of ours
 */
export async function projectSession(engines: Engines, sessionId: string): Promise<OrderRow | undefined> {
  const order = await projectOrder(engines, sessionId);
  if (order !== undefined && wasPaid(order.state)) await syncLedger(engines);
  return order;
}

/** The same without the books. */
export async function projectOrder(engines: Engines, sessionId: string): Promise<OrderRow | undefined> {
  const orderId = await withObjectLock(engines, sessionId, () => project(engines, sessionId));
  return orderId === undefined ? undefined : engines.database.work(system, (tx) => findOrder(tx, orderId));
}

async function project(engines: Engines, sessionId: string): Promise<string | undefined> {
  const { database, payments, log } = engines;
  for (let round = 0; round < mostRounds; round++) {
    const known = await database.work(system, (tx) => findOrderOfSession(tx, payments.realm, sessionId));
    const found = await payments.findCheckout(sessionId);
    // A payment may be told of before we have written down where it was to be paid.
    const order = known ?? (await findNamed(engines, found));
    if (order === undefined) return undefined;
    if (!isOf(order, found, payments.realm)) {
      log.error({ area: 'money', orderId: order.id, sessionId }, 'a checkout names an order that it was not made for');
      return undefined;
    }
    const checkout = await watchCards(engines, order, await endWithOrder(engines, order, found), moneyNow(engines));
    if (await database.work(system, (tx) => write(engines, tx, order, checkout))) return order.id;
  }
  throw new Error('An order was changed by somebody else again and again.');
}

/** The order that the provider names: asked anew, so that its version is older than what the provider says. */
async function findNamed({ database }: Engines, { orderId }: Checkout): Promise<OrderRow | undefined> {
  return orderId !== undefined && isUuid(orderId) ? database.work(system, (tx) => findOrder(tx, orderId)) : undefined;
}

/** Whether a checkout is the one of this order: who can open checkouts in our name can write any order's id on one. */
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

async function write(engines: Engines, tx: Tx, order: OrderRow, checkout: Checkout): Promise<boolean> {
  const now = moneyNow(engines);
  const state = stateAfter(order, checkout);
  const isPaidNow = wasPaid(state) && order.paidAt === null;
  const buyerId =
    checkout.email === undefined ? undefined : await keepBuyer(tx, newId(now.getTime()), checkout.email, now);
  const isWritten = await writeProjection(tx, {
    ...{ orderId: order.id, version: order.syncedVersion, state, buyerId },
    sessionId: checkout.sessionId,
    paymentId: checkout.paymentId,
    chargeId: checkout.chargeId,
    refundedCents: checkout.refundedCents,
    paidAt: isPaidNow ? now : undefined,
  });
  if (!isWritten) return false;
  if (state === order.state && checkout.refundedCents === order.refundedCents) return true;
  await settleRefunds(tx, order.id, checkout.refundedCents, now);
  if (state === 'refunded') await settleAsking(engines, tx, order.id);
  if (!opens(state) && state !== 'pending' && state !== 'disputed') await releasePlace(tx, order.id);
  if (isPaidNow) await tellPaid(engines, tx, order, checkout, now);
  if (order.linkId !== null) await sumEarned(tx, order.linkId, engines.payments.realm);
  await tellScreens(tx, order);
  return true;
}

/** What we ended ourselves stays ended, unless it was paid all the same; it is asked about until it can be paid no more. */
function stateAfter(order: OrderRow, checkout: Checkout): OrderState {
  const state = orderStateOf(checkout);
  return isEndedHere(order.state) && state === 'pending' ? order.state : state;
}

/** The receipt, the mail with it and the creator's notice, exactly once. */
async function tellPaid(engines: Engines, tx: Tx, order: OrderRow, { email }: Checkout, now: Date): Promise<void> {
  const number = await insertReceipt(tx, order.id, now);
  if (number === undefined) return;
  if (email !== undefined) await mailReceipt(engines, tx, order, { number, to: email, now });
  await notePaid(engines, tx, order);
}

/** Her notices keep the time of her day, whatever time it is for money. */
async function notePaid({ clock }: Engines, tx: Tx, order: OrderRow): Promise<void> {
  const { id, kind, creatorId, amountCents, feeCents, currency } = order;
  if (creatorId === null) return;
  const sums = {
    isSale: kind !== 'tip',
    amountCents,
    shareCents: amountCents - feeCents,
    currency: currency.toUpperCase(),
  };
  await noteNotice(tx, { userId: creatorId, notice: { event: 'tip', orderId: id, ...sums }, now: new Date(clock()) });
}

/** Open screens of this viewer ask anew whether they may go on; the creator's pages read anew. */
async function tellScreens(tx: Tx, { creatorId, viewerId, linkId }: OrderRow): Promise<void> {
  const about = {
    ...(creatorId !== null && { creatorId }),
    ...(viewerId !== null && { viewerId }),
    ...(linkId !== null && { linkId }),
  };
  await tx.tell({ kind: 'viewer.paid', ...about });
}

/** Asks the provider whether a creator can be paid. @returns undefined when the account is none of ours */
export async function projectAccount(engines: Engines, accountId: string): Promise<AccountRow | undefined> {
  const { database, payments } = engines;
  return withObjectLock(engines, accountId, async () => {
    for (let round = 0; round < mostRounds; round++) {
      const known = await database.work(system, (tx) => findAccountById(tx, payments.realm, accountId));
      if (known === undefined) return undefined;
      const account = await payments.findAccount(accountId);
      const fullStatus = fullStatusOf(account, known);
      const change = { accountId, fullStatus, missing: account.missing, version: known.syncedVersion };
      const isWritten = await database.work(system, (tx) =>
        writeAccount(tx, payments.realm, { ...change, now: moneyNow(engines) }),
      );
      if (isWritten) return database.work(system, (tx) => findAccountById(tx, payments.realm, accountId));
    }
    throw new Error('An account was changed by somebody else again and again.');
  });
}

/** An account that was complete and is not any more is restricted; one that never was is still to be completed. */
function fullStatusOf(
  { isReady, isClosed }: { isReady: boolean; isClosed: boolean },
  { connectedAt }: AccountRow,
): AccountRow['fullStatus'] {
  if (isClosed) return 'closed';
  if (isReady) return 'complete';
  return connectedAt === null ? 'pending' : 'restricted';
}

/** Brings down whatever an event was about. @returns false when it is about nothing that we know yet */
export async function projectObject(engines: Engines, objectId: string): Promise<boolean> {
  if (objectId.startsWith('cs_'))
    return (await projectPlanObject(engines, objectId)) || (await projectSession(engines, objectId)) !== undefined;
  if (objectId.startsWith('acct_')) return (await projectAccount(engines, objectId)) !== undefined;
  if (/^(sub|in)_/.test(objectId)) return projectPlanObject(engines, objectId);
  if (objectId.startsWith('po_')) return projectPayout(engines, objectId);
  if (!/^(pi|ch|re)_/.test(objectId)) return true;
  const sessionId = await engines.payments.findSessionOf(objectId);
  if (sessionId === undefined) return projectPlanObject(engines, objectId);
  return (await projectSession(engines, sessionId)) !== undefined;
}
