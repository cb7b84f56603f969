import * as z from 'zod';
import { Email } from '#features/accounts/contract.ts';
import { nameText, proseText } from '#kit/bounded-text.ts';
import { Uuid } from '#kit/uuid.ts';
import { promise, signedInPromise } from '#wire/promise.ts';
import { refusing } from '#wire/refusals.ts';
import { voidReasons } from './rules.ts';

const tags = ['affiliates'];

/** What somebody writes who wants to recommend the place. */
export const Application = z.object({
  name: nameText(80, 'Use at most 80 characters', 1, 'Enter your name'),
  email: Email,
  audience: proseText(1000, 'Use at most 1,000 characters').min(10, 'Tell us a little more'),
  marksAds: z.literal(true, 'Please agree to this'),
});

/** What came of a partner's link. Clicks are an estimate, and nothing of it says who came. */
export const PartnerPage = z.object({
  name: z.string(),
  state: z.enum(['approved', 'paused', 'closed']),
  /** Why it is paused or closed; empty otherwise. */
  note: z.string(),
  code: z.string(),
  link: z.string(),
  sharePercent: z.number(),
  clicks: z.int(),
  signUps: z.int(),
  active: z.int(),
  earnedCents: z.int(),
  pendingCents: z.int(),
  payableCents: z.int(),
  paidCents: z.int(),
  debtCents: z.int(),
  /** Sign-ups that do not count, by why. */
  notCounted: z.array(z.object({ reason: z.enum(voidReasons), count: z.int() })),
  payouts: z.array(
    z.object({
      id: Uuid,
      amountCents: z.int(),
      currency: z.string(),
      isPaid: z.boolean(),
      createdAt: z.date(),
      settledAt: z.date().nullable(),
    }),
  ),
});
export type PartnerPage = z.infer<typeof PartnerPage>;

/** The terms of the programme that are in force. */
export const Terms = z.object({
  months: z.int(),
  attributionDays: z.int(),
  payoutCents: z.int(),
  pendingDays: z.int(),
});

/** How an account stands with the programme. */
export const OwnPartner = z.object({
  standing: z.enum(['none', 'applied', 'approved', 'partner']),
  /** Of an approved application that was not taken up yet. */
  offer: z.object({ name: z.string(), sharePercent: z.number() }).nullable(),
  partner: PartnerPage.nullable(),
  terms: Terms,
});
export type OwnPartner = z.infer<typeof OwnPartner>;

export const affiliatesContract = {
  /** Answers alike whoever the address belongs to, and whether or not it has applied before. */
  apply: promise({ who: ['visitor', 'viewer', 'creator', 'admin'], subject: 'none', neutral: true })
    .route({ method: 'POST', path: '/affiliate-applications', tags })
    .input(Application)
    .output(z.object({})),
  /** Their own partner page, or what came of an application with their confirmed address. */
  mine: signedInPromise('none')
    .route({ method: 'GET', path: '/affiliate', tags })
    .input(z.object({}).optional())
    .output(OwnPartner),
  /** Takes up an approved application that was made with the address of this account. */
  claim: signedInPromise('none')
    .route({ method: 'POST', path: '/affiliate', tags })
    .errors(refusing('CONFLICT'))
    .input(z.object({ acceptsTerms: z.literal(true, 'Please agree to this') }))
    .output(OwnPartner),
};
