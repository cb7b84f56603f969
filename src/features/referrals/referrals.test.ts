import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { dayMs, minuteMs } from '#kit/time.ts';
import { follow, makePartner, type Partner, signUpIn } from '#tests/support/money/partners.ts';
import {
  advance,
  confirmPerson,
  must,
  readEmail,
  readRows,
  signInQuickly,
  signUpCreator,
} from '#tests/support/people.ts';
import { type Browser, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { sweepClicks } from './jobs.ts';

let app: TestApp;
let jo: Partner;
let ana: Partner;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  jo = await makePartner(app, 'jo@example.com', 'Jo Rivers');
  ana = await makePartner(app, 'ana@example.com', 'Ana Lake');
});
afterAll(() => app.close());
beforeEach(async () => {
  await readRows(app, 'delete from rate_limits');
  await readRows(app, 'delete from affiliate_clicks');
});

const referralOf = (userId: string) =>
  readRows(
    app,
    `select affiliate_id as partner, source, void_reason as "isVoid" from affiliate_referrals where user_id = $1`,
    [userId],
  );
const inviterOf = async (browser: Browser) => (await must(app, 'referrals.invitedBy', {}, browser)).name;
const clicks = async () => (await readRows(app, 'select 1 from affiliate_clicks')).length;

describe('a new account', () => {
  it('has the partner whose link it followed first, and knows their name', async () => {
    const browser = await follow(app, jo.code);
    await follow(app, ana.code, browser);
    const person = await signUpIn(app, browser);
    expect(await referralOf(person.userId)).toEqual([{ partner: jo.id, source: 'link', isVoid: null }]);
    expect(await inviterOf(person.browser)).toBe('Jo Rivers');
    expect([...browser.cookies.keys()]).not.toContain('aff');
  });

  it('knows that no share goes to its partner any more after a year, or once they are no partner', async () => {
    const { browser } = await signUpIn(app, await follow(app, jo.code));
    const invited = () => must(app, 'referrals.invitedBy', {}, browser);
    expect(await invited()).toEqual({ name: 'Jo Rivers', getsShare: true });
    await readRows(app, `update affiliates set state = 'closed' where id = $1`, [jo.id]);
    expect(await invited()).toEqual({ name: 'Jo Rivers', getsShare: false });
    await readRows(app, `update affiliates set state = 'approved' where id = $1`, [jo.id]);
    await readRows(
      app,
      `update affiliate_referrals set ends_at = now() - interval '10 years' where affiliate_id = $1`,
      [jo.id],
    );
    expect(await invited()).toEqual({ name: 'Jo Rivers', getsShare: false });
  });

  it('has the partner whose code was typed, whatever link was followed before or after', async () => {
    const browser = await follow(app, jo.code);
    await follow(app, ana.code.toLowerCase(), browser, { isTyped: true });
    await follow(app, jo.code, browser);
    const person = await signUpIn(app, browser);
    expect(await referralOf(person.userId)).toEqual([{ partner: ana.id, source: 'code', isVoid: null }]);
  });

  it('has one partner once, however often its address is confirmed', async () => {
    const browser = await follow(app, jo.code);
    const { userId, email } = await confirmPerson(app, undefined, browser);
    advance(app, 2 * minuteMs);
    await confirmPerson(app, email, await follow(app, ana.code));
    expect(await referralOf(userId)).toEqual([{ partner: jo.id, source: 'link', isVoid: null }]);
  });

  it('has its partner, too, when its address is first proven on the way to a new password', async () => {
    const browser = await follow(app, jo.code);
    const email = 'proven-late@example.com';
    await must(app, 'accounts.signUp', { email, isAdult: true }, browser);
    advance(app, 2 * minuteMs);
    await must(app, 'accounts.askForPassword', { email }, browser);
    const { code } = await readEmail(app, email);
    await must(app, 'accounts.setPassword', { proof: { code }, password: 'four quiet green hills' }, browser);
    const { user } = await must(app, 'accounts.me', {}, browser);
    expect(await referralOf(user.id)).toEqual([{ partner: jo.id, source: 'link', isVoid: null }]);
  });

  it('that stood before has none, though it follows a link and signs in', async () => {
    const person = await signUpCreator(app);
    const known = await signInQuickly(app, person.userId);
    await follow(app, jo.code, known);
    expect(await referralOf(person.userId)).toEqual([]);
    expect(await inviterOf(known)).toBeNull();
    advance(app, 2 * minuteMs);
    const again = await follow(app, jo.code);
    await must(app, 'accounts.signUp', { email: person.email, isAdult: true }, again);
    expect(await referralOf(person.userId)).toEqual([]);
  });

  it('that has the mailbox of its partner, or signs up in their browser, is void', async () => {
    const own = await signUpIn(app, await follow(app, jo.code), 'jo+second@example.com');
    expect(await referralOf(own.userId)).toEqual([{ partner: jo.id, source: 'link', isVoid: 'same_person' }]);
    expect(await inviterOf(own.browser)).toBeNull();
    await must(app, 'accounts.signOut', {}, ana.browser);
    const inTheirs = await signUpIn(app, await follow(app, ana.code, ana.browser));
    expect(await referralOf(inTheirs.userId)).toEqual([{ partner: ana.id, source: 'link', isVoid: 'same_person' }]);
  });

  it('has none whose code is paused or belongs to nobody yet', async () => {
    await readRows(app, `update affiliates set state = 'paused' where id = $1`, [ana.id]);
    const browser = newBrowser();
    expect(await must(app, 'referrals.follow', { code: ana.code }, browser)).toEqual({ name: null, isKept: false });
    const typed = await app.call('referrals.follow', { code: ana.code, isTyped: true }, browser);
    expect([typed.status, typed.body.data.field]).toEqual([422, 'partnerCode']);
    const person = await signUpIn(app, browser);
    expect(await referralOf(person.userId)).toEqual([]);
    await readRows(app, `update affiliates set state = 'approved' where id = $1`, [ana.id]);
  });
});

