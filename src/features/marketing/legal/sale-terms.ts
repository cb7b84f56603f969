import { longerMonths, remindMs } from '#features/orders/fan-rules.ts';
import { answerMs, askMs } from '#features/orders/refund-asking-rules.ts';
import { leastPayoutCents } from '#features/payouts/rules.ts';
import { formatCount, formatPrice } from '#kit/text.ts';
import { dayMs, hourMs } from '#kit/time.ts';
import type { Operator } from '../operator-words.ts';

const days = (count: number) => formatCount(count, 'day');
const asking = days(askMs / dayMs);
const least = formatPrice(leastPayoutCents, 'USD');
const [short, middle, long] = longerMonths;

/** What viewers agree to who subscribe. */
const subscriptions = {
  title: 'Subscriptions to creators',
  paragraphs: [
    `A subscription is paid in advance, for one month, or for ${short}, ${middle} or ${long} months where the creator offers that and you choose it. It renews for the same time and at the same price until you cancel. You are reminded by email ${days(remindMs / dayMs)} before the first renewal, and once a year after that. You can cancel with one tap under My purchases (/my): nothing more is charged, and what you have paid for stays open until it ends.`,
    'If the creator raises the price, you keep paying the old one until you agree to the new one. If a payment fails, you are told by email and it is tried again; if it keeps failing, the subscription ends.',
    'If the creator stops offering the subscription, yours runs to the end of what you have paid for. If it ends early because the creator closes their account, the account is suspended, or we remove what the subscription opens, you are refunded for the time that is left.',
  ],
};

/** What viewers and creators agree to about money that goes back. */
const refunds = {
  title: 'Refunds',
  paragraphs: [
    `For ${asking} after you pay a creator you can ask for your money back on the receipt, once for each payment. The creator has ${answerMs / hourMs} hours to answer; after that the operator decides. If you ask for a tip back, it is refunded only if you paid twice or did not make the payment, and the operator decides. If your access was ended without a refund, you can complain to the operator for ${asking} after that.`,
    'Refunds go back to the card you paid with, and end the access that was paid for. Custom work is paid in advance and has rules of its own, which are shown before you pay.',
  ],
};

/** What creators agree to about being paid. */
const payouts = ({ payouts: { settlementDays, disputedSettlementDays, mostDebtCents } }: Operator) => ({
  title: 'Payouts to creators',
  paragraphs: [
    `To be paid out you need a payout account with Stripe, which confirms who you are. Money from a sale is held for ${days(settlementDays)} before it can be paid out, and for ${days(disputedSettlementDays)} while at least 1% of your sales in the last 90 days, and at least two of them, are disputed. Once you have been here for more than 30 days and few of your sales are disputed, it is paid out as soon as Stripe makes it available.`,
    `Payouts go out every business day unless you choose weekly, monthly or manual payouts. The smallest is ${least}.`,
    'A payout can be held: until a person has looked at your first one; while Stripe needs something from you; after your bank has sent one back; while a report about your content is open; while at least 1% of your sales in the last 90 days, and at least two of them, are disputed; or while the law asks us to check it. On the Payouts page you see the reason, what you can do, when we expect the hold to end if that can be told, and how to appeal.',
    `Refunds and disputes are taken from your balance, which may fall below zero. What you earn next covers it, and nothing is paid out until at least ${least} is available again. You cannot make a refund yourself that would take your balance more than ${formatPrice(mostDebtCents, 'USD')} below zero.`,
  ],
});

/** Returns what people agree to about sales, where something can be paid. */
export const describeSaleTerms = (operator: Operator) => [subscriptions, refunds, payouts(operator)];
