import { mayAskAgain } from '#features/access/asked-rules.ts';
import { termsFor } from '#features/access/bought.ts';
import { isAtRequest } from '#features/access/offer-steps.ts';
import { refusalOf } from '#features/access/refusals.ts';
import { type Decision, decide, openAlbumsOf } from '#features/access/rules.ts';
import type { Question, VisitFact } from '#features/access/store.ts';
import { formatCount } from '#kit/text.ts';
import type { Refusal } from './contract.ts';
import type { Unproven } from './opening/password-proof.ts';
import { proofCodeMinutes, proofMinutes } from './rules.ts';
import type { EndReason } from './visits-store.ts';

/** An answer that is no: its status and what is shown. */
export interface No {
  status: 200 | 410;
  refusal: Refusal;
}

/** What the words depend on beside the decision. */
export interface Words {
  timeZone?: string | undefined;
  /** A password was typed and it was wrong. */
  wrong?: { triesLeft: number; waitMs?: number } | undefined;
}

/** What a refused decision shows to this viewer. */
export function sayNo(
  question: Question | undefined,
  decision: Extract<Decision, { ok: false }>,
  now: Date,
  { timeZone, wrong }: Words = {},
): No {
  const { reason, until } = decision;
  const { status, refusal } = refusalOf(reason, {
    now: now.getTime(),
    wasAdmitted: question?.grantId !== undefined,
    holdsGrant: question !== undefined && holdsGrant(question),
    isDelivery: question?.facts.isDelivery === true,
    until,
    host: question?.host,
    policy: question && termsFor(question.link, question.facts),
    timeZone,
    isPasswordWrong: wrong !== undefined,
    triesLeft: wrong?.triesLeft,
    lockedMs: wrong?.waitMs,
    asked: question?.asked,
  });
  const asking = question && askingOf(question, decision, now);
  return { status, refusal: asking === undefined ? refusal : { ...refusal, asking } };
}

/** Returns whether this viewer has bought what a link shows, or was approved for all of it. */
const holdsGrant = ({ link, facts }: Question): boolean =>
  openAlbumsOf(link, facts).size === link.albumIds.length || facts.grants.some(({ source }) => source === 'purchase');

/** Whether the creator can be asked for access at this gate, or has been asked. */
function askingOf(question: Question, decision: Extract<Decision, { ok: false }>, now: Date): Refusal['asking'] {
  if (question.facts.isProgram || !isAtRequest(decision, question)) return undefined;
  if (question.asked.request === 'pending') return 'pending';
  return question.asked.request !== 'denied' || mayAskAgain(question.asked, now.getTime()) ? 'open' : undefined;
}

const closed = (title: string, text: string): No => ({
  status: 410,
  refusal: { code: 'LINK', reason: 'CLOSED', title, text },
});

/** Said of every link alike to what introduces itself as a program: whoever is a person learns what to do. */
export const forPrograms: No = {
  status: 410,
  refusal: {
    code: 'LINK',
    reason: 'NEED_BROWSER',
    title: 'Please open this in your own browser',
    text: 'This app introduces itself as a program that only looks at links. Copy the link into Safari, Chrome or another browser.',
  },
};

/** A code that opens nothing here. */
export const codeWrong = (triesLeft: number): No => ({
  status: 200,
  refusal: {
    code: 'LINK',
    reason: 'CODE_WRONG',
    title: "That code isn't right",
    text: triesLeft === 0 ? 'Please wait 15 minutes.' : `${triesLeft} ${triesLeft === 1 ? 'try' : 'tries'} left.`,
    triesLeft,
  },
});

/** Said whatever was typed, at every link alike. */
export const codeSent: No = {
  status: 200,
  refusal: {
    code: 'LINK',
    reason: 'CODE_SENT',
    title: 'Check your email',
    text: `If this link still opens, and you confirmed this address here or paid with it, we've sent you an access code. It works for ${proofMinutes} minutes.`,
  },
};

