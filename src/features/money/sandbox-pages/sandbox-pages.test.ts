import type Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { goodCard } from '#tests/support/money/selling.ts';
import { readRow } from '#tests/support/people.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
const origin = 'http://localhost:3000';
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
});
afterAll(() => app.close());

const look = (url: string) => app.fastify.inject({ url: url.replace(origin, ''), headers: { host: 'localhost:3000' } });
const send = (url: string, fields: Record<string, string>) =>
  app.fastify.inject({
    method: 'POST',
    url: url.replace(origin, ''),
    payload: new URLSearchParams(fields).toString(),
    headers: { host: 'localhost:3000', origin, 'content-type': 'application/x-www-form-urlencoded' },
  });
const asking = '4000 0000 0000 3155';
const email = 'bob@example.com';
const failed =
  /role="alert">We couldn.{1,6}t confirm this with your bank\. Nothing was charged\. Try again, or use another card\.</;

let made = 0;
/** Something to pay once. @returns its name */
async function openPack(): Promise<string> {
  const order = {
    kind: 'credits',
    orderId: `pack-${++made}`,
    productName: '30 credits',
    amountCents: 999,
    currency: 'usd',
  };
  const url = { returnUrl: `${origin}/credits?session_id={CHECKOUT_SESSION_ID}` };
  const { sessionId } = await app.engines.payments.openPackCheckout({
    ...order,
    ...url,
    email,
    expiresAt: new Date(Date.now() + 3_600_000),
  });
  return sessionId;
}

/** A plan to pay every month. @returns its name */
async function openPlan(trialDays?: number): Promise<string> {
  const order = { orderId: `plan-${++made}`, productName: 'Creator plan', amountCents: 399, currency: 'usd' };
  const url = { returnUrl: `${origin}/post-checkout?session_id={CHECKOUT_SESSION_ID}` };
  const more = { customerId: undefined, trialDays, asksForCard: true };
  return (await app.engines.payments.openPlanCheckout({ ...order, ...url, ...more, email })).sessionId;
}
const find = (sessionId: string) => app.engines.payments.findCheckout(sessionId);

describe('a card whose bank asks first', () => {
  it('pays once the payer has answered the bank, and not before', async () => {
    const sessionId = await openPack();
    const asked = await send(`/sandbox/pay/${sessionId}`, { email, card: asking });
    expect([asked.statusCode, asked.headers.location]).toEqual([303, `/sandbox/bank/${sessionId}`]);
    expect(await find(sessionId)).toMatchObject({ state: 'open', chargeId: undefined, hasFailed: false });
    const bank = await look(`/sandbox/bank/${sessionId}`);
    expect(bank.body).toMatch(/card ending in 3155[\s\S]*a payment of \$9\.99/);
    const done = await send(`/sandbox/bank/${sessionId}`, { answer: 'complete' });
    expect(done.body).toContain(`href="${origin}/credits?session_id=${sessionId}"`);
    expect(await find(sessionId)).toMatchObject({ state: 'paid', email, chargeId: expect.stringContaining('ch_') });
    const again = await send(`/sandbox/bank/${sessionId}`, { answer: 'complete' });
    expect([again.statusCode, (await look(`/sandbox/bank/${sessionId}`)).statusCode]).toEqual([200, 404]);
  });

  it('that the payer fails to confirm leaves the payment open, says so, and another card can be tried', async () => {
    const sessionId = await openPack();
    await send(`/sandbox/pay/${sessionId}`, { email: 'eve@example.com', card: '4000 0025 0000 3155' });
    const no = await send(`/sandbox/bank/${sessionId}`, { answer: 'fail' });
    expect(no.headers.location).toBe(`/sandbox/pay/${sessionId}?bank=failed`);
    const form = (await look(String(no.headers.location))).body;
    expect(form).toMatch(failed);
    expect(form).toContain('value="eve@example.com"');
    expect(await find(sessionId)).toMatchObject({ state: 'open', chargeId: undefined, hasFailed: true });
    expect((await send(`/sandbox/bank/${sessionId}`, { answer: 'complete' })).statusCode, 'it was answered').toBe(404);
    await send(`/sandbox/pay/${sessionId}`, { email, card: goodCard });
    expect(await find(sessionId)).toMatchObject({ state: 'paid' });
  });

  it('is asked about no more when another card was tried since', async () => {
    const sessionId = await openPack();
    await send(`/sandbox/pay/${sessionId}`, { email, card: asking });
    await send(`/sandbox/pay/${sessionId}`, { email, card: '4000 0000 0000 0002' });
    expect((await send(`/sandbox/bank/${sessionId}`, { answer: 'complete' })).statusCode).toBe(404);
    expect(await find(sessionId)).toMatchObject({ state: 'open' });
  });

  it('pays a plan after its bank was answered, and every month after that', async () => {
    const { payments } = app.engines;
    const sessionId = await openPlan();
    await send(`/sandbox/pay/${sessionId}`, { card: asking });
    expect(await payments.findPlanCheckout(sessionId)).toMatchObject({ state: 'open', subscriptionId: undefined });
    await send(`/sandbox/bank/${sessionId}`, { answer: 'fail' });
    expect((await look(`/sandbox/pay/${sessionId}?bank=failed`)).body).toMatch(failed);
    await send(`/sandbox/pay/${sessionId}`, { card: asking });
    expect((await send(`/sandbox/bank/${sessionId}`, { answer: 'complete' })).body).toContain('checkout.complete');
    const { subscriptionId = '' } = await payments.findPlanCheckout(sessionId);
    app.setNow(new Date(Date.now() + 65 * 86_400_000).toISOString());
    expect(await payments.findSubscription(subscriptionId)).toMatchObject({
      status: 'active',
      card: { last4: '3155' },
    });
    expect((await payments.listInvoices(subscriptionId)).map(({ paidCents }) => paidCents)).toEqual([399, 399, 399]);
  });

  it('is kept for its owner once its bank was answered', async () => {
    const { payments } = app.engines;
    const sessionId = await openPlan(7);
    await send(`/sandbox/pay/${sessionId}`, { card: goodCard });
    const { subscriptionId = '' } = await payments.findPlanCheckout(sessionId);
    const { customerId } = await payments.findSubscription(subscriptionId);
    const cardNow = () => payments.findCustomerCard(customerId);
    const page = (await payments.cardUrl(customerId, `${origin}/account/billing`)).replace(origin, '');
    const bank = page.replace('/card/', '/bank/');
    expect((await send(page, { card: asking })).headers.location).toBe(bank);
    expect((await look(bank)).body).toContain('confirm this card.');
    expect((await send(bank, { answer: 'fail' })).headers.location).toBe(`${page}?bank=failed`);
    expect((await look(`${page}?bank=failed`)).body).toMatch(failed);
    expect(await cardNow()).toBeUndefined();
    await send(page, { card: asking });
    expect((await send(bank, { answer: 'complete' })).headers.location).toBe(`${origin}/account/billing`);
    expect(await cardNow()).toMatch(/^pm_/);
  });
});

