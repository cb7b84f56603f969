import * as z from 'zod';
import { boundedText, proseText } from '#kit/bounded-text.ts';
import { adminPromise } from '#wire/promise.ts';

/** What somebody wrote, as administrators see it. */
export const SupportCase = z.object({
  number: z.string(),
  status: z.enum(['pending', 'open', 'answered', 'closed']),
  name: z.string(),
  email: z.string(),
  subject: z.string(),
  userId: z.string().nullable(),
  createdAt: z.date(),
});
export type SupportCase = z.infer<typeof SupportCase>;

/** All of it: the words, what was answered, and what else came from the same address. */
export const WholeSupportCase = SupportCase.extend({
  message: z.string(),
  answers: z.array(z.object({ id: z.string(), text: z.string(), createdAt: z.date() })),
  /** What they wrote once more. */
  replies: z.array(z.object({ id: z.string(), text: z.string(), createdAt: z.date() })),
  others: z.array(SupportCase),
});
export type WholeSupportCase = z.infer<typeof WholeSupportCase>;

const AboutCase = z.object({
  number: boundedText(8, 'Enter the number of a request').regex(/^\d{8}$/, 'Enter the number of a request'),
});

/** What is mailed to whoever wrote. */
export const AnswerText = proseText(4000, 'Use at most 4000 characters').min(1, 'Write an answer');

/** What administrators see of what people wrote, and what they answer. */
export const adminSupportContract = {
  /** Lists what is not closed, the oldest first. */
  waiting: adminPromise('support')
    .route({ method: 'GET', path: '/admin/support', tags: ['admin'] })
    .input(z.object({}).optional())
    .output(z.object({ cases: z.array(SupportCase) })),
  show: adminPromise('support')
    .route({ method: 'GET', path: '/admin/support/{number}', tags: ['admin'] })
    .input(AboutCase)
    .output(WholeSupportCase),
  /** Mails an answer to the address that was given, and keeps it. */
  answer: adminPromise('support')
    .route({ method: 'POST', path: '/admin/support/{number}/answer', tags: ['admin'] })
    .input(
      AboutCase.extend({
        text: AnswerText,
        /** How many answers the page has shown: whoever answers meanwhile is not answered over. */
        answersSeen: z.int().min(0),
        /** And how much they wrote again: nobody's message is answered away. */
        repliesSeen: z.int().min(0),
      }),
    )
    .output(WholeSupportCase),
  close: adminPromise('support')
    .route({ method: 'POST', path: '/admin/support/{number}/close', tags: ['admin'] })
    .input(AboutCase.extend({ repliesSeen: z.int().min(0) }))
    .output(WholeSupportCase),
};
