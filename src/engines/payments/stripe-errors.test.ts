import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PaymentRefused, type Payments, PaymentsAway } from './payments.ts';
import { openStripe } from './stripe.ts';

interface Failing {
  status: number;
  type?: string;
  code?: string;
  means: string;
  /** Of a call for one account of a creator. */
  meansOfAccount?: string;
}

/** Each as the provider publishes it; `means` is our own word for it. */
const failures: Readonly<Record<string, Failing>> = {
  'a line that breaks': { status: 0, means: 'silent' },
  'a fault of its own': { status: 500, type: 'api_error', means: 'silent' },
  'a gateway before it': { status: 503, type: 'api_error', means: 'silent' },
  'an expired key': { status: 401, code: 'api_key_expired', means: 'key' },
  'a key without the permission': { status: 403, means: 'key' },
  'an account that is not ours any more': {
    status: 403,
    code: 'account_invalid',
    means: 'key',
    meansOfAccount: 'closed',
  },
  'a key of the other mode': { status: 400, code: 'livemode_mismatch', means: 'key' },
  'the same wish at the same time': { status: 409, code: 'idempotency_key_in_use', means: 'busy' },
  'a dependency of its own': { status: 424, means: 'busy' },
  'too many calls': { status: 429, code: 'rate_limit', means: 'busy' },
  'an object that somebody else holds': { status: 429, code: 'lock_timeout', means: 'busy' },
  'another wish under the same key': { status: 400, type: 'idempotency_error', means: 'mixed' },
  'a declined card': { status: 402, type: 'card_error', code: 'card_declined', means: 'other' },
  'what does not exist': { status: 404, code: 'resource_missing', means: 'unknown' },
  'too little money': { status: 400, code: 'balance_insufficient', means: 'insufficient' },
  'a wish that cannot be': { status: 400, code: 'parameter_invalid_integer', means: 'other' },
};

/** Has every field that our readers touch, so that a call goes on to its next question. */
const anything = {
  id: 'x_1',
  object: 'anything',
  status: 'complete',
  mode: 'subscription',
  invoice: 'in_1',
  url: 'x',
  subscription: 'sub_1',
  customer: 'cus_1',
  metadata: {},
  items: { data: [] },
  amount: 1,
  currency: 'usd',
  balance_transactions: [],
  evidence_details: {},
  payment: { payment_intent: 'pi_1' },
  payment_intent: 'pi_1',
  status_transitions: {},
  available: [],
  pending: [],
  created: 1,
  arrival_date: 1,
  pause_collection: null,
  invoice_settings: {},
  transfer: { id: 'tr_1', amount: 1, amount_reversed: 0 },
  application_fee: null,
  charge: 'ch_1',
};
const item = { id: 'si_1', price: { product: 'prod_1', unit_amount: 1 } };
const answered = {
  ...anything,
  items: { data: [item] },
  has_more: false,
  next_page_url: null,
  data: [{ ...anything, status: 'paid', source: null }],
};

/** By the key that a case asks with: how many questions are answered before the failure. */
const cases = new Map<string, { failing: Failing; before: number; asked: number }>();
let server: Server;

