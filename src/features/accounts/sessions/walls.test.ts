import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { advance, confirmPerson, goodPassword, readEmail, readRows, signUpCreator } from '#tests/support/people.ts';
import {
  type Answer,
  type Browser,
  copyOf,
  headersOf,
  newBrowser,
  openTestApp,
  type TestApp,
} from '#tests/support/test-app.ts';
import { libraryOf } from '../auth-store.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
});
afterAll(() => app.close());

const minute = 60_000;
const me = async (browser: Browser) => (await app.call('accounts.me', {}, browser)).body;
const sessionOf = ({ cookies }: Browser) => decodeURIComponent(cookies.get('pf.session_token') ?? '');
const setCookies = ({ headers }: Pick<Answer, 'headers'>) => [headers['set-cookie'] ?? []].flat().map(String);

describe('links in mails', () => {
  it('lead to this app whatever the caller says its name is', async () => {
    const names = {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      forwarded: 'host=evil.example',
    };
    const { email } = await signUpCreator(app);
    advance(app, minute);
    for (const [procedure, address] of [
      ['accounts.signUp', 'poisoned@example.com'],
      ['accounts.askForPassword', email],
    ] as const) {
      await app.call(procedure, { email: address, isAdult: true }, newBrowser(names));
      const { text } = await readEmail(app, address);
      expect(text).toContain('http://localhost:3000/auth?');
      expect(text).not.toContain('evil');
    }
  });
});

describe('sessions', () => {
  it('get a new token with every sign-in, and the one this browser had before is dead', async () => {
    const [mara, bob] = [await signUpCreator(app), await signUpCreator(app)];
    const before = copyOf(mara.browser);
    const { status } = await app.call('accounts.signIn', { email: bob.email, password: goodPassword }, mara.browser);
    expect(status).toBe(200);
    expect(sessionOf(mara.browser)).not.toBe(sessionOf(before));
    expect((await me(mara.browser)).user.email).toBe(bob.email);
    expect((await me(before)).user).toBeNull();
  });

  it('never take over a token that somebody planted', async () => {
    const { email } = await signUpCreator(app);
    const browser = newBrowser();
    browser.cookies.set('pf.session_token', 'a'.repeat(32));
    await app.call('accounts.signIn', { email, password: goodPassword }, browser);
    expect(sessionOf(browser)).not.toContain('a'.repeat(32));
  });

  it('are refused without our signature', async () => {
    const { browser, userId } = await signUpCreator(app);
    const [row] = await readRows(app, 'select token from auth_sessions where user_id = $1', [userId]);
    const token = String(row?.token);
    const signature = sessionOf(browser).slice(token.length + 1);
    const other = createHmac('sha256', 'another secret').update(token).digest('base64');
    const forged = [
      token,
      `${token}.`,
      `.${signature}`,
      `${token}.${other}`,
      `${token}.${signature.slice(0, -4)}`,
      `${token}x.${signature}`,
      `${token}.${signature}=`,
      '',
      '.',
      'null',
      'eyJhbGciOiJub25lIn0.e30.',
    ];
    for (const one of forged) {
      const cookies = new Map([['pf.session_token', encodeURIComponent(one)]]);
      expect([one, (await me({ cookies })).user]).toEqual([one, null]);
      const headers = { authorization: `Bearer ${one}` };
      expect([one, (await app.fastify.inject({ method: 'GET', url: '/api/me', headers })).json().user]).toEqual([
        one,
        null,
      ]);
    }
    expect((await me(browser)).user).not.toBeNull();
  });

  it('keep no address', async () => {
    await signUpCreator(app);
    const kept = await readRows(app, 'select distinct ip_address from auth_sessions');
    expect(kept).toEqual([{ ip_address: null }]);
  });

  it('have cookies that scripts and other sites cannot use, Secure and prefixed under https', async () => {
    const { email } = await signUpCreator(app);
    const signIn = () => app.call('accounts.signIn', { email, password: goodPassword });
    const ask = (address: string) => app.call('accounts.signUp', { email: address, isAdult: true });
    const lines = [...setCookies(await signIn()), ...setCookies(await ask('flags-1@example.com'))];
    expect(lines).toHaveLength(3);
    for (const line of lines) expect(line).toMatch(/^pf[._]\w+=\S+; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax$/);
    app.engines.installation.isSecure = true;
    try {
      const secure = [...setCookies(await signIn()), ...setCookies(await ask('flags-2@example.com'))];
      expect(secure[0]).toMatch(
        /^__Host-pf\.session_token=\S+; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax; Secure$/,
      );
      expect(secure[1]).toMatch(/^__Host-pf_known=\S+; Path=\/; Max-Age=34560000; HttpOnly; SameSite=Lax; Secure$/);
      expect(secure[2]).toMatch(/^__Host-pf_asked=\S+; Path=\/; Max-Age=1800; HttpOnly; SameSite=Lax; Secure$/);
    } finally {
      app.engines.installation.isSecure = false;
    }
  });

  it('are in the form that the auth library reads, and none of its paths can be reached', async () => {
    const { browser, email } = await signUpCreator(app);
    const { auth } = await libraryOf(app.engines);
    const found = await auth.api.getSession({ headers: new Headers(headersOf(browser)) });
    expect(found?.user.email).toBe(email);
    for (const path of ['sign-in/email', 'sign-up/email', 'get-session', 'verify-email', 'reset-password', 'ok'])
      for (const method of ['GET', 'POST'] as const)
        expect((await app.fastify.inject({ method, url: `/api/auth/${path}` })).statusCode).toBe(404);
  });
});

