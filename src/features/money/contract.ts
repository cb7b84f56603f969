import * as z from 'zod';
import { isMomentCursor } from '#features/albums/rules.ts';
import { SoldKind } from '#features/orders/contract.ts';
import { PayoutStatus, Payouts } from '#features/payouts/contract.ts';
import { CreatorDispute } from '#features/returns/disputes-contract.ts';
import { boundedText, secretText } from '#kit/bounded-text.ts';
import { payoutCountries } from '#kit/payout-countries.ts';
import { Uuid } from '#kit/uuid.ts';
import { creatorPromise, promise, setUpPromise, signedInPromise } from '#wire/promise.ts';
import { refusing } from '#wire/refusals.ts';
import { TipSettings } from './tips/tip-settings-contract.ts';

const tags = ['money'];

/** What a creator earned and has, in minor units of the currency. */
export const Earnings = z.object({
  connected: z.boolean(),
  earnings: z.object({
    /** This calendar month where the creator is, after the platform's part and refunds. */
    totalEarned: z.int(),
    monthlyTips: z.int(),
    monthlyPurchases: z.int(),
    monthlySubscriptions: z.int(),
    monthlyCustom: z.int(),
    lastTip: z.object({ amount: z.int(), timestamp: z.date() }).nullable(),
    lifetimeEarned: z.int(),
  }),
  balance: z.object({
    /** Without the fees of disputes that are still to be taken. */
    available: z.int(),
    pending: z.int(),
    /** When the next part of what is pending becomes available. */
    pendingUntil: z.date().nullable(),
  }),
  currency: z.string(),
  /** When the first payment came in: since then there are statements. */
  begunAt: z.date().nullable(),
  /** Beyond the shape that others may read: how far the payout account is. */
  account: PayoutStatus,
  /** Complete once and not any more: the provider asks for something. */
  isRestricted: z.boolean(),
  /** Test payments: no real money. */
  isSandbox: z.boolean(),
});
export type Earnings = z.infer<typeof Earnings>;

export const EarningFilter = z.enum([
  'all',
  'tips',
  'albums',
  'subscriptions',
  'customs',
  'refunds',
  'fees',
  'payouts',
]);
export type EarningFilter = z.infer<typeof EarningFilter>;

/** How far back the chart goes: by days, the last one by months. */
export const EarningSpan = z.enum(['7d', '30d', '90d', '365d', '12m']);
export type EarningSpan = z.infer<typeof EarningSpan>;

/** What came in on a day or in a month, and what went back then, below zero; all five add up to what was earned. */
export const EarningPart = z.object({
  day: z.iso.date(),
  tips: z.int(),
  albums: z.int(),
  subscriptions: z.int(),
  customs: z.int(),
  refunds: z.int(),
});
export type EarningPart = z.infer<typeof EarningPart>;

/**
 * One line of what a creator earned: a payment, what of it went back, or the fee of a dispute that they bear; asked for by themselves
 * all fees, and payouts.
 */
export const EarningRow = z.object({
  id: Uuid,
  /** Null for a payout, which is of no payment. */
  orderId: Uuid.nullable(),
  kind: z.enum([...SoldKind.options, 'refund', 'fee', 'dispute_fee', 'payout']),
  at: z.date(),
  /** The creator's part; below zero where it went back. */
  amountCents: z.int(),
  /** What was paid. */
  grossCents: z.int(),
  currency: z.string(),
  state: z.enum(['paid', 'partially_refunded', 'refunded', 'disputed', 'charged_back', 'returning']),
  message: z.string(),
  /** The name that a tip on their own page was signed with. */
  signedBy: z.string(),
  /** It was paid on their own page, by no link. */
  isOnPage: z.boolean(),
  link: z.object({ id: Uuid, name: z.string() }).nullable(),
  /** A month of a subscription, or what of one went back. */
  isSubscription: z.boolean(),
  /** Of a subscription: what was paid for at once. */
  months: z.int(),
  availableAt: z.date(),
  /** All of it can still be given back. */
  canRefund: z.boolean(),
  /** It goes back because the card's bank reported possible fraud. */
  isReported: z.boolean(),
});
export type EarningRow = z.infer<typeof EarningRow>;

/** One payment with what became of it, for its creator: never who paid. */
export const EarningOrder = z.object({
  orderId: Uuid,
  kind: SoldKind,
  months: z.int(),
  state: z.enum(['paid', 'partially_refunded', 'refunded', 'disputed', 'charged_back']),
  at: z.date(),
  receiptNumber: z.int().nullable(),
  amountCents: z.int(),
  /** The platform's part of all of it. */
  feeCents: z.int(),
  refundedCents: z.int(),
  /** What the books have of it for them now. */
  keptCents: z.int(),
  /** What they have paid of the fee of its dispute. */
  disputeFeeCents: z.int(),
  /** It goes back because the card's bank reported possible fraud. */
  isReported: z.boolean(),
  currency: z.string(),
  link: z.object({ id: Uuid, name: z.string() }).nullable(),
  /** Custom work: what it was paid for. */
  requestId: Uuid.nullable(),
  /** The first time that it was opened once paid, else the last time before; null for none and for an anonymous payment. */
  visit: z
    .object({
      linkId: Uuid,
      at: z.date(),
      country: z.string().nullable(),
      isCountryEstimated: z.boolean(),
      device: z.string(),
      /** Where the list of the link's visits begins with it. */
      cursor: z.string(),
    })
    .nullable(),
});
export type EarningOrder = z.infer<typeof EarningOrder>;

