import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { sessionOfSecret, takePlan } from '#tests/support/money/planning.ts';
import { goodCard } from '#tests/support/money/selling.ts';
import { advance, listTemplates, must, readEmail, signUpCreator } from '#tests/support/people.ts';
import { type Answer, type Browser, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { settlePlans } from '../settling-plans.ts';

const minute = 60_000;
let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
});
afterAll(() => app.close());

/** For how long an answer lets its browser keep what ties emails to it. */
const askedMs = ({ headers }: Answer): number =>
  Number(/pf_asked=[^;]+;.*?Max-Age=(\d+)/.exec(String(headers['set-cookie']))?.[1] ?? 0) * 1000;

/** Begins a checkout of a trial, which nobody has answered yet. */
async function begin(email: string) {
  const browser = newBrowser();
  const params = { email, mode: 'embedded', trialCode: 'FREE7' };
  const begun = await app.call('billing.createTrialCheckout', params, browser);
  return { browser, sessionId: sessionOfSecret(begun.body.clientSecret), keptMs: askedMs(begun) };
}

/** Takes a trial, and is gone before the page has asked anything. */
async function join(email: string) {
  const begun = await begin(email);
  await app.engines.sandbox?.takePlan(begun.sessionId, undefined);
  return begun;
}

/** A stranger has an email sent to an address, for a browser of their own. */
const askAsStranger = (email: string) => must(app, 'accounts.signUp', { email, isAdult: true }, newBrowser());

/** Goes on to the next full hour, where every count of an hour begins again. */
const passHour = () => advance(app, 60 * minute - (app.engines.clock() % (60 * minute)));

describe('a payer who closes the page', () => {
  it('is mailed once by the jobs, after two minutes, with a code for the browser that paid', async () => {
    const email = 'gone@example.com';
    const { browser, sessionId } = await join(email);
    await settlePlans(app.engines);
    expect(await listTemplates(app, email), 'the page may be asking just now').toEqual([]);
    advance(app, 3 * minute);
    await Promise.all([settlePlans(app.engines), settlePlans(app.engines)]);
    expect(await listTemplates(app, email)).toEqual(['confirm']);
    expect(await must(app, 'billing.arrive', { sessionId }, browser)).toMatchObject({ state: 'needs_email' });
    advance(app, 3 * minute);
    await settlePlans(app.engines);
    expect(await listTemplates(app, email)).toEqual(['confirm']);
    const { code } = await readEmail(app, email);
    expect((await app.call('accounts.confirm', { code }, newBrowser())).status, 'another browser').not.toBe(200);
    await must(app, 'accounts.confirm', { code }, browser);
    expect(await must(app, 'billing.arrive', { sessionId }, browser)).toMatchObject({ state: 'ready', isTrial: true });
  });

  it('is mailed by the page or by the jobs, not by both', async () => {
    const email = 'race@example.com';
    const { browser, sessionId } = await join(email);
    advance(app, 3 * minute);
    await Promise.all([settlePlans(app.engines), must(app, 'billing.arrive', { sessionId }, browser)]);
    expect(await listTemplates(app, email)).toEqual(['confirm']);
  });
});

describe('what the jobs mail late', () => {
  it.each([
    ['when the bank takes 40 minutes', 40 * minute],
    ['when the jobs come at the last moment', 3 * 24 * 60 * minute - minute],
  ])('works in the browser that paid, %s', async (_, lateMs) => {
    const email = `late-${lateMs}@example.com`;
    const { browser, sessionId, keptMs } = await begin(email);
    expect(keptMs, 'the cookie lasts as long as the link').toBeGreaterThanOrEqual(lateMs + 30 * minute);
    advance(app, Math.min(lateMs, 40 * minute));
    await app.engines.sandbox?.takePlan(sessionId, undefined);
    advance(app, lateMs - Math.min(lateMs, 40 * minute));
    await settlePlans(app.engines);
    advance(app, 29 * minute);
    const { token } = await readEmail(app, email);
    await must(app, 'accounts.confirm', { token }, browser);
  });

  it('is bound again when the page comes after it', async () => {
    const { browser, sessionId } = await join('after@example.com');
    advance(app, 20 * minute);
    await settlePlans(app.engines);
    const secret = browser.cookies.get('pf_asked');
    const arrived = await app.call('billing.arrive', { sessionId }, browser);
    expect(askedMs(arrived)).toBeGreaterThanOrEqual(30 * minute);
    expect(browser.cookies.get('pf_asked')).toBe(secret);
  });
});

