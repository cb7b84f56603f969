import * as z from 'zod';
import { leastTierCents, mostOffPercent, mostTierCents } from '#features/orders/fan-rules.ts';
import { PayoutStatus } from '#features/payouts/contract.ts';
import { proseText, trimmedText } from '#kit/bounded-text.ts';
import { Uuid } from '#kit/uuid.ts';
import { creatingPromise, creatorPromise, signedInPromise } from '#wire/promise.ts';
import { refusing } from '#wire/refusals.ts';

const tags = ['fans'];

/** What a creator offers for a monthly price, as they see it. Amounts are minor units of the currency. */
export const Tier = z.object({
  id: Uuid,
  name: z.string(),
  /** What new subscribers pay a month. */
  priceCents: z.int(),
  /** What is taken off for 3, 6 and 12 months at once, in percent; null for a length that is not offered. */
  off3: z.int().nullable(),
  off6: z.int().nullable(),
  off12: z.int().nullable(),
  benefits: z.string(),
  /** Everything that they have and add; otherwise these albums. */
  allFuture: z.boolean(),
  albums: z.array(z.object({ id: Uuid, name: z.string() })),
  /** Nobody new subscribes to one that was stopped. */
  isOffered: z.boolean(),
  /** Who pays for it, without free passes. */
  subscribers: z.int(),
  /** Of them those who pay a lower price until they agree to the present one. */
  atLowerPrice: z.int(),
  /** Free passes that have not ended. */
  passes: z.int(),
  /** Their part of a month of all of them. */
  monthlyCents: z.int(),
});
export type Tier = z.infer<typeof Tier>;

export const Tiers = z.object({
  tiers: z.array(Tier),
  /** Tiers that may be offered at a time. */
  most: z.int(),
  subscribers: z.int(),
  monthlyCents: z.int(),
  currency: z.string(),
  account: PayoutStatus,
  isSandbox: z.boolean(),
});
export type Tiers = z.infer<typeof Tiers>;

const Off = z.int().min(0).max(mostOffPercent).nullable().default(null);

export const TierInput = z.object({
  name: trimmedText(40, 'Use at most 40 characters').min(1, 'Give it a name'),
  priceCents: z.int().min(leastTierCents).max(mostTierCents),
  off3: Off,
  off6: Off,
  off12: Off,
  benefits: proseText(300, 'Use at most 300 characters').default(''),
  /** Left out, or empty: everything that they have and add. */
  albumIds: z.array(Uuid).max(100).default([]),
});
export type TierInput = z.infer<typeof TierInput>;

const Which = z.object({ tierId: Uuid });

export const fansContract = {
  tiers: signedInPromise('none').route({ method: 'GET', path: '/fan-tiers', tags }).input(z.object({})).output(Tiers),
  createTier: creatingPromise('album')
    .route({ method: 'POST', path: '/fan-tiers', tags })
    .errors(refusing('PAYOUTS_NOT_READY'))
    .input(TierInput)
    .output(Tier),
  /** Whoever subscribed before keeps their price until they agree to a higher one. */
  changeTier: creatorPromise('tier')
    .route({ method: 'PATCH', path: '/fan-tiers/{tierId}', tags })
    .input(TierInput.extend(Which.shape))
    .output(Tier),
  /** Nobody new subscribes, and what was paid for ends with its month. */
  stopTier: creatorPromise('tier')
    .route({ method: 'POST', path: '/fan-tiers/{tierId}/stop', tags })
    .input(Which)
    .output(Tier),
  resumeTier: creatorPromise('tier')
    .route({ method: 'POST', path: '/fan-tiers/{tierId}/resume', tags })
    .input(Which)
    .output(Tier),
};