/** What was paid, as a receipt says it. */
export const Receipt = z.object({
  number: z.int(),
  at: z.date(),
  kind: SoldKind,
  /** A tip on a creator's page, which opened nothing. */
  isOnPage: z.boolean(),
  creatorName: z.string(),
  amountCents: z.int(),
  refundedCents: z.int(),
  currency: z.string(),
  /** Masked: "b•••@example.com". */
  email: z.string().nullable(),
  /** Whether the money can be asked back, or what became of that. */
  asking: z.enum(['refund', 'complaint', 'asked', 'too_late', 'disputed', 'charged_back', 'returned', 'declined']),
  /** Why something of it goes back or went back, in a sentence; empty where nothing does. */
  why: z.string(),
  /** When it would go back, as it was said before paying. */
  terms: z.string(),
  /** What the card statement of whoever pays shows. */
  statementDescriptor: z.string(),
  isSandbox: z.boolean(),
});
export type Receipt = z.infer<typeof Receipt>;

export const moneyContract = {
  /** What is earned and what is there; from our own books, so that nobody waits for the provider. */
  earnings: signedInPromise('none')
    .route({ method: 'GET', path: '/get-stripe-balance', tags })
    .input(z.object({}))
    .output(Earnings),
  listEarnings: signedInPromise('none')
    .route({ method: 'GET', path: '/earnings', tags })
    .input(
      z.object({
        filter: EarningFilter.default('all'),
        /** Where the page before ended. */
        cursor: boundedText(200).refine(isMomentCursor, 'Unknown position in the list').optional(),
        limit: z.coerce.number().int().min(1).max(100).default(30),
      }),
    )
    .output(z.object({ rows: z.array(EarningRow), nextCursor: z.string().nullable() })),
  /** One of these payments. */
  earningOrder: signedInPromise('order')
    .route({ method: 'GET', path: '/earnings/orders/{orderId}', tags })
    .input(z.object({ orderId: Uuid }))
    .output(EarningOrder),
  /** The same by day or month where they are, from the oldest to today. */
  chart: signedInPromise('none')
    .route({ method: 'GET', path: '/earnings/chart', tags })
    .input(z.object({ span: EarningSpan.default('30d') }))
    .output(z.object({ by: z.enum(['day', 'month']), parts: z.array(EarningPart), currency: z.string() })),
  /** What was disputed in the last months, and whether that is much. */
  disputes: signedInPromise('none')
    .route({ method: 'GET', path: '/disputes', tags })
    .input(z.object({}))
    .output(
      z.object({
        rows: z.array(CreatorDispute),
        rate: z.enum(['fine', 'warned', 'limited']),
        /** While many are disputed: for how long sales rest, and what one may cost at most. */
        restDays: z.int(),
        mostCents: z.int(),
        isHeld: z.boolean(),
      }),
    ),
  payouts: signedInPromise('none').route({ method: 'GET', path: '/payouts', tags }).input(z.object({})).output(Payouts),
  /** Where a creator goes to be paid. Bank details are changed there: an account that was ever complete asks for the password, and opening it is told by email. */
  connect: setUpPromise('none')
    .route({ method: 'POST', path: '/stripe-connect-onboarding', tags })
    .errors(refusing('PROVIDER_DOWN', 'SECOND_FACTOR_REQUIRED', 'CODE_REQUIRED'))
    .input(
      z.object({
        password: secretText(1000).optional(),
        /** Of an account that is still to be made, which needs it; any other keeps its own. */
        country: z.enum(payoutCountries, 'Choose your country').optional(),
      }),
    )
    .output(z.object({ url: z.string() })),
  /** Whether they can be paid, as far as it is known here, and what they may ask for an album at most. */
  account: signedInPromise('none')
    .route({ method: 'GET', path: '/payout-account', tags })
    .input(z.object({}))
    .output(
      z.object({
        account: PayoutStatus,
        /** Where their account is, or what is proposed for one that is still to be made; null where nothing is. */
        payoutCountry: z.enum(payoutCountries).nullable(),
        mostPriceCents: z.int(),
        /** Of a creator who is new: what they may ask for later, and after how many days and sales. */
        later: z.object({ mostCents: z.int(), days: z.int(), sales: z.int() }).nullable(),
      }),
    ),
  /** Back from there: asks the provider now, instead of waiting for what it tells. */
  checkAccount: signedInPromise('none')
    .route({ method: 'POST', path: '/check-payout-account', tags })
    .errors(refusing('PROVIDER_DOWN'))
    .input(z.object({}))
    .output(z.object({ account: PayoutStatus })),
  /** Gives a payment back, all of it. */
  refund: signedInPromise('order')
    .route({ method: 'POST', path: '/refund-order', tags })
    .errors(refusing('DISPUTED', 'CONFLICT', 'PROVIDER_DOWN'))
    .input(z.object({ orderId: Uuid }))
    .output(z.object({ state: z.enum(['refunded', 'returning']) })),
  tipSettings: signedInPromise('none')
    .route({ method: 'GET', path: '/tip-settings', tags })
    .input(z.object({}))
    .output(TipSettings),
  changeTipSettings: creatorPromise('none')
    .route({ method: 'PUT', path: '/tip-settings', tags })
    .input(TipSettings)
    .output(z.object({})),
  /** Mails the receipt of a payment once more, with the way back to what was bought. Who gets it is not told. */
  sendReceipt: signedInPromise('order')
    .route({ method: 'POST', path: '/send-receipt', tags })
    .input(z.object({ orderId: Uuid }))
    .output(z.object({})),
  /** By the code of a receipt, which is in its address. */
  receipt: promise({ who: ['visitor', 'viewer', 'creator', 'admin'], subject: 'none' })
    .route({ method: 'GET', path: '/receipts/{code}', tags })
    .errors(refusing('NOT_FOUND'))
    .input(z.object({ code: boundedText(80) }))
    .output(Receipt),
};
