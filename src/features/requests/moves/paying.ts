import type { Engines } from '#engines/engines.ts';
import { PaymentRefused } from '#engines/payments/payments.ts';
import { moneyNow } from '#features/books/money-clock.ts';
import { requestCode } from '#features/held/request-code.ts';
import { settleCheckout } from '#features/orders/asking.ts';
import { findPause } from '#features/orders/card-tests.ts';
import { keepOpened } from '#features/orders/closing-sales.ts';
import { closeOrder, insertOrder } from '#features/orders/orders-store.ts';
import { checkoutMs, leastCheckoutMs } from '#features/orders/rules.ts';
import { nameSold } from '#features/orders/sold-words.ts';
import { holdSpending } from '#features/orders/spending-store.ts';
import { splitPayment } from '#features/orders/split-rules.ts';
import { findPayoutAccount, payoutStatusOf } from '#features/payouts/finding-accounts.ts';
import { syncAccount } from '#features/payouts/sync-account.ts';
import { requireFeature } from '#features/settings/features.ts';
import { settingsOf } from '#features/settings/settings.ts';
import { pausedFor } from '#features/viewing/buyers.ts';
import { newId } from '#kit/ids.ts';
import { refuse } from '#wire/refusals.ts';
import { findPendingOrder } from '../asking-store.ts';
import { holdRequest, type RequestRow } from '../store.ts';
import { refuseMove } from './moving.ts';

const system = { kind: 'system' } as const;
const notAccepting = 'Not accepting payments right now. Please try again later.';
/** Races are lost to somebody: what is under way is then looked at again, this often. */
const mostRounds = 4;

/** What the page showed to whoever pays. */
export interface PaymentParams {
  amountCents: number;
  shownTerms?: string | undefined;
}

/**
 * Where a request is paid that its creator has accepted: one order at a time, in full. The money stays here until it is delivered.
 * @throws CONFLICT, GONE, PRICE_CHANGED, BUYER_LIMIT, PaymentsAway
 */
export async function payRequest(
  engines: Engines,
  request: RequestRow,
  params: PaymentParams,
): Promise<{ url: string }> {
  const { creatorId, viewerId } = request;
  if (creatorId === null || viewerId === null) return refuseMove('state');
  await requireFeature(engines, 'features.sales');
  const account = await findPayoutAccount(engines, creatorId);
  if (account === undefined || payoutStatusOf(engines, account) !== 'complete')
    throw refuse('CONFLICT', { message: notAccepting });
  const now = moneyNow(engines);
  const pause = await findPause(engines, { counter: { kind: 'request', id: request.id }, viewerId }, now);
  if (pause !== undefined) throw refuse('RATE_LIMITED', pausedFor(pause, now));
  for (let round = 0; round < mostRounds; round++) {
    const pending = await findPendingOrder(engines.database, request.id);
    if (pending === undefined) {
      await makeOrder(engines, { id: request.id, creatorId, viewerId, accountId: account.accountId }, params);
      continue;
    }
    const url = await openPage(engines, request, pending);
    if (url !== undefined) return { url };
  }
  throw refuse('UNAVAILABLE', { retryAfter: 1 });
}

/** Writes the order down, as the request stands in this moment. */
async function makeOrder(
  engines: Engines,
  { id, creatorId, viewerId, accountId }: { id: string; creatorId: string; viewerId: string; accountId: string },
  { amountCents, shownTerms }: PaymentParams,
): Promise<void> {
  const { database, payments } = engines;
  const now = moneyNow(engines);
  const limits = await settingsOf(engines);
  const { feeCents } = splitPayment(amountCents, limits['money.commissionPercent']);
  await database.work(system, async (tx) => {
    const row = await holdRequest(tx, id);
    if (row?.state !== 'quoted' || row.agreedCents === null) return refuseMove('state');
    if (!row.isCreatorHere) throw refuse('CONFLICT', { message: notAccepting });
    if (row.actUntil === null || row.actUntil <= now) return refuseMove('over');
    if (row.agreedCents !== amountCents) throw refuse('PRICE_CHANGED');
    const { all } = await holdSpending(tx, payments.realm, { viewerId, creatorId, now });
    if (all + amountCents > limits['money.buyerDayCents']) throw refuse('BUYER_LIMIT');
    const least = now.getTime() + leastCheckoutMs;
    const expiresAt = new Date(Math.max(least, Math.min(row.actUntil.getTime(), now.getTime() + checkoutMs)));
    await insertOrder(tx, {
      id: newId<'order'>(now.getTime()),
      realm: payments.realm,
      kind: 'request',
      creatorId,
      viewerId,
      accountId,
      creatorName: row.creatorName,
      amountCents,
      feeCents,
      currency: row.currency,
      message: '',
      isAnonymous: true,
      linkId: null,
      slug: null,
      policyVersion: null,
      requestId: id,
      shownTerms,
      terms: { held: true, dueDays: row.dueDays },
      expiresAt,
      now,
    });
  });
}

/** @returns undefined when it is over: then there is another way to pay, or none */
async function openPage(
  engines: Engines,
  { id: requestId, currency }: RequestRow,
  order: NonNullable<Awaited<ReturnType<typeof findPendingOrder>>>,
): Promise<string | undefined> {
  const { database, payments, installation } = engines;
  if (order.sessionId !== null) {
    const known = await settleCheckout(engines, order.sessionId);
    if (known?.state !== 'pending') return undefined;
    return (await payments.findCheckout(order.sessionId)).url;
  }
  const { id, accountId, amountCents, feeCents, expiresAt } = order;
  const { publicUrl } = installation;
  try {
    const { sessionId, url } = await payments.openCheckout({
      orderId: id,
      kind: 'request',
      productName: nameSold('request'),
      amountCents,
      feeCents,
      currency,
      expiresAt,
      accountId,
      heldFor: requestId,
      cancelUrl: `${publicUrl}/request/${requestCode(engines, requestId)}`,
      successUrl: `${publicUrl}/custom-request-success?session_id={CHECKOUT_SESSION_ID}`,
    });
    if (await keepOpened(engines, id, sessionId)) return url;
    await payments.expireCheckout(sessionId);
    return undefined;
  } catch (error) {
    if (!(error instanceof PaymentRefused)) throw error;
    engines.log.warn({ area: 'money', orderId: id, err: error }, 'a checkout was refused');
    await database.work(system, (tx) => closeOrder(tx, id, 'failed'));
    await syncAccount(engines, accountId);
    throw refuse('CONFLICT', { message: notAccepting });
  }
}
