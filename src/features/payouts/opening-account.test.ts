import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { connectPayouts } from '#tests/support/money/selling.ts';
import { addPasskey } from '#tests/support/passkeys.ts';
import { advance, goodPassword, listTemplates, must, readRows, signInQuickly } from '#tests/support/people.ts';
import { type Authenticator, setUpSecondFactor } from '#tests/support/second-factor.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
let shared: SharedAlbum;
let accountId: string;
let phone: Authenticator;
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

it('an account that is complete is opened by password and code, and told; one that never was asks for nothing', async () => {
  await must(app, 'money.connect', { country: 'US' }, shared.creator.browser);
  accountId = await connectPayouts(app, shared.creator);
  const asked = vi.spyOn(app.engines.payments, 'accountUrl');
  for (const input of [{}, { password: '' }])
    expect([await open(input), asked.mock.calls.length]).toMatchObject([
      { status: 422, body: { code: 'VALIDATION', data: { field: 'password' } } },
      0,
    ]);
  expect(await countTold()).toBe(0);
  const input = { password: goodPassword };
  expect((await open(input)).body, 'there is no second factor').toMatchObject({ code: 'SECOND_FACTOR_REQUIRED' });
  phone = await setUpSecondFactor(app, shared.creator.browser, goodPassword);
  advance(app, 10 * 60_000);
  expect((await open(input)).body, 'its last code is ten minutes old').toMatchObject({ code: 'CODE_REQUIRED' });
  expect([asked.mock.calls.length, await countTold()]).toEqual([0, 0]);
  await must(app, 'secondFactor.enter', { code: phone.next() }, shared.creator.browser);
  const other = await signInQuickly(app, shared.creator.userId);
  expect((await app.call('money.connect', input, other)).body, 'in this session').toMatchObject({
    code: 'CODE_REQUIRED',
  });
  expect((await open({ password: 'not hers' })).body).toMatchObject({
    code: 'VALIDATION',
    data: { field: 'password' },
  });
  expect([asked.mock.calls.length, await countTold()]).toEqual([0, 0]);
  expect((await open(input)).status).toBe(200);
  expect(await countTold()).toBe(1);
  expect(await countNoted()).toBe(1);
});

it('an account that was complete and is restricted has her bank details, and asks the same', async () => {
  await app.engines.sandbox?.answerOnboarding(accountId, false);
  advance(app, 10 * 60_000);
  expect((await open({ password: goodPassword })).status).toBe(403);
  await must(app, 'secondFactor.enter', { code: phone.next() }, shared.creator.browser);
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

it('a passkey opens it as a code does', async () => {
  const { browser } = shared.creator;
  await must(app, 'secondFactor.enter', { code: phone.next() }, browser);
  const { passkey } = await addPasskey(app, browser, goodPassword);
  advance(app, 10 * 60_000);
  expect((await open({ password: goodPassword })).body.code).toBe('CODE_REQUIRED');
  const { challenge } = await must(app, 'passkeys.beginEnter', {}, browser);
  await must(app, 'passkeys.enter', { credential: passkey.get(challenge) }, browser);
  expect((await open({ password: goodPassword })).status).toBe(200);
});
