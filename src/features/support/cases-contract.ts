import * as z from 'zod';
import { boundedText, proseText } from '#kit/bounded-text.ts';
import { promise, type Who } from '#wire/promise.ts';
import { refusing } from '#wire/refusals.ts';

const everybody: readonly Who[] = ['visitor', 'viewer', 'creator', 'admin'];

/** What an email about a case leads back to it by. */
export const CaseReference = z.object({
  number: boundedText(8, 'This link is incomplete').regex(/^\d{8}$/, 'This link is incomplete'),
  secret: boundedText(43, 'This link is incomplete').regex(/^\w{43}$/, 'This link is incomplete'),
});

export const ReplyText = proseText(4000, 'Use at most 4000 characters').min(10, 'Use at least 10 characters');

/** How a message to support stands, as whoever wrote it sees it. */
export const SupportState = z.object({
  number: z.string(),
  status: z.enum(['pending', 'open', 'answered', 'closed']),
  createdAt: z.date(),
  /** What was written and answered, the oldest first; empty before the first answer, for the address may be somebody else's. */
  messages: z.array(z.object({ from: z.enum(['them', 'us']), text: z.string(), at: z.date() })),
});
export type SupportState = z.infer<typeof SupportState>;

/** A case of support, by the link in the emails about it. */
export const casesContract = {
  show: promise({ who: everybody, subject: 'none' })
    .errors(refusing('GONE'))
    .route({ method: 'POST', path: '/support-requests/state', tags: ['support'] })
    .input(CaseReference)
    .output(SupportState),
  /** Writes once more about the same; the case is open again. */
  reply: promise({ who: everybody, subject: 'none' })
    .errors(refusing('GONE'))
    .route({ method: 'POST', path: '/support-requests/reply', tags: ['support'] })
    .input(CaseReference.extend({ text: ReplyText }))
    .output(SupportState),
};
