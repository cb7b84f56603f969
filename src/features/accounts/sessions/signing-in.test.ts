import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  advance,
  goodPassword,
  listTemplates,
  makeAdministrator,
  readEmail,
  signUpCreator,
} from '#tests/support/people.ts';
import { type Browser, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { makeAdmin } from '../store.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
});
afterAll(() => app.close());

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const me = async (browser: Browser) => (await app.call('accounts.me', {}, browser)).body;
const signIn = (email: string, password: string, browser = newBrowser()) =>
  app.call('accounts.signIn', { email, password }, browser);
const profile = { displayName: 'Mara Sol', country: 'DE', timeZone: 'Europe/Berlin' };

describe('sign-in', () => {
  it('tells of a device that was never used before, and of no other', async () => {
    const phone = {
      'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604.1',
    };
    const { email } = await signUpCreator(app);
    const devices = async () =>
      (await (await listTemplates(app, email)).filter((name) => name === 'new_device')).length;
    await signIn(email, goodPassword, newBrowser());
    expect(await devices()).toBe(0);
    await signIn(email, goodPassword, newBrowser(phone));
    await signIn(email, goodPassword, newBrowser(phone));
    expect(await devices()).toBe(1);
  });

  it('after five wrong passwords lets tries wait longer and longer, writes once, and forgets them after a right one', async () => {
    const { email } = await signUpCreator(app);
    const { address } = newBrowser();
    const stranger = () => ({ cookies: new Map<string, string>(), ...(address !== undefined && { address }) });
    const wrong = () => signIn(email, 'not her password', stranger());
    for (let times = 0; times < 5; times++) expect((await wrong()).status).toBe(401);
    expect((await signIn(email, goodPassword, stranger())).body.data.retryAfter).toBe(15);
    advance(app, 15_000);
    expect((await wrong()).status).toBe(401);
    expect((await wrong()).body.data.retryAfter).toBe(30);
    const emails = await (await listTemplates(app, email)).filter((name) => name === 'wrong_passwords');
    expect(emails).toHaveLength(1);
    advance(app, 30_000);
    expect((await signIn(email, goodPassword, stranger())).status).toBe(200);
    for (let times = 0; times < 5; times++) expect((await wrong()).status).toBe(401);
  });

  it('a wrong password stands in the log of its account, without what was typed', async () => {
    const { email, userId } = await signUpCreator(app);
    await signIn(email, 'not her password');
    await signIn('nobody@example.org', 'not her password');
    const noted = await app.engines.database.work({ kind: 'system' }, ({ db }) =>
      db.selectFrom('audit_log').select(['target_id', 'details']).where('action', '=', 'session.refused').execute(),
    );
    expect(noted).toContainEqual({ target_id: userId, details: { wrong: 1 } });
    expect(noted.every(({ target_id }) => target_id !== null)).toBe(true);
    expect(JSON.stringify(noted)).not.toMatch(/nobody|not her/);
  });

  it('40 wrong passwords of one network at once are five', async () => {
    const { email } = await signUpCreator(app);
    const stranger = newBrowser();
    const answers = await Promise.all(Array.from({ length: 40 }, () => signIn(email, 'not her password', stranger)));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(35);
  });

  it('stays for 30 days after the last use, and a page seldom used renews it', async () => {
    const { browser } = await signUpCreator(app);
    advance(app, 29 * day);
    const renewed = await app.call('accounts.me', {}, browser);
    expect(String(renewed.headers['set-cookie'])).toContain(`Max-Age=${(30 * day) / 1000}`);
    advance(app, 30 * day - 1);
    expect((await me({ cookies: new Map(browser.cookies) })).user).not.toBeNull();
    advance(app, 30 * day);
    expect((await me(browser)).user).toBeNull();
  });

  it('of an administrator ends after 12 hours', async () => {
    const { browser, email, userId } = await signUpCreator(app);
    expect(await app.engines.database.work({ kind: 'system' }, (tx) => makeAdmin(tx, 'nobody-here@example.com'))).toBe(
      false,
    );
    await makeAdministrator(app, { email, userId });
    advance(app, 11 * hour);
    expect(await me(browser)).toMatchObject({ isAdmin: true, hasAccess: true });
    advance(app, hour);
    expect((await me(browser)).user).toBeNull();
  });

  it('lets a bearer of the same token in at /api/v1', async () => {
    const { email } = await signUpCreator(app);
    const given = await app.fastify.inject({
      method: 'POST',
      url: '/api/v1/sign-in',
      payload: { email, password: goodPassword },
    });
    expect(given.statusCode).toBe(200);
    expect(given.headers['set-cookie']).toBeUndefined();
    const authorization = `Bearer ${given.json().token}`;
    for (const url of ['/api/v1/me', '/api/me'])
      expect((await app.fastify.inject({ method: 'GET', url, headers: { authorization } })).json().user.email).toBe(
        email,
      );
  });

  it('ends by sign-out, and the token of before is dead', async () => {
    const { browser } = await signUpCreator(app);
    const before = new Map(browser.cookies);
    expect((await app.call('accounts.signOut', {}, browser)).status).toBe(200);
    expect(browser.cookies.has('pf.session_token')).toBe(false);
    expect((await me({ cookies: before })).user).toBeNull();
    expect((await app.call('accounts.signOut', {}, newBrowser())).status).toBe(200);
  });
});

