import { keptWords } from '#features/accounts/plan-end.ts';
import { formatMoney } from '#kit/text.ts';
import type { PlanState } from './contract.ts';

export interface PlanWords {
  chip: { tone: 'moss' | 'rust' | 'ember' | 'plain'; text: string };
  title: string;
  lines: string[];
}

/** A day as people read it. Without `locale` and `timeZone`, the reader's. */
export const formatDay = (day: Date): string => new Intl.DateTimeFormat(undefined, { dateStyle: 'long' }).format(day);

export const describeMonth = ({ priceCents, currency }: Pick<PlanState, 'priceCents' | 'currency'>): string =>
  formatMoney(priceCents, currency.toUpperCase());

/** Returns how a plan stands, in words: what happens next comes first. */
export function describePlanState(plan: PlanState): PlanWords {
  switch (plan.kind) {
    case 'admin':
      return {
        chip: { tone: 'moss', text: 'Admin' },
        title: 'Admin access',
        lines: ['You have access to everything.'],
      };
    case 'free':
      return {
        chip: { tone: 'moss', text: 'Free' },
        title: plan.freeUntil ? `Free access until ${formatDay(plan.freeUntil)}` : 'Free access',
        lines: ["There's nothing to pay."],
      };
    case 'trial':
      return describeTrial(plan);
    case 'plan':
      return describeRunning(plan);
    case 'paused':
      return describePaused(plan);
    case 'off':
      return {
        chip: { tone: 'plain', text: 'No plan' },
        title: "Plans can't be bought here",
        lines: ["This server takes no payments, so there's nothing to pay and nothing to cancel.", keptWords],
      };
    case 'none':
      return {
        chip: { tone: 'plain', text: 'No plan' },
        title: 'You have no plan yet',
        lines: [`${describeMonth(plan)} a month. Cancel anytime.`],
      };
    case 'ended':
      return {
        chip: { tone: 'rust', text: 'Ended' },
        title: plan.endedAt ? `Your plan ended on ${formatDay(plan.endedAt)}` : 'Your plan has ended',
        lines: [keptWords, 'Choose it again, and everything will be back as it was.'],
      };
  }
}

function describeTrial(plan: PlanState): PlanWords {
  const end = plan.trialEnd === null ? 'Your free trial' : `Your free trial ends on ${formatDay(plan.trialEnd)}`;
  return {
    chip: { tone: 'moss', text: 'Free trial' },
    title: end,
    lines: [
      "It ends on its own, and you won't be charged.",
      `Add a card to go on afterwards for ${describeMonth(plan)} a month. The days that are left stay free.`,
    ],
  };
}

function describePaused(plan: PlanState): PlanWords {
  const until = plan.pause?.until;
  const day = until == null ? undefined : formatDay(until);
  return {
    chip: { tone: 'ember', text: 'Paused' },
    title: day === undefined ? 'Your plan is paused' : `Paused until ${day}`,
    lines: [
      day === undefined
        ? 'Nothing is charged until you resume it.'
        : `Then it resumes automatically, and ${describeMonth(plan)} is taken from your card. Resume it earlier, and your links open again at once.`,
      'People with a free link see “Temporarily unavailable”. Whoever has paid you keeps what they bought, and everything you have stored is kept.',
    ],
  };
}

/** What their plan came to when they resumed it: its month is paid for at once, or the card is declined. */
export const describeResumed = ({ status }: Pick<PlanState, 'status'>): { isActive: boolean; title: string } =>
  status === 'active'
    ? { isActive: true, title: 'Your plan is active again' }
    : { isActive: false, title: "Your payment didn't go through" };

/** A month that was not paid: it is tried again, or it can't be charged at all. */
function describeUnpaid({ nextAttemptAt, renewal, stuckUntil }: PlanState): PlanWords {
  if (renewal === 'stuck')
    return {
      chip: { tone: 'ember', text: 'Not charged' },
      title: "Your plan wasn't renewed yet",
      lines: [
        `The bill for this month couldn't be made, so nothing was taken from your card. There is nothing you need to do: it is tried again every day. Everything keeps working${stuckUntil === null ? '' : ` until ${formatDay(stuckUntil)}`}.`,
      ],
    };
  return {
    chip: { tone: 'rust', text: 'Payment failed' },
    title: "Your last payment didn't go through",
    lines: [
      nextAttemptAt === null
        ? 'Please use another card, or your plan ends.'
        : `Everything keeps working. We'll try again on ${formatDay(nextAttemptAt)}. If you give another card before then, it's charged at once.`,
    ],
  };
}

function describeNextPayment(renewal: PlanState['renewal'], day: string | undefined): string[] {
  if (renewal === 'soon')
    return [
      'It has just renewed, and this month is charged within the hour. Cancel before that and nothing is charged.',
    ];
  return day === undefined ? [] : [`Next payment on ${day}.`];
}

function describeRunning(plan: PlanState): PlanWords {
  const { status, pause, cancelAtPeriodEnd, periodEnd, trialEnd } = plan;
  const day = periodEnd === null ? undefined : formatDay(periodEnd);
  if (cancelAtPeriodEnd && day !== undefined)
    return {
      chip: { tone: 'ember', text: 'Ends soon' },
      title: `Your plan ends on ${day}`,
      lines: ['Nothing more is charged. Your links stop for free viewers then.'],
    };
  if (pause?.from != null && pause.until !== null)
    return {
      chip: { tone: 'ember', text: 'Pauses soon' },
      title: `Your plan will be paused on ${formatDay(pause.from)}`,
      lines: [
        `Everything works as usual until then. It resumes automatically on ${formatDay(pause.until)}, and ${describeMonth(plan)} is taken from your card.`,
        'While it is paused, people with a free link see “Temporarily unavailable”, and you sell nothing new.',
      ],
    };
  if (status === 'past_due') return describeUnpaid(plan);
  if (status === 'trialing' && trialEnd !== null)
    return {
      chip: { tone: 'moss', text: 'Free trial' },
      title: `Free until ${formatDay(trialEnd)}`,
      lines: [
        `Then ${describeMonth(plan)} a month, taken from your card. Cancel before that day and nothing is charged.`,
      ],
    };
  return {
    chip: { tone: 'moss', text: 'Active' },
    title: `${describeMonth(plan)} a month`,
    lines: describeNextPayment(plan.renewal, day),
  };
}

const brands: Readonly<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  link: 'Link',
};

/** "Visa ending in 4242"; what is no card has no number. */
export const describeCard = ({ brand, last4 }: NonNullable<PlanState['card']>): string =>
  last4 === '' ? (brands[brand] ?? 'Not a card') : `${brands[brand] ?? 'Card'} ending in ${last4}`;
