import { afterAll, beforeAll, expect, it } from 'vitest';
import { syncSession } from '#features/orders/sync-orders.ts';
import { connectPayouts, payAt, post, sessionOf, tapDoor, tapPay, tipToOpen } from '#tests/support/money/selling.ts';
import { must } from '#tests/support/people.ts';
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

const presetsAt = async (slug: string): Promise<number[]> => {
  const browser = newBrowser();
  await post(app, `/api/view/${slug}/open`, {}, browser);
  const { body } = await post(app, `/api/view/${slug}/open`, {}, browser);
  return body.sale.offers[0].presetsCents;
};
const keep = (params: object) => app.call('money.changeTipSettings', params, shared.creator.browser);

it('four amounts are offered: the usual, or those that she chose, from the least of the link on', async () => {
  const { slug } = await shared.makeLink(tipToOpen(500));
  expect(await presetsAt(slug)).toEqual([500, 1000, 2000, 5000]);
  await keep({ presetsCents: [7000, 600, 1500, 3000], thanks: '' });
  expect(await presetsAt(slug)).toEqual([500, 600, 1500, 3000]);
  const { presetsCents } = await must(app, 'money.tipSettings', {}, shared.creator.browser);
  expect(presetsCents).toEqual([600, 1500, 3000, 7000]);
});

it('amounts lie between the least and the most, are four and differ; her words are short', async () => {
  const good = [500, 1000, 2000, 5000];
  for (const params of [
    { presetsCents: [499, ...good.slice(1)], thanks: '' },
    { presetsCents: [...good.slice(1), 10_001], thanks: '' },
    { presetsCents: good.slice(1), thanks: '' },
    { presetsCents: [500, 500, 2000, 5000], thanks: '' },
    { presetsCents: good, thanks: 'x'.repeat(201) },
  ])
    expect((await keep(params)).status).toBe(422);
});

it('whoever has tipped reads her words, as they were written', async () => {
  const thanks = 'You <b>made</b> my day';
  await keep({ presetsCents: [500, 1000, 2000, 5000], thanks: ` ${thanks} ` });
  const { slug } = await shared.makeLink(tipToOpen(1000));
  const browser = newBrowser();
  await tapDoor(app, slug, browser);
  const sessionId = sessionOf((await tapPay(app, slug, browser)).body.url);
  const ask = () => must(app, 'viewing.checkoutStatus', { sessionId }, browser);
  expect((await ask()).thanks).toBe(undefined);
  await payAt(app, sessionId);
  await syncSession(app.engines, sessionId);
  expect(await ask()).toMatchObject({ state: 'done', thanks });
});
