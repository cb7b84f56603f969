import * as z from 'zod';
import { boundedText, trimmedText } from '#kit/bounded-text.ts';
import { promise, signedInPromise } from '#wire/promise.ts';

const tags = ['referrals'];
const UtmPart = boundedText(100).optional();

/** A partner's code as it stands in a link or is typed. */
export const PartnerCode = trimmedText(12, "We don't know this code.").toUpperCase();

/** That somebody followed a partner's link, or typed a partner's code. */
export const Followed = z.object({
  code: PartnerCode,
  /** A code that was typed counts instead of a link that was followed before. */
  isTyped: z.boolean().default(false),
  /** The public page where it was. */
  landing: boundedText(200).default(''),
  utm: z.object({ source: UtmPart, medium: UtmPart, campaign: UtmPart }).optional(),
});

export const referralsContract = {
  /** Remembers in this browser whose code brought it. A code of a link that nobody has is passed over; one that was typed is refused. */
  follow: promise({ who: ['visitor', 'viewer', 'creator', 'admin'], subject: 'none', neutral: true })
    .route({ method: 'POST', path: '/referrals', tags })
    .input(Followed)
    .output(
      z.object({
        /** By what name the partner of the code is known; null where nobody has the code. */
        name: z.string().nullable(),
        /** Whether this browser remembers it, or another one that came first; a link is remembered after a yes to being measured only. */
        isKept: z.boolean(),
      }),
    ),
  /** Says who invited the account, when a partner did. */
  invitedBy: signedInPromise('none')
    .route({ method: 'GET', path: '/referrals/invited-by', tags })
    .input(z.object({}).optional())
    .output(
      z.object({
        name: z.string().nullable(),
        /** A share of what the account pays goes to them: for a year, and while they are partners. */
        getsShare: z.boolean(),
      }),
    ),
};
