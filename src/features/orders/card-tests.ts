import type { Engines } from '#engines/engines.ts';
import type { Checkout } from '#engines/payments/payments.ts';
import { moneyNow } from '#features/books/money-clock.ts';
import { settingsOf } from '#features/settings/settings.ts';
import { dayMs, minuteMs } from '#kit/time.ts';
import type { OrderRow } from './orders-store.ts';
import {
  type CardTests,
  type Counter,
  findCardTests,
  noteFailures,
  sweepFailures,
} from './payments/card-failures-store.ts';
import { failuresKeptMs } from './rules.ts';

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
  /** This browser alone, or everybody at a link, for a request or on a creator's page. */
  who: 'browser' | Counter['kind'];
  until: Date;
}

/** Whether a browser, or everybody at a counter, pays nothing just now. */
export function judgeCardTests(
  { cards, lastCardAt, inRow, lastInRowAt }: CardTests,
  limits: CardTestLimits,
  now: Date,
  counter: Counter['kind'],
): Pause | undefined {
  const after = (at: Date | null, ms: number) => new Date((at?.getTime() ?? 0) + ms);
  const blockedUntil = after(lastCardAt, limits.blockedMs);
  if (cards >= limits.cards && blockedUntil > now) return { who: 'browser', until: blockedUntil };
  const pausedUntil = after(lastInRowAt, limits.pausedMs);
  return inRow >= limits.inRow && pausedUntil > now ? { who: counter, until: pausedUntil } : undefined;
}

/** Returns whether this viewer may pay now, at this counter. */
export async function findPause(
  engines: Engines,
  { counter, viewerId }: { counter: Counter; viewerId: string | undefined },
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
  const about = { counter, viewerId, since };
  const tests = await findCardTests(database, payments.realm, about);
  return judgeCardTests(tests, limits, now, counter.kind);
}

function counterOf({ linkId, requestId, creatorId }: OrderRow): Counter {
  if (linkId !== null) return { kind: 'link', id: linkId };
  return requestId === null ? { kind: 'page', id: creatorId } : { kind: 'request', id: requestId };
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
  const about = { counter: counterOf(order), viewerId: order.viewerId ?? undefined };
  const pause = await findPause(engines, about, now);
  if (pause === undefined) return checkout;
  log.warn({ area: 'money', orderId: order.id, who: pause.who }, 'somebody may be trying out cards');
  await payments.expireCheckout(checkout.sessionId);
  return payments.findCheckout(checkout.sessionId);
}

/** Forgets declined cards by which nobody is kept from paying any more. */
export async function forgetOldFailures(engines: Engines): Promise<void> {
  const before = new Date(moneyNow(engines).getTime() - failuresKeptMs);
  await engines.database.work(system, (tx) => sweepFailures(tx, before));
}
