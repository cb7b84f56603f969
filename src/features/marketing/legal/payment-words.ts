import { failuresKeptMs } from '#features/orders/rules.ts';
import { formatCount } from '#kit/text.ts';
import { dayMs } from '#kit/time.ts';

/** What the privacy policy says of payments where some can be made. */
export const paymentPrivacy = {
  /** Of buyers' cards. */
  card: `Your card number is never seen or stored here; you give it to Stripe, the payment provider. For a subscription we store the brand and the last four digits of its card. If a card is declined, we store a code that Stripe uses for that card, to notice when someone tries out stolen cards, for ${formatCount(failuresKeptMs / dayMs, 'day')}.`,
  creators:
    "If you take the plan or buy credits, we store what you paid and when, and for the plan the brand and the last four digits of your card. If you connect a payout account, we store its number at Stripe, what Stripe is still missing, your earnings, your payouts, and any holds on them with their reasons. You enter your legal name and bank details on Stripe's pages, and they are not stored here.",
  others: [
    'Payments are handled by Stripe. When you pay for something, Stripe receives your email address, your payment details, the amount and what kind of thing you buy, such as an album, a tip or the plan, but no picture and no album name. When you connect a payout account, Stripe receives your email address and your handle, and asks you for your legal name, your bank details and whatever else it needs to confirm who you are. Stripe uses this data under its own privacy policy.',
    'If you ask your bank about a payment, or to take it back, the bank may receive evidence through Stripe: your email address; what was sold, for how much and when; the terms and rules you were shown; the kinds of browsers you used and the countries they were in; when and for how long you viewed what you paid for, and how much of it; and which emails about it were sent to you.',
    'On a sandbox, a program on the same server may take the place of Stripe and the banks; then none of this is sent anywhere.',
  ],
};
