import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { connectPayouts } from '#tests/support/money/selling.ts';
import { goodPassword, listTemplates, must, readRows } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });
let app: TestApp;
let shared: SharedAlbum;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  shared = await shareAlbum(app, { count: 1 });
});
afterAll(() => app.close());

const open = (input: object) => app.call('money.connect', input, shared.creator.browser);
const countTold = async () =>
  (await listTemplates(app, shared.creator.email)).filter((template) => template === 'payout_account').length;

it('an account that is complete is opened by the password alone, and told; one that is not asks for nothing', async () => {
  await must(app, 'money.connect', {}, shared.creator.browser);
  await connectPayouts(app, shared.creator);
  const asked = vi.spyOn(app.engines.payments, 'accountUrl');
  for (const input of [{}, { password: '' }, { password: 'not hers' }])
    expect([await open(input), asked.mock.calls.length]).toMatchObject([
      { status: 422, body: { code: 'VALIDATION', data: { field: 'password' } } },
      0,
    ]);
  expect(await countTold()).toBe(0);
  expect((await open({ password: goodPassword })).status).toBe(200);
  expect(await countTold()).toBe(1);
  const noted = await readRows(app, `select from audit_log where action = 'payouts.account_opened'`, []);
  expect(noted).toHaveLength(1);
});
