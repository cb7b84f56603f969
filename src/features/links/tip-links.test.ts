import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectPayouts, tipToOpen as tip } from '#tests/support/money/selling.ts';
import { must, type Person, signUpCreator } from '#tests/support/people.ts';
import { addReadyAlbum } from '#tests/support/ready-album.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
let mia: Person;
let album: string;

beforeAll(async () => {
  app = await openTestApp();
  mia = await signUpCreator(app);
  album = await addReadyAlbum(app, mia.userId);
});
afterAll(() => app.close());

const call = (procedure: string, input: unknown) => app.call(`links.${procedure}`, input, mia.browser);
const make = (input: object = {}) => must(app, 'links.create', { albumIds: [album], ...input }, mia.browser);

it('asks for a tip only where its creator can be paid, within the bounds of a tip', async () => {
  expect((await call('create', { albumIds: [album], rules: tip(500) })).body.code).toBe('PAYOUTS_NOT_READY');
  const free = await make();
  const change = { linkId: free.id, rules: tip(500), policyVersion: 1 };
  expect((await call('update', change)).body.code).toBe('PAYOUTS_NOT_READY');
  await connectPayouts(app, mia);
  expect((await make({ rules: tip(500) })).policy.offers).toEqual(tip(500).offers);
  expect((await call('update', change)).status).toBe(200);
  const dear = await call('create', { albumIds: [album], rules: tip(10_001) });
  expect([dear.status, dear.body.message]).toEqual([422, 'Choose between $5 and $100.']);
  expect((await call('create', { albumIds: [album], rules: tip(499) })).status).toBe(422);
});
