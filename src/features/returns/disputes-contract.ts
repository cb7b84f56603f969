import * as z from 'zod';
import { SoldKind } from '#features/orders/contract.ts';
import { Uuid } from '#kit/uuid.ts';

/** A payment that a bank was asked to take back, as its creator is shown it, with what was theirs of it: never who paid. */
export const CreatorDispute = z.object({
  id: Uuid,
  orderId: Uuid,
  kind: SoldKind,
  amountCents: z.int(),
  shareCents: z.int(),
  /** There was too little in their balance for it so far; once it was won, in the platform's to give it again. */
  isOwed: z.boolean(),
  currency: z.string(),
  /** `answered`: evidence is with the bank. */
  state: z.enum(['open', 'answered', 'won', 'lost']),
  /** Whether we say to the bank what speaks for the payment. */
  answer: z.enum(['planned', 'undecided', 'none']),
  openedAt: z.date(),
  dueBy: z.date().nullable(),
  /** The fee of the dispute, where they bear it; `due`: there was too little in their balance so far, `returning`: in the platform's to give it back. */
  fee: z.object({ cents: z.int(), state: z.enum(['due', 'taken', 'returning', 'returned']) }).nullable(),
});
export type CreatorDispute = z.infer<typeof CreatorDispute>;

/** What happens next with a dispute. */
export const nextSteps = [
  'ended',
  'answered',
  'refused',
  'not_contested',
  'by_hand',
  'building',
  'submitting',
  'never_opened',
  'scheduled',
] as const;
export type NextStep = (typeof nextSteps)[number];
