import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  advance,
  goodPassword,
  listTemplates,
  type Person,
  readEmail,
  readRows,
  signUpCreator,
} from '#tests/support/people.ts';
import { type Authenticator, setUpSecondFactor } from '#tests/support/second-factor.ts';
import { type Browser, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
});
afterAll(() => app.close());

const minute = 60_000;
const wrong = '000000';
const password = goodPassword;

async function withPhone(): Promise<{ mara: Person; phone: Authenticator }> {
  const mara = await signUpCreator(app);
  return { mara, phone: await setUpSecondFactor(app, mara.browser, password) };
}
const me = async (browser: Browser) => (await app.call('accounts.me', {}, browser)).body.user;
async function firstStep(email: string, from: Browser): Promise<string> {
  const { status, body } = await app.call('accounts.signIn', { email, password }, from);
  expect(status).toBe(200);
  return body.challenge;
}
const giveCode = (challenge: string, code: string, from: Browser) =>
  app.call('secondFactor.signIn', { challenge, code }, from);

describe('signing in', () => {
  it('by the password alone gives no session, no cookie and no bearer', async () => {
    const { mara, phone } = await withPhone();
    const browser = newBrowser();
    const challenge = await firstStep(mara.email, browser);
    expect([...browser.cookies.keys()].filter((name) => name.includes('session') || name.includes('known'))).toEqual(
      [],
    );
    expect(await me(browser)).toBeNull();
    const payload = { email: mara.email, password };
    const bearer = await app.fastify.inject({ method: 'POST', url: '/api/v1/sign-in', payload });
    expect(Object.keys(bearer.json())).toEqual(['challenge']);
    expect((await giveCode(challenge, phone.next(), browser)).status).toBe(200);
    expect((await me(browser)).email).toBe(mara.email);
    const code = { challenge: bearer.json().challenge, code: phone.next() };
    const given = await app.fastify.inject({ method: 'POST', url: '/api/v1/sign-in/code', payload: code });
    expect(Object.keys(given.json())).toEqual(['token']);
  });

  it('takes a code once, and two at the same moment are one', async () => {
    const { mara, phone } = await withPhone();
    const browsers = [newBrowser(), newBrowser()];
    const challenges = await Promise.all(browsers.map((browser) => firstStep(mara.email, browser)));
    const code = phone.next();
    const answers = await Promise.all(browsers.map((browser, n) => giveCode(challenges[n] ?? '', code, browser)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422]);
  });

  it('takes a backup code once, however it is typed, and says how many are left', async () => {
    const { mara, phone } = await withPhone();
    const [first = ''] = phone.backupCodes;
    const browser = newBrowser();
    const typed = ` ${first.slice(0, 5).toUpperCase()}-${first.slice(5)} `;
    expect((await giveCode(await firstStep(mara.email, browser), typed, browser)).status).toBe(200);
    const { subject, text, template } = await readEmail(app, mara.email).catch(() => ({
      subject: '',
      text: '',
      template: '',
    }));
    expect([subject, template]).not.toContain('');
    expect(await listTemplates(app, mara.email)).toContain('backup_code_used');
    expect(text).not.toContain(first);
    const again = newBrowser();
    expect((await giveCode(await firstStep(mara.email, again), first, again)).status).toBe(422);
    expect((await app.call('secondFactor.show', {}, browser)).body.backupCodesLeft).toBe(9);
  });

  it('gives ten minutes for the code, and none after a new password', async () => {
    const { mara, phone } = await withPhone();
    const browser = newBrowser();
    const late = await firstStep(mara.email, browser);
    advance(app, 10 * minute);
    expect((await giveCode(late, phone.next(), browser)).status).toBe(410);
    const old = await firstStep(mara.email, browser);
    const change = { currentPassword: password, newPassword: 'four quiet green hills' };
    expect((await app.call('accounts.changePassword', change, mara.browser)).status).toBe(200);
    expect((await giveCode(old, phone.next(), browser)).status).toBe(410);
  });

  it('takes no challenge that another account, another moment or nobody was given', async () => {
    const { mara, phone } = await withPhone();
    const bob = await withPhone();
    const browser = newBrowser();
    const [, made = '', signature = ''] = (await firstStep(mara.email, browser)).split('.');
    for (const challenge of [
      `${bob.mara.userId}.${made}.${signature}`,
      `${mara.userId}.${Number(made) + 1}.${signature}`,
      `${mara.userId}.${made}.`,
      `${mara.userId}.${made}.${'A'.repeat(43)}`,
      'nothing',
      '',
    ])
      expect((await giveCode(challenge, phone.next(), browser)).status).toBe(410);
  });

  it('by a mailed link or code asks for the code as well', async () => {
    const { mara, phone } = await withPhone();
    const asking = newBrowser();
    // The emails of before are older.
    advance(app, minute);
    await app.call('accounts.askForPassword', { email: mara.email }, asking);
    const { code } = await readEmail(app, mara.email);
    const set = { proof: { code }, password: 'four quiet green hills' };
    const { status, body } = await app.call('accounts.setPassword', set, asking);
    expect([status, Object.keys(body)]).toEqual([200, ['challenge']]);
    expect(await me(asking)).toBeNull();
    expect(await me(mara.browser), 'every session of before has ended').toBeNull();
    expect((await giveCode(body.challenge, phone.next(), asking)).status).toBe(200);
    expect((await me(asking)).email).toBe(mara.email);
  });
});

