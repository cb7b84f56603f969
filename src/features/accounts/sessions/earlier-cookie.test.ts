import { afterAll, beforeAll, expect, it } from 'vitest';
import { advance, openSession, readRows, signUpCreator } from '#tests/support/people.ts';
import { type Answer, type Browser, openTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
});
afterAll(() => app.close());

const setCookies = ({ headers }: Pick<Answer, 'headers'>) => [headers['set-cookie'] ?? []].flat().map(String);

it('under https, sessions go on under the cookie’s earlier name where they began under it, until their end of then', async () => {
  const { userId, email } = await signUpCreator(app);
  const before = app.engines.clock();
  app.engines.installation.isSecure = true;
  try {
    const { id, browser } = await openSession(app, userId);
    const value = browser.cookies.get('__Host-pf.session_token') ?? '';
    const earlier = () => ({ cookies: new Map([['__Secure-pf.session_token', value]]) });
    const me = async (asker: Browser) => (await app.call('accounts.me', {}, asker)).body.user;
    expect(await me(earlier()), 'it never had that name').toBeNull();
    // As the migration leaves it.
    await readRows(app, 'update auth_sessions set earlier_cookie_until = expires_at where id = $1', [id]);
    const answer = await app.call('accounts.me', {}, earlier());
    expect(answer.body.user.email).toBe(email);
    const [given = '', cleared = ''] = setCookies(answer);
    expect(given).toMatch(/^__Host-pf\.session_token=\S+; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax; Secure$/);
    expect(cleared).toMatch(/^__Secure-pf\.session_token=; .*Secure/);
    expect(setCookies(await app.call('accounts.me', {}, browser))).toEqual([]);
    advance(app, 29 * 86_400_000);
    expect((await me(browser)).email, 'its end moves on').toBe(email);
    advance(app, 86_400_000 - 1);
    expect((await me(earlier())).email).toBe(email);
    advance(app, 1);
    expect([await me(earlier()), (await me(browser)).email]).toEqual([null, email]);
    const out = await app.call('accounts.signOut', {}, earlier());
    expect(setCookies(out).map((line) => line.split('=')[0])).toContain('__Secure-pf.session_token');
    expect(await me(browser), 'it was this session').toBeNull();
  } finally {
    app.engines.installation.isSecure = false;
    app.setNow(new Date(before).toISOString());
  }
});
