import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectPayouts, payAt, sessionOf, tapDoor, tapPay, tipToOpen } from '#tests/support/money/selling.ts';
import { readRow, readRows } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { syncSession } from '../sync-orders.ts';

let app: TestApp;
let shared: SharedAlbum;
let accountId: string;
const errors: unknown[] = [];
const silent = () => undefined;

beforeAll(async () => {
  app = await openTestApp({
    workJobs: false,
    log: { info: silent, warn: silent, error: (...said) => void errors.push(said.at(-1)) },
  });
  shared = await shareAlbum(app, { count: 1 });
  accountId = await connectPayouts(app, shared.creator);
  app.engines.sandbox?.deliverTo(undefined);
});
afterAll(() => app.close());

/** An order of $10 and the checkout that was opened for it. */
async function makeOrder(): Promise<{ orderId: string; sessionId: string }> {
  const { slug } = await shared.makeLink(tipToOpen(1000));
  const browser = newBrowser();
  await tapDoor(app, slug, browser);
  const sessionId = sessionOf((await tapPay(app, slug, browser)).body.url);
  const { id } = await readRow<{ id: string }>(app, 'select id from checkout_orders where session_id = $1', [
    sessionId,
  ]);
  return { orderId: id, sessionId };
}

/** Pays a checkout that names an order, as a stranger with our keys could open one. */
async function payFor(orderId: string, more: object = {}): Promise<string> {
  await readRows(app, 'delete from sandbox_idempotency');
  const { sessionId } = await app.engines.payments.openCheckout({
    orderId,
    kind: 'tip',
    productName: 'Tip',
    amountCents: 1000,
    currency: 'usd',
    feeCents: 100,
    accountId,
    successUrl: 'http://localhost:3000/a',
    cancelUrl: 'http://localhost:3000/b',
    expiresAt: new Date(app.engines.clock() + 3_600_000),
    ...more,
  });
  await payAt(app, sessionId);
  return sessionId;
}

describe('a checkout that names an order', () => {
  const forgetSession = (id: string) =>
    readRows(app, 'update checkout_orders set session_id = null where id = $1', [id]);
  const stateOf = async (id: string) =>
    (await readRow<{ state: string }>(app, 'select state from checkout_orders where id = $1', [id])).state;

  it('is its payment although nobody has written down where it was to be paid', async () => {
    const { orderId, sessionId } = await makeOrder();
    await forgetSession(orderId);
    await payAt(app, sessionId);
    expect(await syncSession(app.engines, sessionId)).toMatchObject({ id: orderId, state: 'paid' });
    expect(errors).toEqual([]);
  });

  it.each([
    ['less money', { amountCents: 500, feeCents: 50 }],
    ['other money', { currency: 'jpy' }],
    ['something else', { kind: 'credits' }],
  ])('pays nothing with %s', async (_what, more) => {
    const { orderId } = await makeOrder();
    await forgetSession(orderId);
    expect(await syncSession(app.engines, await payFor(orderId, more))).toBeUndefined();
    expect(await stateOf(orderId)).toBe('pending');
    expect(errors.splice(0)).toEqual(['a checkout names an order that it was not made for']);
  });

  it('pays nothing when the order has a checkout of its own, or is one of other money', async () => {
    const { orderId } = await makeOrder();
    const other = await payFor(orderId);
    expect(await syncSession(app.engines, other)).toBeUndefined();
    await readRows(app, 'update checkout_orders set session_id = null, livemode = true where id = $1', [orderId]);
    expect(await syncSession(app.engines, other)).toBeUndefined();
    expect(await stateOf(orderId)).toBe('pending');
    expect(errors.splice(0)).toHaveLength(2);
    await readRows(app, 'update checkout_orders set livemode = false where id = $1', [orderId]);
    expect(await syncSession(app.engines, other)).toMatchObject({ state: 'paid' });
  });
});
