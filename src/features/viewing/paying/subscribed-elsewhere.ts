import type { Engines } from '#engines/engines.ts';
import { moneyNow } from '#features/books/money-clock.ts';
import { includes } from '#features/orders/fan-rules.ts';
import type { TierRow } from '#features/orders/fan-tiers-store.ts';
import { listProvenTiers } from './subscribing-store.ts';

/** Said before anybody pays; the way to it is on the same page. */
export const subscribedElsewhere =
  "You're already subscribed with the email address you confirmed here. Open it under My purchases, there is nothing more to pay.";

/** Returns whether the address that a browser has proven pays for all of a tier already, as another viewer. */
export async function isSubscribedElsewhere(
  engines: Engines,
  { secretHash, tier }: { secretHash: Buffer; tier: TierRow },
): Promise<boolean> {
  const { database, payments } = engines;
  const about = { secretHash, creatorId: tier.creatorId, now: moneyNow(engines) };
  return (await listProvenTiers(database, payments.realm, about)).some((one) => includes(one, tier));
}