describe('a payer whose address others ask about', () => {
  it.each([
    ['the jobs come', async () => undefined],
    [
      'the page and the jobs come',
      (sessionId: string, browser: Browser) => must(app, 'billing.arrive', { sessionId }, browser),
    ],
  ])('is mailed a moment later, for the browser that paid, when %s just after a stranger', async (when, arrive) => {
    const email = `asked-${when.length}@example.com`;
    const { browser, sessionId } = await join(email);
    passHour();
    await askAsStranger(email);
    await arrive(sessionId, browser);
    await settlePlans(app.engines);
    expect(await listTemplates(app, email), 'that of the stranger').toEqual(['confirm']);
    advance(app, 10 * minute);
    await settlePlans(app.engines);
    expect(await listTemplates(app, email)).toEqual(['confirm', 'confirm']);
    await must(app, 'accounts.confirm', { token: (await readEmail(app, email)).token }, browser);
  });

  it('is mailed in the next hour when a stranger has used up this one, however often the jobs try', async () => {
    const email = 'flooded@example.com';
    const { browser } = await join(email);
    passHour();
    for (let asked = 0; asked < 5; asked++) {
      await askAsStranger(email);
      advance(app, minute);
    }
    for (let round = 0; round < 5; round++) {
      await settlePlans(app.engines);
      advance(app, 10 * minute);
    }
    expect(await listTemplates(app, email)).toHaveLength(5);
    passHour();
    await settlePlans(app.engines);
    expect(await listTemplates(app, email)).toHaveLength(6);
    await must(app, 'accounts.confirm', { token: (await readEmail(app, email)).token }, browser);
  });

  it('is not mailed by the jobs once more after asking for the email on the page', async () => {
    const email = 'again@example.com';
    const { browser, sessionId } = await join(email);
    passHour();
    await askAsStranger(email);
    await must(app, 'billing.arrive', { sessionId }, browser);
    advance(app, minute);
    await must(app, 'billing.mailAgain', { sessionId }, browser);
    advance(app, 10 * minute);
    await settlePlans(app.engines);
    expect(await listTemplates(app, email)).toEqual(['confirm', 'confirm']);
  });
});

describe('an email that could not be queued', () => {
  it('is tried again in the next round, and stops neither the others nor the rest of the round', async () => {
    await join('first@example.com');
    advance(app, minute);
    await join('second@example.com');
    advance(app, 3 * minute);
    const warn = vi.fn();
    const send = vi.spyOn(app.engines.jobs, 'send').mockRejectedValueOnce(new Error('the database is gone'));
    await settlePlans({ ...app.engines, log: { ...app.engines.log, warn } });
    send.mockRestore();
    expect(warn).toHaveBeenCalledTimes(1);
    expect(await listTemplates(app, 'first@example.com')).toEqual([]);
    expect(await listTemplates(app, 'second@example.com')).toEqual(['confirm']);
    advance(app, 10 * minute);
    await settlePlans(app.engines);
    expect(await listTemplates(app, 'first@example.com')).toEqual(['confirm']);
    expect(await listTemplates(app, 'second@example.com')).toEqual(['confirm']);
  });
});

describe('a card that is added during a trial', () => {
  it('begins no other trial', async () => {
    const creator = await signUpCreator(app);
    advance(app, 4 * 24 * 60 * minute);
    const sessionId = await takePlan(app, creator, goodCard);
    expect(await must(app, 'billing.arrive', { sessionId }, creator.browser)).toMatchObject({
      state: 'ready',
      isTrial: false,
    });
  });
});
