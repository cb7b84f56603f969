import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { settingsOf } from '#features/settings/settings.ts';
import { writeSetting } from '#features/settings/store.ts';
import { sessionOfSecret } from '#tests/support/money/planning.ts';
import { advance, must } from '#tests/support/people.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  const { database, clock } = app.engines;
  const change = { key: 'accounts.resendSeconds', value: 300, by: null, now: new Date(clock()) } as const;
  await database.work({ kind: 'system' }, (tx) => writeSetting(tx, change));
  await vi.waitFor(async () => expect((await settingsOf(app.engines))['accounts.resendSeconds']).toBe(300));
});
afterAll(() => app.close());

it.each(['accounts.signUp', 'accounts.askForPassword'])(
  '%s says at once when another email can be sent',
  async (procedure) => {
    const email = `${procedure.toLowerCase()}@example.com`;
    expect(await must(app, procedure, { email, isAdult: true }, newBrowser())).toEqual({ resendAfterMs: 300_000 });
  },
);

it('so does the page of whoever has paid, counted from its last email', async () => {
  const browser = newBrowser();
  const params = { email: 'paid@example.com', mode: 'embedded', trialCode: 'FREE7' };
  const { clientSecret } = await must(app, 'billing.createTrialCheckout', params, browser);
  const sessionId = sessionOfSecret(clientSecret);
  await app.engines.sandbox?.takePlan(sessionId, undefined);
  const arrive = () => must(app, 'billing.arrive', { sessionId }, browser);
  expect(await arrive()).toMatchObject({ state: 'needs_email', resendAfterMs: 300_000 });
  advance(app, 100_000);
  expect(await arrive()).toMatchObject({ resendAfterMs: 200_000 });
  advance(app, 3_600_000);
  expect(await arrive()).toMatchObject({ resendAfterMs: 0 });
  await must(app, 'billing.mailAgain', { sessionId }, browser);
  advance(app, 50_000);
  expect(await arrive()).toMatchObject({ resendAfterMs: 250_000 });
});
