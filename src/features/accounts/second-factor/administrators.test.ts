import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { goodPassword, must, readRows, signInQuickly, signUpCreator } from '#tests/support/people.ts';
import { setUpSecondFactor } from '#tests/support/second-factor.ts';
import { type Browser, headersOf, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { runAdmin } from '../commands.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
});
afterAll(() => app.close());

const me = async (browser: Browser) => (await app.call('accounts.me', {}, browser)).body;
/** What only administrators may send. */
const measure = async (browser: Browser) => {
  const data = [{ metric: 'CLS', value: 0.1, id: 'v6-1', navigationType: 'navigate', timestamp: 1, url: '/' }];
  const { statusCode } = await app.fastify.inject({
    method: 'POST',
    url: '/api/webhook_events',
    headers: { ...headersOf(browser), origin: app.engines.installation.publicUrl },
    payload: { provider: 'web-vitals', event_type: 'performance_metrics', data },
  });
  return statusCode;
};

/** An account without a plan that has just been made an administrator's. */
async function promoted() {
  const person = await signUpCreator(app);
  await readRows(app, `update users set trial_ends_at = null, subscription_status = 'inactive' where id = $1`, [
    person.userId,
  ]);
  return { ...person, said: await runAdmin(app.engines, { email: person.email }) };
}

describe('an administrator without a second factor', () => {
  it('has none of an administrator’s rights until there is one, and all of them from its first code on', async () => {
    const { browser, said } = await promoted();
    expect(said).toContain('once they have set up two-step sign-in');
    expect(await me(browser)).toMatchObject({ isAdmin: false, hasAccess: false, needsSecondFactor: true });
    expect(await measure(browser)).toBe(403);
    expect((await app.call('albums.create', { name: 'Early' }, browser)).status).toBe(403);
    await setUpSecondFactor(app, browser, goodPassword);
    expect(await me(browser)).toMatchObject({ isAdmin: true, hasAccess: true, needsSecondFactor: false });
    expect(await measure(browser)).toBe(204);
    expect((await app.call('albums.create', { name: 'Now' }, browser)).status).toBe(200);
  });

  it('who sets one up is signed out where only the password was given, and is asked for it from then on', async () => {
    const { browser, userId, email, password } = await promoted();
    const other = await signInQuickly(app, userId);
    const phone = await setUpSecondFactor(app, browser, password);
    expect([(await me(other)).user, (await me(browser)).isAdmin]).toEqual([null, true]);
    const again = newBrowser();
    const { challenge } = await must(app, 'accounts.signIn', { email, password }, again);
    expect((await me(again)).user).toBeNull();
    await must(app, 'secondFactor.signIn', { challenge, code: phone.next() }, again);
    expect((await me(again)).isAdmin).toBe(true);
  });

  it('who switches it off is one without a second factor again', async () => {
    const { browser, password } = await promoted();
    const phone = await setUpSecondFactor(app, browser, password);
    await must(app, 'secondFactor.remove', { password, code: phone.next() }, browser);
    expect(await me(browser)).toMatchObject({ isAdmin: false, needsSecondFactor: true });
    expect(await measure(browser)).toBe(403);
  });
});

it('a creator with a second factor who becomes an administrator stays signed in where it was given alone', async () => {
  const { browser, userId, email, password } = await signUpCreator(app);
  const before = await signInQuickly(app, userId);
  await setUpSecondFactor(app, browser, password);
  expect((await me(before)).user, 'as long as they are none').not.toBeNull();
  expect(await runAdmin(app.engines, { email })).toContain('They are signed out wherever');
  expect([(await me(before)).user, (await me(browser)).isAdmin]).toEqual([null, true]);
});

describe('the role of an administrator', () => {
  it('has scopes, is listed, and ends with every session', async () => {
    const { email, userId, browser, password } = await signUpCreator(app);
    await setUpSecondFactor(app, browser, password);
    await runAdmin(app.engines, { email, scopes: 'support, moderation' });
    expect(await me(browser)).toMatchObject({ isAdmin: true, adminScopes: ['support', 'moderation'] });
    expect(await runAdmin(app.engines, { email: undefined })).toContain(`${email}: support, moderation`);
    for (const scopes of ['everything', 'support,everything', ''])
      await expect(runAdmin(app.engines, { email, scopes })).rejects.toThrow('--scopes takes');
    await runAdmin(app.engines, { email, isEnd: true });
    expect((await me(browser)).user).toBeNull();
    expect(await me(await signInQuickly(app, userId))).toMatchObject({ isAdmin: false, adminScopes: [] });
    await expect(runAdmin(app.engines, { email, isEnd: true })).rejects.toThrow('is no administrator');
  });
});
