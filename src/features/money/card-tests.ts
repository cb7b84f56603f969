import type { Engines } from '#engines/engines.ts';
import type { Checkout } from '#engines/payments/payments.ts';
import { settingsOf } from '#features/settings/settings.ts';
import { dayMs, minuteMs } from '#kit/time.ts';
import { type CardTests, findCardTests, noteFailures } from './orders/card-failures-store.ts';
import type { OrderRow } from './orders-store.ts';

const system = { kind: 'system' } as const;

/** From when on somebody is taken to try out cards that are not theirs, and for how long nobody pays then. */
export interface CardTestLimits {
  cards: number;
  blockedMs: number;
  inRow: number;
  pausedMs: number;
}

/** Why nobody may pay, and until when. */
export interface Pause {
  /** This browser alone, or everybody on this link. */
  who: 'browser' | 'link';
  until: Date;
}

/** Whether a browser, or a link, takes no payment just now. */
export function judgeCardTests(
  { cards, lastCardAt, inRow, lastInRowAt }: CardTests,
  limits: CardTestLimits,
  now: Date,
): Pause | undefined {
  const after = (at: Date | null, ms: number) => new Date((at?.getTime() ?? 0) + ms);
  const blockedUntil = after(lastCardAt, limits.blockedMs);
  if (cards >= limits.cards && blockedUntil > now) return { who: 'browser', until: blockedUntil };
  const pausedUntil = after(lastInRowAt, limits.pausedMs);
  return inRow >= limits.inRow && pausedUntil > now ? { who: 'link', until: pausedUntil } : undefined;
}

/** Whether this viewer may pay now, on this link where it is one. */
export async function findPause(
  engines: Engines,
  { linkId, viewerId }: { linkId: string | undefined; viewerId: string | undefined },
  now: Date,
): Promise<Pause | undefined> {
  const { database, payments } = engines;
  const settings = await settingsOf(engines);
  const limits = {
    cards: settings['money.failedCards'],
    blockedMs: settings['money.failedCardsDays'] * dayMs,
    inRow: settings['money.failuresInRow'],
    pausedMs: settings['money.failuresPauseMinutes'] * minuteMs,
  };
  // Of those that led to a block the first are older than the block.
  const since = new Date(now.getTime() - 2 * limits.blockedMs);
  const about = { linkId, viewerId, since };
  return judgeCardTests(await database.work(system, (tx) => findCardTests(tx, payments.realm, about)), limits, now);
}

/**
 * Writes down which cards were declined for an order that is still to be paid. Whoever tries out cards goes on nowhere: what they
 * are paying for is ended at the provider.
 * @returns what the provider says of the checkout then
 */
export async function watchCards(engines: Engines, order: OrderRow, checkout: Checkout, now: Date): Promise<Checkout> {
  const { database, payments, log } = engines;
  const { paymentId } = checkout;
  if (!checkout.hasFailed || paymentId === undefined || checkout.state !== 'open') return checkout;
  const failures = await payments.listFailures(paymentId);
  await database.work(system, (tx) => noteFailures(tx, payments.realm, order.id, failures));
  const { linkId, viewerId } = order;
  if (linkId === null) return checkout;
  const pause = await findPause(engines, { linkId, viewerId: viewerId ?? undefined }, now);
  if (pause === undefined) return checkout;
  log.warn({ area: 'money', orderId: order.id, who: pause.who }, 'somebody may be trying out cards');
  await payments.expireCheckout(checkout.sessionId);
  return payments.findCheckout(checkout.sessionId);
}
