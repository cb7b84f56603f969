import type { PageLimits } from '#features/settings/page-limits.ts';
import { settingRules } from '#features/settings/rules.ts';
import { formatCount, formatMoney } from '#kit/text.ts';

/** What the plan costs and how long it is free. */
export interface Plan {
  trialDays: number;
  priceCents: number;
  /** What the platform keeps of a price that a viewer pays. */
  commissionPercent: number;
}

/** Pages are prerendered without a database: until the server has answered they show what a new installation has. */
export const usualPlan: Plan = {
  trialDays: settingRules['plan.trialDays'].default,
  priceCents: settingRules['plan.priceCents'].default,
  commissionPercent: settingRules['money.commissionPercent'].default,
};

/** What a month costs: "$3.99". */
export const tellPrice = ({ priceCents }: Pick<Plan, 'priceCents'>): string => formatMoney(priceCents);

/** The terms beside the button: "7 days free, then $3.99 a month. No card needed." */
export const tellTerms = (plan: Pick<Plan, 'trialDays' | 'priceCents'>): string =>
  `${formatCount(plan.trialDays, 'day')} free, then ${tellPrice(plan)} a month. No card needed.`;

export interface Question {
  question: string;
  answer: string;
}

/** The six questions, in their order. */
export const listQuestions = (
  plan: Pick<Plan, 'trialDays' | 'priceCents'>,
  { leaseSeconds }: Pick<PageLimits, 'leaseSeconds'>,
): Question[] => [
  {
    question: 'What is PrivateFans?',
    answer:
      'A place for private albums. You upload photos and videos, make a link for a person, and see who looks, when and for how long. You end the link at any moment, and the picture goes off the open screen.',
  },
  {
    question: 'Do my viewers need an account?',
    answer:
      'No. They tap the link and look. If their browser forgets them, the code they saw the first time lets them back in.',
  },
  {
    question: 'Can somebody screenshot or download my pictures?',
    answer:
      'There is no file to download: photos and videos travel encrypted, and no link leads to them. But no website can prevent a screenshot, or a photo of the screen. PrivateFans makes copying hard, and traceable: every viewer gets pictures with an invisible mark of their own.',
  },
  {
    question: 'How and when do I get paid?',
    answer:
      'Not yet: tips, sales and subscriptions are not part of this version. Today you share for free, under your own rules.',
  },
  {
    question: 'Can I take a link back?',
    answer: `Yes, whenever you want. From that second nobody gets new keys, and open screens close, after ${leaseSeconds} seconds at the latest. What somebody captured before cannot be taken back.`,
  },
  {
    question: 'What does it cost, and how do I cancel?',
    answer: `${tellTerms(plan)} If you do nothing, the trial just ends and nothing is charged.`,
  },
];
