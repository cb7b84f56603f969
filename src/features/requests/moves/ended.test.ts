import { afterAll, beforeAll, expect, it } from 'vitest';
import { destroyDeletedAlbums } from '#features/albums/jobs.ts';
import { findDrift, reconcile } from '#features/money/reconcile.ts';
import { hourMs } from '#kit/time.ts';
import { type Asked, askAtLink, emailsTo, payFor, takeRequests } from '#tests/support/money/requests.ts';
import { connectPayouts, tapDoor } from '#tests/support/money/selling.ts';
import { advance, must, type Person, readRows } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';

import { tendRequests } from '../jobs.ts';

let app: TestApp;
let shared: SharedAlbum;
let creator: Person;

beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  app.engines.sandbox?.deliverTo(undefined);
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
    { linkId, expiry: { kind: 'at', at: new Date(app.engines.clock() + hourMs) } },
    creator.browser,
  );
  advance(app, 2 * hourMs);
  expect(await look(), 'expired').toBe('open');
  await must(app, 'albums.archive', { albumId: shared.albumId }, creator.browser);
  expect(await look(), 'archived').toBe('open');
});

const standing = async ({ code }: Asked) => {
  const { state, endReason, refundedCents } = await must(app, 'requests.show', { code }, newBrowser());
  return [state, endReason, refundedCents];
};
const accept = ({ code, browser }: Asked) => must(app, 'requests.say', { code, what: 'accept' }, browser);
const revoke = ({ linkId }: { linkId: string }) => must(app, 'links.revoke', { linkIds: [linkId] }, creator.browser);

it('access that its creator ends gives back what was paid, accepted or not, once it cannot be undone', async () => {
  await openCreator();
  const [waiting, done, undone, kept] = [await delivered(), await delivered(), await delivered(), await delivered()];
  for (const asked of [done, undone, kept]) await accept(asked);
  expect(
    await must(app, 'links.revokeCost', { linkIds: [done.linkId, waiting.linkId] }, creator.browser),
  ).toMatchObject({ people: 2, cents: 8000, breakers: 0 });
  for (const asked of [waiting, done, undone]) await revoke(asked);
  await must(app, 'links.undoRevoke', { linkIds: [undone.linkId] }, creator.browser);
  await tendRequests(app.engines);
  expect([await standing(waiting), await standing(done)]).toEqual([
    ['delivered', null, 0],
    ['released', null, 0],
  ]);
  advance(app, 24 * hourMs);
  await Promise.all([tendRequests(app.engines), tendRequests(app.engines)]);
  await tendRequests(app.engines);
  for (const asked of [waiting, done]) {
    expect(await standing(asked)).toEqual(['refunded', 'ended', 4000]);
    expect(
      (await emailsTo(app, asked.email)).filter((text) =>
        text.includes('ended your access. $40.00 is on its way back'),
      ),
    ).toHaveLength(1);
  }
  for (const asked of [undone, kept]) expect(await standing(asked)).toEqual(['released', null, 0]);
  await reconcile(app.engines);
  expect(await findDrift(app.engines)).toEqual([]);
});

it('what was paid longer ago is not released while its access has ended and that can still be undone', async () => {
  await openCreator();
  const [ended, undone, blocked] = [await delivered(), await delivered(), await delivered()];
  const all = [ended, undone, blocked];
  for (const { id } of all)
    await readRows(app, `update checkout_orders set paid_at = paid_at - interval '40 days' where request_id = $1`, [
      id,
    ]);
  advance(app, 71 * hourMs);
  for (const asked of [ended, undone]) await revoke(asked);
  const block = `insert into viewer_blocks (creator_id, viewer_id, at) select creator_id, viewer_id, $2 from custom_requests where id = $1`;
  await readRows(app, block, [blocked.id, new Date(app.engines.clock())]);
  advance(app, 2 * hourMs);
  await tendRequests(app.engines);
  for (const asked of all) expect(await standing(asked)).toEqual(['delivered', null, 0]);
  await must(app, 'links.undoRevoke', { linkIds: [undone.linkId] }, creator.browser);
  await tendRequests(app.engines);
  expect(await standing(undone)).toEqual(['released', null, 0]);
  advance(app, 24 * hourMs);
  await tendRequests(app.engines);
  for (const asked of [ended, blocked]) expect(await standing(asked)).toEqual(['refunded', 'ended', 4000]);
});

it('access that ends later than 30 days after it was paid for stays paid', async () => {
  await openCreator();
  const asked = await delivered();
  await accept(asked);
  await readRows(app, `update checkout_orders set paid_at = paid_at - interval '30 days' where request_id = $1`, [
    asked.id,
  ]);
  expect(await must(app, 'links.revokeCost', { linkIds: [asked.linkId] }, creator.browser)).toMatchObject({
    people: 0,
  });
  await revoke(asked);
  advance(app, 24 * hourMs);
  await tendRequests(app.engines);
  expect(await standing(asked)).toEqual(['released', null, 0]);
});

it('an album that its creator deletes gives back what it was made for in the last 90 days, and she is told before', async () => {
  await openCreator();
  const [recent, old] = [await delivered(), await delivered()];
  for (const asked of [recent, old]) await accept(asked);
  const age = `update checkout_orders set paid_at = paid_at - $2::int * interval '1 day' where request_id = $1`;
  await readRows(app, age, [recent.id, 89]);
  await readRows(app, age, [old.id, 90]);
  const { albumId } = shared;
  const { sold } = await must(app, 'albums.one', { albumId }, creator.browser);
  expect(sold).toEqual({ buyers: 2, refundCents: 4000 });
  await must(app, 'albums.remove', { albumId }, creator.browser);
  await tendRequests(app.engines);
  expect(await standing(recent), 'it can be undone').toEqual(['released', null, 0]);
  advance(app, 7 * 24 * hourMs);
  await destroyDeletedAlbums(app.engines);
  await tendRequests(app.engines);
  expect(await standing(recent)).toEqual(['refunded', 'ended', 4000]);
  expect(await standing(old)).toEqual(['released', null, 0]);
});

it('whoever is blocked gets back what was paid, but not for a leak that was traced to them', async () => {
  await openCreator();
  const [asked, leaker] = [await delivered(), await delivered()];
  const block = `insert into viewer_blocks (creator_id, viewer_id, at, reason) select creator_id, viewer_id, $2, 'leak' from custom_requests where id = $1`;
  for (const one of [asked, leaker]) {
    await accept(one);
    await tapDoor(app, one.delivery, one.browser);
    await readRows(app, block, [one.id, new Date(app.engines.clock())]);
  }
  await readRows(
    app,
    `insert into traces (id, creator_id, is_everywhere, state, outcome, bytes, sha256, result, created_at, expires_at)
     select gen_random_uuid(), k.creator_id, true, 'done', 'traced', 1, '', jsonb_build_object('named', jsonb_build_array(k.id)), now(), now()
     from link_viewers k join custom_requests q on q.delivery_link_id = k.link_id and q.viewer_id = k.viewer_id where q.id = $1`,
    [leaker.id],
  );
  await tendRequests(app.engines);
  expect(await standing(asked)).toEqual(['released', null, 0]);
  advance(app, 24 * hourMs);
  await tendRequests(app.engines);
  expect(await standing(asked)).toEqual(['refunded', 'ended', 4000]);
  expect(await standing(leaker)).toEqual(['released', null, 0]);
  advance(app, 14 * 24 * hourMs);
  await readRows(app, 'delete from traces where creator_id = $1', [creator.userId]);
  await tendRequests(app.engines);
  expect(await standing(leaker), 'once the trace is deleted').toEqual(['released', null, 0]);
});
