import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withDeadline } from '#engines/deadline.ts';
import { dayMs } from '#kit/time.ts';
import { openProvider, type Provider } from '#tests/support/money/provider.ts';
import type { Movement, Payments } from './payments.ts';
import type { Sandbox } from './sandbox-parts.ts';

let provider: Provider;
let payments: Payments;
let sandbox: Sandbox;
const now = () => provider.now();

beforeAll(async () => {
  provider = await openProvider();
  ({ payments, sandbox } = provider);
});
afterAll(() => provider.close());

let orders = 0;
const newOrder = (accountId: string, amountCents = 1000) => ({
  orderId: `order-${++orders}`,
  kind: 'tip',
  productName: 'Tip',
  amountCents,
  currency: 'usd',
  feeCents: Math.floor(amountCents / 10),
  accountId,
  successUrl: 'http://localhost:3000/tip-success?session_id={CHECKOUT_SESSION_ID}',
  cancelUrl: 'http://localhost:3000/view/x',
  expiresAt: new Date(now() + 3_600_000),
});

const mia = { email: 'mia@example.com', handle: 'mia', country: 'US' } as const;
let owners = 0;
async function readyAccount(): Promise<string> {
  const owner = { ...mia, userId: `user-${++owners}` };
  const { accountId } = await payments.ensureAccount(owner);
  await payments.onboardingUrl(accountId, {
    refreshUrl: 'http://localhost:3000/a',
    returnUrl: 'http://localhost:3000/b',
  });
  expect(await sandbox.answerOnboarding(accountId, true)).toBe('http://localhost:3000/b');
  return accountId;
}

async function paid(accountId: string, amountCents = 1000) {
  const { sessionId } = await payments.openCheckout(newOrder(accountId, amountCents));
  await sandbox.pay(sessionId, { email: 'bob@example.com', card: '4242424242424242' });
  return payments.findCheckout(sessionId);
}

async function movementsOf(chargeId: string | undefined): Promise<Movement[]> {
  const found: Movement[] = [];
  for await (const page of payments.movements(undefined))
    found.push(...page.filter((movement) => movement.chargeId === chargeId));
  return found;
}

const sumOf = (amounts: ReadonlyMap<string, number>[]) =>
  amounts.reduce((sum, each) => sum + (each.get('usd') ?? 0), 0);

describe('an account', () => {
  it('is made once, asks for what is missing, and is ready when that was answered', async () => {
    const owner = { ...mia, userId: 'once' };
    const first = await payments.ensureAccount(owner);
    expect(await payments.ensureAccount(owner)).toEqual(first);
    expect(first).toMatchObject({ isReady: false, isClosed: false });
    const back = { refreshUrl: 'http://localhost:3000/a', returnUrl: 'http://localhost:3000/b' };
    expect(await payments.onboardingUrl(first.accountId, back)).toBe(
      `http://localhost:3000/sandbox/onboard/${first.accountId}`,
    );
    await sandbox.answerOnboarding(first.accountId, true);
    expect(await payments.findAccount(first.accountId)).toMatchObject({ isReady: true });
    expect(await payments.accountUrl(first.accountId)).toContain('/sandbox/account/');
  });

  it('that is not ready sells nothing', async () => {
    const { accountId } = await payments.ensureAccount({ ...mia, userId: 'unready' });
    await expect(payments.openCheckout(newOrder(accountId))).rejects.toMatchObject({
      name: 'PaymentRefused',
      why: 'not_ready',
    });
  });
});

