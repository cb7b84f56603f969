import * as z from 'zod';
import { Email } from '#features/accounts/contract.ts';
import { boundedText } from '#kit/bounded-text.ts';
import { promise, type Who } from '#wire/promise.ts';
import { refusing } from '#wire/refusals.ts';

const everybody: readonly Who[] = ['visitor', 'viewer', 'creator', 'admin'];
const tags = ['viewing'];

/** A free pass, as whoever holds its address sees it. */
export const Pass = z.object({
  creatorName: z.string(),
  /** Address of their picture. */
  picture: z.string().nullable(),
  tierName: z.string(),
  benefits: z.string(),
  days: z.int(),
});
export type Pass = z.infer<typeof Pass>;

/** What became of taking one. */
export const TakenPass = z.object({ creatorName: z.string(), until: z.date() });
export type TakenPass = z.infer<typeof TakenPass>;

const token = boundedText(100);
export const PassTaking = z.object({ token, code: boundedText(10), timeZone: boundedText(60).optional() });

/** A free pass ends alike for everybody: used up, over, revoked or never made. */
export const viewerPassesContract = {
  pass: promise({ who: everybody, subject: 'none' })
    .route({ method: 'GET', path: '/pass', tags })
    .errors(refusing('GONE'))
    .input(z.object({ token }))
    .output(Pass),
  /** Mails a code, whoever has the address; looking and asking take no place. */
  askForPass: promise({ who: everybody, subject: 'none' })
    .route({ method: 'POST', path: '/ask-for-pass', tags })
    .errors(refusing('GONE'))
    .input(z.object({ token, email: Email }))
    .output(z.object({ resendAfterMs: z.int() })),
  /** Takes it, with the code of the email, in the browser that asked for it. */
  takePass: promise({ who: everybody, subject: 'none' })
    .route({ method: 'POST', path: '/take-pass', tags })
    .errors(refusing('GONE', 'CONFLICT'))
    .input(PassTaking)
    .output(TakenPass),
};
