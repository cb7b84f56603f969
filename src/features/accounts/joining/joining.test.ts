import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { advance, confirmPerson, readEmail, readRows, signUpCreator } from '#tests/support/people.ts';
import { type Browser, copyOf, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
});
afterAll(() => app.close());

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const me = async (browser: Browser) => (await app.call('accounts.me', {}, browser)).body;

describe('sign-up', () => {
  it('leads from an address to a studio with seven days of trial', async () => {
    const creator = await signUpCreator(app);
    expect(await me(creator.browser)).toMatchObject({
      user: { id: creator.userId, email: creator.email },
      setupStep: 'done',
      hasAccess: true,
      subscriptionStatus: 'trialing',
      trialEndsAt: new Date(app.engines.clock() + 7 * day).toISOString(),
      storage: { usedBytes: 0, limitBytes: 2_000_000_000 },
      mode: 'sandbox',
    });
    advance(app, 7 * day - 1);
    expect(await me(creator.browser)).toMatchObject({ hasAccess: true });
    advance(app, 1);
    expect(await me(creator.browser)).toMatchObject({ hasAccess: false, subscriptionStatus: 'inactive' });
  });

  it('works by the mailed link as well', async () => {
    const browser = newBrowser();
    await app.call('accounts.signUp', { email: 'link@example.com', isAdult: true }, browser);
    const { token, link } = await readEmail(app, 'link@example.com');
    expect(link).toBe(`http://localhost:3000/auth?action=confirm#${token}`);
    expect((await app.call('accounts.confirm', { token }, browser)).status).toBe(200);
    expect(await me(browser)).toMatchObject({
      user: { email: 'link@example.com' },
      setupStep: 'password',
      hasAccess: false,
    });
  });

  it('asks for an address, the box and the code FREE7', async () => {
    const call = (input: object) => app.call('accounts.signUp', input);
    const fieldOf = async (input: object) => (await call(input)).body.data.field;
    expect(await fieldOf({ email: 'a@b.c', isAdult: true })).toBe('email');
    expect(await fieldOf({ email: 'a@b.co', isAdult: false })).toBe('isAdult');
    expect(await fieldOf({ email: 'a@b.co', isAdult: true, trialCode: 'FREE99' })).toBe('trialCode');
  });

  it('goes on with an address that was confirmed but has no password yet', async () => {
    const { email, userId } = await confirmPerson(app);
    advance(app, 2 * minute);
    const again = await confirmPerson(app, email);
    expect(again.userId).toBe(userId);
  });

  it('gives one trial per mailbox, and tells the second time by mail only', async () => {
    await signUpCreator(app, { email: 'once@example.com' });
    advance(app, minute);
    const second = await signUpCreator(app, { email: 'Once+again@example.com' });
    expect(await me(second.browser)).toMatchObject({ hasAccess: false, subscriptionStatus: null, trialEndsAt: null });
    const emails = await readRows(app, `select template from mail_outbox where recipient = 'once+again@example.com'`);
    expect(emails.map(({ template }) => template)).toContain('trial_used');
  });

  it('keeps a lead, hands it to the person who proves the address, and never more than three a day', async () => {
    const lead = { email: 'lead@example.com', source: 'signup_form', page_path: '/auth', utm_source: 'letter' };
    const browser = newBrowser();
    browser.cookies.set('pf_consent', 'yes');
    for (let times = 0; times < 5; times++)
      expect((await app.call('accounts.captureLead', lead, browser)).status).toBe(200);
    const { userId } = await confirmPerson(app, 'lead@example.com');
    const leads = await readRows(app, `select user_id, utm from lead_captures where email = 'lead@example.com'`);
    expect(leads).toEqual(Array.from({ length: 3 }, () => ({ user_id: userId, utm: { source: 'letter' } })));
  });

  it('keeps no lead of a visitor who has not agreed to be measured', async () => {
    const lead = { email: 'unasked@example.com', source: 'signup_form' };
    const refusing = newBrowser();
    refusing.cookies.set('pf_consent', 'no');
    for (const browser of [newBrowser(), refusing])
      expect((await app.call('accounts.captureLead', lead, browser)).status).toBe(200);
    expect(await readRows(app, `select id from lead_captures where email = 'unasked@example.com'`)).toEqual([]);
  });
});

