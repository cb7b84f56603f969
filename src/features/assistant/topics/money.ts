import { formatCount, formatPrice } from '#kit/text.ts';
import { answers } from '../questions.ts';
import type { Topic } from './topic.ts';

const earnings = { group: 'money', page: '/earnings', needs: 'payments' } as const;
const tips = { group: 'money', page: '/earnings', needs: 'tips' } as const;
const later = { group: 'money', page: '/help' } as const;
const asksEarnings = [
  'How do I check my earnings? Where do I see my income, money, balance, revenue or payout?',
  'How and when do I get paid? Make money, earn, monetise, sell my photos, side income',
  'Tips, donations, gifts, paid albums, price of an album, pay per view, fan subscriptions, paywall',
  'Connect Stripe, bank account, withdraw, cash out, transfer my money, payday',
  'Refund a buyer, chargeback, dispute',
];
const asksRequests = [
  'How do I manage access requests? Approve, deny, accept, reject or decline a person who asks',
  'Somebody wants to see my album, permission, pending approval, let people ask, waiting list',
];
const asksCustom = [
  'How do custom requests work? Custom content, personalised video, commission, made to order, on demand',
  'A fan wants a special picture just for him, wishes, offers, quote',
];
const asksCredits = ['What are credits? Buy credits, coins, tokens, credit balance, top up'];

