import { lateRequestMs } from '#features/orders/rules.ts';
import { dayMs, hourMs } from '#kit/time.ts';

/** Smallest and largest price of custom work. */
export const leastRequestCents = 1000;
export const mostRequestCents = 50_000;

/** How long a creator has to answer, and how long their answer holds. */
export const answerMs = 72 * hourMs;
export const payMs = 48 * hourMs;
export const counterMs = 72 * hourMs;
/** How long whoever asked has to look at what was delivered. */
export const lookMs = 72 * hourMs;
/** How long we take to decide. */
export const decideMs = 5 * dayMs;
/** How long after the release whoever asked may report what was delivered. */
export const reportMs = 14 * dayMs;

/** What may be wrong with what was delivered and released. */
export const reportReasons = ['unopened', 'not_agreed', 'not_mine', 'other'] as const;
export type ReportReason = (typeof reportReasons)[number];

/** So many that are not paid one person may have with a creator. */
export const mostUnpaid = 2;
/** So many that they have answered may be open at a time, where they don't want fewer. */
export const mostOpenRequests = 10;
/** So many may wait for a creator's first answer. They take none of the places that they give: otherwise a few strangers could hold all of them. */
export const mostUnanswered = 100;
export const mostPriceItems = 10;
export const mostQuantity = 20;
export const mostDays = 30;
export const longestWords = 500;

export const requestStates = [
  'requested',
  'quoted',
  'paid',
  'delivered',
  'revision_requested',
  'problem',
  'released',
  'declined',
  'expired',
  'refunded',
] as const;
export type RequestState = (typeof requestStates)[number];

const overStates: readonly RequestState[] = ['released', 'declined', 'expired', 'refunded'];

/** Nobody has anything to do any more. */
export const isOver = (state: RequestState): boolean => overStates.includes(state);

/** What is known of a request where somebody does something with it. */
export interface RequestFacts {
  state: RequestState;
  /** Until when whoever is to act can; null where there is no such time. */
  actUntil: Date | null;
  dueAt: Date | null;
  offeredCents: number;
  wasRevised: boolean;
  /** The bank looks at its payment: until it has decided nothing moves. */
  isDisputed: boolean;
  /** It was released, and their account does not take it: nothing has left. */
  isRefused: boolean;
  /** All of it has gone back already. */
  isReturned: boolean;
  closedAt: Date | null;
  reportedAt: Date | null;
  endReason: EndReason | null;
}

/** What somebody does, or the time that has gone by. */
export type Step =
  | { by: 'creator'; do: 'accept'; days: number }
  | { by: 'creator'; do: 'counter'; cents: number; days: number }
  | { by: 'creator'; do: 'decline' }
  | { by: 'creator'; do: 'deliver' }
  | { by: 'creator'; do: 'cancel' }
  | { by: 'buyer'; do: 'withdraw' | 'accept' | 'revise' | 'complain' }
  | { by: 'buyer'; do: 'report'; reason: ReportReason }
  | { by: 'staff'; do: 'release' | 'refund' }
  /** What was reported after the release stays as it is. */
  | { by: 'staff'; do: 'decline' }
  /** `takedown`: what was delivered was taken down after a report. `suspend`: its creator's account is suspended. `end`: its creator has ended access to what was delivered. */
  | { by: 'system'; do: 'wait' | 'leave' | 'takedown' | 'suspend' | 'end' };

/** What is said with a step, and by whom. */
export interface Words {
  text?: string;
  /** Of a decision of staff: only so much goes back, and the rest to the creator. */
  partCents?: number | undefined;
  userId?: string | undefined;
}

/** What becomes of a request. Left out stays as it is. */
export interface Change {
  state: RequestState;
  actUntil: Date | null;
  dueDays?: number;
  agreedCents?: number;
  isCounter?: boolean;
  deliveredAt?: Date;
  wasRevised?: true;
  closedAt?: Date | null;
  endReason?: EndReason | null;
  reportedAt?: Date;
}

export type EndReason =
  | 'unanswered'
  | 'unpaid'
  | 'declined'
  | 'withdrawn'
  | 'canceled'
  | 'not_delivered'
  | 'decided'
  | 'left'
  | 'ended';

export type Next =
  | { ok: true; change: Change; money: 'none' | 'release' | 'refund' }
  /** `over`: its time has run out. `once`: there is one revision. */
  | { ok: false; because: 'state' | 'over' | 'once' | 'disputed' };

