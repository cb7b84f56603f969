import { afterAll, beforeAll, expect, it } from 'vitest';
import { type FanStage, openFanStage } from '#tests/support/money/fans.ts';
import { emailsTo } from '#tests/support/money/requests.ts';
import { must, readRows } from '#tests/support/people.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { projectAccount } from '../project.ts';
import { findDrift } from '../reconcile.ts';

let app: TestApp;
let stage: FanStage;

beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  stage = await openFanStage(app);
});
afterAll(() => app.close());

it('nobody is charged for a month whose money cannot reach its creator, and it goes on once it can', async () => {
  const fan = await stage.makeFan();
  const [account] = await readRows<{ acct_id: string }>(
    app,
    'select acct_id from user_stripe_accounts where user_id = $1',
    [stage.creator.userId],
  );
  const answer = async (isComplete: boolean) => {
    await app.engines.sandbox?.answerOnboarding(account?.acct_id ?? '', isComplete);
    await projectAccount(app.engines, account?.acct_id ?? '');
  };
  await answer(false);
  await stage.wait(31);
  expect(await stage.monthsOf(fan)).toHaveLength(1);
  expect(await stage.rowOf(fan)).toMatchObject({ status: 'past_due', ended: false });
  expect(await stage.isOpen(fan.slug, fan.browser)).toBe(true);
  const mine = async () => (await must(app, 'viewing.subscriptions', {}, fan.browser)).rows[0];
  expect(await mine()).toMatchObject({ state: 'late', isUnpayable: true });
  const told = (await emailsTo(app, fan.email)).filter((text) => text.includes("can't be paid at the moment"));
  expect(told).toHaveLength(1);
  await answer(true);
  expect(await mine()).toMatchObject({ state: 'late', isUnpayable: false });
  await stage.wait(3);
  expect(await stage.monthsOf(fan)).toMatchObject([{ state: 'paid' }, { state: 'paid' }]);
  expect(await stage.rowOf(fan)).toMatchObject({ status: 'active', ended: false });
  expect(await findDrift(app.engines)).toEqual([]);
});
