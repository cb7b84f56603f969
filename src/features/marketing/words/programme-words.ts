import { formatCount, formatMoney } from '#kit/text.ts';
import type { Facts } from '../contract.ts';

/** What the programme gives and asks, by the settings in force. */
export const listTerms = ({
  affiliates,
  plan,
}: Pick<Facts, 'affiliates' | 'plan'>): { what: string; how: string }[] => [
  {
    what: 'Your share',
    how: `${affiliates.sharePercent}% of what each creator you bring pays for their plan, for ${formatCount(affiliates.months, 'month')}. At ${formatMoney(plan.priceCents)} a month that is ${formatMoney(Math.floor((plan.priceCents * affiliates.sharePercent) / 100))} each.`,
  },
  {
    what: 'Out of our pocket',
    how: `It is paid from our part. What a creator keeps of their own income, ${100 - plan.commissionPercent}%, never changes, and they see who invited her.`,
  },
  {
    what: 'What counts',
    how: `Somebody follows your link and joins within ${formatCount(affiliates.attributionDays, 'day')}. The first link counts, and only for new accounts that aren't your own.`,
  },
  {
    what: 'Payouts',
    how: `Once a month, from ${formatMoney(affiliates.payoutCents)}. Smaller amounts wait for the next month.`,
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

/** Said as long as nobody pays, so that nobody waits for a share of nothing. */
export const describeNotYet = ({ sellsPlans }: Pick<Facts, 'sellsPlans'>): string =>
  sellsPlans
    ? "Links and shares aren't part of this version yet. You can apply now, and we'll write to you when they start."
    : 'No plans are sold on this server yet, so there is nothing to share either. You can apply now: links and shares start together with plans.';
