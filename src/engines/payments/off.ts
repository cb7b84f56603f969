import { type Payments, PaymentsAway } from './payments.ts';
import type { PlanPayments } from './plan-payments.ts';

const no = async (): Promise<never> => {
  throw new PaymentsAway(new Error('No payment provider is configured.'));
};

async function* nothing(): AsyncGenerator<never> {
  yield* [];
}

const noPlans: PlanPayments = {
  browser: no,
  openPlanCheckout: no,
  findPlanCheckout: no,
  findSubscription: no,
  finalizeInvoice: no,
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
};

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
  findOwnSchedule: no,
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
  openPackCheckout: no,
  findCustomerCard: no,
  listPaidByCard: no,
  setCard: no,
  listOwed: no,
  payOwed: no,
  ...noPlans,
  verifyHook: async () => undefined,
  close: async () => undefined,
});
