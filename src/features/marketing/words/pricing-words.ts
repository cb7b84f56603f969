import type { Me } from '#features/accounts/contract.ts';
import { describeEnd, describeKept, pausedTitle, suspendedTitle } from '#features/accounts/plan-end.ts';
import { describePrice, describeTerms, type Plan } from '#features/settings/plan-words.ts';
import { formatBytes, formatCount } from '#kit/text.ts';
import type { Facts } from '../contract.ts';

/** What stands beside the price, by who looks at it: their own state in words, and what they can do about it. */
export interface PlanFace {
  title: string;
  lines: string[];
  /** `choose`: takes the plan at once. `card`: gives a card, so that the trial goes on. `resume`: ends a pause. */
  action: 'start' | 'finish' | 'studio' | 'leave' | 'choose' | 'card' | 'resume';
}

/** A fact about this version on this server, said to everybody alike. */
export const noSale = "Plans can't be bought on this server: it takes no payments.";

const describeDay = (day: Date) => new Intl.DateTimeFormat(undefined, { dateStyle: 'long' }).format(day);

/** @param me missing while nobody knows who looks */
export function facePlan(me: Me | undefined, plan: Plan, sellsPlans = true): PlanFace {
  if (!me?.user)
    return {
      title: describeTerms(plan),
      lines: [
        'No credit card required, cancel anytime.',
        "If you do nothing, the trial simply ends and you aren't charged. There's nothing to cancel.",
        sellsPlans
          ? 'To go on afterwards, add a card. Without one, your photos and videos are kept for at least 90 days and your links are paused.'
          : `${noSale} After the trial, your photos and videos are kept and your links are paused.`,
      ],
      action: 'start',
    };
  if (me.isStopped) return { title: suspendedTitle, lines: [describeEnd(me)], action: 'leave' };
  if (me.setupStep !== 'done')
    return {
      title: describeTerms(plan),
      // Whether it was is asked when the account opens: until then nobody may learn what happened under an address.
      lines: [
        "The trial begins when your account is set up. There's one trial per email address: if yours has been used before, the account starts without one.",
      ],
      action: 'finish',
    };
  return me.hasAccess ? describeRunning(me, plan, sellsPlans) : describeOver(me, plan, sellsPlans);
}

function describeRunning(
  { isAdmin, isFreeUser, freeUntil, subscriptionStatus, trialEndsAt }: Me,
  plan: Plan,
  sellsPlans: boolean,
): PlanFace {
  const action = 'studio';
  if (isAdmin) return { title: 'You have admin access', lines: ['You have access to everything.'], action };
  if (isFreeUser)
    return {
      title: freeUntil ? `You have free access until ${describeDay(freeUntil)}` : 'You have free access',
      lines: ["There's nothing to pay."],
      action,
    };
  if (subscriptionStatus === 'trialing' && trialEndsAt !== null)
    return {
      title: `Your free trial ends on ${describeDay(trialEndsAt)}`,
      lines: [
        "It ends on its own, and you won't be charged. Your photos and videos are kept for at least 90 days, and people with a free link see “Temporarily unavailable”.",
        sellsPlans
          ? `Add a card to go on afterwards for ${describePrice(plan)} a month. The days that are left stay free.`
          : noSale,
      ],
      action: sellsPlans ? 'card' : action,
    };
  if (subscriptionStatus === 'past_due')
    return {
      title: 'Payment failed',
      lines: [`Your card was declined for ${describePrice(plan)} a month. Update it under Billing to keep your plan.`],
      action,
    };
  return { title: "You're subscribed", lines: [`${describePrice(plan)} a month.`], action };
}

function describeOver(me: Me, plan: Plan, sellsPlans: boolean): PlanFace {
  if (me.planIsPaused) return { title: pausedTitle, lines: [describeEnd(me), describeKept(me)], action: 'resume' };
  const title =
    me.subscriptionStatus === 'inactive' && me.trialEndsAt !== null
      ? 'Your free trial has ended'
      : "Your subscription isn't active";
  const kept = [describeEnd(me), describeKept(me)];
  if (!sellsPlans) return { title, lines: [...kept, noSale], action: 'leave' };
  const offer = `The plan is ${describePrice(plan)} a month. Cancel anytime.`;
  return { title, lines: [...kept, offer], action: 'choose' };
}

/** All that the plan holds, in the order of the main job. */
export const listFeatures = ({
  storageBytes,
  trialStorageBytes,
}: Pick<Facts['limits'], 'storageBytes' | 'trialStorageBytes'>): string[] => [
  'Albums of photos and videos, with location, device and time removed from every one',
  `${formatBytes(storageBytes)} for your originals, ${formatBytes(trialStorageBytes)} during the trial`,
  'Magic links with expiry, password and viewer limit',
  'Encrypted photos and videos with no address to copy, and an invisible mark for each viewer',
  "See who's looking, at which photo or video, and for how long",
  'Revoke in one tap, and open screens close',
  'Found a leak? Upload the copy and compare it with every link that showed the picture',
];

/** Returns who pays what. */
export const listPayers = (
  plan: Plan,
  { takesPayments }: Pick<Facts, 'takesPayments'>,
): { who: string; what: string }[] => [
  { who: 'You', what: `${describePrice(plan)} a month after the trial, for everything above.` },
  {
    who: 'Your viewers',
    what: takesPayments
      ? "Only what you ask of them. They don't need an account."
      : "Nothing, and they don't need an account.",
  },
  {
    who: 'PrivateFans',
    what: `${plan.commissionPercent}% of what viewers pay you, card fees included; ${100 - plan.commissionPercent}% is yours.${takesPayments ? '' : ' Nobody takes payments on this installation yet.'}`,
  },
];

/** Returns how the trial begins and ends, and what cancelling means, as far as it is true on this server. */
export function listDetails({ plan, limits, sellsPlans }: Facts): { what: string; how: string }[] {
  const trial = formatCount(plan.trialDays, 'day');
  return [
    {
      what: 'The trial',
      how: `${trial}, with everything in it and ${formatBytes(limits.trialStorageBytes)} of storage. One trial per email address. No card needed.`,
    },
    {
      what: 'Cancelling',
      how: sellsPlans
        ? 'At any time, in your studio, without a fee. The plan runs to the end of the month that is paid for.'
        : "There is nothing to cancel: if you do nothing, the trial ends and you aren't charged.",
    },
    {
      what: 'Money back',
      how: sellsPlans
        ? 'If you change your mind within 7 days of your first payment, you get it back in full.'
        : 'No plan is sold on this server, so nothing has to be paid back. Once one is, the first payment can be taken back for 7 days.',
    },
    {
      what: 'When a plan ends',
      how: 'Your albums, photos and videos are kept for at least 90 days; we write several times before anything is deleted. Links pause until a plan is active again, and you can sign in at any time.',
    },
  ];
}

/** What credits are for, in a sentence that a visitor understands. */
export const describeCredits = ({
  trace,
  freeTraces,
  storage,
  storageBytes,
  storageDays,
  videoHour,
  freeVideoHours,
}: Facts['credits']): string =>
  `Everything in the plan works without them. Credits pay for ${formatBytes(storageBytes)} of extra storage for ${formatCount(storageDays, 'day')} (${storage}), for each hour of video beyond ${freeVideoHours} a month (${videoHour}) and for each leak trace beyond ${freeTraces} a month (${trace}).`;