const proofTexts = {
  request: 'Many people have asked for access today. Confirm your email first, then send your request.',
  over: 'This code no longer works. Enter your email for a new one.',
  address: "Many wrong passwords came from your network. Enter your email and we'll send you a 6-digit code.",
  code: `Enter the 6-digit code from our email. It works for ${proofCodeMinutes} minutes.`,
  sent: `We've sent you a 6-digit code. It works for ${proofCodeMinutes} minutes.`,
};

/** Returns what has to be proven: because the link asks for an address, or before a password may be typed. */
export function proofNo(question: Question | undefined, unproven: Unproven, now: Date): No {
  if (unproven.step === 'cookie') return sayNo(question, { ok: false, reason: 'NEED_COOKIE' }, now);
  const { status, refusal } = sayNo(question, { ok: false, reason: 'NEED_EMAIL' }, now);
  if (unproven.step === 'address') {
    if (unproven.isOver) return { status, refusal: { ...refusal, text: proofTexts.over } };
    if (unproven.isByGate) return { status, refusal };
    const text = proofTexts[unproven.isForRequest ? 'request' : 'address'];
    return { status, refusal: { ...refusal, title: 'Confirm your email', text } };
  }
  const { isJustSent, triesLeft } = unproven;
  const left = triesLeft === undefined ? {} : { triesLeft };
  const text =
    triesLeft === undefined
      ? proofTexts[isJustSent ? 'sent' : 'code']
      : `That's not it. ${formatCount(triesLeft, 'try', 'tries')} left.`;
  return { status, refusal: { ...refusal, reason: 'NEED_EMAIL_CODE', title: 'Check your email', text, ...left } };
}

/** Why a visit that has ended cannot go on, in words. */
function sayEnded(question: Question, { endReason }: VisitFact, now: Date): No {
  if (endReason === 'replaced') return sayNo(question, { ok: false, reason: 'CONCURRENT' }, now);
  if (endReason === 'security') return closed('The creator closed this view', 'You can open the link again.');
  return closed('Still there?', 'Open it again to continue.');
}

/** Whoever is looking had paid: what is for sale again is said at the door. */
const noLongerPaid = closed('Access ended', 'Your payment was returned, or the time you paid for is over.');

/** Said to the screens that the link's own rule has closed; at the door it says no more than any link that does not open. */
const closedByRule = closed(
  'This view was closed',
  'Keys that copy were pressed here. The creator can open it again for you.',
);

/** Whether an open screen may go on: the same decision as at the door, and its visit still open. */
export type Going =
  | {
      ok: true;
      until: number | undefined;
      /** What may be watched in total, when that is limited. */
      viewBudgetMs: number | undefined;
    }
  | ({ ok: false; endReason: EndReason | undefined } & No);

const endReasons: Partial<Record<string, EndReason>> = {
  REVOKED: 'revoked',
  EXPIRED: 'expired',
  TIMED_OUT: 'time_used',
  TIME_USED: 'time_used',
  VIEWER_BLOCKED: 'security',
  TAKEN_DOWN: 'security',
};

/** @param question undefined when this browser has no such visit */
export function decideGoing(question: Question | undefined, now: Date): Going {
  const visit = question?.visit;
  if (question === undefined || visit === undefined)
    return { ok: false, endReason: undefined, ...sayNo(undefined, { ok: false, reason: 'NOT_FOUND' }, now) };
  // Its own screen is not one screen too many, and its visit not one visit too many.
  const decision = decide(question.link, { ...question.facts, visitOpen: true });
  if (!decision.ok && decision.reason === 'VIEWER_BLOCKED' && visit.isClosedOut)
    return { ok: false, endReason: 'security', ...closedByRule };
  if (!decision.ok) {
    const words = decision.reason === 'NEED_OFFER' ? noLongerPaid : sayNo(question, decision, now);
    return { ok: false, endReason: endReasons[decision.reason] ?? 'left', ...words };
  }
  if (visit.state !== 'open' || !visit.goesOn)
    return { ok: false, endReason: undefined, ...sayEnded(question, visit, now) };
  return { ok: true, until: decision.until, viewBudgetMs: decision.viewBudgetMs };
}
