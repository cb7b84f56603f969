import { describeTerms, type Plan } from '#features/settings/plan-words.ts';
import type { Feature } from './rules.ts';

export interface Question {
  question: string;
  answer: string;
}

/** What the six answers depend on. */
export interface QuestionFacts extends Pick<Plan, 'trialDays' | 'priceCents' | 'commissionPercent'> {
  leaseSeconds: number;
  features: readonly Feature[];
}

/** The answers to what people ask before they begin: one text for the public pages, their structured data and Sofia. */
export const answers = {
  whatIs: () =>
    'A place for private albums. You upload photos and videos, create a link for each person, and see who looked, when and for how long. End a link at any time, and the picture disappears from the open screen.',
  viewers: () =>
    'No. They just tap the link. If their browser forgets them, the code they saw the first time lets them back in.',
  screenshots: () =>
    "There's no file to download: photos and videos travel encrypted, and no link points to them. But no website can prevent a screenshot, or a photo of the screen. PrivateFans makes copying hard, and traceable: each viewer's pictures carry their own invisible mark.",
  paid: ({ features, commissionPercent }: QuestionFacts) =>
    features.includes('payments')
      ? `Through tips, album sales and monthly subscriptions, once you've connected a payout account. You get ${100 - commissionPercent}% of the price shown; card fees come out of our ${commissionPercent}%. Payouts are started within 2 business days after the money is available.`
      : `Through tips, album sales and monthly subscriptions, once the operator has set up payments and you've connected a payout account. You get ${100 - commissionPercent}% of each; card fees come out of our ${commissionPercent}%.`,
  takeBack: ({ leaseSeconds }: QuestionFacts) =>
    `Yes, whenever you want. From that second no new keys are issued, and open screens close within ${leaseSeconds} seconds. Anything captured before then can't be taken back.`,
  cost: (facts: QuestionFacts) =>
    facts.features.includes('plans')
      ? `${describeTerms(facts)} If you do nothing, the trial just ends and nothing is charged. A paid plan can be canceled in one tap.`
      : `${describeTerms(facts)} If you do nothing, the trial just ends and nothing is charged.`,
} as const satisfies Record<string, (facts: QuestionFacts) => string>;

/** The six questions, in their order. */
export const listQuestions = (facts: QuestionFacts): Question[] => [
  { question: 'What is PrivateFans?', answer: answers.whatIs() },
  { question: 'Do my viewers need an account?', answer: answers.viewers() },
  { question: 'Can somebody screenshot or download my pictures?', answer: answers.screenshots() },
  { question: 'How and when do I get paid?', answer: answers.paid(facts) },
  { question: 'Can I take a link back?', answer: answers.takeBack(facts) },
  { question: 'What does it cost, and how do I cancel?', answer: answers.cost(facts) },
];
