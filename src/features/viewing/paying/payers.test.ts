import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { settleOpen } from '#features/money/reconcile.ts';
import { connectPayouts, post, sessionOf, tapDoor, tapPay, tipToOpen } from '#tests/support/money/selling.ts';
import { advance, readRow, readRows } from '#tests/support/people.ts';
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
afterAll(() => app.close());

/** A viewer of this network who stands before the price. */
async function comeTo(slug: string, address: string): Promise<Browser> {
  const browser = { ...newBrowser(), address };
  await tapDoor(app, slug, browser);
  return browser;
}

const timesOf = <T>(count: number, make: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, make));

// Each waits for turns of a network of its own: they wait together.
describe.concurrent('who wants to pay', () => {
  it('comes one after the other where very many come from one network, and keeps nobody of another waiting', async () => {
    const { slug } = await shared.makeLink(tipToOpen(1000));
    const network = '203.0.113.70';
    const browsers = await timesOf(9, () => comeTo(slug, network));
    const other = await comeTo(slug, '203.0.113.71');
    const taps = browsers.flatMap((browser) => Array.from({ length: 10 }, () => tapPay(app, slug, { ...browser })));
    const elsewhere = tapPay(app, slug, other);
    const answers = (await Promise.all(taps)).map(({ status, body }) => [status, body.message]);
    expect((await elsewhere).status).toBe(200);
    const refused = answers.filter(([status]) => status !== 200);
    expect(refused).toEqual(Array(10).fill([503, "We're very busy right now. Please try again."]));
  });

  it('is slowed down with all of their network by trying addresses out', async () => {
    const { slug } = await shared.makeLink(tipToOpen(1000));
    const network = '203.0.113.80';
    const timeOf = async (browser: Browser) => {
      const before = performance.now();
      await post(app, `/api/view/${slug}/open`, {}, browser);
      return performance.now() - before;
    };
    const browsers = await timesOf(8, () => comeTo(slug, network));
    const other = await comeTo(slug, '203.0.113.81');
    for (const browser of browsers) await timesOf(9, () => tapPay(app, 'AAAAAAAAAAAAAAAAAAAAAA', { ...browser }));
    const [first] = browsers;
    if (first === undefined) throw new Error('nobody came');
    expect(await timeOf(first)).toBeGreaterThan((await timeOf(other)) + 1000);
  });
});

describe('a link of few places', () => {
  const minute = 60_000;
  const placesTaken = async (id: string) =>
    (await readRow<{ places_taken: number }>(app, 'select places_taken from magic_links where id = $1', [id]))
      .places_taken;

  it('keeps no more than three for people of one network who are paying, and some for everybody else', async () => {
    const { slug, id } = await shared.makeLink({ ...tipToOpen(1000), maxViewers: 10 });
    const browsers = await timesOf(6, () => comeTo(slug, '203.0.113.90'));
    const answers = await Promise.all(browsers.map((browser) => tapPay(app, slug, browser)));
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.map(({ body }) => [body.code, body.message])).toEqual(
      Array(3).fill(['UNAVAILABLE', expect.stringContaining('on your network are paying for this link')]),
    );
    expect(await placesTaken(id), 'of those who were refused nothing stays').toBe(3);
    expect((await tapPay(app, slug, await comeTo(slug, '203.0.113.91'))).status).toBe(200);
    // Behind a proxy nobody knows who calls.
    const near = await timesOf(4, () => comeTo(slug, '127.0.0.1'));
    expect(new Set((await Promise.all(near.map((one) => tapPay(app, slug, one)))).map(({ status }) => status))).toEqual(
      new Set([200]),
    );
  });

  it('holds nobody to a payment that they began where it has places for all', async () => {
    const { slug, id } = await shared.makeLink(tipToOpen(1000));
    const browser = await comeTo(slug, '203.0.113.94');
    const first = sessionOf((await tapPay(app, slug, browser, 1000)).body.url);
    advance(app, 40 * minute);
    expect((await tapPay(app, slug, browser, 2000)).status, 'with 20 minutes left of the first').toBe(200);
    expect(await app.engines.sandbox?.findCheckout(first)).toMatchObject({ isOpen: false });
    const orders = await readRows<{ state: string }>(
      app,
      'select state from checkout_orders where link_id = $1 order by created_at',
      [id],
    );
    expect(orders.map(({ state }) => state)).toEqual(['expired', 'pending']);
  });

  it('is held for one viewer no longer because they wish to pay something else', async () => {
    const { slug, id } = await shared.makeLink({ ...tipToOpen(1000), bindFirstViewer: true });
    const [browser, other] = [await comeTo(slug, '203.0.113.92'), await comeTo(slug, '203.0.113.93')];
    await tapPay(app, slug, browser, 1000);
    advance(app, 20 * minute);
    const second = sessionOf((await tapPay(app, slug, browser, 2000)).body.url);
    advance(app, 20 * minute);
    expect((await tapPay(app, slug, browser, 3000)).body).toMatchObject({
      code: 'RATE_LIMITED',
      message: 'Your place is held for the payment you started. Finish that payment, or try again in 20 minutes.',
    });
    expect(await app.engines.sandbox?.findCheckout(second), 'which can still be paid').toMatchObject({ isOpen: true });
    const orders = await readRows(app, 'select state, expires_at from checkout_orders where link_id = $1', [id]);
    expect(orders).toHaveLength(2);
    expect(orders[0]?.expires_at).toEqual(orders[1]?.expires_at);
    advance(app, 21 * minute);
    await settleOpen(app.engines, 0);
    expect(await placesTaken(id)).toBe(0);
    expect((await tapPay(app, slug, other)).status).toBe(200);
  });
});
