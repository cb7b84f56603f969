import * as z from 'zod';
import { holdCodes, payoutIntervals } from './rules.ts';

/** How far a creator is with being paid. `off`: nothing can be sold here. `closed`: the provider has ended their account. */
export const PayoutStatus = z.enum(['off', 'none', 'pending', 'complete', 'closed']);
export type PayoutStatus = z.infer<typeof PayoutStatus>;

/** What can be paid out, what follows and when, and how the account stands. */
export const Payouts = z.object({
  account: PayoutStatus,
  isRestricted: z.boolean(),
  /** What the provider still asks for, in its own words. */
  missing: z.array(z.string()),
  /** Without the fees of disputes that are still to be taken. */
  available: z.int(),
  dueCents: z.int(),
  /** By the day, where they are, from which it is available. */
  pending: z.array(z.object({ on: z.iso.date(), cents: z.int() })),
  /** What was paid out, newest first; below zero what came back from the bank. */
  made: z.array(z.object({ id: z.string(), at: z.date(), cents: z.int() })),
  interval: z.enum(payoutIntervals),
  /** Smallest payout. */
  leastCents: z.int(),
  /** The day of the next one, where they are; null while there is too little, something holds it, or it is made by hand. */
  nextOn: z.iso.date().nullable(),
  canPayNow: z.boolean(),
  /** Why nothing is paid out. */
  holds: z.array(
    z.object({ code: z.enum(holdCodes), note: z.string(), since: z.date(), expectedAt: z.date().nullable() }),
  ),
  /** What became of what they said about it last. */
  appeal: z.enum(['none', 'open', 'answered']),
  currency: z.string(),
  isSandbox: z.boolean(),
});
export type Payouts = z.infer<typeof Payouts>;
