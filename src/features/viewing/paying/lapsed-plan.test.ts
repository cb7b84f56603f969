import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { takePlan } from '#tests/support/money/planning.ts';
import { connectPayouts, payAt, post, sessionOf, tapDoor, tapPay, tipToOpen } from '#tests/support/money/selling.ts';
import { advance, must, readRows } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
let shared: SharedAlbum;
const day = 86_400_000;

beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  shared = await shareAlbum(app, { count: 1 });
  await connectPayouts(app, shared.creator);
  await readRows(app, 'update users set is_free_user = false where id = $1', [shared.creator.userId]);
});
afterAll(() => app.close());

it('a plan that has ended pauses free viewers and sells nothing more; who has paid stays in; paying brings it all back', async () => {
  const [free, sold] = [await shared.makeLink(), await shared.makeLink(tipToOpen(1000))];
  const [guest, tipper, late] = [newBrowser(), newBrowser(), newBrowser()];
  const opens = async (slug: string, browser = newBrowser()) =>
    (await post(app, `/api/view/${slug}/open`, { isAdult: true }, browser)).body;
  await tapDoor(app, free.slug, guest);
  expect(await opens(free.slug, guest)).toBeUndefined();
  for (const browser of [tipper, late]) await tapDoor(app, sold.slug, browser);
  await payAt(app, sessionOf((await tapPay(app, sold.slug, tipper)).body.url));
  expect(await opens(sold.slug, tipper)).toBeUndefined();

  advance(app, 7 * day);
  expect(await opens(free.slug, guest)).toMatchObject({ title: 'Temporarily unavailable' });
  expect(await opens(sold.slug, tipper), 'what was bought stays open').toBeUndefined();
  const door = await opens(sold.slug, late);
  expect([door.title, door.sale]).toEqual(['Temporarily unavailable', undefined]);
  expect((await tapPay(app, sold.slug, late)).body).toMatchObject({ title: 'Temporarily unavailable' });
  const refused = await app.call('links.create', { albumIds: [shared.albumId] }, shared.creator.browser);
  expect(refused.body.code).toBe('SUBSCRIPTION_REQUIRED');

  await takePlan(app, shared.creator);
  await vi.waitFor(async () => {
    await must(app, 'billing.checkSubscription', {}, shared.creator.browser);
    expect(await opens(free.slug, guest)).toBeUndefined();
  });
  expect((await opens(sold.slug, late)).sale).toBeDefined();
});
