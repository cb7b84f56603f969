import type { Payments } from '#engines/payments/payments.ts';

/** Says what an adapter is, and does nothing at the provider. */
type Still = 'realm' | 'place' | 'isOff' | 'close';
export type PaymentCall = Exclude<keyof Payments, Still>;

interface Flow {
  calls: readonly PaymentCall[];
  /** What it means that an adapter lacks it; left out where nothing works without. */
  without?: string;
}

/** What the product does with a provider: each call belongs to one flow. */
export const flows = {
  checkouts: { calls: ['openCheckout', 'findCheckout', 'expireCheckout', 'findSessionOf', 'openPackCheckout'] },
  refunds: { calls: ['refund'] },
  chargebacks: { calls: ['findDispute', 'disputes'] },
  books: { calls: ['movements', 'balance'] },
  accounts: {
    calls: ['ensureAccount', 'findAccount', 'onboardingUrl', 'accountUrl'],
    without:
      'creators have no account at the provider: their part stands in the books, and who they are is asked by us',
  },
  transfers: {
    calls: ['release', 'findPassedOn', 'takeBack', 'takeGivenBack', 'giveAgain', 'findMade'],
    without: 'a part of a creator moves in the books alone',
  },
  payouts: {
    calls: ['stopOwnSchedule', 'payOut', 'findPayout', 'findMadePayout', 'payouts'],
    without: 'the platform pays out by file, from its own bank',
  },
  'own schedule': { calls: ['findOwnSchedule'], without: 'how the platform itself is paid out is looked up by hand' },
  'fees of disputes': { calls: ['takeFee', 'giveFeeBack'], without: 'a fee is taken from what is owed next' },
  plans: {
    calls: [
      ...(['openPlanCheckout', 'findPlanCheckout', 'findSubscription', 'listInvoices', 'findSubscriptionOf'] as const),
      ...([
        'findInvoiceOf',
        'findInvoicePayment',
        'finalizeInvoice',
        'setPlanEnding',
        'endPlan',
        'refundInvoice',
      ] as const),
    ],
    without: 'neither plans nor tiers are sold',
  },
  pauses: { calls: ['pausePlan', 'resumePlan'], without: 'a plan is ended and taken again' },
  'new prices': { calls: ['setPrice'], without: 'a subscription is ended and taken again' },
  'another card': {
    calls: ['cardUrl', 'findCustomerCard', 'listPaidByCard', 'setCard', 'listOwed', 'payOwed'],
    without: 'a subscription is ended and taken again',
  },
  frames: { calls: ['browser'], without: 'the hosted page opens in the same tab' },
  hooks: { calls: ['hooks', 'verifyHook'], without: 'everything is found by asking, only later' },
  'missed events': { calls: ['undelivered'], without: 'what no hook has taken is found by asking' },
  evidence: { calls: ['submitEvidence'], without: 'chargebacks are answered on its own pages' },
  warnings: { calls: ['findWarning', 'warnings'], without: 'nothing is paid back before a chargeback' },
  'declined cards': { calls: ['listFailures'], without: 'cards that are tried in turn are not noticed' },
} as const satisfies Record<string, Flow>;

type Listed = (typeof flows)[keyof typeof flows]['calls'][number];
/** A call that no flow names does not compile. */
export const everyCall: Exclude<PaymentCall, Listed> extends never ? true : Exclude<PaymentCall, Listed> = true;

/** Returns what an adapter is short of: flows that nobody can do without, and those of which it has a part. */
export function findGaps(adapter: Partial<Payments>): string[] {
  return Object.entries<Flow>(flows).flatMap(([name, { calls, without }]) => {
    const missing = calls.filter((call) => adapter[call] === undefined);
    if (missing.length === 0) return [];
    if (missing.length === calls.length) return without === undefined ? [`${name}: nothing works without`] : [];
    return [`${name}: all of it or nothing, and ${missing.join(', ')} is missing`];
  });
}
