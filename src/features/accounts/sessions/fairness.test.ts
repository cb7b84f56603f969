import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { advance, goodPassword, listTemplates, signUpCreator } from '#tests/support/people.ts';
import { type Browser, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
});
afterAll(() => app.close());

const minute = 60_000;
const hour = 60 * minute;
const signIn = (email: string, password: string, from: Browser) =>
  app.call('accounts.signIn', { email, password }, from);
const ask = (email: string, from: Browser) => app.call('accounts.askForPassword', { email }, from);
const wrong = 'not her password';

describe('what strangers try at an address', () => {
  it('closes it to nobody else: not to its owner in her browser, and not to her in a new one', async () => {
    const { email, browser } = await signUpCreator(app);
    await app.call('accounts.signOut', {}, browser);
    const strangers = Array.from({ length: 5 }, () => newBrowser());
    const tries = strangers.flatMap((stranger) => Array.from({ length: 6 }, () => signIn(email, wrong, stranger)));
    expect(new Set((await Promise.all(tries)).map(({ status }) => status))).toEqual(new Set([401, 429]));
    expect((await signIn(email, goodPassword, browser)).status).toBe(200);
    expect((await signIn(email, goodPassword, newBrowser())).status).toBe(200);
    const reported = (await listTemplates(app, email)).filter((name) => name === 'wrong_passwords');
    expect(reported, 'one email, not one for each network').toHaveLength(1);
  });

  it('is slowed the more networks there are: where somebody is guessing, each has one try', async () => {
    const { email } = await signUpCreator(app);
    const tries = Array.from({ length: 30 }, () => signIn(email, wrong, newBrowser()));
    expect(new Set((await Promise.all(tries)).map(({ status }) => status))).toEqual(new Set([401]));
    const next = newBrowser();
    expect((await signIn(email, wrong, next)).status).toBe(401);
    expect((await signIn(email, wrong, next)).body.data.retryAfter).toBe(15);
  });

  it('is no other network’s: any address of a /64 is the same one', async () => {
    const { email } = await signUpCreator(app);
    const at = (address: string) => ({ cookies: new Map(), address });
    for (let n = 1; n <= 5; n++) await signIn(email, wrong, at(`2001:db8:5:1::${n}`));
    expect((await signIn(email, goodPassword, at('2001:db8:5:1::9'))).status).toBe(429);
    expect((await signIn(email, goodPassword, at('2001:db8:5:2::9'))).status).toBe(200);
  });

  it('uses up no reset email of a browser that is known', async () => {
    const { email, browser } = await signUpCreator(app);
    for (let n = 0; n < 10; n++) {
      await ask(email, newBrowser());
      advance(app, 13 * minute);
    }
    expect((await ask(email, newBrowser())).status).toBe(429);
    expect((await ask(email, browser)).status).toBe(200);
    expect((await ask(email, browser)).status, 'a known one has a limit of its own').toBe(429);
    const other = await signUpCreator(app);
    expect((await ask(email, other.browser)).status, 'and is known for its own address only').toBe(429);
    advance(app, 24 * hour);
  });
});

describe('a browser that is known', () => {
  it('has tries of its own, which end too', async () => {
    const { email, browser } = await signUpCreator(app);
    for (let n = 0; n < 5; n++) expect((await signIn(email, wrong, browser)).status).toBe(401);
    expect((await signIn(email, goodPassword, browser)).body.data.retryAfter).toBe(15);
    expect((await signIn(email, goodPassword, newBrowser())).status).toBe(200);
  });

  it('stays known when its session ends, until she signs out everywhere', async () => {
    const { email, browser } = await signUpCreator(app);
    const { address = '' } = browser;
    const strangers = { cookies: new Map(), address };
    for (let n = 0; n < 5; n++) await signIn(email, wrong, strangers);
    expect((await signIn(email, goodPassword, strangers)).status).toBe(429);
    await app.call('accounts.signOut', {}, browser);
    expect((await signIn(email, goodPassword, browser)).status).toBe(200);
    await app.call('accounts.signOutEverywhere', {}, browser);
    expect(browser.cookies.has('pf_known')).toBe(true);
    expect((await signIn(email, goodPassword, browser)).status).toBe(429);
  });

  it('is signed in while very many strangers wait', async () => {
    const { email, browser } = await signUpCreator(app);
    let answered = 0;
    const flood = Array.from({ length: 250 }, async (_, n) => {
      const { body } = await signIn(`nobody-${n}@example.org`, wrong, newBrowser());
      answered++;
      return body.message;
    });
    const { status } = await signIn(email, goodPassword, browser);
    expect([status, answered < 250]).toEqual([200, true]);
    // Not even the database is asked for more than it can do.
    const busy = "We're very busy right now. Please try again.";
    expect(new Set(await Promise.all(flood))).toEqual(new Set(['Invalid email or password', busy]));
  });
});
