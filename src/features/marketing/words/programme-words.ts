import { formatCount, formatMoney } from '#kit/text.ts';
import type { Facts } from '../contract.ts';

/** What the programme gives and asks, by the settings in force. */
export const listTerms = ({
  affiliates,
  plan,
}: Pick<Facts, 'affiliates' | 'plan'>): { what: string; how: string }[] => [
  {
    what: 'Your share',
    how: `${affiliates.sharePercent}% of what each creator you bring pays for their plan, for ${formatCount(affiliates.months, 'month')}. At ${formatMoney(plan.priceCents)} a month that is ${formatMoney(Math.round((plan.priceCents * affiliates.sharePercent) / 100))} each.`,
  },
  {
    what: 'Out of our pocket',
    how: `It is paid from our part. What a creator keeps of their own income, ${100 - plan.commissionPercent}%, never changes, and they see who invited them.`,
  },
  {
    what: 'What counts',
    how: `Somebody follows your link and joins within ${formatCount(affiliates.attributionDays, 'day')}, or types your code. The first link counts, a typed code counts more, and only new accounts that aren't your own.`,
  },
  {
    what: 'Payouts',
    how: `Once a month, from ${formatMoney(affiliates.payoutCents)}, by hand: we ask where to send it. A share waits 30 days, smaller amounts wait for the next month, and what goes back to a creator is taken back.`,
  },
  {
    what: 'Say that it is an ad',
    how: 'Wherever you share your link, people can see that you are paid for it. In most countries, the law requires it.',
  },
  {
    what: 'Keep it true',
    how: 'No promised earnings, and no promise that screenshots are impossible: nobody can keep those. No spam, and no search ads on our name.',
  },
];

export const steps: readonly { title: string; text: string }[] = [
  { title: 'Apply', text: 'Tell us who you are and whom you would tell. It takes a minute.' },
  { title: 'We answer', text: 'A person reads it and writes back by email.' },
  { title: 'Share your link', text: 'You get a link of your own, and see what comes of it.' },
];

/** Said above the form: how it goes on, or why it can't yet. */
export const describeApplying = ({ sellsPlans }: Pick<Facts, 'sellsPlans'>): string =>
  sellsPlans
    ? 'Use the address of the account that you have here, or will make: your link is there once you are approved.'
    : 'No plans are sold on this server yet, so there is nothing to share either. You can apply now: links and shares start together with plans.';
