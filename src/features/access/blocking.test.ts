import { afterAll, beforeAll, expect, it } from 'vitest';
import { must, signUpCreator } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
let shared: SharedAlbum;
beforeAll(async () => {
  app = await openTestApp();
  app.setNow('2026-11-21T12:00:00Z');
  shared = await shareAlbum(app, { count: 1 });
});
afterAll(() => app.close());

const viewers = async () =>
  (await must(app, 'insights.viewers', { days: 30 }, shared.creator.browser)).viewers as {
    viewerId: string;
    isBlocked: boolean;
  }[];

it('shuts out a viewer of the list, whom nothing of this creator opens for, and lets them in again', async () => {
  const { slug } = await shared.makeLink();
  const { slug: other } = await shared.makeLink();
  const browser = newBrowser();
  const opens = async (at: string) => (await shared.viewerApi.tap(at, {}, browser)).head?.visitId !== undefined;
  expect(await opens(slug)).toBe(true);
  const [seen] = await viewers();
  expect(seen).toMatchObject({ isBlocked: false });
  const viewerId = seen?.viewerId;
  const eve = await signUpCreator(app);
  expect((await app.call('access.block', { viewerId }, eve.browser)).status).toBe(404);
  const block = () => app.call('access.block', { viewerId }, shared.creator.browser);
  expect((await Promise.all([block(), block()])).map(({ status }) => status)).toEqual([200, 200]);
  expect([await opens(slug), await opens(other)]).toEqual([false, false]);
  expect(await viewers()).toMatchObject([{ viewerId, isBlocked: true }]);
  const { viewers: blocked } = await must(app, 'access.blocked', {}, shared.creator.browser);
  expect(blocked).toMatchObject([{ viewerId, reason: 'chosen' }]);
  expect((await app.call('access.unblock', { viewerId }, shared.creator.browser)).status).toBe(200);
  expect(await opens(slug)).toBe(true);
  expect(await viewers()).toMatchObject([{ isBlocked: false }]);
});
