import * as z from 'zod';
import { ShownTerms, SoldKind } from '#features/orders/contract.ts';
import { boundedText, proseText } from '#kit/bounded-text.ts';
import { Uuid } from '#kit/uuid.ts';

/** How many months are paid for at once. */
export const MonthCount = z.union([z.literal(1), z.literal(3), z.literal(6), z.literal(12)]);

/** What may be subscribed to. */
export const SoldTier = z.object({
  id: Uuid,
  name: z.string(),
  /** A month. */
  priceCents: z.int(),
  /** What several months at once cost together, where that is offered; each renews for as many. */
  longer: z.array(z.object({ months: MonthCount, priceCents: z.int() })),
  benefits: z.string(),
});
export type SoldTier = z.infer<typeof SoldTier>;

/** What is missing beside an amount, ready to be read: "$15", "a subscription"; left out where the amount opens the link. */
const Afterwards = z.string().optional();

/** What a link costs, for a gate that asks for money. Amounts are minor units of the currency. */
export const Sale = z.object({
  /** Any of them opens it. */
  offers: z.array(
    z.discriminatedUnion('kind', [
      z.object({ id: z.string(), kind: z.literal('pay'), priceCents: z.int(), afterwards: Afterwards }),
      z.object({
        id: z.string(),
        kind: z.literal('tip'),
        minCents: z.int(),
        /** To be chosen by one tap; any other amount up to `mostCents` may be typed. */
        presetsCents: z.array(z.int()),
        afterwards: Afterwards,
      }),
      z.object({
        id: z.string(),
        kind: z.literal('fan_sub'),
        /** Each opens it, for as long as it is paid every month; the cheapest first. */
        tiers: z.array(SoldTier),
        afterwards: Afterwards,
      }),
    ]),
  ),
  /** The most that may be tipped. */
  mostCents: z.int(),
  currency: z.string(),
  photos: z.int(),
  videos: z.int(),
  /** Of all videos together. */
  videoMs: z.int(),
  /** WebP of 32 px at most, blurred on the server, as base64; what the creator chose to show before payment. */
  teaser: z.array(z.string()).max(12),
  /** The creator can be paid. */
  isPayable: z.boolean(),
  /** What the card statement of whoever pays shows. */
  statementDescriptor: z.string(),
  /** Test payments: no real money. */
  isSandbox: z.boolean(),
  /** What this viewer has paid by and the bank has not settled yet: nothing is to be paid meanwhile. */
  waitsFor: z.string().optional(),
});
export type Sale = z.infer<typeof Sale>;

/** Body of POST /api/view/:slug/checkout; its answer is where to pay, or a refusal like that of `open`. */
export const CheckoutRequest = z.object({
  offerId: boundedText(40),
  /** What the page showed; a price that has changed meanwhile is not taken. */
  amountCents: z.int(),
  /** Of a subscription: to what. */
  tierId: Uuid.optional(),
  /** And for how long at once. */
  months: MonthCount.default(1),
  message: proseText(200, 'Use at most 200 characters').default(''),
  isAnonymous: z.boolean().default(false),
  shownTerms: ShownTerms.optional(),
  timeZone: boundedText(60).optional(),
});
export type CheckoutRequest = z.infer<typeof CheckoutRequest>;

/** What became of a payment, by the reference in the address of the page to which it leads. */
export const CheckoutStatus = z.object({
  /** `on_hold`: while it is disputed. */
  state: z.enum(['done', 'processing', 'failed', 'on_hold', 'returned', 'unknown']),
  kind: SoldKind.optional(),
  amountCents: z.int().optional(),
  /** Of a subscription: what it is paid for at once. */
  months: MonthCount.optional(),
  currency: z.string().optional(),
  creatorName: z.string().optional(),
  /** Masked: "b•••@example.com". */
  email: z.string().optional(),
  /** It was this browser, or another one of the same viewer, that paid. */
  isOwn: z.boolean(),
  /** A tip on a creator's page, which opens nothing. */
  isOnPage: z.boolean().optional(),
  /** What it was for was taken away, before it was paid or since; what is said of that. */
  ended: z.object({ title: z.string(), text: z.string() }).optional(),
  /** Only for the browser that paid: by its receipt the money is asked back. */
  receiptPath: z.string().optional(),
  /** What its creator says to whoever tips. */
  thanks: z.string().optional(),
  /** For how long it opens, as words: "24 hours after you first open it". */
  span: z.string().optional(),
  /** Where it opens; only for the browser that paid. */
  viewPath: z.string().optional(),
  /** The creator's page, where it was paid on that. */
  pagePath: z.string().optional(),
  /** What the card statement of whoever pays shows. */
  statementDescriptor: z.string(),
  isSandbox: z.boolean(),
});
export type CheckoutStatus = z.infer<typeof CheckoutStatus>;

/** Something that was paid for, as /my lists it. */
export const Purchase = z.object({
  orderId: Uuid,
  kind: SoldKind,
  creatorName: z.string(),
  at: z.date(),
  amountCents: z.int(),
  refundedCents: z.int(),
  currency: z.string(),
  /** `sent`: it was to open nothing; `ended`: by the creator, or the link is gone; `on_hold`: while its payment is disputed. */
  state: z.enum(['open', 'sent', 'on_hold', 'returned', 'ended']),
  receiptPath: z.string().nullable(),
  /** Whether its money can be asked back now, or why not. */
  asking: z.enum(['refund', 'complaint', 'asked', 'too_late', 'disputed', 'charged_back', 'returned']),
});
export type Purchase = z.infer<typeof Purchase>;

/** A subscription or a free pass, as /my shows it. */
export const Subscription = z.object({
  fanId: Uuid,
  isPass: z.boolean(),
  creatorName: z.string(),
  tierName: z.string(),
  /** Paid at once each time. */
  months: MonthCount,
  /** What this subscriber pays for these months. */
  amountCents: z.int(),
  currency: z.string(),
  since: z.date(),
  /**
   * `late`: the card was declined, or its creator can't be paid, and everything is open while it is tried again. `ending`: open until `until`, and not renewed.
   * `shut`: the creator is gone, or has shut this viewer out.
   */
  state: z.enum(['active', 'late', 'ending', 'on_hold', 'returned', 'ended', 'shut']),
  /** When it renews or ends; null for a pass without an end. */
  until: z.date().nullable(),
  /** When a payment that failed is tried again. */
  nextAttemptAt: z.date().nullable(),
  /** It is late because payments can't reach its creator: another card changes nothing. */
  isUnpayable: z.boolean(),
  /**
   * Its renewal has not been charged: `soon`, which takes about an hour, or `stuck`, because its bill can't be made. Another card
   * changes nothing then.
   */
  renewal: z.enum(['soon', 'stuck']).nullable(),
  /** When a renewal that is stuck ends it. */
  stuckUntil: z.date().nullable(),
  cardLast4: z.string().nullable(),
  /** It ends because its creator stopped the tier. */
  isStopped: z.boolean(),
  /** What new subscribers pay for as many months, where that is something else. */
  newPriceCents: z.int().nullable(),
  /** Of the newest month. */
  receiptPath: z.string().nullable(),
  canOpen: z.boolean(),
});
export type Subscription = z.infer<typeof Subscription>;