beforeAll(async () => {
  server = createServer((request, response) => {
    request.resume();
    const known = cases.get(String(request.headers.authorization).slice('Bearer '.length));
    if (known === undefined) throw new Error('An unknown case.');
    const { failing, before } = known;
    if (known.asked++ < before) {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answered));
      return;
    }
    const { status, type = 'invalid_request_error', code } = failing;
    if (status === 0) {
      request.socket.destroy();
      return;
    }
    const head = { 'content-type': 'application/json', 'stripe-should-retry': 'false' };
    response.writeHead(status, head).end(JSON.stringify({ error: { type, code, message: 'no' } }));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

let count = 0;
function openCase(failing: Failing, before: number) {
  const secretKey = `sk_test_${++count}`;
  const one = { failing, before, asked: 0 };
  cases.set(secretKey, one);
  const { port } = server.address() as AddressInfo;
  const payments = openStripe({
    realm: { provider: 'stripe', livemode: false },
    place: 'a test',
    secrets: async () => ({}),
    connect: async () => ({ secretKey, host: { host: '127.0.0.1', port } }),
    browser: async () => ({ publishableKey: 'pk_test', scriptUrl: undefined }),
  });
  return { payments, one };
}

const now = new Date('2026-12-01T00:00:00Z');
const about = { accountId: 'acct_1', amountCents: 500, currency: 'usd', chargeId: 'ch_1', disputeId: 'du_1' };
const order = {
  orderId: 'o',
  kind: 'tip',
  productName: 'Tip',
  feeCents: 50,
  successUrl: 'x',
  cancelUrl: 'x',
  expiresAt: now,
  ...about,
};
const bought = { ...order, email: 'a@example.com', returnUrl: 'x' };
const plan = { ...bought, trialDays: undefined, asksForCard: true, customerId: undefined };
const words = { product_description: '', service_date: '', access_activity_log: '', uncategorized_text: '' };
async function drain(pages: AsyncIterable<unknown>): Promise<void> {
  for await (const page of pages) void page;
}
const drainAll = async (lists: readonly AsyncIterable<unknown>[]) => void (await Promise.all(lists.map(drain)));

interface Called {
  run(payments: Payments): Promise<unknown>;
  /** It is asked for one account of a creator, at least in its first question. */
  isOfAccount?: true;
  /** A no of the provider's is as good as a yes here. */
  isOver?: true;
}

type NoCall = 'realm' | 'place' | 'isOff' | 'hooks' | 'browser' | 'verifyHook' | 'close';
/** Every call that we make: one that is missing here does not compile. */
const calls: Readonly<Record<Exclude<keyof Payments, NoCall>, Called>> = {
  openCheckout: { run: (p) => p.openCheckout(order) },
  findCheckout: { run: (p) => p.findCheckout('cs_1') },
  expireCheckout: { run: (p) => p.expireCheckout('cs_1'), isOver: true },
  findSessionOf: { run: (p) => p.findSessionOf('ch_1') },
  listFailures: { run: (p) => p.listFailures('pi_1') },
  refund: { run: (p) => p.refund({ ...order, refundId: 'r', paymentId: 'pi_1', reason: 'duplicate' }) },
  release: { run: (p) => p.release({ ...about, requestId: 'q' }), isOfAccount: true },
  ensureAccount: { run: (p) => p.ensureAccount({ userId: 'u', email: 'a@example.com', handle: 'a', country: 'US' }) },
  findAccount: { run: (p) => p.findAccount('acct_1'), isOfAccount: true },
  onboardingUrl: { run: (p) => p.onboardingUrl('acct_1', { refreshUrl: 'x', returnUrl: 'x' }), isOfAccount: true },
  accountUrl: { run: (p) => p.accountUrl('acct_1'), isOfAccount: true },
  balance: { run: (p) => p.balance() },
  movements: { run: (p) => drain(p.movements(undefined)) },
  payouts: { run: (p) => drainAll(p.payouts('acct_1')), isOfAccount: true },
  undelivered: { run: (p) => drain(p.undelivered()) },
  stopOwnSchedule: { run: (p) => p.stopOwnSchedule('acct_1'), isOfAccount: true },
  findOwnSchedule: { run: (p) => p.findOwnSchedule() },
  payOut: { run: (p) => p.payOut({ ...about, payoutId: 'po' }), isOfAccount: true },
  findPayout: { run: (p) => p.findPayout('acct_1', 'po_1'), isOfAccount: true },
  findMadePayout: {
    run: (p) => p.findMadePayout({ payoutId: 'po', accountId: 'acct_1', since: now }),
    isOfAccount: true,
  },
  findDispute: { run: (p) => p.findDispute('du_1') },
  disputes: { run: (p) => drain(p.disputes(undefined)) },
  submitEvidence: { run: (p) => p.submitEvidence('du_1', words, 0) },
  findPassedOn: { run: (p) => p.findPassedOn('ch_1') },
  takeBack: { run: (p) => p.takeBack({ ...about, transferId: 'tr_1', feeCents: 50 }) },
  takeGivenBack: { run: (p) => p.takeGivenBack({ refundId: 'r', transferId: 'tr_1', amountCents: 1 }) },
  giveAgain: { run: (p) => p.giveAgain(about), isOfAccount: true },
  takeFee: { run: (p) => p.takeFee(about), isOfAccount: true },
  giveFeeBack: { run: (p) => p.giveFeeBack(about), isOfAccount: true },
  findMade: { run: (p) => p.findMade({ kind: 'fee', disputeId: 'du_1', since: now }) },
  findWarning: { run: (p) => p.findWarning('issfr_1') },
  warnings: { run: (p) => drain(p.warnings(undefined)) },
  openPlanCheckout: { run: (p) => p.openPlanCheckout(plan) },
  openPackCheckout: { run: (p) => p.openPackCheckout(bought) },
  findPlanCheckout: { run: (p) => p.findPlanCheckout('cs_1') },
  findSubscription: { run: (p) => p.findSubscription('sub_1') },
  finalizeInvoice: { run: (p) => p.finalizeInvoice('in_1') },
  listInvoices: { run: (p) => p.listInvoices('sub_1') },
  findSubscriptionOf: { run: (p) => p.findSubscriptionOf('ch_1') },
  findInvoiceOf: { run: (p) => p.findInvoiceOf('ch_1') },
  findInvoicePayment: { run: (p) => p.findInvoicePayment('in_1') },
  setPrice: { run: (p) => p.setPrice('sub_1', { amountCents: 500, currency: 'usd', months: 1 }) },
  setPlanEnding: { run: (p) => p.setPlanEnding('sub_1', true) },
  pausePlan: { run: (p) => p.pausePlan('sub_1', { from: now, until: now }) },
  resumePlan: { run: (p) => p.resumePlan('sub_1', { key: 'k' }) },
  endPlan: { run: (p) => p.endPlan('sub_1'), isOver: true },
  refundInvoice: { run: (p) => p.refundInvoice('in_1', { key: 'k' }) },
  findCustomerCard: { run: (p) => p.findCustomerCard('cus_1') },
  listPaidByCard: { run: (p) => p.listPaidByCard('cus_1') },
  setCard: { run: (p) => p.setCard('sub_1', 'pm_1') },
  listOwed: { run: (p) => p.listOwed('sub_1') },
  payOwed: { run: (p) => p.payOwed('in_1', 'pm_1') },
  cardUrl: { run: (p) => p.cardUrl('cus_1', 'x') },
};

const mostQuestions = 5;
const saidBy = (error: unknown): string =>
  error instanceof PaymentRefused || error instanceof PaymentsAway ? error.why : String(error);

/** Lets each question of a call fail in turn. @returns what came of each */
async function walk({ run }: Called, failing: Failing): Promise<string[]> {
  const met: string[] = [];
  for (let before = 0; before < mostQuestions; before++) {
    const { payments, one } = openCase(failing, before);
    const said = await run(payments).then(() => 'done', saidBy);
    if (one.asked <= before) break;
    met.push(said);
  }
  return met;
}

it.each(Object.entries(failures))('%s means the same to every call', async (_name, failing) => {
  const { means, meansOfAccount = means } = failing;
  const isAway = ['silent', 'busy', 'key', 'mixed'].includes(means);
  await Promise.all(
    Object.entries(calls).map(async ([name, call]) => {
      const [first, ...later] = await walk(call, failing);
      const wanted = call.isOfAccount ? meansOfAccount : means;
      expect([name, first]).toEqual([name, call.isOver && !isAway ? 'done' : wanted]);
      for (const said of later) expect([name, said]).toEqual([name, wanted]);
    }),
  );
});
