import { afterAll, beforeAll, expect, it } from 'vitest';
import { writeSetting } from '#features/settings/store.ts';
import { readRows } from '#tests/support/people.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { forgetOldScenes } from './jobs.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
});
afterAll(() => app.close());

const readFacts = async () => (await app.call('marketing.facts')).body;
const set = (key: Parameters<typeof writeSetting>[1]['key'], value: string | number) =>
  app.engines.database.work({ kind: 'system' }, (tx) =>
    writeSetting(tx, { key, value, by: null, now: new Date(app.engines.clock()) }),
  );

it('the demo link is offered to visitors as soon as there is one, and not before', async () => {
  expect(await readFacts()).toMatchObject({ demoUrl: null });
  await set('marketing.demoLinkSlug', 'look-at-me-abcdefghij');
  await expect.poll(readFacts).toMatchObject({ demoUrl: 'http://localhost:3000/view/look-at-me-abcdefghij' });
});

it('who runs the place is what the installation was told', async () => {
  expect(await readFacts()).toMatchObject({
    operator: { name: null, email: null },
    isSandbox: true,
    assistantHost: null,
  });
  Object.assign(app.engines.installation, { operatorName: 'Example Studio', operatorEmail: 'hello@example.com' });
  expect((await readFacts()).operator).toEqual({ name: 'Example Studio', email: 'hello@example.com' });
});

it('prices, days and seconds are those of the settings in force', async () => {
  expect(await readFacts()).toMatchObject({ plan: { trialDays: 7, priceCents: 399 }, limits: { leaseSeconds: 30 } });
  await set('viewing.leaseSeconds', 45);
  await set('plan.priceCents', 500);
  await expect.poll(readFacts).toMatchObject({ plan: { priceCents: 500 }, limits: { leaseSeconds: 45 } });
});

it('an id of Google is passed on only when it has the form of one', async () => {
  for (const [value, gtagId] of [
    ["G-1');alert(1)//", null],
    ['G-ABC123DEF4', 'G-ABC123DEF4'],
  ] as const) {
    await set('marketing.gtagId', value);
    await expect.poll(readFacts).toMatchObject({ gtagId });
  }
});

const seen = (phase: string) => ({
  path: '/demo',
  meta: { event_type: 'scene_transition', phase, timestamp: '2026-11-21T12:00:00.000Z', user_agent: 'anything' },
});
const countScenes = async () => (await readRows(app, 'select count(*)::int as n from demo_events'))[0]?.n;

it('scenes of the demo are noted with the browser that makes the call, up to a share of each network', async () => {
  const browser = newBrowser({ 'user-agent': 'A real browser' });
  expect((await app.call('marketing.recordDemoEvent', seen('scene2'), browser)).status).toBe(200);
  const [row] = await readRows(app, 'select path, meta from demo_events');
  expect(row).toEqual({ ...seen('scene2'), meta: { ...seen('scene2').meta, user_agent: 'A real browser' } });
  expect((await app.call('marketing.recordDemoEvent', seen('scene9'), browser)).status).toBe(422);

  const calls = Array.from({ length: 200 }, () => app.call('marketing.recordDemoEvent', seen('scene3'), browser));
  for (const { status } of await Promise.all(calls)) expect(status).toBe(200);
  expect(await countScenes()).toBe(180);
  await app.call('marketing.recordDemoEvent', seen('scene4'), newBrowser());
  expect(await countScenes()).toBe(181);
});

it('scenes of the demo are forgotten after 90 days', async () => {
  await app.call('marketing.recordDemoEvent', seen('scene5'), newBrowser());
  const before = await countScenes();
  const daysLater = (days: number) => () => app.engines.clock() + days * 86_400_000;
  await forgetOldScenes({ ...app.engines, clock: daysLater(89) });
  expect(await countScenes()).toBe(before);
  await forgetOldScenes({ ...app.engines, clock: daysLater(91) });
  expect(await countScenes()).toBe(0);
});
