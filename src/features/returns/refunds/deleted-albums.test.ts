import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { destroyDeletedAlbums } from '#features/albums/jobs.ts';
import { reconcile, settleOpen } from '#features/money/reconcile.ts';
import { connectPayouts, payAt, payToOpen, post, sessionOf, tapDoor } from '#tests/support/money/selling.ts';
import { advance, must, readRows, signInQuickly } from '#tests/support/people.ts';
import { addReadyAlbum } from '#tests/support/ready-album.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { refundOwed } from '../refunding.ts';

let app: TestApp;
let shared: SharedAlbum;
let albumId: string;
const hour = 3_600_000;

beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  shared = await shareAlbum(app, { count: 1 });
  await connectPayouts(app, shared.creator);
});
beforeEach(async () => {
  albumId = await addReadyAlbum(app, shared.creator.userId);
});
afterAll(() => app.close());

/** Somebody has bought some albums at a link of their own and looked at them, so many days ago. @returns the link */
async function sell(albumIds: string[], days: number): Promise<string> {
  const { slug, id } = await shared.makeLink(payToOpen(1500), { albumIds, expiry: { kind: 'never' } });
  const buyer = newBrowser();
  await tapDoor(app, slug, buyer);
  const { body } = await post(app, `/api/view/${slug}/checkout`, { offerId: 'pay', amountCents: 1500 }, buyer);
  await payAt(app, sessionOf(body.url), { email: `buyer-of-${slug}@example.com` });
  await settleOpen(app.engines, 0);
  await post(app, `/api/view/${slug}/open`, {}, buyer);
  const aged = `update checkout_orders set paid_at = paid_at - $2::int * interval '1 day', opened_at = paid_at where link_id = $1`;
  await readRows(app, aged, [id, days]);
  return id;
}

const stateOf = async (linkId: string) =>
  (await readRows(app, 'select state from checkout_orders where link_id = $1', [linkId]))[0]?.state;

/** Lets hours go by, and the jobs run twice. */
async function wait(hours: number): Promise<void> {
  advance(app, hours * hour);
  for (let n = 0; n < 2; n++) {
    await refundOwed(app.engines);
    await destroyDeletedAlbums(app.engines);
    await refundOwed(app.engines);
  }
  shared.creator.browser = await signInQuickly(app, shared.creator.userId);
}

const call = (what: string) => must(app, `albums.${what}`, { albumId }, shared.creator.browser);

it('a sale of the last 90 days goes back once its album is deleted for good, not before, and only where nothing else was bought', async () => {
  const [late, early] = [await sell([albumId], 89), await sell([albumId], 91)];
  const both = await sell([albumId, shared.albumId], 1);
  expect((await call('one')).sold).toEqual({ buyers: 3, refundCents: 1500 });
  await call('remove');
  await wait(71);
  expect(await stateOf(late), 'it can still be restored').toBe('paid');
  await wait(2);
  expect([await stateOf(late), await stateOf(early), await stateOf(both)]).toEqual(['refunded', 'paid', 'paid']);
  const refunds = 'select r.reason from refunds r join checkout_orders o on o.id = r.order_id where o.link_id = $1';
  expect(await readRows(app, refunds, [late])).toEqual([{ reason: 'access_revoked' }]);
  expect(await reconcile(app.engines)).toEqual([]);
});

it('an album that is restored is paid for, and its links open again', async () => {
  const linkId = await sell([albumId], 1);
  await call('remove');
  await wait(71);
  await call('restore');
  await wait(2);
  expect(await stateOf(linkId)).toBe('paid');
  expect(await readRows(app, 'select is_revoked from magic_links where id = $1', [linkId])).toEqual([
    { is_revoked: false },
  ]);
});
