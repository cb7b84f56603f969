import type { Me } from '#features/accounts/contract.ts';
import type { PayoutStatus } from '#features/payouts/contract.ts';
import { formatCount, formatMoney } from '#kit/text.ts';
import { dayMs, zoneOrUtc } from '#kit/time.ts';
import type { Progress } from './contract.ts';

/** A greeting by the hour where the creator lives. */
export function greet(now: Date, timeZone: string): 'Good morning' | 'Good afternoon' | 'Good evening' {
  // A browser may be older than the name of their zone.
  const place = { timeZone: zoneOrUtc(timeZone) };
  const hour = Number(new Intl.DateTimeFormat('en', { hour: 'numeric', hourCycle: 'h23', ...place }).format(now));
  if (hour >= 5 && hour < 12) return 'Good morning';
  return hour >= 12 && hour < 18 ? 'Good afternoon' : 'Good evening';
}

export interface Step {
  title: string;
  text: string;
  /** Where it is done; none while it can't be done yet. */
  to: string | undefined;
  state: 'done' | 'next' | 'later';
}

/** The four first steps: what the data says is done, then the next one, then later ones. Where nothing can be sold, or their payout account was closed, the last one is only told. */
export function listSteps({ hasPhoto, hasLink, isShared }: Progress, account: PayoutStatus): Step[] {
  const steps = [
    { title: 'Upload', text: 'To a private album.', to: '/albums?new=1', isDone: hasPhoto },
    { title: 'Create a magic link', text: 'One for each person.', to: '/magic-links?new=1', isDone: hasLink },
    { title: 'Share it', text: 'Send it however you chat.', to: '/magic-links', isDone: isShared },
    {
      title: 'Get paid',
      text: account === 'closed' ? 'Your payout account was closed.' : 'Connect payouts under Earnings.',
      to: account === 'off' || account === 'closed' ? undefined : '/earnings',
      isDone: account === 'complete',
    },
  ];
  const next = steps.findIndex(({ isDone, to }) => !isDone && to !== undefined);
  return steps.map(({ isDone, ...step }, at) => ({ ...step, state: isDone ? 'done' : at === next ? 'next' : 'later' }));
}

/** Returns whether every step that can be done is done. */
export const isStarted = (steps: readonly Step[]): boolean =>
  steps.every(({ to, state }) => state === 'done' || to === undefined);

export interface PlanWords {
  title: string;
  text: string;
  tone: 'moss' | 'plum' | 'ember' | 'rust';
}

/** The plan in words: the server's flags decide; administrators and free users come before the plan. */
export function describePlan(me: Me): PlanWords {
  const { isAdmin, isFreeUser, freeUntil, subscriptionStatus, trialEndsAt, now, plan } = me;
  const price = `${formatMoney(plan.priceCents)} a month`;
  if (isAdmin) return { title: 'Admin access', text: 'You have access to everything.', tone: 'plum' };
  if (isFreeUser)
    return {
      title: 'Free access',
      text: freeUntil ? `Until ${formatDay(freeUntil)}.` : 'With no end date.',
      tone: 'moss',
    };
  if (subscriptionStatus === 'trialing' && trialEndsAt !== null)
    return {
      title: describeTrial(trialEndsAt, now),
      text: `Nothing to pay. It ends on ${formatDay(trialEndsAt)}; the plan is ${price} after that.`,
      tone: 'ember',
    };
  if (subscriptionStatus === 'past_due') return { title: 'Not paid yet', text: `${price}.`, tone: 'rust' };
  return { title: "You're subscribed", text: `${price}.`, tone: 'moss' };
}

/** Their card failed, and nothing is taken away while we try it again; nobody is told whose access rests on no card. */
export const hasFailedCard = ({ hasAccess, isAdmin, isFreeUser, subscriptionStatus }: Me): boolean =>
  hasAccess && !isAdmin && !isFreeUser && subscriptionStatus === 'past_due';

/** "Trial: 5 days left": a day that has begun counts. */
export function describeTrial(endsAt: Date, now: Date): string {
  const days = Math.ceil((endsAt.getTime() - now.getTime()) / dayMs);
  return days <= 1 ? 'Trial: last day' : `Trial: ${formatCount(days, 'day')} left`;
}

const formatDay = (day: Date) => new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'long' }).format(day);
