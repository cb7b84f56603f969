import * as z from 'zod';
import { SoldKind } from '#features/orders/contract.ts';
import { refundWhys } from '#features/orders/rules.ts';
import { holdCodes, longestAppeal } from '#features/payouts/rules.ts';
import { nextSteps } from '#features/returns/disputes-contract.ts';
import { boundedText, proseText } from '#kit/bounded-text.ts';
import { Uuid } from '#kit/uuid.ts';
import { adminPromise } from '#wire/promise.ts';

const tags = ['admin'];
const Nothing = z.object({});
const Note = proseText(500, 'Use at most 500 characters').min(1, 'Say why');
const orderStates = [
  'pending',
  'paid',
  'partially_refunded',
  'refunded',
  'disputed',
  'charged_back',
  'expired',
  'failed',
  'canceled',
] as const;

/** A payment as a search finds it; nothing of what it opened but its kind. */
export const ListedOrder = z.object({
  id: Uuid,
  kind: SoldKind,
  months: z.int(),
  state: z.enum(orderStates),
  creatorName: z.string(),
  amountCents: z.int(),
  feeCents: z.int(),
  refundedCents: z.int(),
  currency: z.string(),
  receiptNumber: z.int().nullable(),
  createdAt: z.date(),
  paidAt: z.date().nullable(),
  /** A buyer asks for it back, and the platform has to answer. */
  waits: z.boolean(),
});
export type ListedOrder = z.infer<typeof ListedOrder>;

/** What became of a payment, one step. */
export const OrderStep = z.object({
  at: z.date(),
  what: z.enum([
    'began',
    'paid',
    'ended',
    'asked_back',
    'answered',
    'refund_asked',
    'refund_made',
    'refund_failed',
    'disputed',
    'evidence_submitted',
    'dispute_decided',
    'released',
    'available',
  ]),
  amountCents: z.int().nullable(),
  /** By whom, or how it ended, as our rows say it. */
  by: z.string().nullable(),
  reason: z.string().nullable(),
  note: z.string(),
});
export type OrderStep = z.infer<typeof OrderStep>;

/** An entry of the books that a payment has moved. */
export const OrderEntry = z.object({
  at: z.date(),
  kind: z.string(),
  account: z.string(),
  amountCents: z.int(),
  currency: z.string(),
});
export type OrderEntry = z.infer<typeof OrderEntry>;

export const OrderCard = ListedOrder.extend({
  /** Null once the account is gone. */
  creatorId: Uuid.nullable(),
  /** Somebody complains about it, and it was paid at a link that is still there. */
  canBeLookedAt: z.boolean(),
  creatorHandle: z.string().nullable(),
  buyerEmail: z.string().nullable(),
  provider: z.enum(['sandbox', 'stripe']),
  livemode: z.boolean(),
  /** The provider's names for it. */
  providerIds: z.array(z.string()),
  /** Why nothing of it can go back by hand. */
  refusal: z.string().nullable(),
  /** What its buyer asks for, where it waits for an answer. */
  asked: z.object({ reason: z.string(), text: z.string(), at: z.date(), waitsForUs: z.boolean() }).nullable(),
  disputeId: z.string().nullable(),
  steps: z.array(OrderStep),
  entries: z.array(OrderEntry),
});
export type OrderCard = z.infer<typeof OrderCard>;

export const ListedDispute = z.object({
  disputeId: z.string(),
  orderId: Uuid.nullable(),
  isPack: z.boolean(),
  amountCents: z.int(),
  currency: z.string(),
  reason: z.string(),
  status: z.string(),
  standing: z.enum(['warning', 'open', 'won', 'lost', 'over']),
  next: z.enum(nextSteps),
  openedAt: z.date(),
  dueBy: z.date().nullable(),
  /** What its creator, or the platform, still owes. */
  isOwed: z.boolean(),
});
export type ListedDispute = z.infer<typeof ListedDispute>;