describe('other sites', () => {
  it('cannot call in the name of somebody', async () => {
    const { browser } = await signUpCreator(app);
    const headers = { ...headersOf(browser), origin: 'https://evil.example', 'content-type': 'text/plain' };
    const attempts = ['/rpc/accounts/signOutEverywhere', '/api/v1/sign-out-everywhere', '/api/v1/sign-out'];
    for (const url of attempts)
      expect([url, (await app.fastify.inject({ method: 'POST', url, headers, payload: '{}' })).statusCode]).toEqual([
        url,
        403,
      ]);
    expect((await me(browser)).user).not.toBeNull();
  });

  it('cannot sign anybody in to their own account by a form', async () => {
    const { email } = await signUpCreator(app);
    const form = `email=${encodeURIComponent(email)}&password=${encodeURIComponent(goodPassword)}`;
    const json = JSON.stringify({ email, password: goodPassword });
    const rpc = JSON.stringify({ json: { email, password: goodPassword } });
    for (const [url, type, payload] of [
      ['/api/v1/sign-in', 'application/x-www-form-urlencoded', form],
      ['/api/v1/sign-in', 'text/plain', json],
      ['/api/v1/sign-in', 'application/json', json],
      ['/rpc/accounts/signIn', 'text/plain', rpc],
      ['/rpc/accounts/signIn', 'application/json', rpc],
    ] as const) {
      const answer = await app.fastify.inject({ method: 'POST', url, headers: { 'content-type': type }, payload });
      expect([url, type, setCookies(answer)]).toEqual([url, type, []]);
    }
  });
});

describe('a password', () => {
  const password = 'four quiet green hills';
  it('is never set by the address alone, nor by what belongs to another person or purpose', async () => {
    const { email } = await signUpCreator(app);
    advance(app, minute);
    const asking = newBrowser();
    await app.call('accounts.askForPassword', { email }, asking);
    const { code, token } = await readEmail(app, email);
    const { browser: stranger, email: strange } = await confirmPerson(app);
    advance(app, minute);
    await app.call('accounts.askForPassword', { email: strange }, stranger);
    const statusOf = async (input: object, browser: Browser) =>
      (await app.call('accounts.setPassword', input, copyOf(browser))).status;
    expect(await statusOf({ email, password }, asking)).toBe(422);
    expect(await statusOf({ proof: { email }, password }, asking)).toBe(422);
    expect(await statusOf({ proof: { code }, password }, newBrowser())).toBe(410);
    expect(await statusOf({ proof: { code }, password }, stranger)).toBe(422);
    expect(await statusOf({ proof: { token }, password }, stranger)).toBe(409);
    expect((await app.call('accounts.confirm', { token }, copyOf(asking))).status).toBe(410);
    expect(await statusOf({ proof: { token }, password }, asking)).toBe(200);
    expect(await statusOf({ proof: { token }, password }, asking)).toBe(410);
    expect(await statusOf({ proof: { code }, password }, asking)).toBe(410);
  });

  it('is kept as argon2id', async () => {
    const kept = await readRows(
      app,
      `select password from auth_accounts where password not like '$argon2id$v=19$m=19456,t=2,p=1$%'`,
    );
    expect(kept).toEqual([]);
  });
});

