import type { Engines } from '#engines/engines.ts';
import { moneyNow } from '#features/books/money-clock.ts';
import { describeRange } from '#features/links/rules.ts';
import { type KnownBuyer, mostTipFor } from '#features/orders/rules.ts';
import { settingsOf } from '#features/settings/settings.ts';
import { formatCount, formatPrice } from '#kit/text.ts';
import { findFirstPaid } from './buyer-store.ts';

/** The most that somebody may tip, and what they may later. */
export interface TipLimit {
  mostCents: number;
  known: KnownBuyer;
}

/** What a viewer may tip at most. @param viewerId undefined for a browser of which nothing is known */
export async function findTipLimit(engines: Engines, viewerId: string | undefined): Promise<TipLimit> {
  const { database, payments } = engines;
  const settings = await settingsOf(engines);
  const known = { days: settings['money.knownBuyerDays'], mostCents: settings['money.mostKnownTipCents'] };
  const firstPaidAt = await findFirstPaid(database, payments.realm, viewerId);
  return { mostCents: mostTipFor(firstPaidAt, moneyNow(engines), known), known };
}

/** What is said of a tip that is too small or too large. */
export const describeTipRange = (tipCents: number, leastCents: number, { mostCents, known }: TipLimit): string =>
  tipCents <= mostCents || mostCents >= known.mostCents
    ? describeRange(leastCents, mostCents)
    : `${describeRange(leastCents, mostCents)} You can tip up to ${formatPrice(known.mostCents)} from ${formatCount(known.days, 'day')} after your first payment.`;
