import { describePrice, type Plan } from '#features/settings/plan-words.ts';
import { formatBytes, formatCount } from '#kit/text.ts';
import { answers } from '../questions.ts';
import type { OwnState, Topic } from './topic.ts';

const pricing = { group: 'plan', page: '/pricing' } as const;
const subscription = { group: 'plan', page: '/subscription', needs: 'plans' } as const;

const noSale = "Plans can't be bought on this server yet: it takes no payments.";

const describeTrial = ({ trialDaysLeft }: OwnState): string | undefined => {
  if (trialDaysLeft === null) return undefined;
  return trialDaysLeft <= 1
    ? 'Your own trial is in its **last day**.'
    : `Your own trial has **${formatCount(trialDaysLeft, 'day')}** left.`;
};

const describeShare = ({ commissionPercent }: Pick<Plan, 'commissionPercent'>) =>
  `${commissionPercent}% of what viewers pay you, card fees included; **${100 - commissionPercent}% is yours**`;

/** What it costs, and what happens when it ends. */
export const planTopics: readonly Topic[] = [
  {
    ...pricing,
    id: 'price',
    title: 'How much does it cost?',
    asks: [
      'What is the subscription price? Price list, cost of the subscription',
      'Is it worth it, how costly is it?',
      'What will it set me back every month?',
      'Is it for free? Does it cost anything? Do I have to pay?',
      'How much do you charge a creator?',
      'How much for a month, per year, after the trial?',
      'How much is it? What is the price? Is it expensive or cheap?',
      'Monthly fee, what do I have to pay, how many dollars a month, costs per month',
      'Is PrivateFans free?',
      'What does it cost, and how do I cancel?',
    ],
    text: answers.cost,
    own: describeTrial,
  },
  {
    ...pricing,
    id: 'plans',
    title: 'What are your pricing plans?',
    asks: [
      'Is there any cheaper option or a smaller plan?',
      'Different tiers? Only one subscription? Bigger plan, upgrade',
      'Yearly, annual, quarterly or lifetime membership',
      'Is there a free plan, a cheaper one, student discount, promo code, special offer?',
      'Which package should I choose? What versions are there?',
      'Which plans, tiers, packages, levels or subscriptions do you have?',
      'Is there a premium, pro, basic, business or yearly annual plan?',
      'Difference between the plans, upgrade, downgrade, discount, coupon',
    ],
    text: (facts) =>
      `There is **one plan**, with everything in it: ${describePrice(facts)} a month after a free trial of ${formatCount(facts.trialDays, 'day')}. It includes ${formatBytes(facts.storageBytes)} for your originals. There are no tiers, and nothing in it has to be unlocked.`,
  },
  {
    ...pricing,
    id: 'trial',
    title: 'How does the free trial work?',
    asks: [
      'A friend wants to try it before paying',
      'How long does the free period last? Length of the trial',
      'What is free and for how long?',
      'Can I test it first without paying? Free of charge for a week',
      'When does my trial end? How much time is left? Days left',
      'Start the trial, free days, free period',
      'Try it for free, test period, trial code FREE7, trial version',
      'How long is the trial? How many days can I test?',
      'Can I have a second trial or extend my trial?',
      'Trial, free',
    ],
    text: ({ trialDays, trialStorageBytes }) =>
      `You get everything in the plan free for **${formatCount(trialDays, 'day')}**, with ${formatBytes(trialStorageBytes)} of storage. There is one trial per email address.`,
    own: describeTrial,
  },
  {
    ...pricing,
    id: 'card-needed',
    title: 'Do I need a credit card for the trial?',
    asks: [
      'Do you need my bank account or my payment data?',
      'Hidden fees or costs? Is there a catch?',
      'Do I have to enter a credit card, bank details or PayPal to start?',
      'Will money be taken from my account? Automatic renewal, subscription trap',
      'Do you want my card number?',
      'Can I sign up without paying or giving payment information?',
      'Must I enter my card, debit card, bank or payment details?',
      'Will you bill or charge me automatically? Auto renew, hidden fees, catch',
      'No card required?',
    ],
    text: () =>
      "No. You sign up with an email address only, and nothing is charged when the trial ends. There's nothing to cancel.",
  },
  {
    ...pricing,
    id: 'trial-ends',
    title: 'What happens when the trial ends?',
    asks: [
      'Will my account be closed or deleted after the trial?',
      'What happens with my account, albums, files and links if I do not continue?',
      'I cannot open my studio any more, my plan ended',
      'What becomes of my links and albums once I stop paying?',
      'What happens after the free days, after a week?',
      'Are my pictures gone or deleted when it is over?',
      'Do my links still work after the trial?',
      'My access has ended, I did not pay, everything is paused',
      'After the trial is over, expired or finished',
      'Do I lose my albums and photos when my plan runs out or I stop paying?',
      'My account is paused, limited or inactive, subscription required',
    ],
    text: ({ features }) =>
      `Nothing is charged, and your albums and photos are kept for at least 90 days; we write before anything is deleted. Your links are paused: people who open one see “Temporarily unavailable” until your plan is active again.${features.includes('plans') ? '' : ` ${noSale}`}`,
    own: describeTrial,
  },
  {
    ...pricing,
    id: 'nothing-to-cancel',
    until: 'plans',
    title: 'How do I cancel?',
    asks: [
      'How can I end the subscription? Cancel my plan, cancel before it renews',
      'I want to quit, leave, stop using it',
      'How to get out of the contract, terminate the plan, notice period',
      'Cancel anytime?',
      'Stop my subscription, end my membership, unsubscribe from the plan, quit the trial',
      'Cancel trial, cancellation, get out of it',
    ],
    text: () =>
      "You don't have to. The trial ends by itself, nothing is charged, and there is no subscription on this server yet that could renew. To close your account as well, see “How do I delete my account?”.",
  },
  {
    ...pricing,
    id: 'no-plans-yet',
    until: 'plans',
    title: 'How do I buy the plan?',
    asks: [
      'Apple Pay, Google Pay, gift card',
      'How do I go on, subscribe or pay when the trial ends?',
      'How and where can I pay you? I want to pay',
      'Continue after the trial, keep my account, renew, buy a membership',
      'Do you take PayPal, bitcoin, Visa or Mastercard?',
      'Pay for a subscription, subscribe, purchase, checkout, upgrade from trial, become a paying member',
      'Which payment methods: PayPal, card, Apple Pay, crypto, bank transfer?',
      'Invoice, receipt, refund or money back for my plan',
    ],
    text: () => `${noSale} You can use everything during the free trial.`,
  },
  {
    ...subscription,
    id: 'buy-plan',
    title: 'How do I buy the plan?',
    asks: [
      'Where can I buy a subscription? Where can I pay?',
      'How do I go on, subscribe or pay when the trial ends?',
      'How and where can I pay you? I want to pay',
      'Continue after the trial, renew, buy a membership, become a paying member',
    ],
    text: () =>
      'Under **Subscription**, by card; without an account, sign up first. The price and the next payment are shown before you pay.',
  },
  {
    ...subscription,
    id: 'cancel-plan',
    title: 'How do I cancel my plan?',
    asks: [
      'How do I cancel? Stop my subscription, end my membership, unsubscribe, quit, cancellation',
      'Resume after cancelling',
      'I want to cancel',
      'Unsubscribe from this',
      'Stop my trial, end the trial',
    ],
    text: () =>
      'In one tap under **Subscription**. Your plan runs to the end of the time you paid for, and you can resume it any time. Your albums are kept for at least 90 days after that.',
  },
  {
    ...subscription,
    id: 'pause-plan',
    title: 'Can I pause my plan?',
    asks: [
      'Pause or resume my plan, take a break for a month or two',
      'Put my subscription on hold, stop paying for a while',
    ],
    text: () =>
      "Yes, under **Subscription**: for one, two or three months, and three months in any twelve. The pause begins when the time you've paid for ends. Nothing is charged during the pause. When it ends, your plan resumes and your card is charged; you can resume or cancel before then. Meanwhile everything is kept, and people with a free link see “Temporarily unavailable”; whoever has paid you keeps what they bought.",
  },
  {
    ...subscription,
    id: 'money-back',
    title: 'Can I get my money back?',
    asks: ['Refund of my plan, money-back guarantee, I want my subscription payment returned', 'Charged by mistake'],
    text: () =>
      'Yes, for 7 days after your **first charge**, once per person. There is a button for it under **Subscription**; access ends when the money goes back.',
  },
  {
    ...subscription,
    id: 'change-card',
    title: 'How do I change my card or see invoices?',
    asks: [
      'Update payment method, new credit card, billing details',
      'Where are my invoices and receipts? Payment failed, card declined',
    ],
    text: () =>
      'Under **Subscription** you see the next date and amount, your card and your invoices. **Change card** opens a page of our payment provider; all later payments are taken from the new card. A renewal is charged about an hour after its time; cancel before that and nothing is charged. If a payment fails, you keep access for up to 14 days while it is tried again, and a new card is charged at once.',
  },
  {
    ...pricing,
    id: 'commission',
    title: 'What share of my income do you keep?',
    asks: [
      'How much of a tip or sale do I keep? What do you earn?',
      'How big is your cut? How much do you take from my sales?',
      'Which part of the money stays with you? Your share, your margin',
      'Commission, cut, percentage, platform fee, revenue split, take rate',
      'How much do I keep of what fans pay me? 90 percent, 10 percent, transaction fees',
    ],
    text: (facts) => `We keep ${describeShare(facts)}.`,
  },
];
