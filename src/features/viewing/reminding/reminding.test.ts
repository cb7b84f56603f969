import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listEmails } from '#features/notices/store.ts';
import { advance, must, readRows } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { type Browser, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { sendReminders } from './sending-reminders.ts';

let app: TestApp;
let shared: SharedAlbum;
let people = 0;
const hour = 3_600_000;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  shared = await shareAlbum(app, { count: 1 });
});
afterAll(() => app.close());
beforeEach(async () => {
  app.setNow('2026-11-21T12:00:00Z');
  await readRows(app, 'delete from link_reminders');
  await readRows(app, 'delete from rate_limits');
});

type Link = { id: string; slug: string };
const at = (ms: number) => new Date(Date.parse('2026-11-21T12:00:00Z') + ms).toISOString();
const later = (rules: object = {}) => shared.makeLink({ notBefore: at(2 * hour), ...rules });
const open = ({ slug }: Link, body: object, browser: Browser) => shared.viewerApi.tap(slug, body, browser);
const order = (name: string, input: object) => must(app, name, input, shared.creator.browser);

async function mailsTo(address: string) {
  const emails = await app.engines.database.work({ kind: 'system' }, (tx) => listEmails(tx, 1000));
  return emails.filter(({ to }) => to === address);
}
const remindersTo = async (address: string) =>
  (await mailsTo(address)).filter(({ template }) => template === 'link_opens');

/** Somebody at a link that has not begun, who asks for a reminder. */
async function asker(link: Link, email = `waiting-${people++}@example.com`) {
  const browser = newBrowser();
  await open(link, {}, browser);
  const typed = await open(link, { email }, browser);
  expect(typed.refusal).toMatchObject({ reason: 'NEED_EMAIL_CODE', title: 'Check your email' });
  const emailCode = /\d{6}/.exec((await mailsTo(email))[0]?.text ?? '')?.[0];
  const { refusal } = await open(link, { emailCode }, browser);
  return { browser, email, refusal };
}

const changeStart = ({ id }: Link, notBefore: string | undefined) =>
  order('links.update', { linkId: id, rules: { ageGate: false, ...(notBefore !== undefined && { notBefore }) } });

