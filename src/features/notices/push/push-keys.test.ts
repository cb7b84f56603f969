import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { keyRingOf } from '#engines/keys/key-ring.ts';
import { openWebPush } from '#engines/push/web-push.ts';
import { must, openSession, signUpCreator } from '#tests/support/people.ts';
import { openPushService, type PushService, readVapid } from '#tests/support/servers/push-service.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { noteNotice } from '../notices-store.ts';
import { deliverDue } from '../notifying.ts';

const system = { kind: 'system' } as const;
let app: TestApp;
let service: PushService;
beforeAll(async () => {
  [app, service] = await Promise.all([openTestApp(), openPushService()]);
  app.engines.push = openWebPush({ hosts: [service.host], agent: service.agent });
});
afterAll(async () => {
  await app.close();
  await service.close();
});

it('a pair whose master key is gone is replaced by one for all; browsers that subscribe again hear of it', async () => {
  const { userId } = await signUpCreator(app);
  const { browser } = await openSession(app, userId);
  const settings = () => must(app, 'notices.settings', {}, browser);
  await must(app, 'notices.subscribe', service.subscribe().subscription, browser);
  const before = await settings();
  const kept = app.engines.keys;
  const other = { id: 'other', key: Buffer.alloc(32, 2) };
  app.engines.keys = keyRingOf([other]);

  const { asking } = await app.engines.database.work(system, async ({ client }) => {
    // Both have read the old pair before either can replace it.
    await client.query('select from push_keys for update');
    const asking = Promise.all([settings(), settings()]);
    await wait(300);
    return { asking };
  });
  const [one, two] = await asking;
  expect([before.devices, one.pushKey === before.pushKey, two.pushKey]).toEqual([1, false, one.pushKey]);
  expect((await settings()).devices, 'the old subscription reaches nobody').toBe(0);
  await must(app, 'notices.subscribe', service.subscribe().subscription, browser);
  await must(app, 'notices.change', { channels: { storage: 'push' } }, browser);
  await app.engines.database.work(system, (tx) =>
    noteNotice(tx, { userId, notice: { event: 'storage', percent: 80 }, now: new Date(app.engines.clock()) }),
  );
  await deliverDue(app.engines);
  await expect.poll(() => service.received.length).toBe(1);
  expect(readVapid(service.received[0]?.headers.authorization).key).toBe(one.pushKey);

  app.engines.keys = keyRingOf([kept.current, other]);
  expect(await settings(), 'a pair that can be opened stays').toMatchObject({ pushKey: one.pushKey, devices: 1 });
});
