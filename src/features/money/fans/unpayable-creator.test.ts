import { afterAll, beforeAll, expect, it } from 'vitest';
import { syncAccount } from '#features/payouts/sync-account.ts';
import { dayMs } from '#kit/time.ts';
import { countOf, type Fan, type FanStage, openFanStage } from '#tests/support/money/fans.ts';
import { emailsTo } from '#tests/support/money/requests.ts';
import { advance, listTemplates, must, readRow } from '#tests/support/people.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { findDrift } from '../reconcile.ts';
import { settleFans } from './fan-jobs.ts';

const operatorEmail = 'operator@example.com';
let app: TestApp;
let stage: FanStage;

beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  Object.assign(app.engines.installation, { operatorEmail });
  stage = await openFanStage(app);
});
afterAll(() => app.close());

const answer = async (isComplete: boolean) => {
  const { acct_id: account } = await readRow<{ acct_id: string }>(
    app,
    'select acct_id from user_stripe_accounts where user_id = $1',
    [stage.creator.userId],
  );
  await app.engines.sandbox?.answerOnboarding(account, isComplete);
  await syncAccount(app.engines, account);
};
const mine = async ({ browser }: Fan) => (await must(app, 'viewing.subscriptions', {}, browser)).rows[0];

it('nobody is charged for a month whose money cannot reach its creator, all are told, and it goes on once it can', async () => {
  const fan = await stage.makeFan();
  await answer(false);
  await stage.wait(32);
  expect(await stage.monthsOf(fan)).toHaveLength(1);
  expect(await stage.rowOf(fan)).toMatchObject({ status: 'past_due', ended: false });
  expect(await stage.isOpen(fan.slug, fan.browser)).toBe(true);
  expect(await mine(fan)).toMatchObject({ state: 'late', isUnpayable: true, renewal: 'stuck' });
  const reported = (await emailsTo(app, fan.email)).filter((text) => text.includes("can't be paid at the moment"));
  expect(reported).toHaveLength(1);
  expect(countOf(await listTemplates(app, stage.creator.email), 'fans_unbilled')).toBe(1);
  expect(countOf(await listTemplates(app, operatorEmail), 'unbilled')).toBe(1);
  expect((await emailsTo(app, operatorEmail)).join()).toContain('transfers_not_allowed');
  await answer(true);
  expect(await mine(fan)).toMatchObject({ state: 'late', isUnpayable: false, renewal: 'stuck' });
  await stage.wait(0);
  expect(await stage.monthsOf(fan)).toMatchObject([{ state: 'paid' }, { state: 'paid' }]);
  expect(await stage.rowOf(fan)).toMatchObject({ status: 'active', ended: false });
  expect(await mine(fan)).toMatchObject({ state: 'active', renewal: null });
  expect(await findDrift(app.engines)).toEqual([]);
});

it('access ends with the time in which payments are tried again, and nothing is charged after that', async () => {
  const fan = await stage.makeFan();
  await answer(false);
  await stage.wait(32);
  const { since } = await readRow<{ since: Date }>(
    app,
    'select draft_since as since from fan_subscriptions where link_id = $1',
    [fan.linkId],
  );
  const endsAt = since.getTime() + 16 * dayMs;
  expect(await mine(fan)).toMatchObject({ stuckUntil: new Date(endsAt).toISOString() });
  advance(app, endsAt - app.engines.clock() - 60_000);
  expect(await stage.isOpen(fan.slug, fan.browser), 'a minute before').toBe(true);
  advance(app, 120_000);
  expect(await stage.isOpen(fan.slug, fan.browser), 'although nobody has asked the provider').toBe(false);
  await settleFans(app.engines, 0);
  expect(await stage.rowOf(fan)).toMatchObject({ status: 'canceled', ended: true });
  expect(countOf(await listTemplates(app, fan.email), 'fan_ended')).toBe(1);
  await answer(true);
  await stage.wait(40);
  expect(await stage.monthsOf(fan)).toHaveLength(1);
});

it('in the hour before a renewal is charged everything is open, and whoever cancels is not charged', async () => {
  const [stays, goes] = [await stage.makeFan(), await stage.makeFan()];
  const { at } = await readRow<{ at: Date }>(
    app,
    'select max(period_end) as at from fan_subscriptions where link_id = any ($1::uuid[])',
    [[stays.linkId, goes.linkId]],
  );
  advance(app, at.getTime() - app.engines.clock() + 60_000);
  await settleFans(app.engines, 0);
  for (const fan of [stays, goes]) {
    expect(await stage.isOpen(fan.slug, fan.browser)).toBe(true);
    expect(await mine(fan)).toMatchObject({ state: 'active', renewal: 'soon', nextAttemptAt: null });
  }
  const { fanId } = await mine(goes);
  await must(app, 'viewing.cancelSubscription', { fanId }, goes.browser);
  expect(await stage.rowOf(goes)).toMatchObject({ status: 'canceled', ended: true });
  advance(app, 2 * 3600_000);
  await settleFans(app.engines, 0);
  expect(await stage.monthsOf(goes)).toHaveLength(1);
  expect(await stage.monthsOf(stays)).toHaveLength(2);
  expect(await mine(stays)).toMatchObject({ state: 'active', renewal: null });
  const failed = [stays, goes].map(async ({ email }) => countOf(await listTemplates(app, email), 'fan_payment_failed'));
  expect(await Promise.all(failed)).toEqual([0, 0]);
});

it('whoever cancels before anybody has heard of the renewal is not charged either', async () => {
  await stage.wait(0);
  const fan = await stage.makeFan();
  const { at } = await readRow<{ at: Date }>(app, 'select period_end as at from fan_subscriptions where link_id = $1', [
    fan.linkId,
  ]);
  advance(app, at.getTime() - app.engines.clock() + 60_000);
  const { fanId } = await mine(fan);
  await must(app, 'viewing.cancelSubscription', { fanId }, fan.browser);
  expect(await stage.rowOf(fan)).toMatchObject({ status: 'canceled', ended: true });
  advance(app, 3 * 3600_000);
  await settleFans(app.engines, 0);
  expect(await stage.monthsOf(fan)).toHaveLength(1);
});

it('a bill that cannot be made for another reason is told as such, and ends in time without any webhook', async () => {
  await stage.wait(0);
  const fan = await stage.makeFan();
  const { id } = await readRow<{ id: string }>(
    app,
    'select subscription_id as id from fan_subscriptions where link_id = $1',
    [fan.linkId],
  );
  await app.engines.sandbox?.spoilBills(id, 'customer_tax_location_invalid');
  await stage.wait(32);
  expect(await mine(fan)).toMatchObject({ state: 'late', isUnpayable: false, renewal: 'stuck' });
  expect((await emailsTo(app, fan.email)).join()).toContain('Your card is fine');
  for (const days of [1, 5, 5, 6]) await stage.wait(days);
  expect(await stage.rowOf(fan)).toMatchObject({ status: 'canceled', ended: true });
  expect(await stage.monthsOf(fan)).toHaveLength(1);
});
