import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import type { Checkout } from '#engines/payments/payments.ts';
import { connectPayouts, payAt, payToOpen, post, sessionOf, tapDoor, tapPay } from '#tests/support/money/selling.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
let shared: SharedAlbum;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  shared = await shareAlbum(app, { count: 1 });
  app.engines.sandbox?.deliverTo(undefined);
  await connectPayouts(app, shared.creator);
});
afterAll(() => app.close());
afterEach(() => vi.restoreAllMocks());

it('a gate whose payment the bank has under way waits for it, asks for no other, and opens once it is paid', async () => {
  const { slug } = await shared.makeLink(payToOpen(1500));
  const [buyer, other] = [newBrowser(), newBrowser()];
  await tapDoor(app, slug, buyer);
  await tapDoor(app, slug, other);
  const sessionId = sessionOf((await tapPay(app, slug, buyer, 1500, { offerId: 'pay' })).body.url);
  const look = async (browser = buyer) => (await post(app, `/api/view/${slug}/open`, {}, browser)).body;
  const priced = await look();
  expect([priced.title, priced.sale.waitsFor], 'it was not begun').toEqual(['$15', undefined]);
  const { payments } = app.engines;
  const find = payments.findCheckout.bind(payments);
  vi.spyOn(payments, 'findCheckout').mockImplementation(
    async (id): Promise<Checkout> => ({ ...(await find(id)), state: 'processing', url: undefined }),
  );
  const { title, sale } = await look();
  expect([title, sale.waitsFor]).toEqual(['Waiting for payment', sessionId]);
  expect((await look(other)).title, 'somebody else is asked for the price').toBe('$15');
  vi.restoreAllMocks();
  await payAt(app, sessionId);
  expect(await look(), 'it is open').toBe(undefined);
});
