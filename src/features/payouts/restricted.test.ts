import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type { Engines } from '#engines/engines.ts';
import { connectPayouts } from '#tests/support/money/selling.ts';
import { listTemplates, must, readRows } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { syncAccount } from './sync-account.ts';

let app: TestApp;
let shared: SharedAlbum;
let accountId: string;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  app.engines.sandbox?.deliverTo(undefined);
});
beforeEach(async () => {
  shared = await shareAlbum(app, { count: 1 });
  accountId = await connectPayouts(app, shared.creator);
});
afterAll(() => app.close());

const restrict = (isComplete = false) => app.engines.sandbox?.answerOnboarding(accountId, isComplete);
const templates = async () =>
  (await listTemplates(app, shared.creator.email)).filter((template) => template.startsWith('payout_'));

/** Returns what the provider says of an account, where the sandbox can't be brought to say it. */
const saying = (said: object): Engines => ({
  ...app.engines,
  payments: {
    ...app.engines.payments,
    findAccount: async () => ({ accountId, isReady: false, isClosed: false, missing: [], ...said }),
  },
});

it('a creator whose account is restricted hears of it once, with what is asked for and where', async () => {
  expect(await templates()).toEqual([]);
  const said = saying({ missing: ['A document that shows your address'] });
  await Promise.all([syncAccount(said, accountId), syncAccount(said, accountId)]);
  await syncAccount(said, accountId);
  expect(await templates()).toEqual(['payout_restricted']);
  const [email] = await readRows<{ body_text: string }>(
    app,
    `select body_text from mail_outbox where recipient = $1 and template = 'payout_restricted'`,
    [shared.creator.email],
  );
  for (const words of ['nobody can pay you', 'A document that shows your address', '/account/payouts'])
    expect(email?.body_text).toContain(words);
});

it('she hears of it again where it was complete in between, and of nothing where it never was', async () => {
  for (const isComplete of [false, true, false]) {
    await restrict(isComplete);
    await syncAccount(app.engines, accountId);
  }
  expect(await templates()).toEqual(['payout_restricted', 'payout_restricted']);
  const other = await shareAlbum(app, { count: 1 });
  const { url } = await must(app, 'money.connect', { country: 'US' }, other.creator.browser);
  await syncAccount(app.engines, String(url).split('/').at(-1) ?? '');
  expect((await listTemplates(app, other.creator.email)).filter((one) => one.startsWith('payout_'))).toEqual([]);
});

it('an account that the provider closed is said to be so, once, and leads nowhere', async () => {
  const closed = saying({ isClosed: true });
  await syncAccount(closed, accountId);
  await syncAccount(closed, accountId);
  expect(await templates()).toEqual(['payout_closed']);
  expect(await must(app, 'money.payouts', {}, shared.creator.browser)).toMatchObject({ account: 'closed' });
  vi.spyOn(app.engines.payments, 'findAccount').mockImplementation(closed.payments.findAccount);
  const asked = await app.call('money.connect', { country: 'US' }, shared.creator.browser);
  vi.restoreAllMocks();
  expect([asked.status, asked.body.message]).toEqual([409, 'Stripe closed your payout account.']);
});
