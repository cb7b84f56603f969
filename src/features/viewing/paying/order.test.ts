import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { settleOpen } from '#features/money/reconcile.ts';
import { connectPayouts, payAt, post, sessionOf, tapDoor, tapPay, tipToOpen } from '#tests/support/money/selling.ts';
import { must, readRow, readRows } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { type Browser, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
let shared: SharedAlbum;

beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  shared = await shareAlbum(app, { count: 1 });
  await connectPayouts(app, shared.creator);
  app.engines.sandbox?.deliverTo(undefined);
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => app.close());

const makeLink = (rules: object = {}) => shared.makeLink({ ...tipToOpen(1000), ...rules });

async function comeTo(slug: string): Promise<Browser> {
  const browser = newBrowser();
  await tapDoor(app, slug, browser);
  return browser;
}

async function orderOn(slug: string, browser: Browser, amountCents = 1000): Promise<string> {
  const { status, body } = await tapPay(app, slug, browser, amountCents);
  expect([status, body]).toEqual([200, { url: expect.stringContaining('/sandbox/pay/') }]);
  return sessionOf(body.url);
}

const isPayable = async (sessionId: string) => (await app.engines.sandbox?.findCheckout(sessionId))?.isOpen === true;
const ordersOf = (linkId: string) =>
  readRows<{ state: string; amount_cents: number; session_id: string }>(
    app,
    'select state, amount_cents, session_id from checkout_orders where link_id = $1 order by created_at, id',
    [linkId],
  );

/** Runs something in the very moment between what was decided and what the provider is asked next. */
function meanwhile(call: 'expireCheckout' | 'openCheckout', when: 'before' | 'after', run: () => Promise<unknown>) {
  const { payments } = app.engines;
  const real = payments[call].bind(payments) as (...args: unknown[]) => Promise<never>;
  vi.spyOn(payments, call).mockImplementationOnce(async (...args: unknown[]) => {
    if (when === 'before') await run();
    const answer = await real(...args);
    if (when === 'after') await run();
    return answer;
  });
}

describe('an order that is replaced', () => {
  it('and paid in the same moment has bought, and nothing is asked for once more', async () => {
    const { slug, id } = await makeLink();
    const browser = await comeTo(slug);
    const sessionId = await orderOn(slug, browser);
    meanwhile('expireCheckout', 'before', () => payAt(app, sessionId, { email: 'quick@example.com' }));
    expect((await tapPay(app, slug, browser, 2000)).body).toMatchObject({ code: 'ALREADY_PURCHASED' });
    expect(await ordersOf(id)).toEqual([{ state: 'paid', amount_cents: 1000, session_id: sessionId }]);
  });

  it('while its page is being made leaves no page behind on which it could be paid', async () => {
    const { slug, id } = await makeLink();
    const browser = await comeTo(slug);
    meanwhile('openCheckout', 'after', () => tapPay(app, slug, browser, 2000));
    const last = await orderOn(slug, browser, 1000);
    const orders = await ordersOf(id);
    expect(orders.filter(({ state }) => state === 'pending')).toMatchObject([{ session_id: last }]);
    const payable = [];
    for (const { session_id } of orders) if (await isPayable(session_id)) payable.push(session_id);
    expect(payable).toEqual([last]);
  });
});

describe('an order that waits', () => {
  it('is gone on with only when all of it is still as it was wished', async () => {
    const { slug, id } = await makeLink();
    const browser = await comeTo(slug);
    const params = async (more: object) => sessionOf((await tapPay(app, slug, browser, 1000, more)).body.url);
    const first = await params({});
    expect(await params({})).toBe(first);
    const anonymous = await params({ isAnonymous: true });
    expect(anonymous).not.toBe(first);
    const said = await params({ isAnonymous: true, message: 'Hello' });
    expect(said).not.toBe(anonymous);
    const rules = { ageGate: false, ...tipToOpen(1000), openForMs: 3_600_000 };
    await must(app, 'links.update', { linkId: id, rules }, shared.creator.browser);
    expect(
      await params({ isAnonymous: true, message: 'Hello' }),
      'it is sold under the rules that are shown now',
    ).not.toBe(said);
    const kept = 'select is_anonymous, message, policy_version from checkout_orders where link_id = $1 and state = $2';
    const { policy_version } = await readRow<{ policy_version: number }>(
      app,
      'select policy_version from magic_links where id = $1',
      [id],
    );
    expect(await readRows(app, kept, [id, 'pending'])).toEqual([
      { is_anonymous: true, message: 'Hello', policy_version },
    ]);
  });
});

describe('an order that was ended here and not at the provider', () => {
  const end = (id: string) => readRows(app, `update checkout_orders set state = 'canceled' where link_id = $1`, [id]);

  it('is noticed when it was paid all the same', async () => {
    const { slug, id } = await makeLink();
    const browser = await comeTo(slug);
    const sessionId = await orderOn(slug, browser);
    await end(id);
    await payAt(app, sessionId, { email: 'ended@example.com' });
    await settleOpen(app.engines, 0);
    expect(await ordersOf(id)).toMatchObject([{ state: 'paid' }]);
    expect((await post(app, `/api/view/${slug}/open`, {}, browser)).body).toBeUndefined();
  });

  it('is ended there too, and asked about no more', async () => {
    const { slug, id } = await makeLink();
    const sessionId = await orderOn(slug, await comeTo(slug));
    await end(id);
    await settleOpen(app.engines, 0);
    expect(await isPayable(sessionId)).toBe(false);
    expect(await ordersOf(id)).toMatchObject([{ state: 'expired' }]);
  });
});
