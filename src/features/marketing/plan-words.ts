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
      'A place for private albums. You upload photos and videos, create a link for each person, and see who looked, when and for how long. End a link at any time, and the picture disappears from the open screen.',
  },
  {
    question: 'Do my viewers need an account?',
    answer:
      'No. They just tap the link. If their browser forgets them, the code they saw the first time lets them back in.',
  },
  {
    question: 'Can someone screenshot or download my pictures?',
    answer:
      "There's no file to download: photos and videos travel encrypted, and no link points to them. But no website can prevent a screenshot, or a photo of the screen. PrivateFans makes copying hard, and traceable: each viewer's pictures carry their own invisible mark.",
  },
  {
    question: 'How and when do I get paid?',
    answer:
      "Not yet: tips, sales and subscriptions aren't part of this version. For now you share for free, on your own terms.",
  },
  {
    question: 'Can I take a link back?',
    answer: `Yes, whenever you want. From that second no new keys are issued, and open screens close within ${leaseSeconds} seconds. Anything captured before then can't be taken back.`,
  },
  {
    question: 'What does it cost, and how do I cancel?',
    answer: `${tellTerms(plan)} If you do nothing, the trial just ends and nothing is charged.`,
  },
];
