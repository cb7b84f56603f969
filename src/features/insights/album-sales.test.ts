import { afterAll, beforeAll, expect, it } from 'vitest';
import { syncSession } from '#features/orders/sync-orders.ts';
import {
  connectPayouts,
  payAt,
  payToOpen,
  sessionOf,
  tapDoor,
  tapPay,
  tipToOpen,
} from '#tests/support/money/selling.ts';
import { advance, must, readRow, signUpCreator } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { type Browser, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
let shared: SharedAlbum;
const minute = 60_000;

beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  app.setNow('2026-11-21T09:00:00.000Z');
  shared = await shareAlbum(app, { count: 1 });
  await connectPayouts(app, shared.creator);
});
afterAll(() => app.close());

const readSales = (input: object = {}) =>
  must(app, 'insights.albumSales', { albumId: shared.albumId, ...input }, shared.creator.browser);

/** Somebody pays for a link. @returns the order and the browser that paid */
async function sell(slug: string, more: object, amountCents: number): Promise<{ orderId: string; browser: Browser }> {
  const browser = newBrowser();
  await tapDoor(app, slug, browser);
  const sessionId = sessionOf((await tapPay(app, slug, browser, amountCents, more)).body.url);
  await payAt(app, sessionId);
  await syncSession(app.engines, sessionId);
  advance(app, minute);
  const { id } = await readRow<{ id: string }>(app, 'select id from checkout_orders where session_id = $1', [
    sessionId,
  ]);
  return { orderId: id, browser };
}

const pay = { offerId: 'pay', amountCents: 2500 };

it('is nothing for an album that nobody paid for, and nobody else sees', async () => {
  const { sales, total, nextCursor } = await readSales();
  expect([sales, nextCursor]).toEqual([[], null]);
  expect(total).toEqual({ earnedCents: 0, sales: 0, currency: 'usd', isBundled: false });
  const eve = await signUpCreator(app);
  expect((await app.call('insights.albumSales', { albumId: shared.albumId }, eve.browser)).status).toBe(404);
});

it('lists what was paid at its links with who, as their creator knows them, and agrees with the earnings', async () => {
  const { slug, id: linkId } = await shared.makeLink(payToOpen(2500));
  const bought = await sell(slug, pay, 2500);
  await tapDoor(app, slug, bought.browser);
  const [{ viewerId }] = (await must(app, 'insights.viewers', { days: 30 }, shared.creator.browser)).viewers;
  await must(app, 'insights.renameViewer', { viewerId, name: 'Bob from work' }, shared.creator.browser);
  const tips = await shared.makeLink(tipToOpen(1000));
  const hidden = await sell(tips.slug, { isAnonymous: true }, 1000);
  await tapDoor(app, tips.slug, hidden.browser);
  const returned = await sell(slug, pay, 2500);
  await must(app, 'money.refund', { orderId: returned.orderId }, shared.creator.browser);

  // Another album of this creator, and what is paid there.
  const other = await must(app, 'albums.create', { name: 'Other', peopleConsent: 'only_me' }, shared.creator.browser);
  expect((await readSales({ albumId: other.id })).sales).toEqual([]);

  const { sales, total } = await readSales();
  expect(sales).toMatchObject([
    { orderId: returned.orderId, kind: 'album', state: 'refunded', grossCents: 2500, keptCents: 0, viewer: null },
    { orderId: hidden.orderId, kind: 'tip', state: 'paid', keptCents: 900, isAnonymous: true, viewer: null },
    {
      orderId: bought.orderId,
      kind: 'album',
      state: 'paid',
      keptCents: 2250,
      link: { id: linkId },
      viewer: { id: viewerId, name: 'Bob from work' },
    },
  ]);
  expect(total).toEqual({ earnedCents: 3150, sales: 3, currency: 'usd', isBundled: false });
  const { rows } = await must(app, 'money.listEarnings', { limit: 100 }, shared.creator.browser);
  const inEarnings = rows.reduce((sum: number, { amountCents }: { amountCents: number }) => sum + amountCents, 0);
  expect(total.earnedCents).toBe(inEarnings);
  const { albums } = await must(app, 'albums.list', { search: 'Golden' }, shared.creator.browser);
  expect(albums.map(({ earnedCents }: { earnedCents: number }) => earnedCents)).toEqual([inEarnings]);
});

it('goes on where the page before ended', async () => {
  const all = (await readSales()).sales.map(({ orderId }: { orderId: string }) => orderId);
  const first = await readSales({ limit: 2 });
  const second = await readSales({ limit: 2, cursor: first.nextCursor });
  expect([...first.sales, ...second.sales].map(({ orderId }) => orderId)).toEqual(all);
  expect(second.nextCursor).toBeNull();
});

it("is none of another creator's, and counts what was paid for several albums for each", async () => {
  const { creator, albumId } = shared;
  const two = await must(app, 'albums.create', { name: 'Second', peopleConsent: 'only_me' }, creator.browser);
  const items = (await must(app, 'albums.one', { albumId }, creator.browser)).items;
  await must(app, 'albums.addItems', { albumId: two.id, mediaIds: [items[0].id] }, creator.browser);
  await app.engines.database.work({ kind: 'system' }, ({ db }) =>
    db.updateTable('albums').set({ state: 'ready' }).where('id', '=', two.id).execute(),
  );
  const bundle = await must(
    app,
    'links.create',
    { albumIds: [albumId, two.id], rules: payToOpen(4000) },
    creator.browser,
  );
  const before = (await readSales()).total.earnedCents;
  await sell(bundle.slug, { offerId: 'pay', amountCents: 4000 }, 4000);
  const { sales, total } = await readSales({ albumId: two.id });
  expect(sales).toMatchObject([{ kind: 'bundle', albumCount: 2, keptCents: 3600 }]);
  expect(total).toMatchObject({ earnedCents: 3600, isBundled: true });
  expect((await readSales()).total.earnedCents).toBe(before + 3600);
});
