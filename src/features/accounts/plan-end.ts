import type { Me } from './contract.ts';

export const suspendedTitle = 'Your account is suspended';
export const pausedTitle = 'Your plan is paused';

/** What an ended plan leaves as it is, and what it does not. */
export const keptWords =
  'Your albums and photos are kept for at least 90 days. People with a free link see “Temporarily unavailable” until your plan is active again.';

const keptInPause =
  'Everything you have stored is kept meanwhile. People with a free link see “Temporarily unavailable” until your plan is active again.';

/** What happens to what is stored, as long as somebody has no access. */
export const describeKept = ({ planIsPaused }: Pick<Me, 'planIsPaused'>): string =>
  planIsPaused ? keptInPause : keptWords;

/** Why somebody who is signed in has no access. */
export function describeEnd({
  isStopped,
  planIsPaused,
  planPausedUntil,
  trialEndsAt,
  freeUntil,
  subscriptionStatus,
}: Pick<
  Me,
  'isStopped' | 'planIsPaused' | 'planPausedUntil' | 'trialEndsAt' | 'freeUntil' | 'subscriptionStatus'
>): string {
  if (isStopped) return 'Nobody can open your links until this is resolved.';
  const formatDay = (day: Date) => new Intl.DateTimeFormat(undefined, { dateStyle: 'long' }).format(day);
  if (planIsPaused && planPausedUntil === null) return 'Your plan is paused. Nothing is charged until you resume it.';
  if (planIsPaused && planPausedUntil !== null)
    return `Your plan is paused until ${formatDay(planPausedUntil)}. Then it resumes automatically; you can resume it before then.`;
  if (subscriptionStatus === null && freeUntil !== null)
    return `Your free access ended on ${formatDay(freeUntil)}. Nothing was charged.`;
  if (subscriptionStatus === null)
    return 'This account has no plan. This email address has already used its free trial.';
  if (trialEndsAt === null) return 'Your plan has ended.';
  return `Your free trial ended on ${formatDay(trialEndsAt)}. Nothing was charged.`;
}

/** Returns what stands on home in place of everything else: why somebody who is signed in has no access, as /auth tells it. */
export const describeNoAccess = (me: Me): { title: string; text: string } =>
  me.isStopped
    ? { title: suspendedTitle, text: describeEnd(me) }
    : {
        title: me.planIsPaused ? pausedTitle : 'Subscription required',
        text: `${describeEnd(me)} ${describeKept(me)}`,
      };
