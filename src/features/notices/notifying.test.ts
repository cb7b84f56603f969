import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWebPush } from '#engines/push/web-push.ts';
import { must, openSession, type Person, readRow, readRows, signUpCreator } from '#tests/support/people.ts';
import { openPushService, type PushService, readVapid } from '#tests/support/servers/push-service.ts';
import { type Browser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import type { Notice } from './notice-words.ts';
import { noteNotice } from './notices-store.ts';
import { deliverDue } from './notifying.ts';
import { deleteSubscription, holdPerson, listDevices } from './push/push-store.ts';
import { sendPush } from './push/pushing.ts';
import { listEmails } from './store.ts';

const system = { kind: 'system' } as const;
const linkId = '0196f0c2-7b1c-7e2a-8f00-0123456789ab';
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

const noon = Date.parse('2026-11-21T12:00:00Z');
const setMinutes = (minutes: number) => app.setNow(new Date(noon + 60_000 * minutes).toISOString());
const storage: Notice = { event: 'storage', percent: 80 };
const failed: Notice = { event: 'processing_failed', noun: 'video' };
const firstOpen: Notice = { event: 'first_open', linkId, at: '2026-11-21T12:00:00Z', country: null };
const guessed: Notice = { event: 'password_guessed', linkId, tries: 200 };

/** Somebody who has been told nothing yet; in Berlin it is 13:00. */
async function openPerson(): Promise<Person> {
  setMinutes(0);
  return signUpCreator(app);
}
const note = (userId: string, ...notices: Notice[]) =>
  app.engines.database.work(system, async (tx) => {
    for (const notice of notices) await noteNotice(tx, { userId, notice, now: new Date(app.engines.clock()) });
  });
const tell = () => deliverDue(app.engines);
const accountEmails = /^(confirm|new_device|trial_used)$/;
const emailsTo = async (email: string) => {
  const emails = await app.engines.database.work(system, (tx) => listEmails(tx, 1000));
  return emails.filter(({ to, template }) => to === email && !accountEmails.test(template));
};
const templatesTo = async (email: string) => (await emailsTo(email)).map(({ template }) => template).sort();
const change = (browser: Browser, input: object) => must(app, 'notices.change', input, browser);

describe('notices by email', () => {
  it('come together, at most once an hour, in an email that says each once', async () => {
    const { userId, email } = await openPerson();
    await note(userId, storage, failed, failed);
    await Promise.all([tell(), tell()]);
    await tell();
    const [digest] = await emailsTo(email);
    expect(await templatesTo(email)).toEqual(['digest']);
    expect(digest?.text.match(/couldn't be processed/g)).toHaveLength(1);
    expect(digest?.text).toContain('80% of your storage');
    setMinutes(1);
    await note(userId, failed);
    await tell();
    setMinutes(59);
    await tell();
    expect(await templatesTo(email)).toEqual(['digest']);
    setMinutes(60);
    await tell();
    expect(await templatesTo(email)).toEqual(['digest', 'processing_failed']);
  });

  it('do not keep a first opening waiting', async () => {
    const { userId, email } = await openPerson();
    await note(userId, storage);
    await tell();
    setMinutes(5);
    await note(userId, firstOpen, failed);
    await tell();
    expect(await templatesTo(email)).toEqual(['first_open', 'storage']);
  });

  it('wait for the end of quiet hours where she lives, all but what is a matter of safety', async () => {
    const { userId, email, browser } = await openPerson();
    await change(browser, { quiet: { from: 12 * 60, until: 14 * 60 + 30 } });
    await note(userId, firstOpen, storage, guessed);
    await tell();
    expect(await templatesTo(email)).toEqual(['password_guessed']);
    setMinutes(89);
    await tell();
    expect(await templatesTo(email)).toEqual(['password_guessed']);
    setMinutes(90);
    await tell();
    expect(await templatesTo(email)).toEqual(['digest', 'password_guessed']);
  });

  it('say in an email of its own that somebody guesses, which an unsubscribed address gets as well', async () => {
    const { userId, email } = await openPerson();
    await note(userId, guessed, firstOpen, storage);
    await tell();
    expect(await templatesTo(email)).toEqual(['digest', 'password_guessed']);
    const [digest] = (await emailsTo(email)).filter(({ kind }) => kind === 'notice');
    expect(digest?.text).not.toContain('wrong password');
  });

  it('are as she chose for each event; what she leaves out stays as it was', async () => {
    const { userId, email, browser } = await openPerson();
    await change(browser, { channels: { storage: 'off', first_open: 'off' } });
    await change(browser, { channels: { first_open: 'mail' } });
    await note(userId, firstOpen, storage);
    await tell();
    expect(await templatesTo(email)).toEqual(['first_open']);
    const { channels, quiet } = await must(app, 'notices.settings', {}, browser);
    expect([channels.storage, channels.first_open, channels.trial, quiet]).toEqual(['off', 'mail', 'mail', null]);
    expect((await app.call('notices.change', { quiet: { from: 60, until: 60 } }, browser)).status).toBe(422);
    expect((await app.call('notices.change', { channels: { weather: 'mail' } }, browser)).status).toBe(422);
  });

  it('are told to nobody whose account is stopped', async () => {
    const { userId, email } = await openPerson();
    await readRows(app, `update users set status = 'suspended' where id = $1`, [userId]);
    await note(userId, firstOpen);
    await tell();
    expect(await templatesTo(email)).toEqual([]);
  });
});

it('one person who cannot be told keeps nobody else waiting', async () => {
  const [broken, other] = [await openPerson(), await openPerson()];
  // Of a later version, whose words this one does not have.
  await note(broken.userId, { event: 'weather' } as unknown as Notice);
  await note(other.userId, storage);
  await expect(tell()).rejects.toThrow('1 person could not be told');
  expect(await templatesTo(other.email)).toEqual(['storage']);
  await readRows(app, 'delete from notices where user_id = $1', [broken.userId]);
});

describe('notices by push', () => {
  /** Somebody whose browser takes pushes, for two kinds of events. */
  async function openListener() {
    const person = await openPerson();
    const { browser } = await openSession(app, person.userId);
    await change(browser, { channels: { first_open: 'push', storage: 'push' } });
    const device = service.subscribe();
    await must(app, 'notices.subscribe', device.subscription, browser);
    const received = () =>
      service.received
        .filter(({ path }) => device.subscription.endpoint.endsWith(path))
        .map((one) => ({
          said: JSON.parse(device.decrypt(one.body)),
          ...readVapid(one.headers.authorization),
        }));
    return { ...person, browser, device, heard: received };
  }

  it('reach the browser with as much as a lock screen may show, signed by the one key of the installation', async () => {
    const one = await openListener();
    const other = await openListener();
    for (const { userId } of [one, other]) await note(userId, firstOpen);
    await tell();
    await expect.poll(() => [one.heard().length, other.heard().length]).toEqual([1, 1]);
    const [push] = one.heard();
    expect(push?.said).toEqual({
      title: 'A link was opened',
      body: expect.stringContaining('opened for the first time'),
      path: `/magic-links/${linkId}`,
      tag: expect.stringMatching(/^[\w-]{36}$/),
    });
    const { pushKey, devices } = await must(app, 'notices.settings', {}, one.browser);
    expect([push?.key, other.heard()[0]?.key, devices]).toEqual([pushKey, pushKey, 1]);
    expect(await templatesTo(one.email)).toEqual([]);
    const stored = await readRow<{ wrapped: Buffer }>(app, 'select wrapped from push_keys');
    expect(stored.wrapped).toHaveLength(12 + 32 + 16);
  });

  it('go by email where no browser takes them', async () => {
    const { userId, email, browser, device } = await openListener();
    await must(app, 'notices.unsubscribe', { endpoint: device.subscription.endpoint }, browser);
    await note(userId, firstOpen);
    await tell();
    expect(await templatesTo(email)).toEqual(['first_open']);
  });

  it.each([404, 410])('end when the push service answers %s, and an email says what was missed', async (status) => {
    const { userId, email, browser } = await openListener();
    service.answer(status);
    await note(userId, firstOpen);
    await tell();
    await expect.poll(() => templatesTo(email)).toEqual(['first_open']);
    service.answer(201);
    expect((await must(app, 'notices.settings', {}, browser)).devices).toBe(0);
  });

  /** A notice that two browsers of somebody are to show. */
  async function openPushes() {
    const { userId, email, browser } = await openListener();
    await must(app, 'notices.subscribe', service.subscribe().subscription, browser);
    await note(userId, firstOpen);
    const rows = await readRows(
      app,
      `update notices set told_by = 'push', told_at = created_at where user_id = $1 returning id`,
      [userId],
    );
    const noticeIds = rows.map(({ id }) => String(id));
    const devices = await app.engines.database.work(system, (tx) => listDevices(tx, userId));
    const send = (isLastTry: boolean, to = devices) =>
      Promise.allSettled(to.map((subscriptionId) => sendPush(app.engines, { subscriptionId, noticeIds }, isLastTry)));
    const countDevices = async () => (await must(app, 'notices.settings', {}, browser)).devices;
    return { userId, email, devices, send, countDevices };
  }

  it('go by email when the push service fails until the last try: once, however many browsers there are', async () => {
    const { email, send, countDevices } = await openPushes();
    service.answer(503);
    await send(false);
    expect(await templatesTo(email)).toEqual([]);
    const failed = await send(true);
    service.answer(201);
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await templatesTo(email)).toEqual(['first_open']);
    expect(await countDevices()).toBe(2);
  });

  it('go by email when two browsers take no more at the same moment', async () => {
    const { userId, email, devices, send, countDevices } = await openPushes();
    const [first = '', second = ''] = devices;
    service.answer(410);
    const received = service.received.length;
    const sending = await app.engines.database.work(system, async (tx) => {
      await holdPerson(tx, userId);
      await deleteSubscription(tx, { id: second, userId });
      // The first may not count the second, which is going but not gone.
      const begun = send(false, [first]);
      await expect.poll(() => service.received.length).toBe(received + 1);
      await wait(200);
      return { begun };
    });
    await sending.begun;
    service.answer(201);
    expect(await countDevices()).toBe(0);
    expect(await templatesTo(email)).toEqual(['first_open']);
  });

  it('end with the session in which they were asked for', async () => {
    const { userId, email, browser, heard: received } = await openListener();
    await must(app, 'accounts.signOut', {}, browser);
    await note(userId, firstOpen);
    await tell();
    await expect.poll(() => templatesTo(email)).toEqual(['first_open']);
    expect(received()).toEqual([]);
  });

  it('go to whoever is signed in there now, and nobody can end those of somebody else', async () => {
    const [first, second] = [await openListener(), await openListener()];
    await must(app, 'notices.unsubscribe', { endpoint: first.device.subscription.endpoint }, second.browser);
    expect((await must(app, 'notices.settings', {}, first.browser)).devices).toBe(1);
    await must(app, 'notices.subscribe', first.device.subscription, second.browser);
    expect((await must(app, 'notices.settings', {}, first.browser)).devices).toBe(0);
    expect((await must(app, 'notices.settings', {}, second.browser)).devices).toBe(2);
  });

  it('are asked for at no address but that of a push service', async () => {
    const { browser, device } = await openListener();
    for (const endpoint of ['https://evil.test/abc', 'http://localhost/abc', 'https://127.0.0.1/abc', 'x']) {
      const { status } = await app.call('notices.subscribe', { ...device.subscription, endpoint }, browser);
      expect([endpoint, status]).toEqual([endpoint, 422]);
    }
  });

  it('of a person come to twenty browsers at most, the newest', async () => {
    const { userId, browser } = await openListener();
    for (let n = 1; n <= 21; n++) {
      setMinutes(n);
      await must(app, 'notices.subscribe', service.subscribe().subscription, browser);
    }
    const { count } = await readRow<{ count: number }>(
      app,
      'select count(*)::int from push_subscriptions where user_id = $1',
      [userId],
    );
    expect(count).toBe(20);
  });
});