describe('a checkout', () => {
  it('is one however often it is asked for, and is paid once', async () => {
    const order = newOrder(await readyAccount());
    const [first, second] = await Promise.all([payments.openCheckout(order), payments.openCheckout(order)]);
    expect(second.sessionId).toBe(first.sessionId);
    expect(first).toMatchObject({ state: 'open', amountCents: 1000, orderId: order.orderId });
    const payer = { email: 'bob@example.com', card: '4242424242424242' };
    const landings = await Promise.all([sandbox.pay(first.sessionId, payer), sandbox.pay(first.sessionId, payer)]);
    const url = `http://localhost:3000/tip-success?session_id=${first.sessionId}`;
    expect(landings).toEqual([{ url }, { url }]);
    const found = await payments.findCheckout(first.sessionId);
    expect(found).toMatchObject({ state: 'paid', email: 'bob@example.com', refundedCents: 0, isDisputed: false });
    const kinds = (await movementsOf(found.chargeId)).map(({ kind }) => kind).sort();
    expect(kinds).toEqual(['application_fee', 'charge', 'transfer']);
    expect(await payments.findSessionOf(found.paymentId ?? '')).toBe(first.sessionId);
    expect(await payments.findSessionOf(found.chargeId ?? '')).toBe(first.sessionId);
  });

  it('stays open when a card is declined', async () => {
    const { sessionId } = await payments.openCheckout(newOrder(await readyAccount()));
    const declined = await sandbox.pay(sessionId, { email: 'bob@example.com', card: '4000000000000002' });
    expect(declined).toEqual({ declined: 'Your card was declined.' });
    expect(await payments.findCheckout(sessionId)).toMatchObject({ state: 'open', chargeId: undefined });
    await sandbox.pay(sessionId, { email: 'bob@example.com', card: '4242424242424242' });
    expect(await payments.findCheckout(sessionId)).toMatchObject({ state: 'paid' });
  });

  it('stays open while the bank of a card asks, and after the payer has failed to answer', async () => {
    const { sessionId } = await payments.openCheckout(newOrder(await readyAccount()));
    const payer = { email: 'bob@example.com', card: '4000000000003155' };
    expect(await sandbox.pay(sessionId, payer)).toEqual({ asksBank: true });
    expect(await payments.findCheckout(sessionId)).toMatchObject({ state: 'open', hasFailed: false });
    expect(await sandbox.answerBank(sessionId, false)).toEqual({ declined: expect.any(String) });
    expect(await payments.findCheckout(sessionId)).toMatchObject({ state: 'open', hasFailed: true });
    await sandbox.pay(sessionId, payer);
    const url = `http://localhost:3000/tip-success?session_id=${sessionId}`;
    expect(await Promise.all([1, 2].map(() => sandbox.answerBank(sessionId, true)))).toEqual([{ url }, { url }]);
    const found = await payments.findCheckout(sessionId);
    expect(found).toMatchObject({ state: 'paid', hasFailed: false });
    expect((await movementsOf(found.chargeId)).filter(({ kind }) => kind === 'charge')).toHaveLength(1);
  });

  it('ends at its time, or when it is ended', async () => {
    const accountId = await readyAccount();
    const { sessionId } = await payments.openCheckout(newOrder(accountId));
    const other = await payments.openCheckout(newOrder(accountId));
    await payments.expireCheckout(other.sessionId);
    await payments.expireCheckout(other.sessionId);
    expect(await payments.findCheckout(other.sessionId)).toMatchObject({ state: 'expired', url: undefined });
    provider.pass(3_601_000);
    expect(await payments.findCheckout(sessionId)).toMatchObject({ state: 'expired' });
  });
});

describe('a refund', () => {
  it('takes both parts back to the cent, in however many steps', async () => {
    const accountId = await readyAccount();
    const { sessionId, chargeId, paymentId = '' } = await paid(accountId, 2499);
    for (const [at, amountCents] of [333, 1000, 1166].entries())
      await payments.refund({
        refundId: `part-${at}`,
        orderId: 'order',
        paymentId,
        amountCents,
        reason: 'requested_by_customer',
      });
    expect(await payments.findCheckout(sessionId)).toMatchObject({ refundedCents: 2499 });
    const { available, pending } = await payments.balance(accountId);
    expect(sumOf([available, pending])).toBe(0);
    const kept = (await movementsOf(chargeId)).reduce((sum, { netCents }) => sum + netCents, 0);
    expect(kept, 'what the card cost').toBe(-(Math.round(2499 * 0.029) + 30));
  });

  it('is made once, and never of what was returned already', async () => {
    const { paymentId = '', sessionId } = await paid(await readyAccount());
    const refund = { refundId: 'whole', orderId: 'o', paymentId, amountCents: 1000, reason: 'duplicate' } as const;
    await Promise.all([payments.refund(refund), payments.refund(refund)]);
    expect(await payments.findCheckout(sessionId)).toMatchObject({ refundedCents: 1000 });
    await expect(payments.refund({ ...refund, refundId: 'again' })).rejects.toMatchObject({ why: 'already_refunded' });
  });
});

describe('what is held', () => {
  async function held(accountId: string) {
    const requestId = `request-${++orders}`;
    const { sessionId } = await payments.openCheckout({ ...newOrder(accountId, 4000), heldFor: requestId });
    await sandbox.pay(sessionId, { email: 'bob@example.com', card: '4242424242424242' });
    const { chargeId = '', paymentId = '' } = await payments.findCheckout(sessionId);
    return { requestId, sessionId, chargeId, paymentId };
  }
  const atAccount = async (accountId: string) => {
    const { available, pending } = await payments.balance(accountId);
    return sumOf([available, pending]);
  };

  it('stays with the platform until it is released, which happens once', async () => {
    const accountId = await readyAccount();
    const { requestId, chargeId } = await held(accountId);
    expect(await atAccount(accountId)).toBe(0);
    const release = { requestId, chargeId, accountId, amountCents: 3600, currency: 'usd' };
    const [first, second] = await Promise.all([payments.release(release), payments.release(release)]);
    expect(second).toEqual(first);
    expect(await atAccount(accountId)).toBe(3600);
    const movements = await movementsOf(chargeId);
    expect(movements.map(({ kind, heldFor, isOwnSale }) => [kind, heldFor, isOwnSale])).toEqual([
      ['transfer', requestId, false],
      ['charge', requestId, false],
    ]);
    await expect(payments.release({ ...release, requestId: 'another' })).rejects.toMatchObject({ why: 'insufficient' });
  });

  it('goes back whole, and is taken from nobody', async () => {
    const accountId = await readyAccount();
    const { chargeId, paymentId, sessionId, requestId } = await held(accountId);
    const refund = { refundId: `held-${requestId}`, orderId: 'o', paymentId, amountCents: 4000 };
    await payments.refund({ ...refund, reason: 'requested_by_customer', isHeld: true });
    expect(await payments.findCheckout(sessionId)).toMatchObject({ refundedCents: 4000 });
    expect((await movementsOf(chargeId)).map(({ kind, heldFor }) => [kind, heldFor])).toEqual([
      ['refund', requestId],
      ['charge', requestId],
    ]);
  });
});

