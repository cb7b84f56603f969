import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { refuseOtherMoney, retireTestPayments } from '#features/orders/commands.ts';
import { takePlan } from '#tests/support/money/planning.ts';
import { must, type Person, readRows, signUpCreator } from '#tests/support/people.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
let creator: Person;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  // What is told late would be asked about after the end.
  app.engines.sandbox?.deliverTo(undefined);
  creator = await signUpCreator(app);
});
afterAll(() => app.close());

it('a plan that a test card pays for ends before real money is taken', async () => {
  const live = { provider: 'stripe', livemode: true } as const;
  const start = () => refuseOtherMoney({ ...app.engines, payments: { ...app.engines.payments, realm: live } });
  await start();
  await takePlan(app, creator);
  await vi.waitFor(async () => {
    await must(app, 'billing.checkSubscription', {}, creator.browser);
    expect(await readRows(app, 'select 1 from platform_subscriptions')).toHaveLength(1);
  });
  await readRows(
    app,
    "update users set plan_is_paused = true, plan_paused_until = now() + interval '60 days' where id = $1",
    [creator.userId],
  );
  await expect(start()).rejects.toThrow('retire-test-payments');
  expect(await retireTestPayments(app.engines)).toMatch(/^1 test payment retired/);
  await start();
  const me = await must(app, 'accounts.me', {}, creator.browser);
  expect(me).toMatchObject({
    subscriptionStatus: 'inactive',
    hasAccess: false,
    planIsPaused: false,
    planPausedUntil: null,
  });
});
