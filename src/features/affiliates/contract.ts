import * as z from 'zod';
import { Email } from '#features/accounts/contract.ts';
import { nameText, proseText } from '#kit/bounded-text.ts';
import { promise } from '#wire/promise.ts';

/** What somebody writes who wants to recommend the place. */
export const Application = z.object({
  name: nameText(80, 'Use at most 80 characters', 1, 'Enter your name'),
  email: Email,
  audience: proseText(1000, 'Use at most 1,000 characters').min(10, 'Tell us a little more'),
  marksAds: z.literal(true, 'Please agree to this'),
});

export const affiliatesContract = {
  /** Answers alike whoever the address belongs to, and whether or not it has applied before. */
  apply: promise({ who: ['visitor', 'viewer', 'creator', 'admin'], subject: 'none', neutral: true })
    .route({ method: 'POST', path: '/affiliate-applications', tags: ['affiliates'] })
    .input(Application)
    .output(z.object({})),
};
