import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listEmails } from '#features/notices/store.ts';
import { suppressAddress } from '#features/notices/suppressions/suppressions-store.ts';
import { minuteMs } from '#kit/time.ts';
import {
  advance,
  makeAdministrator,
  must,
  type Person,
  readEmail,
  readRows,
  signInQuickly,
  signUpCreator,
} from '#tests/support/people.ts';
import { setUpSecondFactor } from '#tests/support/second-factor.ts';
import { type Browser, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
let admin: Person;
let mia: Person;
let desk: Browser;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  app.setNow('2026-11-23T12:00:00Z');
  admin = await signUpCreator(app, { email: 'admin@example.com' });
  mia = await signUpCreator(app, { email: 'mia@example.com' });
  await makeAdministrator(app, admin);
});
afterAll(() => app.close());
beforeEach(async () => {
  for (const table of ['mail_outbox', 'rate_limits']) await readRows(app, `delete from ${table}`);
  await readRows(app, `update user_roles set scopes = '{owner}'`);
  desk = await signInQuickly(app, admin.userId);
});

const about = (userId: string) => ({ userId });
const find = async (query: string) => must(app, 'adminUsers.find', { query }, desk);
const show = async (userId = mia.userId) => must(app, 'adminUsers.show', about(userId), desk);
const audited = async (action: string) =>
  readRows(app, 'select actor_type, actor_id, target_id from audit_log where action = $1 order by id', [action]);
const byAdmin = (userId: string) => ({ actor_type: 'admin', actor_id: admin.userId, target_id: userId });
const emailsTo = async (address: string) =>
  (await app.engines.database.work({ kind: 'system' }, (tx) => listEmails(tx, 100))).filter(({ to }) => to === address);
const setScopes = (...scopes: string[]) =>
  readRows(app, 'update user_roles set scopes = $2 where user_id = $1', [admin.userId, scopes]);

describe('a search for people', () => {
  it('finds by the beginning of an address or handle, a part of the name, and the id', async () => {
    await readRows(app, `update users set display_name = 'Mia of the Lake', handle = 'mia_lake' where id = $1`, [
      mia.userId,
    ]);
    for (const query of ['mia@exam', 'MIA@example.com', '@mia_l', 'mia_lake', 'the lake', mia.userId])
      expect((await find(query)).accounts.map(({ id }: { id: string }) => id)).toEqual([mia.userId]);
    expect(await find('mia@example.org')).toEqual({ accounts: [], addresses: [] });
    expect(await find('100%_\\')).toEqual({ accounts: [], addresses: [] });
  });

  it('finds the address of somebody without an account to whom something was sent', async () => {
    const support = { name: 'Ben', email: 'ben@example.com', subject: 'No code', message: 'It never came to me.' };
    const { number } = await must(app, 'support.send', support, newBrowser());
    expect(await find('ben@example.com')).toEqual({ accounts: [], addresses: ['ben@example.com'] });
    expect(await find(number)).toEqual({ accounts: [], addresses: ['ben@example.com'] });
  });

  it('is refused to a creator, to who has the role without a second factor given, and to another scope', async () => {
    const refused = async (browser: Browser) => (await app.call('adminUsers.find', { query: 'mia' }, browser)).status;
    expect(await refused(newBrowser())).toBe(401);
    expect(await refused(mia.browser)).toBe(403);
    const late = await signInQuickly(app, admin.userId);
    await readRows(app, 'update auth_sessions set code_at = null where user_id = $1', [admin.userId]);
    expect(await refused(late)).not.toBe(200);
    desk = await signInQuickly(app, admin.userId);
    await setScopes('moderation');
    expect(await refused(desk)).toBe(403);
    await setScopes('moderation', 'support');
    expect(await refused(desk)).toBe(200);
  });
});

describe('an account on the desk', () => {
  it('shows how it stands, and that an administrator looked is written down once an hour', async () => {
    await readRows(app, 'delete from rate_limits');
    expect(await show()).toMatchObject({
      email: 'mia@example.com',
      status: 'active',
      isConfirmed: true,
      plan: { status: 'trialing', isFree: false },
      adminScopes: [],
      counts: { albums: 0, media: 0, links: 0 },
      waitingFor: null,
    });
    await show();
    expect(await audited('account.looked_at')).toEqual([byAdmin(mia.userId)]);
    expect((await app.call('adminUsers.show', about('01900000-0000-7000-8000-000000000000'), desk)).status).toBe(404);
  });

  it('signs them out everywhere', async () => {
    const browser = await signInQuickly(app, mia.userId);
    await must(app, 'adminUsers.signOut', about(mia.userId), desk);
    expect((await must(app, 'accounts.me', {}, browser)).user).toBeNull();
    expect((await show()).sessions).toEqual([]);
    expect(await audited('sessions.ended')).toEqual([byAdmin(mia.userId)]);
  });

  it('is suspended with a reason that its owner is mailed, and goes on again', async () => {
    const reason = 'Copies of other people’s pictures.';
    await must(app, 'adminUsers.suspend', { ...about(mia.userId), reason }, desk);
    expect((await show()).status).toBe('suspended');
    expect((await emailsTo(mia.email)).map(({ text }) => text).join()).toContain(reason);
    expect((await app.call('adminUsers.suspend', { ...about(mia.userId), reason }, desk)).status).toBe(409);
    await must(app, 'adminUsers.unsuspend', about(mia.userId), desk);
    expect((await show()).status).toBe('active');
    expect(await audited('account.suspended')).toEqual([byAdmin(mia.userId)]);
    expect(await audited('account.unsuspended')).toEqual([byAdmin(mia.userId)]);
    await setScopes('support');
    expect((await app.call('adminUsers.suspend', { ...about(mia.userId), reason }, desk)).status).toBe(403);
  });

  it('loses its second factor by an owner alone', async () => {
    await setScopes('support', 'moderation');
    expect((await app.call('adminUsers.removeSecondFactor', about(mia.userId), desk)).status).toBe(403);
    await setScopes('owner');
    expect((await app.call('adminUsers.removeSecondFactor', about(mia.userId), desk)).status).toBe(409);
    const browser = await signInQuickly(app, mia.userId);
    await setUpSecondFactor(app, browser, mia.password);
    await must(app, 'adminUsers.removeSecondFactor', about(mia.userId), desk);
    expect((await show()).twoFactor).toBe('none');
    expect(await audited('second_factor.taken_away')).toEqual([byAdmin(mia.userId)]);
  });

  it('is never one’s own, and that of another administrator is for an owner', async () => {
    expect((await app.call('adminUsers.signOut', about(admin.userId), desk)).status).toBe(403);
    const other = await signUpCreator(app, { email: 'other-admin@example.com' });
    await makeAdministrator(app, other);
    await setScopes('support', 'moderation');
    expect((await app.call('adminUsers.signOut', about(other.userId), desk)).status).toBe(403);
    await setScopes('owner');
    await must(app, 'adminUsers.signOut', about(other.userId), desk);
  });
});