const later = (now: Date, ms: number) => new Date(now.getTime() + ms);
const no = (because: (Next & { ok: false })['because']): Next => ({ ok: false, because });
const go = (change: Change, money: (Next & { ok: true })['money'] = 'none'): Next => ({ ok: true, change, money });
const end = (
  state: RequestState,
  now: Date,
  endReason: EndReason | undefined,
  money: (Next & { ok: true })['money'] = 'none',
): Next => go({ state, actUntil: null, closedAt: now, ...(endReason && { endReason }) }, money);

// Drawn in docs/state-machines.md.
/** Returns what a step makes of a request, or why it cannot be done. It is pure: a step that is tried twice is refused the second time. */
export function next(facts: RequestFacts, step: Step, now: Date): Next {
  if (isOver(facts.state) && !(facts.state === 'released' && followsRelease(facts, step))) return no('state');
  if (facts.isDisputed && step.by !== 'system') return no('disputed');
  switch (step.by) {
    case 'creator':
      return nextOfCreator(facts, step, now);
    case 'buyer':
      return nextOfBuyer(facts, step, now);
    case 'staff':
      return nextOfStaff(facts, step, now);
    default:
      return nextOfSystem(facts, step.do, now);
  }
}

/** What was released goes back where what was delivered is gone, and where it was reported or never left and we decide so. */
function followsRelease(facts: RequestFacts, { by, do: what }: Step): boolean {
  if (what === 'takedown' || what === 'leave' || what === 'end' || what === 'report') return true;
  if (by !== 'staff') return false;
  return what === 'refund' ? facts.isRefused || isReported(facts) : what === 'decline' && isReported(facts);
}

/** It was reported after the release, and waits for our answer. */
export const isReported = ({
  state,
  actUntil,
  reportedAt,
}: Pick<RequestFacts, 'state' | 'actUntil' | 'reportedAt'>): boolean =>
  state === 'released' && reportedAt !== null && actUntil !== null;

/** Returns until when it can still be reported; null where it can't. */
export const reportUntil = ({
  state,
  closedAt,
  reportedAt,
  isReturned,
  isDisputed,
}: Pick<RequestFacts, 'state' | 'closedAt' | 'reportedAt' | 'isReturned' | 'isDisputed'>): Date | null =>
  state !== 'released' || closedAt === null || reportedAt !== null || isReturned || isDisputed
    ? null
    : later(closedAt, reportMs);

/** What was reported changes nothing else: it stays released when it was. */
const stay = ({ closedAt, endReason }: RequestFacts, change: { actUntil: Date | null; reportedAt?: Date }): Next =>
  go({ state: 'released', closedAt, endReason, ...change });

/** A time is over at its very instant. */
const hasRunOut = ({ actUntil }: RequestFacts, now: Date) => actUntil !== null && actUntil <= now;

function nextOfCreator(facts: RequestFacts, step: Extract<Step, { by: 'creator' }>, now: Date): Next {
  const { state, wasRevised } = facts;
  const isInWork = state === 'paid' || state === 'revision_requested';
  if (step.do === 'cancel') return isInWork ? end('refunded', now, 'canceled', 'refund') : no('state');
  // Nobody has paid yet, so they may think again until somebody does.
  const isUnpaid = state === 'requested' || (state === 'quoted' && step.do === 'decline');
  const isPossible = step.do === 'deliver' ? isInWork : isUnpaid && !wasRevised;
  if (!isPossible) return no('state');
  if (hasRunOut(facts, now)) return no('over');
  if (step.do === 'deliver') return go({ state: 'delivered', actUntil: later(now, lookMs), deliveredAt: now });
  return step.do === 'decline' ? end('declined', now, 'declined') : quote(facts, step, now);
}

function quote(
  { offeredCents }: RequestFacts,
  step: Extract<Step, { do: 'counter' } | { by: 'creator'; do: 'accept' }>,
  now: Date,
): Next {
  const change = { state: 'quoted', dueDays: step.days } as const;
  if (step.do === 'counter')
    return go({ ...change, actUntil: later(now, counterMs), agreedCents: step.cents, isCounter: true });
  return go({ ...change, actUntil: later(now, payMs), agreedCents: offeredCents, isCounter: false });
}

