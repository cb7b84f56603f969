import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectPayouts, payToOpen, tipToOpen as tip } from '#tests/support/money/selling.ts';
import { must, type Person, readRows, signUpCreator } from '#tests/support/people.ts';
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

it('asks for a price within the bounds of somebody who has not sold for long, and for more of who has', async () => {
  const messageOf = async (rules: object) => (await call('create', { albumIds: [album], rules })).body.message;
  expect((await make({ rules: payToOpen(10_000) })).policy.offers).toEqual(payToOpen(10_000).offers);
  expect(await messageOf(payToOpen(10_001))).toBe('Choose between $5 and $100.');
  const both = await make({ rules: payToOpen(1500, 2000) });
  expect(both.policy.offers).toHaveLength(2);
  const two = { offers: [...payToOpen(1500).offers, { id: 'more', all: [{ kind: 'pay', priceCents: 900 }] }] };
  expect(await messageOf(two)).toBe("Two ways in can't ask for the same.");
  const free = { offers: [...payToOpen(1500).offers, { id: 'free', all: [{ kind: 'free' }] }] };
  expect(await messageOf(free)).toBe("A link can't be free and ask for something.");

  const sell = `insert into checkout_orders (id, provider, livemode, kind, state, creator_id, acct_id, amount_cents, fee_cents, currency,
    expires_at, paid_at, created_at) select gen_random_uuid(), 'sandbox', false, 'album', $2, $1, 'acct', 500, 50, 'usd', now(), now(), now()
    from generate_series(1, $3)`;
  await readRows(app, sell, [mia.userId, 'paid', 10]);
  expect(await messageOf(payToOpen(10_001)), 'for less than thirty days').toBe('Choose between $5 and $100.');
  await readRows(app, `update users set created_at = created_at - interval '30 days' where id = $1`, [mia.userId]);
  expect((await must(app, 'money.account', {}, mia.browser)).mostPriceCents).toBe(50_000);
  const dear = await make({ rules: payToOpen(50_000) });
  await readRows(app, sell, [mia.userId, 'disputed', 1]);
  expect(await messageOf(payToOpen(10_001)), 'with a dispute').toBe('Choose between $5 and $100.');
  const kept = await call('update', { linkId: dear.id, rules: payToOpen(50_000), policyVersion: 1 });
  expect(kept.status, 'what stands may stay').toBe(200);
});