describe('nobody learns who has an account', () => {
  /** What an observer sees: everything but the time and the random part of a cookie. */
  const seen = ({ status, body, headers }: Answer) => {
    const { date: _date, 'set-cookie': _cookies, ...rest } = headers;
    return { status, body, rest, cookies: setCookies({ headers }).map((line) => line.replace(/=[^;]*/, '')) };
  };
  const timed = async (call: () => Promise<Answer>) => {
    const [began, statements] = [performance.now(), app.engines.database.statementCount()];
    const answer = await call();
    return { answer, ms: performance.now() - began, statements: app.engines.database.statementCount() - statements };
  };
  const alike = async (one: () => Promise<Answer>, other: () => Promise<Answer>) => {
    await app.call('accounts.me');
    const [known, unknown] = [await timed(one), await timed(other)];
    expect(seen(known.answer)).toEqual(seen(unknown.answer));
    for (const { ms } of [known, unknown]) expect(ms).toBeGreaterThan(195);
    return { known, unknown };
  };
  let email: string;
  beforeAll(async () => {
    ({ email } = await signUpCreator(app));
    advance(app, 2 * minute);
  });

  it('on sign-up: same answer, same cookie, same work', async () => {
    const signUp = (address: string) => () => app.call('accounts.signUp', { email: address, isAdult: true });
    const { known, unknown } = await alike(signUp(email), signUp('not-known@example.com'));
    expect(known.statements).toBe(unknown.statements);
    expect((await readEmail(app, email)).subject).toBe('You already have an account');
  });

  it('on a wrong code after it', async () => {
    advance(app, 2 * minute);
    const [one, other] = [newBrowser(), newBrowser()];
    await app.call('accounts.signUp', { email, isAdult: true }, one);
    await app.call('accounts.signUp', { email: 'not-known-2@example.com', isAdult: true }, other);
    const { code } = await readEmail(app, 'not-known-2@example.com');
    const wrong = code === '111111' ? '222222' : '111111';
    const answers = [];
    for (const browser of [one, other])
      answers.push(seen(await app.call('accounts.confirm', { code: wrong }, browser)));
    expect(answers[0]).toEqual(answers[1]);
  });

  it('on sign-in: unknown address and wrong password', async () => {
    const signIn = (address: string) => () =>
      app.call('accounts.signIn', { email: address, password: 'not the password' });
    const { known, unknown } = await alike(signIn(email), signIn('never-known@example.com'));
    expect(known.answer.body.message).toBe('Invalid email or password');
    expect(known.statements).toBe(unknown.statements);
  });

  it('on sign-in after too many tries', async () => {
    const wrong = async (address: string) => {
      const answers = [];
      for (let times = 0; times < 7; times++)
        answers.push(seen(await app.call('accounts.signIn', { email: address, password: 'not the password' })));
      return answers;
    };
    advance(app, 60 * minute);
    expect(await wrong(email)).toEqual(await wrong('never-known@example.com'));
  });

  it('on a forgotten password', async () => {
    const ask = (address: string) => () => app.call('accounts.askForPassword', { email: address });
    await alike(ask(email), ask('never-known@example.com'));
    const emails = await readRows(app, `select 1 from mail_outbox where recipient = 'never-known@example.com'`);
    expect(emails).toEqual([]);
  });
});

describe('at the same moment', () => {
  it('two accounts of one mailbox get one trial', async () => {
    const consent = { birthDate: '1994-05-01', acceptsTerms: true, acceptsContentPolicy: true };
    const people = [];
    for (const tag of ['a', 'b', 'c', 'd']) {
      advance(app, minute);
      const person = await confirmPerson(app, `same+${tag}@example.com`);
      const profile = { displayName: 'Same', handle: `same_${tag}`, country: 'DE', timeZone: 'UTC' };
      await app.call('accounts.setUpPassword', { password: goodPassword }, person.browser);
      await app.call('accounts.setUpProfile', profile, person.browser);
      await app.call('accounts.setUpConsent', consent, person.browser);
      people.push(person);
    }
    await Promise.all(people.map(({ browser }) => app.call('accounts.finishSetup', {}, browser)));
    const access = await Promise.all(people.map(({ browser }) => me(browser)));
    expect(access.map(({ setupStep }) => setupStep)).toEqual(['done', 'done', 'done', 'done']);
    expect(access.filter(({ subscriptionStatus }) => subscriptionStatus === 'trialing')).toHaveLength(1);
  });
});