describe('wrong codes', () => {
  it('of one network are five, then each waits, and the owner learns that somebody has the password', async () => {
    const { mara, phone } = await withPhone();
    const stranger = newBrowser();
    const challenge = await firstStep(mara.email, stranger);
    const many = await Promise.all(Array.from({ length: 20 }, () => giveCode(challenge, wrong, stranger)));
    expect(many.filter(({ status }) => status === 422)).toHaveLength(5);
    const waits = many.filter(({ status }) => status === 429);
    expect(waits).toHaveLength(15);
    expect(waits[0]?.body.data.retryAfter).toBe(15);
    expect((await listTemplates(app, mara.email)).filter((name) => name === 'wrong_codes')).toHaveLength(1);
    const noted = await readRows(
      app,
      `select 1 from audit_log where action = 'session.code_refused' and target_id = $1`,
      [mara.userId],
    );
    expect(noted).toHaveLength(5);
    advance(app, 15_000);
    expect((await giveCode(challenge, wrong, stranger)).status).toBe(422);
    expect((await giveCode(challenge, wrong, stranger)).body.data.retryAfter).toBe(30);
    expect(phone.backupCodes).toHaveLength(10);
  });

  it('of very many networks close the owner out neither in a known browser nor with a backup code', async () => {
    const { mara, phone } = await withPhone();
    const strangers = Array.from({ length: 40 }, () => newBrowser());
    const challenge = await firstStep(mara.email, newBrowser());
    const tries = strangers.flatMap((stranger) => [1, 2, 3].map(() => giveCode(challenge, wrong, stranger)));
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    expect(
      statuses.filter((status) => status === 422),
      'all strangers together',
    ).toHaveLength(30);
    expect(statuses.filter((status) => status === 429)).toHaveLength(90);
    const fresh = newBrowser();
    const own = await firstStep(mara.email, fresh);
    expect((await giveCode(own, phone.next(), fresh)).status, 'a stranger by now, even with the right code').toBe(429);
    expect((await giveCode(own, phone.backupCodes[0] ?? '', fresh)).status).toBe(200);
    await app.call('accounts.signOut', {}, mara.browser);
    expect((await giveCode(await firstStep(mara.email, mara.browser), phone.next(), mara.browser)).status).toBe(200);
  });

  it('are counted again for a new password: whoever knew the old one is out', async () => {
    const { mara, phone } = await withPhone();
    const challenge = await firstStep(mara.email, newBrowser());
    await Promise.all(Array.from({ length: 31 }, () => giveCode(challenge, wrong, newBrowser())));
    const change = { currentPassword: password, newPassword: 'four quiet green hills' };
    expect((await app.call('accounts.changePassword', change, mara.browser)).status).toBe(200);
    const fresh = newBrowser();
    const { body } = await app.call('accounts.signIn', { email: mara.email, password: change.newPassword }, fresh);
    expect((await giveCode(body.challenge, phone.next(), fresh)).status).toBe(200);
  });
});
