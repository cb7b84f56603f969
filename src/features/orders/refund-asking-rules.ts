import { dayMs, hourMs } from '#kit/time.ts';
import type { SoldKind } from './contract.ts';
import { type OrderState, opens } from './rules.ts';

/** What a buyer may give as the reason. */
export const askReasons = ['duplicate', 'fraudulent', 'not_delivered', 'satisfaction', 'customer_request'] as const;
export type AskReason = (typeof askReasons)[number];

/** Those for which a tip goes back; what was given freely is not given back for less. A tip may be one part of what opens a link. */
const tipReasons: readonly AskReason[] = ['duplicate', 'fraudulent', 'not_delivered'];

export const reasonsFor = (kind: SoldKind): readonly AskReason[] => (kind === 'tip' ? tipReasons : askReasons);

export const askReasonNames: Readonly<Record<AskReason, string>> = {
  duplicate: 'I paid twice',
  fraudulent: "I didn't make this payment",
  not_delivered: "I couldn't open it",
  satisfaction: "It isn't what was described",
  customer_request: 'Something else',
};

/** Longest text of a request and of its answer. */
export const longestAsking = 500;

/** How long after paying, or after access was ended without a refund, somebody may ask. */
export const askMs = 14 * dayMs;

/** How long a creator has to answer. */
export const answerMs = 72 * hourMs;

/** What is known of an order where somebody asks for its money. */
export interface AskFacts {
  state: OrderState;
  paidAt: Date;
  /** When its creator ended access without a refund; that can be complained about. */
  withheldAt: Date | null;
  /** A refund is on its way. */
  isReturning: boolean;
  hasAsked: boolean;
  hasComplained: boolean;
  /** It is custom work, whose money has rules of its own. */
  isHeld?: boolean;
}

/** What may be asked for now, or why not. */
export type Asking = 'refund' | 'complaint' | 'asked' | 'too_late' | 'disputed' | 'charged_back' | 'returned';

/** Whether money may be asked back now. A complaint is about access that was ended, and has a time of its own. */
export function judgeAsking(facts: AskFacts, now: Date): Asking {
  const { state, paidAt, withheldAt, isReturning, hasAsked, hasComplained } = facts;
  if (state === 'disputed' || state === 'charged_back') return state;
  if (!opens(state) || isReturning) return 'returned';
  const isOver = (since: Date) => now.getTime() - since.getTime() >= askMs;
  if (withheldAt !== null) {
    if (hasComplained) return 'asked';
    return isOver(withheldAt) ? 'too_late' : 'complaint';
  }
  if (hasAsked) return 'asked';
  return isOver(paidAt) ? 'too_late' : 'refund';
}
