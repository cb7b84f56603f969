import type { Subscription } from '#engines/payments/plan-payments.ts';
import { dayMs, hourMs, minuteMs } from '#kit/time.ts';
import { isPausedNow } from './pauses/pause-rules.ts';

/** A checkout of a plan waits so long for whoever began it; then a new one is begun. */
export const planCheckoutMs = 23 * hourMs;
/** What is known of a plan is asked for again after this time. */
export const staleMs = 10 * minuteMs;
/** How long whoever asks how a plan stands waits for the provider. */
export const checkBudgetMs = 3000;
/** Within this time of the first payment it is given back to whoever asks. */
export const moneyBackMs = 7 * dayMs;
/** A renewal after a trial is announced so long before. */
export const remindMs = 2 * dayMs;
/** The end of a pause is announced so long before. */
export const resumeRemindMs = 3 * dayMs;
/** A payer who is on the page just now is asked about soon enough by their own page. */
export const quietMs = 2 * minuteMs;

/** A checkout that was begun longer ago is nothing to be mailed about out of the blue. */
export const mailableMs = 3 * dayMs;

const known = new Set(['trialing', 'active', 'past_due']);

/** A plan in the words that decide about access: what is not known to be good has ended. */
const accessStatusOf = (plan: PlanStatus, now: Date): string =>
  isLive(plan) && !isPausedNow(plan, now) ? plan.status : 'inactive';

type PlanStatus = Pick<Subscription, 'status' | 'isPaused'> & { pausedFrom: Date | null };

/** Returns whether a plan hasn't ended, be it that it gives access or that it is paused. */
export const isLive = ({ status }: Pick<Subscription, 'status'>): boolean => known.has(status);

/** Whether a plan gives access. */
export const isRunning = (plan: PlanStatus, now: Date): boolean => accessStatusOf(plan, now) !== 'inactive';

/** Days of a trial that go on free in a plan: begun ones whole, so that nobody loses an hour. */
export function daysLeft(trialEndsAt: Date | null, now: Date): number | undefined {
  const leftMs = trialEndsAt === null ? 0 : trialEndsAt.getTime() - now.getTime();
  return leftMs > 0 ? Math.ceil(leftMs / dayMs) : undefined;
}

/** Returns until when the first payment is given back; null when it is not. */
export function moneyBackUntil(
  { firstPaidAt, isUsed }: { firstPaidAt: Date | null; isUsed: boolean },
  now: Date,
): Date | null {
  if (firstPaidAt === null || isUsed) return null;
  const until = new Date(firstPaidAt.getTime() + moneyBackMs);
  return until > now ? until : null;
}

/** Returns whether what is known of a plan may be old. */
export function isStale(
  {
    syncedAt,
    trialEnd,
    periodEnd,
    pausedUntil,
    endedAt,
  }: {
    syncedAt: Date;
    trialEnd: Date | null;
    periodEnd: Date | null;
    pausedUntil: Date | null;
    endedAt: Date | null;
  },
  now: Date,
): boolean {
  if (endedAt !== null) return false;
  const isPast = (moment: Date | null) => moment !== null && moment <= now && syncedAt < moment;
  return now.getTime() - syncedAt.getTime() >= staleMs || [trialEnd, periodEnd, pausedUntil].some(isPast);
}
