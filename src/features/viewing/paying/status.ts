import type { Engines } from '#engines/engines.ts';
import type { Question } from '#features/access/store.ts';
import { moneyNow } from '#features/books/money-clock.ts';
import { nameSpan } from '#features/links/link-texts.ts';
import { findTipSettings } from '#features/money/tip-settings-store.ts';
import { settleCheckout } from '#features/orders/asking.ts';
import { findOrderOfSession, findPending, findSubscribing, type OrderRow } from '#features/orders/orders-store.ts';
import { receiptCode } from '#features/orders/receipts.ts';
import { isEndedHere, type OrderState, opens } from '#features/orders/rules.ts';
import { findSaleEnd } from '#features/sales/ends-store.ts';
import type { SaleEnd } from '#features/sales/rules.ts';
import { settingsOf } from '#features/settings/settings.ts';
import { maskEmail } from '#kit/text.ts';
import type { CheckoutStatus } from '../sale-contract.ts';
import { describeRevokedMoney } from './ended-payment.ts';
import { type EndedWords, wordsOfEnded } from './ended-words.ts';
import { findOpenForMs, findPagePath, isOwnOrder } from './status-store.ts';

const states: Readonly<Record<OrderState, CheckoutStatus['state']>> = {
  pending: 'processing',
  paid: 'done',
  partially_refunded: 'done',
  refunded: 'returned',
  disputed: 'on_hold',
  charged_back: 'returned',
  expired: 'failed',
  failed: 'failed',
  canceled: 'failed',
};

/**
 * What became of a payment. It is asked for now, so it is right before any event has come and without one. Where the album opens,
 * and its receipt, by which money is asked back, are told to the browser that paid alone: a reference in an address is no key.
 */
export async function findStatus(
  engines: Engines,
  sessionId: string,
  deviceSecretHash: Buffer | undefined,
): Promise<CheckoutStatus> {
  const { database, payments } = engines;
  const { 'money.statementDescriptor': statementDescriptor } = await settingsOf(engines);
  const money = { isSandbox: engines.sandbox !== undefined, statementDescriptor };
  const known = await findOrderOfSession(database, payments.realm, sessionId);
  if (known === undefined) return { state: 'unknown', isOwn: false, ...money };
  const isOpen = known.state === 'pending' || isEndedHere(known.state);
  const order = isOpen ? ((await settleCheckout(engines, sessionId)) ?? known) : known;
  const openForMs = await findOpenForMs(database, order.id);
  const pagePath = order.isOnPage ? await findPagePath(database, order.id) : undefined;
  const thanks = await findThanks(engines, order);
  const isOwn = deviceSecretHash !== undefined && (await isOwnOrder(database, order.id, deviceSecretHash));
  const end = await findEnd(engines, order);
  const isShut = end.words !== undefined && end.why !== 'link_free';
  return {
    ...toCheckoutStatus(order),
    isOwn,
    ...(end.words && { ended: end.words }),
    ...(isOwn && order.receiptNumber !== null && { receiptPath: `/receipt/${receiptCode(engines, order.id)}` }),
    ...(thanks !== '' && { thanks }),
    ...(openForMs !== undefined && { span: nameSpan(openForMs) }),
    ...(isOwn && !isShut && !end.isLinkShut && order.slug !== null && { viewPath: `/view/${order.slug}` }),
    ...(pagePath !== undefined && { pagePath }),
    ...money,
  };
}

/** What has ended the sale of an order by now, and what is said of it. */
async function findEnd(
  engines: Engines,
  order: OrderRow,
): Promise<{ why?: SaleEnd | undefined; words?: EndedWords | undefined; isLinkShut: boolean }> {
  const { endedWhy, linkId, viewerId } = order;
  if (endedWhy !== null) return { why: endedWhy, words: wordsOfEnded(order, endedWhy, ''), isLinkShut: false };
  if (!opens(order.state)) return { isLinkShut: false };
  const why = await findSaleEnd(engines.database, order.id, moneyNow(engines));
  const isRevoked = why === 'link_revoked' && linkId !== null && viewerId !== null;
  const money = isRevoked ? await describeRevokedMoney(engines, { linkId, viewerId }) : '';
  // A subscription goes on, and opens elsewhere.
  const isLinkShut = order.kind === 'fan_sub' && why !== undefined;
  return { why, words: wordsOfEnded(order, why, money), isLinkShut };
}

/** @returns nothing but for a tip that came to them */
const findThanks = async ({ database }: Engines, { kind, state, creatorId }: OrderRow): Promise<string> =>
  kind === 'tip' && opens(state) && creatorId !== null ? (await findTipSettings(database, creatorId)).thanks : '';

function toCheckoutStatus(order: OrderRow): Omit<CheckoutStatus, 'isSandbox' | 'isOwn' | 'statementDescriptor'> {
  const { kind, state, months, amountCents, currency, creatorName, email } = order;
  return {
    // What came too late is on its way back before the provider says so.
    state: order.endedWhy !== null && opens(state) ? 'returned' : states[state],
    kind,
    amountCents,
    currency,
    creatorName,
    isOnPage: order.isOnPage,
    ...(kind === 'fan_sub' && { months }),
    ...(email !== null && { email: maskEmail(email) }),
  };
}

/** How long somebody who opens a link waits for the provider to say that they have paid. */
const patienceMs = 3000;

/** Where a viewer was to pay who has not come back: at this link, or for a subscription to its creator. */
export async function findWaitingSession(
  { database, payments: { realm } }: Engines,
  { linkId, creatorId }: Pick<Question, 'linkId' | 'creatorId'>,
  viewerId: string,
): Promise<string | undefined> {
  const here = await findPending(database, linkId, viewerId, realm);
  const order = here ?? (await findSubscribing(database, creatorId, viewerId, realm));
  return order?.sessionId ?? undefined;
}

/** Asks about what a viewer is paying for. @returns whether it has come to something else, or the bank has it under way */
export async function settleWaiting(engines: Engines, sessionId: string): Promise<'over' | 'processing' | 'open'> {
  const asked = settleCheckout(engines, sessionId).then(
    (order) => (order?.state !== 'pending' ? 'over' : order.isProcessing ? 'processing' : 'open'),
    () => 'open' as const, // it is asked about again, by the next open and by the jobs
  );
  const tooLong = new Promise<'open'>((over) => setTimeout(() => over('open'), patienceMs).unref());
  return Promise.race([asked, tooLong]);
}