export const DisputeCard = ListedDispute.extend({
  /** What would be sent to the bank, or was: by the provider's names. */
  evidence: z.array(z.object({ field: z.string(), text: z.string() })),
  builtAt: z.date().nullable(),
  submittedAt: z.date().nullable(),
  objection: z.string().nullable(),
  refused: z.string().nullable(),
  /** Disputes of the same viewer, with this one. */
  ofViewer: z.int(),
  /** Why nothing can be decided about it. */
  refusal: z.string().nullable(),
});
export type DisputeCard = z.infer<typeof DisputeCard>;

/** A creator whose payouts are held. */
export const HeldPayee = z.object({
  userId: Uuid,
  name: z.string(),
  email: z.string(),
  holds: z.array(
    z.object({
      code: z.enum(holdCodes),
      note: z.string(),
      by: z.enum(['system', 'staff']),
      since: z.date(),
      expectedAt: z.date().nullable(),
    }),
  ),
  appeal: z.string().nullable(),
});
export type HeldPayee = z.infer<typeof HeldPayee>;

/** A payout that did not arrive, or that nobody could ask for yet. */
export const FailedPayout = z.object({
  id: Uuid,
  userId: Uuid.nullable(),
  name: z.string(),
  amountCents: z.int(),
  currency: z.string(),
  state: z.enum(['created', 'in_transit', 'paid', 'failed', 'canceled']),
  failure: z.string().nullable(),
  tries: z.int(),
  createdAt: z.date(),
});
export type FailedPayout = z.infer<typeof FailedPayout>;

/** Something that the provider has told and nobody could act upon yet, or that was replayed. */
export const ProviderEvent = z.object({
  eventId: z.string(),
  type: z.string(),
  objectId: z.string(),
  receivedAt: z.date(),
  attempts: z.int(),
  nextAttemptAt: z.date(),
  error: z.string().nullable(),
});
export type ProviderEvent = z.infer<typeof ProviderEvent>;

/** A comparison of the books with themselves and with the provider's. */
export const BooksCheck = z.object({
  startedAt: z.date(),
  finishedAt: z.date().nullable(),
  checked: z.int(),
  /** What in the books does not agree with itself. */
  faults: z.array(z.string()),
  /** What does not agree with the provider. */
  drift: z.array(z.string()),
});
export type BooksCheck = z.infer<typeof BooksCheck>;

const finance = adminPromise('finance');
const AboutOrder = z.object({ orderId: Uuid });
const AboutDispute = z.object({ disputeId: boundedText(100) });
const AboutPayee = z.object({ userId: Uuid });
/** Amounts as people type them; what is left out is all that is left. */
const PartCents = z.int('Enter an amount').min(1, 'Enter an amount').max(10_000_000, 'That is more than was paid');

export const RefundInput = AboutOrder.extend({
  reason: z.enum(refundWhys),
  note: Note,
  amountCents: PartCents.optional(),
  /** What had gone back when this was decided: a later answer refuses to give back twice. */
  refundedCents: z.int().min(0),
});

