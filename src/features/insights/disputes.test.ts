import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DisputeWorld, openDisputeWorld, type Sold } from '#tests/support/money/disputing.ts';
import { askWith, takeRequests } from '#tests/support/money/requests.ts';
import { must, readRows } from '#tests/support/people.ts';
import { shareAlbum } from '#tests/support/shared-link.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
let world: DisputeWorld;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  world = await openDisputeWorld(app);
});
afterAll(() => app.close());

const linksOf = ({ links }: { links: { linkId: string }[] }) => links.map(({ linkId }) => linkId);

/** What she reads of the buyer among her viewers, the visits of people and those of the link. */
async function read({ linkId }: Sold) {
  const { browser } = world.creator;
  const { viewers } = await must(app, 'insights.viewers', { days: 30, limit: 100 }, browser);
  const { visits } = await must(app, 'insights.visits', { days: 30, limit: 100 }, browser);
  const ofLink = await must(app, 'insights.visitsOfLink', { linkId }, browser);
  return [
    viewers.find((viewer: { links: { linkId: string }[] }) => linksOf(viewer).includes(linkId)).dispute,
    visits.find((visit: { linkId: string }) => visit.linkId === linkId).dispute,
    ofLink.visits[0].dispute,
  ];
}
const all = (state: string) => Array(3).fill({ state, at: expect.anything() });
const none = [null, null, null];

describe('somebody who has disputed a payment', () => {
  it('is marked wherever their creator sees them, with how it stands, and nobody else is', async () => {
    const [sold, quiet] = [await world.sell(), await world.sell()];
    expect(await read(sold)).toEqual(none);
    const disputeId = await world.dispute(sold);
    expect([await read(sold), await read(quiet)]).toEqual([all('open'), none]);
    await world.decide(disputeId, true);
    expect(await read(sold)).toEqual(all('won'));
    await world.decide(await world.dispute(quiet), false);
    expect(await read(quiet)).toEqual(all('lost'));
  });

  it('is not where it came to nothing, or the payment was anonymous or a test that is over', async () => {
    const [closed, hidden, retired] = [await world.sell(), await world.sell(), await world.sell()];
    for (const sold of [closed, hidden, retired]) await world.dispute(sold);
    await readRows(app, `update disputes set standing = 'over' where order_id = $1`, [closed.orderId]);
    await readRows(app, 'update checkout_orders set is_anonymous = true where id = $1', [hidden.orderId]);
    await readRows(app, 'update checkout_orders set retired_at = now() where id = $1', [retired.orderId]);
    expect([await read(closed), await read(hidden), await read(retired)]).toEqual([none, none, none]);
  });

  it('is not marked to another creator whom they visit', async () => {
    const sold = await world.sell();
    await world.dispute(sold);
    const other = await shareAlbum(app, { count: 1 });
    const { slug } = await other.makeLink();
    await other.viewerApi.tap(slug, {}, sold.browser);
    const { viewers } = await must(app, 'insights.viewers', { days: 30 }, other.creator.browser);
    expect(viewers).toMatchObject([{ dispute: null }]);
  });
});

it('a creator is told that whoever asks has disputed another payment to her, and not when', async () => {
  await takeRequests(app, world.creator);
  const sold = await world.sell();
  const code = await askWith(app, { slug: sold.slug }, sold);
  const show = () => must(app, 'requests.one', { requestId: code.split('.')[0] }, world.creator.browser);
  expect(await show()).toMatchObject({ hasDisputed: false });
  await world.dispute(sold);
  expect(await show()).toMatchObject({ hasDisputed: true });
  await readRows(app, `update disputes set standing = 'over' where order_id = $1`, [sold.orderId]);
  expect(await show()).toMatchObject({ hasDisputed: false });
});
