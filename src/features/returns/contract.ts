import * as z from 'zod';
import { SoldKind } from '#features/orders/contract.ts';
import { askReasons, longestAsking } from '#features/orders/refund-asking-rules.ts';
import { boundedText, proseText } from '#kit/bounded-text.ts';
import { Uuid } from '#kit/uuid.ts';
import { promise, signedInPromise } from '#wire/promise.ts';
import { refusing } from '#wire/refusals.ts';

const tags = ['refunds'];
const Words = proseText(longestAsking, `Use at most ${longestAsking} characters`);

/** A buyer's request that waits for its creator's answer. Who asks is not told. */
export const RefundRequest = z.object({
  orderId: Uuid,
  kind: SoldKind,
  amountCents: z.int(),
  currency: z.string(),
  reason: z.enum(askReasons),
  text: z.string(),
  at: z.date(),
  /** After that the operator decides. */
  answerUntil: z.date().nullable(),
  /** They have accepted it, and the provider did not make the refund. */
  wasRefused: z.boolean(),
});
export type RefundRequest = z.infer<typeof RefundRequest>;

/** Money that buyers ask back. */
export const refundsContract = {
  /** Asks for what was paid, by the code of its receipt. */
  ask: promise({ who: ['visitor', 'viewer', 'creator', 'admin'], subject: 'none' })
    .route({ method: 'POST', path: '/ask-for-refund', tags })
    .errors(refusing('NOT_FOUND', 'CONFLICT', 'DISPUTED', 'REFUND_WINDOW'))
    .input(z.object({ code: boundedText(80), reason: z.enum(askReasons), text: Words.default('') }))
    .output(z.object({})),
  /** What waits for their answer, the oldest first. */
  waiting: signedInPromise('none')
    .route({ method: 'GET', path: '/refund-requests', tags })
    .input(z.object({}))
    .output(z.object({ requests: z.array(RefundRequest) })),
  /** Their answer; yes gives back all that is left, and the buyer hears of it once the provider has taken it. */
  answer: signedInPromise('order')
    .route({ method: 'POST', path: '/answer-refund-request', tags })
    .errors(refusing('CONFLICT', 'DISPUTED'))
    .input(z.object({ orderId: Uuid, isRefunded: z.boolean(), text: Words.default('') }))
    .output(z.object({ state: z.enum(['declined', 'refunded', 'returning']) })),
};