describe('a link that is followed', () => {
  it('is remembered after a yes for 60 days, in a cookie that no script reads, with the code and a random number alone', async () => {
    const browser = newBrowser();
    browser.cookies.set('pf_consent', 'yes');
    const { headers } = await app.call('referrals.follow', { code: jo.code, landing: '/pricing' }, browser);
    const cookie = String(headers['set-cookie']);
    expect(cookie).toMatch(
      new RegExp(`^aff=${jo.code}\\.[A-Za-z0-9]{22}\\.link; Path=/; Max-Age=5184000; HttpOnly; SameSite=Lax`),
    );
  });

  it.each([undefined, 'no'])('is not remembered after %s; a code that they send themselves is', async (consent) => {
    const browser = newBrowser();
    if (consent !== undefined) browser.cookies.set('pf_consent', consent);
    const said = await must(app, 'referrals.follow', { code: jo.code }, browser);
    expect([said, browser.cookies.has('aff')]).toEqual([{ name: 'Jo Rivers', isKept: false }, false]);
    await must(app, 'referrals.follow', { code: jo.code, isTyped: true }, browser);
    expect(browser.cookies.has('aff')).toBe(true);
    const person = await signUpIn(app, browser);
    expect(await referralOf(person.userId)).toEqual([{ partner: jo.id, source: 'code', isVoid: null }]);
  });

  it('brings nobody who has taken their yes back before they sign up', async () => {
    const browser = await follow(app, jo.code);
    browser.cookies.set('pf_consent', 'no');
    const person = await signUpIn(app, browser);
    expect(await referralOf(person.userId)).toEqual([]);
  });

  it('gives way to the next one when its partner is paused', async () => {
    const browser = await follow(app, ana.code);
    await readRows(app, `update affiliates set state = 'paused' where id = $1`, [ana.id]);
    await follow(app, jo.code, browser);
    await readRows(app, `update affiliates set state = 'approved' where id = $1`, [ana.id]);
    const person = await signUpIn(app, browser);
    expect(await referralOf(person.userId)).toMatchObject([{ partner: jo.id }]);
  });

  it('counts a browser once, one without a yes once a day for its network, and of no network more than twenty', async () => {
    const browser = await follow(app, jo.code);
    await follow(app, jo.code, browser);
    expect(await clicks()).toBe(1);
    const bare = newBrowser();
    for (let n = 0; n < 3; n++) await must(app, 'referrals.follow', { code: jo.code }, bare);
    expect(await clicks()).toBe(2);
    const from = browser.address ?? '';
    for (let n = 0; n < 30; n++) await follow(app, jo.code, { ...newBrowser(), address: from });
    expect(await clicks()).toBeLessThanOrEqual(21);
    await follow(app, jo.code);
    expect(await clicks(), 'another network').toBeGreaterThan(2);
  });

  it('keeps nothing of who followed it but a hash and the family of the browser, for 13 months', async () => {
    const browser = newBrowser();
    await follow(app, jo.code, browser, { landing: '/help', utm: { source: 'letter' } });
    const [row] = await readRows(app, 'select landing, utm, browser, visitor_hash::text as hash from affiliate_clicks');
    expect(row).toMatchObject({ landing: '/help', utm: { source: 'letter' }, browser: 'Other' });
    expect(String(row?.hash)).not.toContain(browser.cookies.get('aff')?.split('.')[1]);
    advance(app, 399 * dayMs);
    await sweepClicks(app.engines);
    expect(await clicks()).toBe(1);
    advance(app, 2 * dayMs);
    await sweepClicks(app.engines);
    expect(await clicks()).toBe(0);
  });
});
