import type { Engines } from '#engines/engines.ts';
import type { Reason } from '#features/access/contract.ts';
import type { Decision } from '#features/access/rules.ts';
import type { Question } from '#features/access/store.ts';
import type { Context } from '#wire/context.ts';
import { findWaitingSession, settleWaiting } from '../paying/status.ts';

/** Where somebody stands who is not let in, and would be if what they are paying for were paid. */
const beforePaying: readonly Reason[] = [
  'NEED_OFFER',
  'EXPIRED',
  'VIEWERS_FULL',
  'CREATOR_PAUSED',
  'ALBUM_UNAVAILABLE',
];

/** Asks the provider, once a call, about what a viewer is paying for: it may be paid, and nobody has told. */
export async function settlePayment(
  { engines, context, hasSettled }: { engines: Engines; context: Context; hasSettled: boolean },
  question: Question | undefined,
  decision: Decision,
): Promise<{ isSettled: boolean; waitsFor?: string }> {
  const isBefore = !decision.ok && beforePaying.includes(decision.reason);
  if (hasSettled || question?.viewer === undefined || !isBefore) return { isSettled: false };
  const sessionId = await findWaitingSession(engines, question, question.viewer.viewerId);
  if (sessionId === undefined) return { isSettled: false };
  context.waitOutside();
  const what = await settleWaiting(engines, sessionId);
  if (what === 'over') return { isSettled: true };
  return what === 'processing' ? { isSettled: false, waitsFor: sessionId } : { isSettled: false };
}