function nextOfBuyer(facts: RequestFacts, step: Extract<Step, { by: 'buyer' }>, now: Date): Next {
  const { state, dueAt, wasRevised } = facts;
  if (step.do === 'report') return nextOfReport(facts, now);
  if (step.do === 'withdraw')
    return state === 'requested' || state === 'quoted' ? end('declined', now, 'withdrawn') : no('state');
  if (state !== 'delivered') return no('state');
  if (step.do === 'accept') return end('released', now, undefined, 'release');
  if (hasRunOut(facts, now)) return no('over');
  if (step.do === 'complain') return go({ state: 'problem', actUntil: later(now, decideMs) });
  if (wasRevised) return no('once');
  const until = Math.max(dueAt?.getTime() ?? 0, later(now, answerMs).getTime());
  return go({ state: 'revision_requested', actUntil: new Date(until + lateRequestMs), wasRevised: true });
}

/** Once, and until its time is over at its very instant. */
function nextOfReport(facts: RequestFacts, now: Date): Next {
  const until = reportUntil(facts);
  if (until === null) return no('state');
  return until <= now ? no('over') : stay(facts, { actUntil: later(now, decideMs), reportedAt: now });
}

const heldStates: readonly RequestState[] = ['paid', 'delivered', 'revision_requested', 'problem'];

/** Its money is held. */
export const isHeld = (state: RequestState): boolean => heldStates.includes(state);

function nextOfStaff(facts: RequestFacts, step: Extract<Step, { by: 'staff' }>, now: Date): Next {
  const { state, isRefused, isReturned } = facts;
  if (isReturned) return no('state');
  if (step.do === 'decline') return isReported(facts) ? stay(facts, { actUntil: null }) : no('state');
  if (!isHeld(state) && !isRefused && !isReported(facts)) return no('state');
  if (step.do === 'refund') return end('refunded', now, 'decided', 'refund');
  return state === 'paid' ? no('state') : end('released', now, 'decided', 'release');
}

function nextOfSystem(facts: RequestFacts, what: Extract<Step, { by: 'system' }>['do'], now: Date): Next {
  if (what === 'wait') return nextOfTime(facts, now);
  if (what === 'end') return nextOfEnding(facts, now);
  return what === 'leave' ? nextOfLeaving(facts, now) : nextOfClosing(facts, now);
}

/** Returns what the time makes of it by itself. */
function nextOfTime(facts: RequestFacts, now: Date): Next {
  if (!hasRunOut(facts, now) || facts.isDisputed) return no('state');
  switch (facts.state) {
    case 'requested':
      return end('expired', now, 'unanswered');
    case 'quoted':
      return end('expired', now, 'unpaid');
    case 'paid':
      return end('refunded', now, 'not_delivered', 'refund');
    case 'delivered':
      return end('released', now, undefined, 'release');
    case 'revision_requested':
      return go({ state: 'problem', actUntil: later(now, decideMs) });
    default:
      return no('state');
  }
}

/** Its creator closes their account: nobody will make it any more, and what was delivered does not open any more. What is complained about people decide. */
function nextOfLeaving({ state, isDisputed }: RequestFacts, now: Date): Next {
  if (isDisputed || state === 'problem') return no('state');
  return isHeld(state) || state === 'released' ? end('refunded', now, 'left', 'refund') : end('declined', now, 'left');
}

/** Its creator has ended access to what was delivered: it is not kept without its money. What is complained about people decide. */
function nextOfEnding({ state, isDisputed }: RequestFacts, now: Date): Next {
  if (isDisputed || !(state === 'delivered' || state === 'released')) return no('state');
  return end('refunded', now, 'ended', 'refund');
}

/** We closed what was delivered, or the whole account: what is held goes back, delivered or not, and so does what was released for a delivery that is gone. */
function nextOfClosing({ state, isDisputed }: RequestFacts, now: Date): Next {
  if (isDisputed || !(isHeld(state) || state === 'released')) return no('state');
  return end('refunded', now, 'decided', 'refund');
}

/** Returns whether a creator takes no more requests just now. @param mostOpen so many that they have answered may be open at a time */
export const isFull = (
  { answered, unanswered }: { answered: number; unanswered: number },
  { mostOpen }: { mostOpen: number },
): boolean => answered >= mostOpen || unanswered >= mostUnanswered;