describe('codes and links', () => {
  const ask = async (email: string, browser = newBrowser()) => {
    await app.call('accounts.signUp', { email, isAdult: true }, browser);
    return { browser, ...(await readEmail(app, email)) };
  };

  it('a code has five tries, a right one after them is too late', async () => {
    const { browser, code } = await ask('tries@example.com');
    const wrong = code === '000000' ? '000001' : '000000';
    const left = [];
    for (let times = 0; times < 5; times++) {
      const { status, body } = await app.call('accounts.confirm', { code: wrong }, browser);
      expect([status, body.data.field]).toEqual([422, 'code']);
      left.push(body.data.triesLeft);
    }
    expect(left).toEqual([4, 3, 2, 1, 0]);
    expect((await app.call('accounts.confirm', { code }, browser)).status).toBe(410);
  });

  it('200 guesses at once are five', async () => {
    const { browser, code } = await ask('guesses@example.com');
    const codes = Array.from({ length: 60 }, (_, n) => String((Number(code) + 1 + n) % 1_000_000).padStart(6, '0'));
    const answers = await Promise.all(
      codes.map((guess) => app.call('accounts.confirm', { code: guess }, copyOf(browser))),
    );
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(5);
  });

  it('a code lives 10 minutes, a link 30, to the instant', async () => {
    const { browser, code, token } = await ask('late@example.com');
    advance(app, 10 * minute);
    expect((await app.call('accounts.confirm', { code }, browser)).status).toBe(410);
    advance(app, 20 * minute - 1);
    const copy = copyOf(browser);
    const other = newBrowser();
    expect((await app.call('accounts.confirm', { token }, other)).status).toBe(409);
    advance(app, 1);
    expect((await app.call('accounts.confirm', { token }, copy)).status).toBe(410);
  });

  it('U3: a link opened in another browser spends nothing and names the way; here it still works', async () => {
    const { browser, token } = await ask('scanner@example.com');
    // A scanner fetches the page, with and without running its scripts.
    for (const method of ['GET', 'HEAD'] as const)
      for (const url of [
        '/auth?action=confirm',
        `/auth?action=confirm&token=${token}`,
        `/api/v1/confirm?token=${token}`,
      ])
        await app.fastify.inject({ method, url });
    const scanner = await app.call('accounts.confirm', { token });
    expect([scanner.status, scanner.body.data.reason, scanner.body.message]).toEqual([
      409,
      'OTHER_BROWSER',
      'Enter the code where you started',
    ]);
    expect(scanner.headers['set-cookie']).toBeUndefined();
    expect((await app.call('accounts.confirm', { token }, browser)).status).toBe(200);
  });

  it('are used once, and only their hashes are kept', async () => {
    const { browser, code, token } = await ask('single@example.com');
    const before = copyOf(browser);
    expect((await app.call('accounts.confirm', { code }, browser)).status).toBe(200);
    for (const proof of [{ code }, { token }])
      expect((await app.call('accounts.confirm', proof, copyOf(before))).status).toBe(410);
    const kept = await readRows(app, 'select token_hash, code_hash, browser_hash from email_tokens');
    const all = kept
      .map((row) =>
        Object.values(row)
          .map((bytes) => (bytes as Buffer).toString('latin1'))
          .join(),
      )
      .join();
    expect(all).not.toContain(token);
    expect(all).not.toContain(code);
  });

  it('of 20 at once with the same link exactly one gets in', async () => {
    const { browser, token } = await ask('race@example.com');
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => app.call('accounts.confirm', { token }, copyOf(browser))),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('come at most once a minute to one address, known or not', async () => {
    const creator = await signUpCreator(app);
    advance(app, 2 * minute);
    for (const [procedure, email] of [
      ['accounts.signUp', creator.email],
      ['accounts.signUp', 'often@example.com'],
      ['accounts.askForPassword', creator.email],
      ['accounts.askForPassword', 'never-seen@example.com'],
    ] as const) {
      const first = await app.call(procedure, { email, isAdult: true });
      const second = await app.call(procedure, { email, isAdult: true });
      expect([first.status, second.status, second.body.data?.retryAfter > 0]).toEqual([200, 429, true]);
      expect([second.body.data?.reason, second.body.message]).toEqual([
        'JUST_SENT',
        expect.stringMatching(
          /^We've just sent an email to this address\. You can ask for another one in \d+ seconds?\.$/,
        ),
      ]);
    }
  });

  it('a try too soon after the last one uses none of them up', async () => {
    const ask = async () => (await app.call('accounts.signUp', { email: 'eager@example.com', isAdult: true })).status;
    expect(await ask()).toBe(200);
    for (let n = 0; n < 12; n++) expect(await ask()).toBe(429);
    advance(app, 2 * minute);
    expect(await ask()).toBe(200);
  });
});
