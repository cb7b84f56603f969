import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serverKeys } from '#engines/keys/key-ring.ts';
import { confirmWhile, waitsForRow } from '#tests/support/confirming-meanwhile.ts';
import { advance, confirmPerson, goodPassword, listTemplates, readRows, signUpCreator } from '#tests/support/people.ts';
import { type Browser, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { sweepAccounts } from '../jobs.ts';
import { saveAvatar } from '../saving-avatars.ts';
import { forgetAvatarQueue } from '../stored-avatar.ts';

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
const consent = { birthDate: '1994-05-01', acceptsTerms: true, acceptsContentPolicy: true };

describe('setting up', () => {
  it('takes the steps in their order, and earlier ones again', async () => {
    const { browser } = await confirmPerson(app);
    const call = async (procedure: string, input: object) =>
      (await app.call(`accounts.${procedure}`, input, browser)).status;
    expect(await call('setUpProfile', { ...profile, handle: 'too_early' })).toBe(409);
    expect(await call('setUpPassword', { password: goodPassword })).toBe(200);
    expect(await call('setUpPassword', { password: goodPassword })).toBe(409);
    expect(await call('setUpProfile', { ...profile, handle: 'in_order' })).toBe(200);
    expect(await call('finishSetup', {})).toBe(409);
    expect(await call('setUpConsent', consent)).toBe(200);
    expect(await call('setUpProfile', { ...profile, handle: 'in_order_2' })).toBe(200);
    expect((await me(browser)).setupStep).toBe('first_step');
    expect(await call('finishSetup', {})).toBe(200);
    expect(await call('setUpConsent', consent)).toBe(409);
  });

  it('gives no second trial to a mailbox that is kept in the form of before, with its dots and its second domain', async () => {
    const [key = Buffer.alloc(0)] = serverKeys(app.engines.keys, 'pf1:trial');
    for (const kept of ['v.era@googlemail.com', 'v.ira@googlemail.com', 'v.ora@gmail.com']) {
      const hash = createHmac('sha256', key).update(kept).digest();
      await readRows(app, 'insert into trial_redemptions (address_hash, at) values ($1, $2)', [hash, new Date()]);
    }
    const statusOf = async (email: string) =>
      (await me((await signUpCreator(app, { email })).browser)).subscriptionStatus;
    expect(await statusOf('V.Era+again@googlemail.com')).toBeNull();
    expect(await statusOf('v.ira@gmail.com')).toBeNull();
    expect(await statusOf('v.ora@googlemail.com')).toBeNull();
    expect(await statusOf('v.eri@googlemail.com')).toBe('trialing');
  });

  it('stores one password when two are sent at the same moment', async () => {
    const { browser, email } = await confirmPerson(app);
    const passwords = ['three calm rivers', 'four loud rivers', 'five slow rivers', 'nine dry rivers'];
    const send = (password: string) => app.call('accounts.setUpPassword', { password }, browser);
    const statuses = (await Promise.all(passwords.map(send))).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 409, 409, 409]);
    const password = passwords[statuses.indexOf(200)];
    expect((await app.call('accounts.signIn', { email, password }, newBrowser())).status).toBe(200);
  });

  it('refuses short, common and personal passwords on their field', async () => {
    const { browser } = await confirmPerson(app, 'calmriver99@example.com');
    for (const password of [
      'short',
      'password123!',
      'qwertyuiop',
      'iloveyouiloveyou',
      'calmriver99',
      'calmriver99@example.com',
      'aaaaaaaaaaaa',
    ]) {
      const { status, body } = await app.call('accounts.setUpPassword', { password }, browser);
      expect([password, status, body.data?.field]).toEqual([password, 422, 'password']);
    }
  });

  it('gives a handle to the first of two, and says so while it is typed', async () => {
    const [one, other] = [await confirmPerson(app), await confirmPerson(app)];
    for (const { browser } of [one, other])
      await app.call('accounts.setUpPassword', { password: goodPassword }, browser);
    const check = async (handle: string) => (await app.call('accounts.checkHandle', { handle }, other.browser)).body;
    expect(await check('both_want_it')).toEqual({ isFree: true });
    const answers = await Promise.all(
      [one, other].map(({ browser }) =>
        app.call('accounts.setUpProfile', { ...profile, handle: 'both_want_it' }, browser),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
    expect(answers.find(({ status }) => status === 422)?.body).toMatchObject({
      message: 'This handle is taken',
      data: { field: 'handle' },
    });
    expect(await check('Admin')).toMatchObject({ isFree: false });
  });

  it('asks once more before a date under 18 does anything: a year is easily mistyped', async () => {
    const { browser } = await confirmPerson(app);
    await app.call('accounts.setUpPassword', { password: goodPassword }, browser);
    await app.call('accounts.setUpProfile', { ...profile, handle: 'mistyped' }, browser);
    const mistyped = { ...consent, birthDate: '2012-05-01' };
    for (let n = 0; n < 3; n++) {
      const { status, body } = await app.call('accounts.setUpConsent', mistyped, browser);
      expect([status, body.message]).toEqual([422, 'You entered 2012 – is that right?']);
      expect(body.data).toMatchObject({ field: 'birthDate', reason: 'UNSURE_BIRTH_DATE' });
    }
    expect((await me(browser)).setupStep).toBe('consent');
    expect((await app.call('accounts.setUpConsent', consent, browser)).status).toBe(200);
    expect((await me(browser)).setupStep).toBe('first_step');
  });

  it('gives back what was entered in the third step as long as one can go back to it', async () => {
    const { browser } = await confirmPerson(app);
    await app.call('accounts.setUpPassword', { password: goodPassword }, browser);
    await app.call('accounts.setUpProfile', { ...profile, handle: 'came_back' }, browser);
    expect((await me(browser)).user.consent).toBeNull();
    await app.call('accounts.setUpConsent', { ...consent, wantsNews: true }, browser);
    expect((await me(browser)).user.consent).toEqual({ birthDate: '1994-05-01', wantsNews: true });
    await app.call('accounts.finishSetup', {}, browser);
    expect((await me(browser)).user.consent).toBeNull();
  });

  it('closes the account of somebody under 18, signs her out and erases her within 24 hours', async () => {
    const { browser, email, userId } = await confirmPerson(app);
    await app.call('accounts.setUpPassword', { password: goodPassword }, browser);
    await app.call('accounts.setUpProfile', { ...profile, handle: 'too_young' }, browser);
    const before = new Map(browser.cookies);
    const young = { ...consent, birthDate: '2012-01-01', isBirthDateSure: true };
    const { status, body } = await app.call('accounts.setUpConsent', young, browser);
    expect([status, body.message]).toEqual([403, 'You must be 18 or older']);
    expect((await me({ cookies: before })).user).toBeNull();
    expect((await signIn(email, goodPassword)).status).toBe(401);
    const [closed] = await readRows(
      app,
      'select status, display_name, handle, birth_date, country from users where id = $1',
      [userId],
    );
    expect(closed).toEqual({ status: 'deleted', display_name: '', handle: null, birth_date: null, country: null });
    expect(await listTemplates(app, email)).toContain('account_closed');
    // A picture that was still being made.
    const picture = { large: Buffer.from('large'), small: Buffer.from('small') };
    await saveAvatar(app.engines, userId, picture, 'late');
    advance(app, 24 * hour - 1);
    await sweepAccounts(app.engines);
    expect(await readRows(app, 'select 1 as one from users where id = $1', [userId])).toHaveLength(1);
    advance(app, 1);
    await sweepAccounts(app.engines);
    await sweepAccounts(app.engines);
    expect(await readRows(app, 'select 1 as one from users where id = $1 or email = $2', [userId, email])).toHaveLength(
      0,
    );
    expect(await listTemplates(app, email)).toEqual([]);
    expect(await readRows(app, `select 1 as one from pgboss.job where name = '${forgetAvatarQueue}'`)).toHaveLength(1);
  });

  it('keeps the account of somebody who confirms the address while it is being erased', async () => {
    const email = 'late@example.com';
    await app.call('accounts.signUp', { email, isAdult: true });
    advance(app, 7 * day + 1);
    const confirming = confirmWhile(app, email);
    await confirming.isUnderWay;
    const sweeping = sweepAccounts(app.engines);
    await waitsForRow(app);
    await confirming.commit();
    await sweeping;
    expect(await readRows(app, 'select 1 as one from users where email = $1', [email])).toHaveLength(1);
  });

  it('erases addresses that nobody confirmed for a week, and nobody else', async () => {
    const creator = await signUpCreator(app);
    await app.call('accounts.signUp', { email: 'stranger@example.com', isAdult: true });
    advance(app, 7 * day + 1);
    await sweepAccounts(app.engines);
    expect(await readRows(app, `select 1 as one from users where email = 'stranger@example.com'`)).toHaveLength(0);
    expect(await readRows(app, 'select 1 as one from users where id = $1', [creator.userId])).toHaveLength(1);
  });
});