describe('a card that is declined', () => {
  it('is declined wherever it is given, and says why', async () => {
    for (const [card, words] of [
      ['4000 0000 0000 0002', 'Your card was declined.'],
      ['4000 0000 0000 9995', 'Your card has insufficient funds.'],
      ['4000 0000 0000 0069', 'Your card has expired.'],
    ] as const)
      for (const sessionId of [await openPack(), await openPlan(), await openPlan(7)]) {
        const { body } = await send(`/sandbox/pay/${sessionId}`, { email, card });
        expect(body).toContain(`role="alert">${words} Nothing was charged.`);
        expect(await find(sessionId)).toMatchObject({ state: 'open' });
      }
  });

  it('stands in the list of test cards, beside the one that is disputed', async () => {
    for (const sessionId of [await openPack(), await openPlan()]) {
      const { body } = await look(`/sandbox/pay/${sessionId}`);
      for (const last of ['9995', '0259', '3155', '0002']) expect(body).toContain(`4000 0000 0000 ${last}`);
    }
  });
});

describe('whoever sets up payouts', () => {
  it('is complete, not yet, or rejected, as they tap', async () => {
    const { payments } = app.engines;
    const { accountId } = await payments.ensureAccount({
      userId: 'mia',
      email: 'mia@example.com',
      handle: 'mia',
      country: 'US',
    });
    const back = { refreshUrl: `${origin}/a`, returnUrl: `${origin}/b` };
    const page = await payments.onboardingUrl(accountId, back);
    const transfers = async () => {
      const reported = (await app.engines.sandbox?.deliveries(false))?.filter(({ objectId }) => objectId === accountId);
      const query = 'select body from sandbox_objects where id = $1';
      const { body } = await readRow<{ body: Stripe.V2.Core.Account }>(app, query, [accountId]);
      const { status } = body.configuration?.recipient?.capabilities?.stripe_balance?.stripe_transfers ?? {};
      return [status, reported?.length, (await payments.findAccount(accountId)).isReady];
    };
    const said = (await look(page)).body.match(/(?<=value=")\w+(?=">)/g);
    expect(said).toEqual(['complete', 'no_bank', 'checked', 'pending', 'rejected']);
    const states: unknown[] = [];
    for (const answer of said ?? []) {
      expect((await send(page, { answer })).headers.location).toBe(`${origin}/b`);
      states.push(await transfers());
    }
    expect(states).toEqual([
      ['active', 3, true],
      ['active', 5, false],
      ['pending', 7, false],
      ['restricted', 9, false],
      ['rejected', 11, false],
    ]);
  });
});
