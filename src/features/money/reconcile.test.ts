import { afterAll, beforeAll, expect, it } from 'vitest';
import { dayMs } from '#kit/time.ts';
import { connectPayouts, goodCard, sessionOf, tapDoor, tapPay, tipToOpen } from '#tests/support/money/selling.ts';
import { advance } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { reconcile } from './reconcile.ts';

let app: TestApp;
let shared: SharedAlbum;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  shared = await shareAlbum(app, { count: 1 });
  await connectPayouts(app, shared.creator);
});
afterAll(() => app.close());

it('finds what was paid while nobody here listened, however long ago that was', async () => {
  const { slug } = await shared.makeLink(tipToOpen(1000));
  const buyer = newBrowser();
  await tapDoor(app, slug, buyer);
  const { body } = await tapPay(app, slug, buyer);
  await app.engines.sandbox?.pay(sessionOf(body.url), { email: 'bob@example.com', card: goodCard });
  advance(app, 8 * dayMs);
  expect(await reconcile(app.engines)).toEqual([]);
});
