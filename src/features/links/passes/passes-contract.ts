import * as z from 'zod';
import { trimmedText } from '#kit/bounded-text.ts';
import { Uuid } from '#kit/uuid.ts';
import { creatingPromise, creatorPromise } from '#wire/promise.ts';
import { refusing } from '#wire/refusals.ts';
import { isPassDays, mostOpenDays, mostPlaces, usualOpenDays } from '../pass-rules.ts';

const tags = ['passes'];

/** A link by which some people get what a tier opens, for nothing. */
export const FreePass = z.object({
  id: Uuid,
  /** What its creator calls it; nobody else sees it. */
  label: z.string(),
  tierId: Uuid,
  tierName: z.string(),
  /** How long it opens the tier, from the day on which it is taken. */
  days: z.int(),
  places: z.int(),
  claims: z.int(),
  createdAt: z.date(),
  expiresAt: z.date(),
  /** `stopped`: its tier is not offered any more. */
  state: z.enum(['open', 'used_up', 'expired', 'revoked', 'stopped']),
  /** Its address, while somebody can still take it. */
  url: z.string().nullable(),
});
export type FreePass = z.infer<typeof FreePass>;

export const FreePassInput = z.object({
  tierId: Uuid,
  label: trimmedText(80, 'Use at most 80 characters').default(''),
  days: z.int().refine(isPassDays, 'Choose one of the lengths'),
  places: z.int().min(1, 'Enter at least 1').max(mostPlaces, `Enter at most ${mostPlaces}`).default(1),
  /** For so many days somebody can take it. */
  openDays: z
    .int()
    .min(1, 'Enter at least 1')
    .max(mostOpenDays, `Enter at most ${mostOpenDays}`)
    .default(usualOpenDays),
});

export const passesContract = {
  list: creatorPromise('none')
    .route({ method: 'GET', path: '/free-passes', tags })
    .input(z.object({}))
    .output(
      z.object({
        passes: z.array(FreePass),
        /** Of which a pass can be made. */
        tiers: z.array(z.object({ id: Uuid, name: z.string() })),
      }),
    ),
  create: creatingPromise('tier')
    .route({ method: 'POST', path: '/free-passes', tags })
    .input(FreePassInput)
    .output(FreePass),
  /** Nobody takes it any more; who has taken it keeps it. */
  revoke: creatorPromise('pass')
    .route({ method: 'POST', path: '/free-passes/{passId}/revoke', tags })
    .errors(refusing('NOT_FOUND'))
    .input(z.object({ passId: Uuid }))
    .output(FreePass),
};
