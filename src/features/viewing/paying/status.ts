import type { Engines } from '#engines/engines.ts';
import type { Question } from '#features/access/store.ts';
import { nameSpan } from '#features/links/link-texts.ts';
import { settleCheckout } from '#features/money/asking.ts';
import { findOrderOfSession, findPending, findSubscribing, type OrderRow } from '#features/money/orders-store.ts';
import { receiptCode } from '#features/money/receipts.ts';
import { isEndedHere, maskEmail, type OrderState, opens } from '#features/money/rules.ts';
import { findTipSettings } from '#features/money/tip-settings-store.ts';
import type { CheckoutStatus } from '../sale-contract.ts';
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
 * What became of a payment. It is asked for now, so it is right before any event has come and without one. Where the album opens
 * is told to the browser that paid alone: a reference in an address lets nobody in.
 */
export async function findStatus(
  engines: Engines,
  sessionId: string,
  deviceSecretHash: Buffer | undefined,
): Promise<CheckoutStatus> {
  const { database, payments } = engines;
  const isSandbox = engines.sandbox !== undefined;
  const known = await findOrderOfSession(database, payments.realm, sessionId);
  if (known === undefined) return { state: 'unknown', isSandbox };
  const isOpen = known.state === 'pending' || isEndedHere(known.state);
  const order = isOpen ? ((await settleCheckout(engines, sessionId)) ?? known) : known;
  const openForMs = await findOpenForMs(database, order.id);
  const pagePath = order.isOnPage ? await findPagePath(database, order.id) : undefined;
  const thanks = await findThanks(engines, order);
  const isOwn = deviceSecretHash !== undefined && (await isOwnOrder(database, order.id, deviceSecretHash));
  return {
    ...tell(engines, order),
    ...(thanks !== '' && { thanks }),
    ...(openForMs !== undefined && { span: nameSpan(openForMs) }),
    ...(isOwn && order.slug !== null && { viewPath: `/view/${order.slug}` }),
    ...(pagePath !== undefined && { pagePath }),
    isSandbox,
  };
}

/** @returns nothing but for a tip that came to her */
const findThanks = async ({ database }: Engines, { kind, state, creatorId }: OrderRow): Promise<string> =>
  kind === 'tip' && opens(state) && creatorId !== null ? (await findTipSettings(database, creatorId)).thanks : '';

function tell(engines: Engines, order: OrderRow): Omit<CheckoutStatus, 'isSandbox'> {
  const { kind, state, months, amountCents, currency, creatorName, email, receiptNumber } = order;
  return {
    state: states[state],
    kind,
    ...{ amountCents, currency, creatorName },
    ...(kind === 'fan_sub' && { months }),
    ...(email !== null && { email: maskEmail(email) }),
    ...(receiptNumber !== null && { receiptPath: `/receipt/${receiptCode(engines, order.id)}` }),
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
