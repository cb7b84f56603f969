import { afterAll, beforeAll, expect, it } from 'vitest';
import { type DisputeWorld, openDisputeWorld } from '#tests/support/money/disputing.ts';
import { payToOpen, tapDoor, tapPay } from '#tests/support/money/selling.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { writeSettings } from '#tests/support/write-settings.ts';

let app: TestApp;
let world: DisputeWorld;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  world = await openDisputeWorld(app);
});
afterAll(() => app.close());

it('from two disputed sales in a hundred on, nothing above a limit is sold; what costs less is', async () => {
  const { shared } = world;
  const [dear, fair] = [await shared.makeLink(payToOpen(10_000)), await shared.makeLink(payToOpen(9000))];
  const buyers = [newBrowser(), newBrowser(), newBrowser()] as const;
  await tapDoor(app, dear.slug, buyers[0]);
  expect((await tapPay(app, dear.slug, buyers[0], 10_000, { offerId: 'pay' })).status).toBe(200);
  for (const cents of [1500, 1600]) await world.dispute(await world.sell({ cents }));
  await writeSettings(app, { 'money.newSellerCents': 9999 });
  expect((await tapDoor(app, dear.slug, buyers[1])).body.title).toBe('Not accepting payments right now');
  expect((await tapPay(app, dear.slug, buyers[1], 10_000, { offerId: 'pay' })).body.title).toBe(
    'Not accepting payments right now',
  );
  await tapDoor(app, fair.slug, buyers[2]);
  expect((await tapPay(app, fair.slug, buyers[2], 9000, { offerId: 'pay' })).status).toBe(200);
  await writeSettings(app, { 'money.newSellerCents': 10_000 });
});