describe('profile and security', () => {
  it('changes what she shows of herself', async () => {
    const { browser } = await signUpCreator(app);
    const changed = { ...profile, handle: 'mara_of_the_sea', bio: 'Sea and light.' };
    expect((await app.call('accounts.updateProfile', changed, browser)).status).toBe(200);
    expect((await me(browser)).user).toMatchObject(changed);
    const { body } = await app.call('accounts.updateProfile', { ...changed, bio: 'x'.repeat(301) }, browser);
    expect(body.data.field).toBe('bio');
  });

  it('lists her sessions, ends one, and not those of others', async () => {
    const [mara, bob] = [await signUpCreator(app), await signUpCreator(app)];
    const phone = newBrowser({ 'user-agent': 'Mozilla/5.0 (Linux; Android 15) Chrome/140.0 Mobile Safari/537.36' });
    await signIn(mara.email, goodPassword, phone);
    const list = async (browser: Browser) => (await app.call('accounts.listSessions', {}, browser)).body.sessions;
    const sessions = await list(mara.browser);
    expect(sessions).toHaveLength(2);
    expect(sessions.map(({ isCurrent }: { isCurrent: boolean }) => isCurrent).sort()).toEqual([false, true]);
    const onPhone = sessions.find(({ isCurrent }: { isCurrent: boolean }) => !isCurrent);
    expect(onPhone).toMatchObject({ device: 'Chrome on Android', country: null });
    expect((await app.call('accounts.endSession', { sessionId: onPhone.id }, bob.browser)).status).toBe(404);
    expect((await me(phone)).user).not.toBeNull();
    expect((await app.call('accounts.endSession', { sessionId: onPhone.id }, mara.browser)).status).toBe(200);
    expect((await me(phone)).user).toBeNull();
    expect(await list(mara.browser)).toHaveLength(1);
  });

  it('signs her out everywhere', async () => {
    const { browser, email } = await signUpCreator(app);
    const other = newBrowser();
    await signIn(email, goodPassword, other);
    const before = new Map(browser.cookies);
    expect((await app.call('accounts.signOutEverywhere', {}, browser)).status).toBe(200);
    for (const one of [browser, other, { cookies: before }]) expect((await me(one)).user).toBeNull();
  });

  it('changes the password with the present one, ends the other sessions and tells her', async () => {
    const { browser, email } = await signUpCreator(app);
    const other = newBrowser();
    await signIn(email, goodPassword, other);
    const change = (currentPassword: string, newPassword: string) =>
      app.call('accounts.changePassword', { currentPassword, newPassword }, browser);
    expect((await change('wrong', 'four quiet green hills')).body.data.field).toBe('currentPassword');
    expect((await change(goodPassword, 'password123')).body.data.field).toBe('newPassword');
    expect((await change(goodPassword, 'four quiet green hills')).status).toBe(200);
    expect((await me(browser)).user).not.toBeNull();
    expect((await me(other)).user).toBeNull();
    expect((await signIn(email, goodPassword)).status).toBe(401);
    expect((await signIn(email, 'four quiet green hills')).status).toBe(200);
    expect(await (await listTemplates(app, email)).filter((name) => name === 'password_changed')).toHaveLength(1);
  });

  it('changes it once when two changes are weighed at the same moment', async () => {
    const { browser, email } = await signUpCreator(app);
    const wanted = ['four quiet green hills', 'five quiet blue hills', 'six quiet red hills'];
    const change = (newPassword: string) =>
      app.call('accounts.changePassword', { currentPassword: goodPassword, newPassword }, browser);
    const statuses = (await Promise.all(wanted.map(change))).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 422, 422]);
    expect((await signIn(email, wanted[statuses.indexOf(200)] ?? '')).status).toBe(200);
    expect(await (await listTemplates(app, email)).filter((name) => name === 'password_changed')).toHaveLength(1);
  });

  it('sets a forgotten password by code or link, signs in and ends every session of before', async () => {
    const { browser, email } = await signUpCreator(app);
    const asking = newBrowser();
    advance(app, minute);
    await app.call('accounts.askForPassword', { email }, asking);
    const { token, link } = await readEmail(app, email);
    expect(link).toContain(`/auth?action=set-password&email=${encodeURIComponent(email)}#`);
    const common = await app.call('accounts.setPassword', { proof: { token }, password: 'password123' }, asking);
    expect(common.body.data.field).toBe('password');
    const set = await app.call(
      'accounts.setPassword',
      { proof: { token }, password: 'four quiet green hills' },
      asking,
    );
    expect(set.status).toBe(200);
    expect((await me(asking)).user.email).toBe(email);
    expect((await me(browser)).user).toBeNull();
    expect((await signIn(email, 'four quiet green hills')).status).toBe(200);
  });
});
