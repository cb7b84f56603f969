import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { connectPayouts } from '#tests/support/money/selling.ts';
import { goodPassword, listTemplates, must, readRows } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
let shared: SharedAlbum;
let accountId: string;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  shared = await shareAlbum(app, { count: 1 });
});
afterAll(() => app.close());

const open = (input: object) => app.call('money.connect', input, shared.creator.browser);
const countNoted = async () =>
  (await readRows(app, `select from audit_log where action = 'payouts.account_opened'`, [])).length;
const countTold = async () =>
  (await listTemplates(app, shared.creator.email)).filter((template) => template === 'payout_account').length;

it('an account that is complete is opened by the password alone, and told; one that never was asks for nothing', async () => {
  await must(app, 'money.connect', { country: 'US' }, shared.creator.browser);
  accountId = await connectPayouts(app, shared.creator);
  const asked = vi.spyOn(app.engines.payments, 'accountUrl');
  for (const input of [{}, { password: '' }, { password: 'not hers' }])
    expect([await open(input), asked.mock.calls.length]).toMatchObject([
      { status: 422, body: { code: 'VALIDATION', data: { field: 'password' } } },
      0,
    ]);
  expect(await countTold()).toBe(0);
  expect((await open({ password: goodPassword })).status).toBe(200);
  expect(await countTold()).toBe(1);
  expect(await countNoted()).toBe(1);
});

it('an account that was complete and is restricted has her bank details, and asks the same', async () => {
  await app.engines.sandbox?.answerOnboarding(accountId, false);
  const asked = vi.spyOn(app.engines.payments, 'onboardingUrl');
  for (const input of [{}, { password: 'not hers' }])
    expect([await open(input), asked.mock.calls.length]).toMatchObject([
      { status: 422, body: { code: 'VALIDATION' } },
      0,
    ]);
  expect([await countTold(), await countNoted()]).toEqual([1, 1]);
  const opened = await open({ password: goodPassword });
  expect([opened.status, asked.mock.calls.length]).toEqual([200, 1]);
  expect([await countTold(), await countNoted()]).toEqual([2, 2]);
});
