import { monthsLater, monthsLaterOn } from '#kit/time.ts';

/** So many months of a year a plan may be paused. */
export const mostPausedMonths = 3;

/** A pause that was, is or will be. */
export interface Pause {
  startsAt: Date;
  endsAt: Date;
  /** Before its end. */
  resumedAt: Date | null;
}

interface Pausable {
  isPaused: boolean;
  pausedFrom: Date | null | undefined;
}

/** Returns whether a pause has begun. One of which nobody knows when it begins has. */
export const isPausedNow = ({ isPaused, pausedFrom }: Pausable, now: Date): boolean =>
  isPaused && (pausedFrom == null || pausedFrom <= now);

interface ProviderPause extends Pausable {
  periodStartsAt: Date | undefined;
}

/** As the provider tells it, which may begin a month that nobody pays for a moment before our clock says so. */
export const hasPauseBegun = (plan: ProviderPause, now: Date): boolean =>
  isPausedNow(plan, now) || isPausedNow(plan, plan.periodStartsAt ?? now);

const longest = 31;

/** The day by which a plan is billed that is billed on this one: the last of a month may stand for any later one. */
function billedDayOf(day: Date): number {
  const next = new Date(day);
  next.setUTCDate(day.getUTCDate() + 1);
  return next.getUTCDate() === 1 ? longest : day.getUTCDate();
}

/** Months of a pause that have begun, all of those to come among them. */
function monthsOf({ startsAt, endsAt, resumedAt }: Pause): number {
  const end = resumedAt !== null && resumedAt < endsAt ? resumedAt : endsAt;
  if (startsAt >= end) return 0;
  const day = billedDayOf(startsAt);
  for (let months = 1; ; months++) if (monthsLaterOn(day, startsAt, months) >= end) return months;
}

/** Returns how many months a plan may be paused from a day on: three in any twelve. */
export function pausableMonths(pauses: readonly Pause[], from: Date): number {
  const since = monthsLater(from, -12);
  const used = pauses.filter(({ startsAt }) => startsAt > since).map(monthsOf);
  return Math.max(0, mostPausedMonths - used.reduce((sum, months) => sum + months, 0));
}

export interface PauseFacts {
  status: string;
  isPaused: boolean;
  cancelAtPeriodEnd: boolean;
  periodEnd: Date | null;
  anchoredAt: Date | null;
  /** The month that runs has not been charged yet: a pause that begins now might take its bill along. */
  isUncharged: boolean;
}

/** Why a plan cannot be paused; undefined when it can. */
export function findPauseFault(
  { status, isPaused, cancelAtPeriodEnd, periodEnd, isUncharged }: Omit<PauseFacts, 'anchoredAt'>,
  now: Date,
): string | undefined {
  if (status === 'trialing') return "A free trial can't be paused.";
  if (status === 'past_due') return "Your last payment didn't go through. Once it's paid, you can pause your plan.";
  if (status !== 'active' || periodEnd === null) return "You don't have a plan that is running.";
  if (isPaused) return 'Your plan is already set to pause. Resume it first to choose another time.';
  if (cancelAtPeriodEnd) return 'Your plan is canceled. Keep it first, and then you can pause it.';
  if (isUncharged) return "This month hasn't been charged yet. Once it's paid, you can pause your plan.";
  // What happens at the end of a month is not known until the provider has told it.
  return periodEnd <= now
    ? 'The payment for your next month is being made right now. Please try again in a minute.'
    : undefined;
}

/** The pauses that may be chosen, each with the day on which the plan is paid for again. */
export const listPauses = (
  plan: PauseFacts,
  pauses: readonly Pause[],
  now: Date,
): { months: number; until: Date }[] => {
  const { periodEnd, anchoredAt } = plan;
  if (periodEnd === null || findPauseFault(plan, now) !== undefined) return [];
  return Array.from({ length: pausableMonths(pauses, periodEnd) }, (_, n) => ({
    months: n + 1,
    until: monthsLaterOn((anchoredAt ?? periodEnd).getUTCDate(), periodEnd, n + 1),
  }));
};
