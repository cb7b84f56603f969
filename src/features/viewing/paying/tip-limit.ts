import type { Engines } from '#engines/engines.ts';
import { tellRange } from '#features/links/rules.ts';
import { moneyNow } from '#features/money/project.ts';
import { mostKnownTipCents, mostTipFor } from '#features/money/rules.ts';
import { formatPrice } from '#kit/text.ts';
import { findFirstPaid } from './buyer-store.ts';

/** What a viewer may tip at most. @param viewerId undefined for a browser of which nothing is known */
export async function findMostTip(engines: Engines, viewerId: string | undefined): Promise<number> {
  const { database, payments } = engines;
  return mostTipFor(await findFirstPaid(database, payments.realm, viewerId), moneyNow(engines));
}

/** What is said of a tip that is too small or too large. */
export const tellTipRange = (tipCents: number, leastCents: number, mostCents: number): string =>
  tipCents <= mostCents || mostCents >= mostKnownTipCents
    ? tellRange(leastCents, mostCents)
    : `${tellRange(leastCents, mostCents)} You can tip up to ${formatPrice(mostKnownTipCents)} from 120 days after your first payment.`;
