import type { RefundCause, RefundWhy } from './rules.ts';

/** What is known of why something went back. */
export interface RefundStory {
  reason: RefundWhy;
  byKind: 'creator' | 'staff' | 'system';
  cause: RefundCause | null;
}

/** Its card's bank reported possible fraud: nobody else gives that as a reason by itself. */
export const isReportedStory = ({ reason, byKind }: RefundStory): boolean =>
  reason === 'fraudulent' && byKind === 'system';

const decided = 'We decided to refund this payment.';
const gone = "The creator can't offer what you paid for any more.";

const causeSentences: Readonly<Record<RefundCause, string>> = {
  link_ended: 'The creator ended your access early.',
  viewer_ended: 'The creator ended your access early.',
  album_deleted: 'The creator deleted what you paid for.',
  creator_left: 'The creator has closed their account.',
  suspended: gone,
  late_payment: 'Your payment arrived when the time to pay was over.',
  paid_after_end: 'Your payment arrived when this was no longer for sale.',
};

const reasonSentences: Readonly<Record<RefundWhy, string>> = {
  duplicate: 'It was paid twice.',
  fraudulent: "It was reported as not made by the card's owner.",
  customer_request: decided,
  access_revoked: 'The creator ended your access early.',
  not_delivered: "You didn't get what you paid for.",
  satisfaction: "It wasn't what was described.",
  dispute_prevention: decided,
  platform_decision: decided,
};

/** What we refund by ourselves is said as exactly as we know it. */
const ownSentences: Readonly<Partial<Record<RefundWhy, string>>> = {
  duplicate:
    'You paid twice for the same thing within a few minutes. Your first payment stays, and so does what it opened.',
  fraudulent: "The card's bank reported possible fraud.",
  platform_decision: 'What you paid for was removed.',
};

/** Returns why a payment went back or goes back, in a sentence to whoever paid. @param story undefined where it was refunded at the provider */
export function describeWhy(story: RefundStory | undefined): string {
  if (story === undefined) return decided;
  const { reason, byKind, cause } = story;
  if (cause !== null) return causeSentences[cause];
  if (byKind === 'creator' && reason === 'customer_request') return 'The creator refunded it.';
  return (byKind === 'system' ? ownSentences[reason] : undefined) ?? reasonSentences[reason];
}

type AnswerStory = RefundStory & { isTold: boolean; note: string };

/** Returns whether somebody answered a request by it, and its note is what was answered. What goes back by itself may be told elsewhere too, with a note for its creator. */
export const isAnswerStory = ({ isTold, byKind }: AnswerStory): boolean => isTold && byKind !== 'system';

/** The same in the answer to somebody who had asked: what was answered, or why; that a creator gave it back is no news. */
export function whyOfAnswer(story: AnswerStory | undefined): string {
  if (story !== undefined && isAnswerStory(story)) return story.note;
  return story?.byKind === 'creator' ? '' : describeWhy(story);
}
