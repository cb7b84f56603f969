import { type Payments, PaymentsAway } from './payments.ts';

const no = async (): Promise<never> => {
  throw new PaymentsAway(new Error('No payment provider is configured.'));
};

async function* nothing(): AsyncGenerator<never> {
  yield* [];
}

/** Takes no money: an installation for the world that has no keys of a provider. Nobody is to be let in for a test card. */
export const openNoPayments = (): Payments => ({
  realm: { provider: 'stripe', livemode: true },
  place: 'payments: off; set STRIPE_SECRET_KEY to sell',
  isOff: true,
  hooks: [],
  openCheckout: no,
  findCheckout: no,
  expireCheckout: no,
  findSessionOf: no,
  listFailures: no,
  refund: no,
  release: no,
  ensureAccount: no,
  findAccount: no,
  onboardingUrl: no,
  accountUrl: no,
  balance: async () => ({ available: new Map(), pending: new Map() }),
  stopOwnSchedule: no,
  payOut: no,
  findMadePayout: no,
  findPayout: no,
  findDispute: no,
  disputes: nothing,
  submitEvidence: no,
  findPassedOn: no,
  takeBack: no,
  takeGivenBack: no,
  giveAgain: no,
  takeFee: no,
  giveFeeBack: no,
  findMade: no,
  findWarning: no,
  warnings: nothing,
  movements: nothing,
  payouts: () => [],
  undelivered: nothing,
  browser: no,
  openPlanCheckout: no,
  openPackCheckout: no,
  findPlanCheckout: no,
  findSubscription: no,
  listInvoices: no,
  findSubscriptionOf: no,
  findInvoiceOf: no,
  findInvoicePayment: no,
  setPrice: no,
  setPlanEnding: no,
  pausePlan: no,
  resumePlan: no,
  endPlan: no,
  refundInvoice: no,
  cardUrl: no,
  verifyHook: async () => undefined,
  close: async () => undefined,
});
