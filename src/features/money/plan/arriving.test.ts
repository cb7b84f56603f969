import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { sessionOfSecret, takePlan } from '#tests/support/money/planning.ts';
import { goodCard } from '#tests/support/money/selling.ts';
import { listTemplates, must, pass, readEmail, signUpCreator } from '#tests/support/people.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { settlePlans } from './plan-jobs.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });
const minute = 60_000;
let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
});
afterAll(() => app.close());

/** Takes a trial, and is gone before the page has asked anything. */
async function join(email: string) {
  const browser = newBrowser();
  const wish = { email, mode: 'embedded', trialCode: 'FREE7' };
  const { clientSecret } = await must(app, 'billing.createTrialCheckout', wish, browser);
  const sessionId = sessionOfSecret(clientSecret);
  await app.engines.sandbox?.takePlan(sessionId, undefined);
  return { browser, sessionId };
}

describe('a payer who closes the page', () => {
  it('is mailed once by the jobs, after two minutes, with a code for the browser that paid', async () => {
    const email = 'gone@example.com';
    const { browser, sessionId } = await join(email);
    await settlePlans(app.engines);
    expect(await listTemplates(app, email), 'the page may be asking just now').toEqual([]);
    pass(app, 3 * minute);
    await Promise.all([settlePlans(app.engines), settlePlans(app.engines)]);
    expect(await listTemplates(app, email)).toEqual(['confirm']);
    expect(await must(app, 'billing.arrive', { sessionId }, browser)).toMatchObject({ state: 'needs_email' });
    pass(app, 3 * minute);
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
    pass(app, 3 * minute);
    await Promise.all([settlePlans(app.engines), must(app, 'billing.arrive', { sessionId }, browser)]);
    expect(await listTemplates(app, email)).toEqual(['confirm']);
  });
});

describe('a card that is added during a trial', () => {
  it('begins no other trial', async () => {
    const creator = await signUpCreator(app);
    pass(app, 4 * 24 * 60 * minute);
    const sessionId = await takePlan(app, creator, goodCard);
    expect(await must(app, 'billing.arrive', { sessionId }, creator.browser)).toMatchObject({
      state: 'ready',
      isTrial: false,
    });
  });
});