/** Payments, and what is decided about them: everything as `pf` does it. */
export const adminPaymentsContract = {
  /** Finds payments by a number, a receipt, the provider's names, a buyer's address or a creator; without words the newest. */
  findOrders: finance
    .route({ method: 'POST', path: '/admin/orders/find', tags })
    .input(z.object({ query: boundedText(254).default(''), before: Uuid.optional() }))
    .output(z.object({ orders: z.array(ListedOrder), next: Uuid.nullable() })),
  /** Payments of which a buyer asks the platform for their money. */
  waitingOrders: finance
    .route({ method: 'GET', path: '/admin/orders/waiting', tags })
    .input(Nothing.optional())
    .output(z.object({ orders: z.array(ListedOrder) })),
  showOrder: finance
    .route({ method: 'GET', path: '/admin/orders/{orderId}', tags })
    .input(AboutOrder)
    .output(OrderCard),
  refundOrder: finance
    .route({ method: 'POST', path: '/admin/orders/{orderId}/refund', tags })
    .input(RefundInput)
    .output(z.object({ amountCents: z.int() })),
  /** Answers a buyer who asks for their money. */
  answerBuyer: finance
    .route({ method: 'POST', path: '/admin/orders/{orderId}/answer', tags })
    .input(AboutOrder.extend({ isRefunded: z.boolean(), note: Note }))
    .output(Nothing),
  disputes: finance
    .route({ method: 'GET', path: '/admin/disputes', tags })
    .input(z.object({ page: z.coerce.number().pipe(z.int().min(0).max(100)).default(0) }))
    .output(z.object({ disputes: z.array(ListedDispute), hasMore: z.boolean() })),
  showDispute: finance
    .route({ method: 'GET', path: '/admin/disputes/{disputeId}', tags })
    .input(AboutDispute)
    .output(DisputeCard),
  /** Has the evidence submitted within a minute. */
  submitDispute: finance
    .route({ method: 'POST', path: '/admin/disputes/{disputeId}/submit', tags })
    .input(AboutDispute)
    .output(Nothing),
  /** Does not contest it: the bank decides for the buyer. */
  acceptDispute: finance
    .route({ method: 'POST', path: '/admin/disputes/{disputeId}/accept', tags })
    .input(AboutDispute.extend({ note: Note }))
    .output(Nothing),
  payouts: finance
    .route({ method: 'GET', path: '/admin/payouts', tags })
    .input(z.object({ page: z.coerce.number().pipe(z.int().min(0).max(100)).default(0) }))
    .output(z.object({ held: z.array(HeldPayee), failed: z.array(FailedPayout), hasMore: z.boolean() })),
  holdPayouts: finance
    .route({ method: 'POST', path: '/admin/payouts/{userId}/hold', tags })
    .input(AboutPayee.extend({ reason: z.enum(holdCodes), note: Note }))
    .output(Nothing),
  releasePayouts: finance
    .route({ method: 'POST', path: '/admin/payouts/{userId}/release', tags })
    .input(AboutPayee.extend({ note: proseText(longestAppeal, `Use at most ${longestAppeal} characters`).default('') }))
    .output(Nothing),
  /** Answers an appeal with no. */
  refuseAppeal: finance
    .route({ method: 'POST', path: '/admin/payouts/{userId}/refuse-appeal', tags })
    .input(
      AboutPayee.extend({
        note: proseText(longestAppeal, `Use at most ${longestAppeal} characters`).min(1, 'Say why'),
      }),
    )
    .output(Nothing),
  /** What the provider has told and nobody could act upon yet. */
  events: finance
    .route({ method: 'GET', path: '/admin/provider-events', tags })
    .input(z.object({ page: z.coerce.number().pipe(z.int().min(0).max(100)).default(0) }))
    .output(z.object({ events: z.array(ProviderEvent), hasMore: z.boolean(), lastReceivedAt: z.date().nullable() })),
  /** Acts upon an event once more: late, doubled and reordered ones come to the same. */
  replayEvent: finance
    .route({ method: 'POST', path: '/admin/provider-events/replay', tags })
    .input(z.object({ eventId: boundedText(255).min(1, 'Enter an id') }))
    .output(Nothing),
  /** The last comparisons of the books, and who owes the platform. */
  books: finance
    .route({ method: 'GET', path: '/admin/books', tags })
    .input(Nothing.optional())
    .output(
      z.object({
        checks: z.array(BooksCheck),
        negative: z.array(
          z.object({ userId: Uuid.nullable(), name: z.string(), currency: z.string(), owedCents: z.int() }),
        ),
      }),
    ),
  /** Has the books compared with themselves and with the provider's. */
  checkBooks: finance.route({ method: 'POST', path: '/admin/books/check', tags }).input(Nothing).output(Nothing),
};
