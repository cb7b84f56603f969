import * as z from 'zod';
import { boundedText, trimmedText } from '#kit/bounded-text.ts';
import { dayMs, hourMs, minuteMs } from '#kit/time.ts';
import { Uuid } from '#kit/uuid.ts';

/** The rules of a link as they are stored: gates (all), offers (any), limits. Expiry and revocation are columns of the link. */
export const Condition = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('free') }),
  z.object({ kind: z.literal('pay'), priceCents: z.int().min(500).max(50_000) }),
  z.object({ kind: z.literal('tip'), minCents: z.int().min(500).max(20_000) }),
  z.object({ kind: z.literal('fan_sub'), tierIds: z.array(Uuid).max(3) }),
  z.object({ kind: z.literal('approval') }),
]);
export type Condition = z.infer<typeof Condition>;

export const Offer = z.object({ id: boundedText(40).min(1), all: z.array(Condition).min(1).max(3) });
export type Offer = z.infer<typeof Offer>;

/** A link is open from its first look for so long at most. */
export const longestOpenMs = 365 * dayMs;

/** Addresses and @domains on the list of one link. */
export const mostAllowed = 200;

/** An address, or all addresses of a domain: "@example.com". Its pattern can match in one way only, so it never tries twice. */
export const AllowedAddress = trimmedText(254)
  .toLowerCase()
  .regex(/^[^\s@]*@[^\s@.]+(?:\.[^\s@.]+)+$/, 'Enter an address like lena@example.com, or a domain like @example.com');

/**
 * What the link does by itself after so many reports of copying by one viewer within ten minutes: warn them, close their screens and
 * keep them out of this link, or revoke it.
 */
export const AutoResponse = z.object({
  do: z.enum(['none', 'warn', 'close', 'revoke']),
  threshold: z.int().min(1).max(10).default(1),
});
export type AutoResponse = z.infer<typeof AutoResponse>;

export const Policy = z.object({
  notBefore: z.iso.datetime().optional(),
  openForMs: z.int().min(minuteMs).max(longestOpenMs).optional(),
  viewBudgetMs: z.int().min(minuteMs).max(hourMs).optional(),
  maxVisits: z.int().min(1).max(1000).optional(),
  maxViewers: z.int().min(1).max(1000).optional(),
  bindFirstViewer: z.boolean().optional(),
  maxConcurrent: z.int().min(1).max(1000).default(2),
  ageGate: z.boolean().default(true),
  password: z.boolean().default(false),
  email: z.object({ verify: z.literal(true), allow: z.array(AllowedAddress).max(mostAllowed).default([]) }).optional(),
  agreementId: Uuid.optional(),
  geo: z
    .object({
      mode: z.enum(['allow', 'block']),
      countries: z
        .array(boundedText(2).regex(/^[A-Z]{2}$/))
        .min(1)
        .max(250),
      whenUnknown: z.enum(['allow', 'deny']),
    })
    .optional(),
  offers: z
    .array(Offer)
    .min(1)
    .max(4)
    .default([{ id: 'free', all: [{ kind: 'free' }] }]),
  mark: z.enum(['album', 'off', 'corner', 'tiled']).default('album'),
  blurWhenUnfocused: z.boolean().default(true),
  holdToView: z.boolean().default(false),
  /** Where not, only phones and tablets open it, as far as their browsers say what they are. */
  desktopAllowed: z.boolean().default(true),
  /** The name that the link was made for stands in its visible mark. Links made before this was asked never show it. */
  recipientInMark: z.boolean().default(false),
  autoResponse: AutoResponse.default({ do: 'none', threshold: 1 }),
});
export type Policy = z.infer<typeof Policy>;