describe('somebody who never got a code', () => {
  it('is found, and gets a new one that works in the browser where they asked', async () => {
    const browser = newBrowser();
    await must(app, 'accounts.signUp', { email: 'lea@example.com', isAdult: true }, browser);
    const first = await readEmail(app, 'lea@example.com');
    const [found] = (await find('lea@example.com')).accounts;
    expect(await show(found.id)).toMatchObject({ isConfirmed: false, waitingFor: { purpose: 'confirm' } });
    expect((await app.call('adminUsers.mailCode', about(found.id), desk)).status).toBe(429);
    advance(app, 2 * minuteMs);
    await must(app, 'adminUsers.mailCode', about(found.id), desk);
    const second = await readEmail(app, 'lea@example.com');
    expect(second.code).not.toBe(first.code);
    expect((await app.call('accounts.confirm', { code: second.code }, newBrowser())).status).not.toBe(200);
    await must(app, 'accounts.confirm', { code: second.code }, browser);
    expect(await audited('code.mailed_again')).toEqual([byAdmin(found.id)]);
  });

  it('gets a new one for a password, too; and none when they ask for nothing', async () => {
    expect((await app.call('adminUsers.mailCode', about(mia.userId), desk)).status).toBe(409);
    const browser = newBrowser();
    await must(app, 'accounts.askForPassword', { email: mia.email }, browser);
    advance(app, 2 * minuteMs);
    await must(app, 'adminUsers.mailCode', about(mia.userId), desk);
    const { code } = await readEmail(app, mia.email);
    await must(app, 'accounts.setPassword', { proof: { code }, password: 'seven quiet rivers' }, browser);
    advance(app, 24 * 60 * minuteMs);
    desk = await signInQuickly(app, admin.userId);
    expect((await show()).waitingFor).toBeNull();
  });
});

describe('emails on the desk', () => {
  const bounce = (state: string) =>
    readRows(app, 'update mail_outbox set state = $1, last_error = $2', [state, '550 no such mailbox']);

  it('say what became of each, and nothing of what they carried', async () => {
    await must(app, 'accounts.askForPassword', { email: mia.email }, newBrowser());
    await bounce('bounced');
    const { emails, suppression } = await must(app, 'adminMails.to', { address: 'MIA@example.com' }, desk);
    expect(emails).toMatchObject([
      {
        to: mia.email,
        template: 'reset_password',
        state: 'bounced',
        lastError: '550 no such mailbox',
        canBeSentAgain: false,
      },
    ]);
    expect(suppression).toBeNull();
    const { code } = await readEmail(app, mia.email);
    expect(JSON.stringify(emails)).not.toContain(code);
  });

  it('are sent again or marked as seen when they were given up', async () => {
    for (const email of ['one@example.com', 'two@example.com'])
      await must(app, 'accounts.signUp', { email, isAdult: true }, newBrowser());
    await bounce('given_up');
    const { emails, givenUp } = await must(app, 'adminMails.failed', {}, desk);
    expect([emails.length, givenUp]).toEqual([2, 2]);
    expect(await must(app, 'adminMails.sendAgain', { emailId: emails[0].id }, desk)).toEqual({ count: 1 });
    expect((await app.call('adminMails.sendAgain', { emailId: emails[0].id }, desk)).status).toBe(409);
    expect(await must(app, 'adminMails.markSeen', { emailId: null }, desk)).toEqual({ count: 1 });
    expect(await must(app, 'adminMails.failed', {}, desk)).toMatchObject({ givenUp: 0 });
    expect((await audited('mails.send')).length).toBe(1);
  });

  it('go to an address again that had bounced, not to who unsubscribed', async () => {
    const suppress = (address: string, reason: 'bounced' | 'unsubscribed') =>
      app.engines.database.work({ kind: 'system' }, (tx) =>
        suppressAddress(tx, app.engines.keys, { address, reason, now: new Date(app.engines.clock()) }),
      );
    await suppress(mia.email, 'bounced');
    const to = () => must(app, 'adminMails.to', { address: mia.email }, desk);
    expect((await to()).suppression).toBe('bounced');
    await must(app, 'adminMails.liftSuppression', { address: mia.email }, desk);
    expect((await to()).suppression).toBeNull();
    await suppress(mia.email, 'bounced');
    await suppress(mia.email, 'unsubscribed');
    expect((await app.call('adminMails.liftSuppression', { address: mia.email }, desk)).status).toBe(409);
    expect((await to()).suppression).toBe('unsubscribed');
  });
});