/** Money and what comes with it. Where nobody takes payments, one answer says so. */
export const moneyTopics: readonly Topic[] = [
  {
    ...earnings,
    id: 'earnings',
    title: 'How do I check my earnings?',
    asks: [...asksEarnings.slice(0, 2), 'See my income, sales and payouts', 'Where is my money? How much did I make?'],
    text: () =>
      'Under **Earnings**: this month, what is available, what is pending and until when. The list below shows tips, sales, subscriptions and refunds one by one; **Payouts** says when your money leaves.',
  },
  {
    ...later,
    id: 'no-earnings-yet',
    until: 'payments',
    title: 'How and when do I get paid?',
    asks: [
      ...asksEarnings,
      'Withdraw earnings, see my income, sales and payouts',
      'Can I charge money, set a price or ask for a payment?',
      'Where is my money? How much did I make?',
      'Can I sell my albums, pictures or videos? Charge my viewers, make them pay',
      'Can fans pay me?',
      'How do I earn money with this? Can I get rich?',
      'Subscriptions of fans, paid content, price for an album',
      'When is payday? PayPal, payout to my bank',
    ],
    text: answers.paid,
  },
  {
    ...earnings,
    id: 'get-paid',
    title: 'How and when do I get paid?',
    asks: [
      'Payout, payday, when does my money arrive, how long do payouts take, minimum payout',
      'Withdraw, cash out, transfer',
      'Withdraw my earnings, payout to my bank',
      'How do payouts work? When is payday?',
    ],
    text: answers.paid,
  },
  {
    ...tips,
    id: 'connect-stripe',
    title: 'How do I connect Stripe?',
    asks: ['Payout account, bank account, IBAN, verify my identity, complete setup, get paid card'],
    text: () =>
      'On the **Get Paid** card, tap **Connect Stripe**, choose the country of your payout account (it cannot be changed later) and answer Stripe’s questions. “Complete Setup” means something is still missing: **Payouts** lists what. Later, **Manage Account** asks for your password, because your bank details are in there. Your legal name is never shown to buyers.',
  },
  {
    ...tips,
    id: 'tips',
    title: 'How do tips work?',
    asks: [
      'How do I receive tips? Can fans tip me?',
      'Receive a tip, gift, donation, gratuity, tip amount, smallest tip',
    ],
    text: () =>
      'A link can ask for a tip before it opens: tap **free** in its sentence and choose the price, from $5. Viewers pay by card, without an account, and you find each tip under **Earnings**.',
  },
  {
    ...tips,
    id: 'sell-album',
    title: 'How do I sell an album?',
    asks: [
      'Can I sell my albums, pictures or videos? Make viewers pay',
      'Set a price, paid album, pay per view, paywall, unlock, charge for pictures, bundle price',
    ],
    text: (facts) =>
      `Make a link, tap **free** in its sentence and choose a price from $5 to ${formatPrice(facts.newPriceCents, 'USD')}; up to ${formatPrice(facts.mostPriceCents, 'USD')} once you have been here for ${formatCount(facts.provenDays, 'day')} with ${formatCount(facts.provenSales, 'sale')} and no dispute. The price is shown before anything is asked of the buyer, and they need no account.`,
  },
  {
    ...earnings,
    id: 'fan-subscriptions',
    title: 'Can fans subscribe to me?',
    asks: ['Monthly subscription by fans, membership, tier, recurring income, subscribers pay every month'],
    text: () =>
      'Yes. Under **Earnings**, tap **Subscribers** and make up to three tiers, from $5.00 to $49.99 a month: for everything you add, or for albums you choose, and with up to 50% off for 3, 6 or 12 months paid at once. Then tap **free** in the sentence of a link and choose the tier. Subscribers can cancel in one tap and keep access to the end of what they paid for.',
  },
  {
    ...earnings,
    id: 'held-payout',
    title: 'Why is my payout on hold?',
    asks: ['Money is pending, held, blocked, frozen or missing, payout delayed, appeal'],
    text: () =>
      'Each hold is shown under **Earnings**, **Payouts**, with its reason, what you can do, the date we expect it to end, and a way to appeal.',
  },
  {
    ...earnings,
    id: 'refunds',
    title: 'What happens when a buyer wants a refund?',
    asks: ['Give the money back to a customer, return a payment, refund a buyer'],
    text: () =>
      'Buyers can ask within 14 days, and you have 72 hours to answer. A refund ends the access it paid for. If you end a buyer’s access within 7 days of their payment, or to an album they haven’t opened yet, the whole payment goes back automatically, unless they broke the rules. You are told before you revoke. What arrives after you ended what it was for opens nothing, and goes back at once.',
  },
  {
    ...earnings,
    id: 'disputes',
    title: 'What happens when a buyer disputes a payment?',
    asks: ['Chargeback, dispute, the bank took the money back, fraud, stolen card, evidence'],
    text: () =>
      'The bank takes the money until it has decided, and your part of it leaves your balance. What was paid for is closed to the buyer meanwhile. We answer the bank with the order, the terms that were shown and the log of what was viewed; where nothing was opened, we decide first whether to answer. You have nothing to do. If the bank decides for you, your part comes back. While at least 0.75% of your sales in the last 90 days are disputed, and at least two of them, you also pay the bank’s fee for each new dispute, usually $15. **Earnings** shows how each dispute stands.',
  },
  {
    ...tips,
    id: 'paid-elsewhere',
    title: 'What if somebody who paid can no longer open it?',
    asks: [
      'A buyer lost access, changed phones, cleared cookies or uses another browser; find my purchases',
      'I already paid, how do I get back in? Resend or send a receipt again',
    ],
    text: () =>
      'Whoever paid opens **Find my purchases** (/find-my-purchases), enters the email address they paid with, and gets a link that opens it in any browser. Their receipt leads there too: under **Earnings**, tap **⋯** beside the payment and **Send receipt again**.',
  },
  {
    ...earnings,
    id: 'card-statement',
    title: 'What do buyers see on their card statement?',
    asks: ['Statement descriptor, discreet billing, receipt, bank statement, does my name appear for buyers'],
    text: ({ statementDescriptor }) =>
      `**${statementDescriptor}**: a neutral name, never yours and never what was bought.`,
  },
  {
    id: 'access-requests',
    group: 'money',
    page: '/',
    needs: 'accessRequests',
    title: 'How do I manage access requests?',
    asks: [
      ...asksRequests,
      'Can people request access to an album? Accept or decline someone',
      'Someone asked for access, how do I approve it? Where are the requests?',
    ],
    text: () =>
      'Make a link with **Ask me first**. Whoever opens it can send you a name and a message, and sees nothing before your answer. Requests stand on your home page under **Pending Approval**, and all of them under **Access requests**. **Approve** for a day, a week, a month or without an end, or **Deny**, silently or with a few words. The viewer’s page opens by itself once you approve, and you can take it back there at any time.',
  },
  {
    ...later,
    id: 'no-access-requests-yet',
    until: 'accessRequests',
    title: 'How do I manage access requests?',
    page: '/magic-links',
    asks: [
      ...asksRequests,
      'Can people request access to an album? Accept or decline someone',
      'Someone asked for access, how do I approve it? Where are the requests?',
    ],
    text: () =>
      "Viewers can't ask for access in this version yet. You decide by whom you send a link to: make one for each person, and revoke it when you want.",
  },
  {
    id: 'custom-requests',
    group: 'money',
    page: '/requests',
    needs: 'customRequests',
    title: 'How do custom requests work?',
    asks: [
      ...asksCustom,
      'Personalised content for fans, wishes of my viewers',
      'A guy wants a custom video, special order, request from a fan',
    ],
    text: () =>
      '**Requested**: a viewer describes what they wish for; you answer within 72 hours.\n**Quoted**: you accept or name your price; they pay to start.\n**Paid and held**: the money waits until you deliver.\n**Delivered**: they accept, or 72 hours pass, and one change may be asked for.\n**Done**: the money goes to you, once. For 14 days they can still report a problem; then we decide whether all of it goes back.',
  },
  {
    ...later,
    id: 'no-custom-requests-yet',
    until: 'customRequests',
    title: 'How do custom requests work?',
    asks: [
      ...asksCustom,
      'Personalised content for fans, wishes of my viewers',
      'A guy wants a custom video, special order, request from a fan',
    ],
    text: () =>
      "They aren't part of this version yet. Until then, agree with the person in your chat, put the result into an album of its own, and send a link that only they can open.",
  },
  {
    id: 'credits',
    group: 'money',
    page: '/pricing?tab=credits',
    needs: 'credits',
    title: 'What are credits?',
    asks: [...asksCredits, 'What can I do with credits? Do I need credits?'],
    text: () =>
      'Prepaid units for what goes beyond the plan: extra storage for a time, more leak traces or hours of video a month, a readable address for a link, or a waiting video that is prepared first. You get some for your first album, your first link and for connecting payouts, and can buy packs where payments are taken. They are not money and are never paid out. Nothing in the plan needs them.',
  },
  {
    ...later,
    id: 'no-credits-yet',
    until: 'credits',
    title: 'What are credits?',
    page: '/pricing',
    asks: [...asksCredits, 'What can I do with credits? Do I need credits?'],
    text: () => 'There are no credits in this version. Everything it can do is in the plan.',
  },
  {
    id: 'affiliates',
    group: 'money',
    page: '/account/affiliate',
    needs: 'affiliates',
    title: 'Do you have an affiliate program?',
    asks: ['Referral, invite a friend, recommend, partner, referral code, bonus, affiliate'],
    text: () =>
      'Yes. Apply on the program page: `/signup`. Once approved, you get a link and a code of your own, and a share of the plan payments of creators who join through them. You see how many came, and never who.',
  },
];