describe('the books', () => {
  it('add up to the balance, and money is available after two days', async () => {
    const accountId = await readyAccount();
    await paid(accountId, 5000);
    const early = await payments.balance(accountId);
    expect([early.available.get('usd'), early.pending.get('usd')]).toEqual([0, 4500]);
    provider.pass(2 * dayMs);
    const late = await payments.balance(accountId);
    expect([late.available.get('usd'), late.pending.get('usd')]).toEqual([4500, 0]);
    let net = 0;
    for await (const page of payments.movements(undefined)) for (const { netCents } of page) net += netCents;
    const { available, pending } = await payments.balance();
    expect(sumOf([available, pending])).toBe(net);
  });
});

describe('a hook', () => {
  it('takes what is signed, and nothing that was changed, is old or is signed for another', async () => {
    const body = JSON.stringify({
      id: 'evt_1',
      object: 'event',
      type: 'x',
      created: 1,
      livemode: false,
      data: { object: { id: 'cs_1' } },
    });
    const signature = await sandbox.sign('stripe', body);
    expect(await payments.verifyHook('stripe', Buffer.from(body), signature)).toMatchObject({
      eventId: 'evt_1',
      objectId: 'cs_1',
    });
    expect(await payments.verifyHook('stripe', Buffer.from(body.replace('cs_1', 'cs_2')), signature)).toBeUndefined();
    expect(await payments.verifyHook('stripe-connect', Buffer.from(body), signature)).toBeUndefined();
    expect(await payments.verifyHook('stripe', Buffer.from(body), '')).toBeUndefined();
    const old = signature.replace(/t=(\d+)/, (_, seconds: string) => `t=${Number(seconds) - 600}`);
    expect(await payments.verifyHook('stripe', Buffer.from(body), old)).toBeUndefined();
  });

  it('is told again until it takes an event', async () => {
    const seen: string[] = [];
    let isUp = false;
    let asked = 0;
    sandbox.deliverTo(async (hook, body) => {
      if (isUp && ++asked === 1) await setTimeout(500); // A round beside the asked one may be the slower of both.
      if (isUp) seen.push(`${hook} ${JSON.parse(body).type}`);
      return isUp ? 200 : 500;
    });
    await sandbox.deliverDue();
    expect(seen).toEqual([]);
    const missed: string[] = [];
    for await (const { type } of payments.undelivered()) missed.push(type);
    expect(missed).toContain('checkout.session.completed');
    isUp = true;
    provider.pass(3_600_000);
    await sandbox.deliverDue();
    expect(seen).toContain('stripe checkout.session.completed');
    expect(seen).toContain('stripe-v2 v2.core.account.created');
    const before = seen.length;
    provider.pass(3_600_000);
    await sandbox.deliverDue();
    expect(seen.length, 'once it was taken').toBe(before);
    for await (const { type } of payments.undelivered()) expect(type).toBe('all were told');
  });
});

it('speaks as the types of the library say, in every question and answer', () => {
  expect(provider.check.faults).toEqual([]);
  expect(provider.logged).toEqual([]);
  expect([...provider.check.asked].sort()).toEqual([
    'GET /v1/application_fees/:id',
    'GET /v1/balance',
    'GET /v1/balance_transactions',
    'GET /v1/charges/:id',
    'GET /v1/checkout/sessions',
    'GET /v1/checkout/sessions/:id',
    ...['GET /v1/events', 'GET /v1/payment_method_configurations', 'GET /v1/transfers/:id'],
    'GET /v2/core/accounts/:id',
    'POST /v1/accounts/:id/login_links',
    'POST /v1/checkout/sessions',
    'POST /v1/checkout/sessions/:id/expire',
    ...['POST /v1/payment_method_configurations', 'POST /v1/refunds'],
    'POST /v1/transfers',
    'POST /v2/core/account_links',
    'POST /v2/core/accounts',
  ]);
});
it('the sandbox answers for ever, also where it was first asked by work whose time is over', async () => {
  const fresh = await openProvider();
  await expect(withDeadline(-1, () => fresh.payments.balance())).rejects.toMatchObject({ name: 'PaymentsAway' });
  expect(await fresh.payments.balance()).toBeDefined();
  await fresh.close();
});
