import type { RefundWhy } from '#features/orders/rules.ts';
import { nameSold } from '#features/orders/sold-words.ts';
import type { HoldCode } from '#features/payouts/rules.ts';
import type { StaffRequest } from '#features/requests/desk-contract.ts';
import { formatMoney } from '#kit/text.ts';
import type { FailedPayout, ListedDispute, ListedOrder, OrderStep } from './payments-contract.ts';

type Tone = 'moss' | 'rust' | 'ember' | 'plain' | 'plum';
type Words<Name extends string> = Readonly<Record<Name, { word: string; tone: Tone }>>;

/** What became of a payment, in a word. */
export const orderWords: Words<ListedOrder['state']> = {
  pending: { word: 'Not paid yet', tone: 'plain' },
  paid: { word: 'Paid', tone: 'moss' },
  partially_refunded: { word: 'Partly refunded', tone: 'plum' },
  refunded: { word: 'Refunded', tone: 'plum' },
  disputed: { word: 'Disputed', tone: 'ember' },
  charged_back: { word: 'Charged back', tone: 'rust' },
  expired: { word: 'Expired', tone: 'plain' },
  failed: { word: 'Failed', tone: 'plain' },
  canceled: { word: 'Canceled', tone: 'plain' },
};

export const writeCents = (cents: number, currency: string): string => formatMoney(cents, currency.toUpperCase());

/** Returns what was paid for and how much, as the title of a row. */
export const titleOrder = ({ kind, months, amountCents, currency }: ListedOrder): string =>
  `${nameSold(kind, months)}: ${writeCents(amountCents, currency)}`;

export const refundWords: Readonly<Record<RefundWhy, string>> = {
  customer_request: 'The buyer asked for it',
  satisfaction: "It wasn't what was described",
  not_delivered: 'They could not open it',
  duplicate: 'Paid twice',
  fraudulent: 'Not paid by the card owner',
  access_revoked: 'Access ended early',
  dispute_prevention: 'To prevent a dispute',
  platform_decision: 'Decided by the platform',
};

/** What happened with a payment, in words. */
export const stepWords: Readonly<Record<OrderStep['what'], string>> = {
  began: 'Checkout opened',
  paid: 'Paid',
  ended: 'Ended without a payment',
  asked_back: 'The buyer asked for a refund',
  answered: 'The request was answered',
  refund_asked: 'Refund asked for',
  refund_made: 'Refunded',
  refund_failed: 'The provider refused the refund',
  disputed: 'Disputed at the bank',
  evidence_submitted: 'Evidence submitted',
  dispute_decided: 'The bank decided',
  released: 'Released to the creator',
  available: "The creator's part can be paid out",
};

/** Returns why a step happened and by whom, in words. */
export function describeStep({ by, reason }: OrderStep): string {
  const known: Readonly<Record<string, string>> = refundWords;
  const words = reason === null ? undefined : (known[reason] ?? reason.replaceAll('_', ' '));
  const whom = by === null ? undefined : { staff: 'by us', creator: 'by the creator', system: 'by itself' }[by];
  return [words, whom].filter((word) => word !== undefined).join(', ');
}

/** What happens next with a dispute. */
export const nextWords: Words<ListedDispute['next']> = {
  ended: { word: 'Decided', tone: 'plain' },
  answered: { word: 'Answered', tone: 'moss' },
  refused: { word: 'Evidence refused', tone: 'rust' },
  not_contested: { word: 'Accepted', tone: 'plain' },
  by_hand: { word: 'Answer it at the provider', tone: 'rust' },
  building: { word: 'Evidence is built', tone: 'ember' },
  submitting: { word: 'Being submitted', tone: 'ember' },
  never_opened: { word: 'Waits for you', tone: 'rust' },
  scheduled: { word: 'Submitted by itself', tone: 'ember' },
};

export const standingWords: Words<ListedDispute['standing']> = {
  warning: { word: 'Inquiry', tone: 'ember' },
  open: { word: 'Open', tone: 'ember' },
  won: { word: 'Won', tone: 'moss' },
  lost: { word: 'Lost', tone: 'rust' },
  over: { word: 'Over', tone: 'plain' },
};

/** The provider's names of the parts of evidence, as people read them. */
export const evidenceWords: Readonly<Record<string, string>> = {
  product_description: 'What was sold',
  customer_email_address: "The buyer's address",
  customer_purchase_ip: 'Where it was paid from',
  service_date: 'When access began',
  access_activity_log: 'What was looked at',
  refund_policy_disclosure: 'The refund terms that were shown',
  cancellation_policy_disclosure: 'The cancellation terms that were shown',
  uncategorized_text: 'Everything else',
};

export const holdNames: Readonly<Record<HoldCode, string>> = {
  ID_MISSING: 'Account incomplete',
  BANK_REJECTED: 'Bank sent it back',
  REVIEW_NEW: 'First payout, to be reviewed',
  DISPUTE_RATE: 'Too many disputes',
  REPORT_OPEN: 'A report is open',
  SANCTIONS: 'Sanctions check',
};

export const payoutWords: Words<FailedPayout['state']> = {
  created: { word: 'Asked for again', tone: 'ember' },
  in_transit: { word: 'On its way', tone: 'plum' },
  paid: { word: 'Paid', tone: 'moss' },
  failed: { word: 'Failed', tone: 'rust' },
  canceled: { word: 'Canceled', tone: 'plain' },
};

/** How a custom request stands, to who decides about its money. */
export const requestStateWords: Readonly<Record<StaffRequest['state'], string>> = {
  requested: 'Asked for',
  quoted: 'To be paid',
  paid: 'In progress',
  delivered: 'Delivered',
  revision_requested: 'Change requested',
  problem: 'Waits for you',
  released: 'Released',
  reported: 'Waits for you',
  declined: 'Declined',
  expired: 'Expired',
  refunded: 'Refunded',
  disputed: 'Disputed',
  charged_back: 'Charged back',
};