describe('a reminder of a link that has not begun', () => {
  it('is one email when it begins, which names neither the link nor its creator, and leaves no address behind', async () => {
    const link = await later();
    const { browser, email, refusal } = await asker(link);
    expect(refusal).toMatchObject({ reason: 'NOT_YET', waitMs: 2 * hour, reminder: 'w•••@example.com' });
    expect((await open(link, {}, browser)).refusal?.reminder, 'after a reload').toBe('w•••@example.com');
    advance(app, 2 * hour - 1);
    expect(await sendReminders(app.engines)).toBe(0);
    advance(app, 1);
    expect(await sendReminders(app.engines)).toBe(1);
    expect(await sendReminders(app.engines)).toBe(0);
    const [mail, ...more] = await remindersTo(email);
    expect(more).toEqual([]);
    expect(mail?.subject).toBe('Your reminder');
    expect(mail?.text).toContain(`/view/${link.slug}`);
    const names = await readRows<{ name: string }>(
      app,
      'select name from albums where user_id = $1 union all select display_name from users where id = $1',
      [shared.creator.userId],
    );
    expect(names.length).toBeGreaterThan(1);
    for (const { name } of names) expect(mail?.text).not.toContain(name);
    expect(await readRows(app, 'select from link_reminders')).toEqual([]);
    expect((await open(link, {}, browser)).head?.visitId).toBeDefined();
  });

  it('is kept for nobody who has not proven the address, and tells a stranger of none', async () => {
    const link = await later();
    const { email } = await asker(link);
    const stranger = newBrowser();
    await open(link, {}, stranger);
    expect((await open(link, {}, stranger)).refusal?.reminder).toBeUndefined();
    const known = await open(link, { email: `new-${people++}@example.com` }, stranger);
    await readRows(app, 'delete from rate_limits');
    expect((await open(link, { email }, stranger)).refusal).toEqual(known.refusal);
    expect((await open(link, { emailCode: '000000' }, stranger)).refusal?.reason).toBe('NEED_EMAIL_CODE');
    await open(link, { forgetsReminder: true }, stranger);
    expect(await readRows(app, 'select email from link_reminders')).toEqual([{ email }]);
    const noCookies = await app.fastify.inject({
      method: 'POST',
      url: `/api/view/${link.slug}/open`,
      headers: { 'user-agent': 'Mozilla/5.0 (iPhone)' },
      payload: { email: `bare-${people++}@example.com` },
    });
    expect(noCookies.json().reason).toBe('NEED_COOKIE');
  });

  it('is taken back with a tap', async () => {
    const link = await later();
    const { browser, email } = await asker(link);
    expect((await open(link, { forgetsReminder: true }, browser)).refusal?.reminder).toBeUndefined();
    advance(app, 2 * hour);
    await sendReminders(app.engines);
    expect(await remindersTo(email)).toEqual([]);
  });

  it('is one for each address, whichever browser asked last', async () => {
    const link = await later();
    const { email } = await asker(link);
    await readRows(app, 'delete from rate_limits');
    await readRows(app, 'delete from mail_outbox');
    expect((await asker(link, email)).refusal?.reminder).toBe('w•••@example.com');
    advance(app, 2 * hour);
    expect(await sendReminders(app.engines)).toBe(1);
  });

  it('follows a beginning that moves, later and earlier, and one that is taken away', async () => {
    const link = await later();
    const { email } = await asker(link);
    await changeStart(link, at(5 * hour));
    advance(app, 2 * hour);
    expect(await sendReminders(app.engines)).toBe(0);
    await changeStart(link, at(3 * hour));
    advance(app, hour - 1);
    expect(await sendReminders(app.engines)).toBe(0);
    advance(app, 1);
    expect(await sendReminders(app.engines)).toBe(1);
    expect(await remindersTo(email)).toHaveLength(1);
    const another = await later({ notBefore: at(9 * hour) });
    const next = await asker(another);
    await changeStart(another, undefined);
    await sendReminders(app.engines);
    expect(await remindersTo(next.email)).toHaveLength(1);
  });

  it('is not mailed for a link that is revoked, unless that is undone, and not to whom the link will not open', async () => {
    const [undone, revoked, over, full, blocked] = await Promise.all([
      later(),
      later(),
      shared.makeLink({ notBefore: at(2 * hour) }, { expiry: { kind: 'at', at: at(3 * hour) } }),
      later({ maxViewers: 1 }),
      later(),
    ]);
    const askers = [];
    for (const link of [undone, revoked, over, full, blocked]) askers.push(await asker(link));
    const [first, second, third, fourth, fifth] = askers;
    await order('links.revoke', { linkIds: [undone.id, revoked.id] });
    await readRows(app, 'update magic_links set taken_down_at = now() where id = $1', [blocked.id]);
    advance(app, 2 * hour);
    expect((await open(full, {}, newBrowser())).head?.visitId).toBeDefined();
    advance(app, hour);
    await sendReminders(app.engines);
    for (const one of askers) expect(await remindersTo(one.email)).toEqual([]);
    await order('links.undoRevoke', { linkIds: [undone.id] });
    advance(app, hour);
    expect(await sendReminders(app.engines)).toBe(1);
    expect(await remindersTo(first?.email ?? '')).toHaveLength(1);
    const left = async () =>
      (await readRows<{ email: string }>(app, 'select email from link_reminders')).map((row) => row.email).toSorted();
    expect(await left()).toEqual([second?.email, fifth?.email].toSorted());
    for (let day = 0; day < 8; day++) {
      advance(app, 24 * hour);
      await sendReminders(app.engines);
    }
    expect(await left()).toEqual([]);
    for (const one of [second, third, fourth, fifth]) expect(await remindersTo(one?.email ?? '')).toEqual([]);
  });

  it('is mailed also when one before it cannot be decided, and the job says so', async () => {
    const [broken, link] = [await later(), await later()];
    await asker(broken);
    const { email } = await asker(link);
    await readRows(app, `update magic_links set policy = '{"offers": 1}' where id = $1`, [broken.id]);
    advance(app, 2 * hour);
    await expect(sendReminders(app.engines)).rejects.toThrow('1 reminder could not be settled.');
    expect(await remindersTo(email)).toHaveLength(1);
  });

  it('is not mailed to who has come by themselves', async () => {
    const link = await later();
    const { browser, email } = await asker(link);
    advance(app, 2 * hour);
    expect((await open(link, {}, browser)).head?.visitId).toBeDefined();
    await sendReminders(app.engines);
    expect(await remindersTo(email)).toEqual([]);
    expect(await readRows(app, 'select from link_reminders')).toEqual([]);
  });
});
