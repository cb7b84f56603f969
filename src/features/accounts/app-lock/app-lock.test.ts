import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addPhotos } from '#tests/support/looks.ts';
import { advance, goodPassword, readRows, signInQuickly, signUpCreator } from '#tests/support/people.ts';
import { setUpSecondFactor } from '#tests/support/second-factor.ts';
import { type Browser, copyOf, headersOf, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
});
afterAll(() => app.close());

const pin = '258036';
const me = async (browser: Browser) => (await app.call('accounts.me', {}, browser)).body;
const reset = (browser: Browser, input: { password: string; pin?: string }) =>
  app.call('accounts.resetPin', { pin: '741963', ...input }, browser);
const unlock = (browser: Browser, tried: string) => app.call('accounts.unlock', { pin: tried }, browser);

async function lockedPerson() {
  const person = await signUpCreator(app);
  expect((await app.call('accounts.setAppLock', { pin, password: goodPassword }, person.browser)).status).toBe(200);
  return person;
}
async function leaveFor(browser: Browser, ms: number) {
  expect((await app.call('accounts.leaveApp', {}, browser)).status).toBe(200);
  advance(app, ms);
}

describe('the app lock', () => {
  it('is set and taken away by the password only, and its PIN is nobody’s to read', async () => {
    const { browser, userId } = await signUpCreator(app);
    const wrong = await app.call('accounts.setAppLock', { pin, password: 'not her password' }, browser);
    expect([wrong.status, wrong.body.data.field]).toEqual([422, 'password']);
    for (const poor of ['123', '123456789', 'abcd', '١٢٣٤'])
      expect((await app.call('accounts.setAppLock', { pin: poor, password: goodPassword }, browser)).status).toBe(422);
    expect((await me(browser)).user.hasAppLock).toBe(false);
    await app.call('accounts.setAppLock', { pin, password: goodPassword }, browser);
    expect((await me(browser)).user.hasAppLock).toBe(true);
    const [row] = await readRows(app, 'select pin_hash from app_locks where user_id = $1', [userId]);
    expect(String(row?.pin_hash)).toMatch(/^\$argon2id\$/);
    expect((await app.call('accounts.removeAppLock', { password: pin }, browser)).status).toBe(422);
    expect((await app.call('accounts.removeAppLock', { password: goodPassword }, browser)).status).toBe(200);
    await leaveFor(browser, 3_600_000);
    expect(await me(browser)).toMatchObject({ isLocked: false, user: { hasAppLock: false } });
  });

  it('locks a minute after it was left, at its very instant', async () => {
    const { browser } = await lockedPerson();
    await leaveFor(browser, 59_999);
    expect((await me(browser)).isLocked).toBe(false);
    advance(app, 1);
    expect(await me(browser)).toMatchObject({ isLocked: true, user: null, hasAccess: false });
  });

  it('stays open for whoever is back in time, or never left', async () => {
    const { browser } = await lockedPerson();
    advance(app, 3_600_000);
    expect((await me(browser)).isLocked).toBe(false);
    await leaveFor(browser, 59_000);
    await app.call('accounts.stayInApp', {}, browser);
    advance(app, 3_600_000);
    expect((await me(browser)).isLocked).toBe(false);
    await app.call('accounts.leaveApp', { lockNow: true }, browser);
    expect((await me(browser)).isLocked).toBe(true);
    expect((await app.call('accounts.stayInApp', {}, browser)).status, 'nobody is back but by the PIN').toBe(401);
  });

  it('counts from the first word that she left, and leaves her other devices alone', async () => {
    const { browser, email, password } = await lockedPerson();
    const other = newBrowser();
    await app.call('accounts.signIn', { email, password }, other);
    await leaveFor(browser, 40_000);
    await leaveFor(browser, 20_000);
    expect([(await me(browser)).isLocked, (await me(other)).isLocked]).toEqual([true, false]);
  });

  it('counts from when she left by the page’s own late word, which closes it earlier and never later', async () => {
    const { browser } = await lockedPerson();
    advance(app, 3_600_000);
    await app.call('accounts.leaveApp', { goneMs: 59_999 }, browser);
    expect((await me(browser)).isLocked).toBe(false);
    await app.call('accounts.leaveApp', { goneMs: 60_000 }, browser);
    expect((await me(browser)).isLocked).toBe(true);
    const late = await lockedPerson();
    await leaveFor(late.browser, 50_000);
    await app.call('accounts.leaveApp', { goneMs: 10_000 }, late.browser);
    expect((await app.call('accounts.leaveApp', { goneMs: -600_000 }, late.browser)).status).toBe(422);
    advance(app, 10_000);
    expect((await me(late.browser)).isLocked).toBe(true);
  });

  it('closes ten minutes after the last word of a page that was choosing or sending files', async () => {
    const { browser } = await lockedPerson();
    const work = async () => (await app.call('accounts.stayInApp', { isAtWork: true }, browser)).status;
    expect(await work()).toBe(200);
    advance(app, 599_999);
    expect((await me(browser)).isLocked).toBe(false);
    expect(await work()).toBe(200);
    advance(app, 600_000);
    expect([(await me(browser)).isLocked, await work()]).toEqual([true, 401]);
    const done = await lockedPerson();
    await app.call('accounts.stayInApp', { isAtWork: true }, done.browser);
    await leaveFor(done.browser, 60_000);
    expect((await me(done.browser)).isLocked, 'a minute after its end').toBe(true);
    const free = await signUpCreator(app);
    await app.call('accounts.stayInApp', { isAtWork: true }, free.browser);
    advance(app, 3_600_000);
    await app.call('accounts.setAppLock', { pin, password: goodPassword }, free.browser);
    expect((await me(free.browser)).isLocked, 'work before there was a PIN').toBe(false);
  });

  it('gives a locked session nothing at all, and everything again for the PIN', async () => {
    const { browser, userId } = await lockedPerson();
    const { albumId } = await addPhotos(app, userId, 1);
    await leaveFor(browser, 60_000);
    const asked = [
      ['links.list', {}],
      ['albums.one', { albumId }],
      ['accounts.listSessions', {}],
      ['accounts.removeAppLock', { password: goodPassword }],
      ['accounts.signOutEverywhere', {}],
    ] as const;
    for (const [procedure, input] of asked)
      expect([procedure, (await app.call(procedure, input, browser)).status]).toEqual([procedure, 401]);
    const routes = [
      ['POST', '/files'],
      ['HEAD', `/files/${albumId}`],
      ['GET', '/api/live'],
      ['GET', '/api/insights/visits.csv'],
      ['GET', '/api/money/statement.csv?period=2026-11'],
    ] as const;
    const headers = { ...headersOf(browser), 'tus-resumable': '1.0.0', origin: app.engines.installation.publicUrl };
    for (const [method, url] of routes) {
      const { statusCode } = await app.fastify.inject({ method, url, headers });
      expect([url, statusCode]).toEqual([url, 401]);
    }
    expect((await unlock(browser, pin)).status).toBe(200);
    expect(await me(browser)).toMatchObject({ isLocked: false, user: { id: userId } });
    expect((await app.call('albums.one', { albumId }, browser)).status).toBe(200);
  });

  it('ends the session with the fifth wrong PIN, however many come at once, and no other', async () => {
    const { browser, email, password, userId } = await lockedPerson();
    const other = newBrowser();
    await app.call('accounts.signIn', { email, password }, other);
    await leaveFor(browser, 60_000);
    const first = await unlock(browser, '0000');
    expect([first.status, first.body.data]).toEqual([422, { field: 'pin', triesLeft: 4 }]);
    const at = copyOf(browser);
    const answers = await Promise.all(Array.from({ length: 12 }, () => unlock(copyOf(at), '1111')));
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(3);
    expect(answers.filter(({ status }) => status === 410).length).toBeGreaterThan(0);
    expect((await unlock(at, pin)).status, 'not even the right one').toBe(401);
    expect((await me(at)).isLocked).toBe(false);
    expect((await me(other)).user.id).toBe(userId);
    expect((await app.call('accounts.signIn', { email, password }, browser)).status).toBe(200);
    expect((await me(browser)).user.id).toBe(userId);
  });

  it('takes no sixth try, not even the right one', async () => {
    const { browser, userId } = await lockedPerson();
    await leaveFor(browser, 60_000);
    // As when five others are being looked at just now.
    await readRows(app, 'update auth_sessions set wrong_pins = 5 where user_id = $1', [userId]);
    expect((await unlock(browser, pin)).status).toBe(410);
    expect(await me(browser)).toMatchObject({ user: null, isLocked: false });
  });

  it('forgets wrong ones with the right one', async () => {
    const { browser } = await lockedPerson();
    for (let round = 0; round < 3; round++) {
      await leaveFor(browser, 60_000);
      for (let n = 0; n < 4; n++) expect((await unlock(browser, '0000')).status).toBe(422);
      expect((await unlock(browser, pin)).status).toBe(200);
    }
  });

  it('takes another PIN by the password where the old one was forgotten, on every device', async () => {
    const { browser, userId, password } = await lockedPerson();
    const other = await signInQuickly(app, userId);
    for (const one of [browser, other]) await app.call('accounts.leaveApp', { lockNow: true }, one);
    const wrong = await reset(browser, { password: 'not her password' });
    expect([wrong.status, wrong.body.data]).toEqual([422, { field: 'password', triesLeft: 4 }]);
    expect((await reset(browser, { password, pin: '12' })).status).toBe(422);
    expect((await me(browser)).isLocked).toBe(true);
    expect((await reset(browser, { password })).status).toBe(200);
    expect([(await me(browser)).user.id, (await me(other)).isLocked]).toEqual([userId, true]);
    expect((await reset(browser, { password })).status, 'not from an open session').toBe(409);
    expect([(await unlock(other, pin)).status, (await unlock(other, '741963')).status]).toEqual([422, 200]);
    expect((await reset(newBrowser(), { password })).status, 'not without a session').toBe(401);
  });

  it('counts wrong passwords and wrong PINs together, ends that session with the fifth, and locks nobody out', async () => {
    const { browser, email, password } = await lockedPerson();
    await leaveFor(browser, 60_000);
    for (let n = 0; n < 2; n++) {
      expect((await unlock(browser, '0000')).status).toBe(422);
      expect((await reset(browser, { password: 'not her password' })).status).toBe(422);
    }
    const at = copyOf(browser);
    expect((await reset(browser, { password: 'not her password' })).status).toBe(410);
    expect((await reset(at, { password })).status, 'not even the right one').toBe(401);
    expect((await app.call('accounts.signIn', { email, password }, browser)).status).toBe(200);
  });

  it('opens nothing by the password alone where signing in takes a second factor as well', async () => {
    const { browser, password } = await lockedPerson();
    await setUpSecondFactor(app, browser, password);
    await leaveFor(browser, 60_000);
    const answer = await reset(browser, { password });
    expect([answer.status, answer.body.message]).toEqual([409, expect.stringContaining('Sign in again')]);
    expect((await me(browser)).isLocked).toBe(true);
    expect((await unlock(browser, pin)).status).toBe(200);
  });

  it('lets its person sign out without it', async () => {
    const { browser } = await lockedPerson();
    await leaveFor(browser, 60_000);
    await app.call('accounts.signOut', {}, browser);
    expect(browser.cookies.has('pf.session_token')).toBe(false);
  });
});

it('the way to the home screen is offered until she went it, and rests after each "not now"', async () => {
  const { browser } = await signUpCreator(app);
  const isDue = async () => (await me(browser)).user.isHomeScreenDue;
  expect(await isDue()).toBe(true);
  for (let n = 1; n <= 3; n++) {
    await app.call('accounts.noteHomeScreen', { isDone: false }, browser);
    expect(await isDue()).toBe(false);
    advance(app, 7 * 86_400_000);
    expect(await isDue(), String(n)).toBe(n < 3);
  }
  const other = await signUpCreator(app);
  await app.call('accounts.noteHomeScreen', { isDone: true }, other.browser);
  expect((await me(other.browser)).user).toMatchObject({ isHomeScreenDue: false, homeScreenWizardCompleted: true });
});
