import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWebPush } from '#engines/push/web-push.ts';
import { must, openSession, readRow, readRows, signUpCreator } from '#tests/support/people.ts';
import { openPushService, type PushService } from '#tests/support/servers/push-service.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { noteNotice } from '../notices-store.ts';
import { sendPush } from './pushing.ts';

const system = { kind: 'system' } as const;
let app: TestApp;
let service: PushService;
beforeAll(async () => {
  [app, service] = await Promise.all([openTestApp({ workJobs: false }), openPushService()]);
  app.engines.push = openWebPush({ hosts: [service.host], agent: service.agent });
});
afterAll(async () => {
  await app.close();
  await service.close();
});

/** Somebody whose browser is about to be sent a push. */
async function openWaiting() {
  const { userId, email } = await signUpCreator(app);
  const { browser } = await openSession(app, userId);
  const subscriber = service.subscribe();
  const { subscription } = subscriber;
  await must(app, 'notices.subscribe', subscription, browser);
  const now = new Date(app.engines.clock());
  await app.engines.database.work(system, (tx) =>
    noteNotice(tx, { userId, notice: { event: 'storage', percent: 80 }, now }),
  );
  const notice = await readRow<{ id: string }>(
    app,
    `update notices set told_by = 'push', told_at = created_at where user_id = $1 returning id`,
    [userId],
  );
  const device = await readRow<{ id: string }>(app, 'select id from push_subscriptions where user_id = $1', [userId]);
  const send = () => sendPush(app.engines, { subscriptionId: device.id, noticeIds: [notice.id] }, false);
  const pushes = () => service.received.filter(({ path }) => subscription.endpoint.endsWith(path));
  const received = () => pushes().length;
  const tags = () => pushes().map(({ body }) => JSON.parse(subscriber.decrypt(body)).tag);
  const emails = () =>
    readRows(app, `select template from mail_outbox where recipient = $1 and kind = 'notice'`, [email]);
  return { browser, subscription, notice, send, heard: received, tags, emails };
}

describe('a push on its way', () => {
  it('is shown, and no email goes', async () => {
    const { send, heard: received, emails } = await openWaiting();
    await send();
    expect([received(), await emails()]).toEqual([1, []]);
  });

  it('is shown once though it is sent twice: it bears the name of its notice', async () => {
    const { notice, send, tags } = await openWaiting();
    await send();
    await send();
    expect(tags()).toEqual([notice.id, notice.id]);
  });

  it('to a browser that takes no more by now goes by email', async () => {
    const { browser, send, heard: received, emails } = await openWaiting();
    await must(app, 'accounts.signOut', {}, browser);
    await send();
    await send();
    expect([received(), await emails()]).toEqual([0, [{ template: 'storage' }]]);
  });

  it("to a browser that is somebody else's by now goes by email, and is shown to nobody", async () => {
    const [one, other] = [await openWaiting(), await openWaiting()];
    await must(app, 'notices.subscribe', one.subscription, other.browser);
    await one.send();
    expect([one.heard(), await one.emails()]).toEqual([0, [{ template: 'storage' }]]);
    expect((await must(app, 'notices.settings', {}, other.browser)).devices).toBe(2);
  });
});
