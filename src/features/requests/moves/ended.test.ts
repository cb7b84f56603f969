import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { findDrift, reconcile } from '#features/money/reconcile.ts';
import { type Asked, askAtLink, payFor, takeRequests } from '#tests/support/money/requests.ts';
import { connectPayouts, tapDoor } from '#tests/support/money/selling.ts';
import { must, type Person } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });
let app: TestApp;
let shared: SharedAlbum;
let creator: Person;

beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  app.engines.sandbox?.tellTo(undefined);
});
afterAll(() => app.close());

async function openCreator(): Promise<void> {
  shared = await shareAlbum(app, { count: 1 });
  ({ creator } = shared);
  await connectPayouts(app, creator);
  await takeRequests(app, creator);
}

/** A request that is delivered, and the link that it is delivered by. */
async function delivered(): Promise<Asked & { delivery: string; linkId: string }> {
  const asked = await askAtLink(app, shared);
  await must(app, 'requests.accept', { requestId: asked.id, days: 7 }, creator.browser);
  await payFor(app, asked);
  await must(app, 'requests.deliver', { requestId: asked.id, albumId: shared.albumId }, creator.browser);
  const { viewPath } = await must(app, 'requests.open', { code: asked.code }, asked.browser);
  const delivery = viewPath.split('/').at(-1) ?? '';
  const { links } = await must(app, 'links.list', {}, creator.browser);
  const { id: linkId } = links.find(({ slug }: { slug: string }) => slug === delivery) ?? { id: '' };
  return { ...asked, delivery, linkId };
}

it('what was delivered stays open whatever its creator changes about its link, as every purchase does', async () => {
  await openCreator();
  const { delivery, browser, linkId } = await delivered();
  const look = async () => (await tapDoor(app, delivery, browser)).body?.reason ?? 'open';
  expect(await look()).toBe('open');
  const pay = [{ id: 'pay', all: [{ kind: 'tip', minCents: 5000 }] }];
  await must(
    app,
    'links.update',
    { linkId, rules: { offers: pay, ageGate: true, maxVisits: 1 }, password: 'a long password' },
    creator.browser,
  );
  expect(await look(), 'for a price').toBe('open');
  await must(app, 'links.update', { linkId, rules: {}, password: null }, creator.browser);
  await must(
    app,
    'links.update',
    { linkId, expiry: { kind: 'at', at: new Date(Date.now() + 3_600_000) } },
    creator.browser,
  );
  app.setNow(new Date(Date.now() + 2 * 3_600_000));
  expect(await look(), 'expired').toBe('open');
  await must(app, 'albums.archive', { albumId: shared.albumId }, creator.browser);
  expect(await look(), 'archived').toBe('open');
});
