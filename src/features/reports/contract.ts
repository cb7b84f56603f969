import * as z from 'zod';
import { Email } from '#features/accounts/contract.ts';
import { nameText, proseText, trimmedText } from '#kit/bounded-text.ts';
import { promise } from '#wire/promise.ts';

export const reportKinds = ['intimate', 'minor', 'copyright', 'impersonation', 'other'] as const;

/** A report, which is complete or it is none: everything in it is needed. */
export const Report = z.object({
  kind: z.enum(reportKinds, 'Choose what is wrong'),
  /** A link of ours, its name, or what else it is about. */
  target: trimmedText(500, 'Use at most 500 characters').min(1, 'Enter the link or page it is about'),
  details: proseText(4000, 'Use at most 4000 characters').min(10, 'Use at least 10 characters'),
  onBehalf: z.enum(['self', 'other']),
  /** The signature. */
  name: nameText(80, 'Use at most 80 characters', 1, 'Enter your full name'),
  email: Email,
  isInGoodFaith: z.literal(true, 'Please confirm that what you say is true'),
});
export type Report = z.infer<typeof Report>;

export const reportsContract = {
  /** Takes a report. The answer does not tell whether there is such a link. */
  send: promise({ who: ['visitor', 'viewer', 'creator', 'admin'], subject: 'none' })
    .route({ method: 'POST', path: '/reports', tags: ['reports'] })
    .input(Report)
    .output(z.object({ number: z.string() })),
};
