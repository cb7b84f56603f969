import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { PaymentsAway } from '#engines/payments/payments.ts';
import { dayMs, minuteMs } from '#kit/time.ts';
import { takePlan } from '#tests/support/money/planning.ts';
import {
  advance,
  makeAdministrator,
  must,
  type Person,
  readRows,
  signInQuickly,
  signUpCreator,
} from '#tests/support/people.ts';
import { type Browser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { runRecompute } from '../desk-commands.ts';

let app: TestApp;
let admin: Person;
let desk: Browser;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  // No webhook tells anything: what is asked is all that is heard.
  app.engines.sandbox?.deliverTo(undefined);
  admin = await signUpCreator(app);
  await makeAdministrator(app, admin);
});
afterAll(() => app.close());
beforeEach(async () => {
  await readRows(app, 'delete from rate_limits');
  await setScopes('support');
});

const setScopes = (...scopes: string[]) =>
  readRows(app, 'update user_roles set scopes = $1', [scopes]).then(async () => {
    desk = await signInQuickly(app, admin.userId);
  });
const recompute = ({ userId }: Person) => app.call('adminUsers.recomputePlan', { userId }, desk);
const planOf = async ({ userId }: Person) => (await must(app, 'adminUsers.show', { userId }, desk)).plan;
/** As after a webhook that never came. */
const forget = ({ userId }: Person) =>
  readRows(app, `update users set subscription_status = 'past_due' where id = $1`, [userId]);

it('a plan is as the provider says, which says what has changed, once', async () => {
  const mia = await signUpCreator(app);
  await takePlan(app, mia);
  advance(app, 8 * dayMs);
  await setScopes('finance', 'support');
  expect((await recompute(mia)).body).toMatchObject({ before: { status: 'inactive' }, after: { status: 'active' } });
  await forget(mia);
  expect((await recompute(mia)).body).toMatchObject({ before: { status: 'past_due' }, after: { status: 'active' } });
  expect(await planOf(mia)).toMatchObject({ status: 'active' });
  const { before, after } = (await recompute(mia)).body;
  expect(after).toEqual(before);
  const logged = await readRows(
    app,
    `select actor_id, details from audit_log where action = 'plan.recomputed' and target_id = $1 order by id`,
    [mia.userId],
  );
  expect(logged).toMatchObject([
    { actor_id: admin.userId, details: { before: 'inactive', after: 'active' } },
    { details: { before: 'past_due', after: 'active' } },
    { details: { before: 'active', after: 'active' } },
  ]);
});

it('whoever has a shell asks by the same function', async () => {
  const mia = await signUpCreator(app);
  await expect(runRecompute(app.engines, [mia.email])).rejects.toThrow('never taken a plan');
  await takePlan(app, mia);
  advance(app, 8 * dayMs);
  expect(await runRecompute(app.engines, [mia.email.toUpperCase()])).toMatch(/: Was over, is active\./);
  await forget(mia);
  expect(await runRecompute(app.engines, [mia.email])).toBe(`${mia.email}: Was past due, is active.`);
  expect(await runRecompute(app.engines, [mia.email])).toBe(`${mia.email}: Nothing changed.`);
  await expect(runRecompute(app.engines, ['nobody@example.com'])).rejects.toThrow('No account');
  await expect(runRecompute(app.engines, [])).rejects.toThrow('Say whose');
});

it('the provider is not asked again and again, nor by who sees to reports alone', async () => {
  const mia = await signUpCreator(app);
  expect((await recompute(mia)).status).toBe(409);
  await takePlan(app, mia);
  const answers: number[] = [];
  for (let times = 0; times < 7; times++) answers.push((await recompute(mia)).status);
  expect(answers).toEqual([200, 200, 200, 200, 200, 200, 429]);
  advance(app, 11 * minuteMs);
  expect((await recompute(mia)).status).toBe(200);
  await setScopes('moderation');
  expect((await recompute(mia)).status).toBe(403);
});

it('a provider that does not answer is said to be away, and what is known stays', async () => {
  const mia = await signUpCreator(app);
  await takePlan(app, mia);
  await forget(mia);
  const away = vi.spyOn(app.engines.payments, 'findSubscription').mockRejectedValue(new PaymentsAway('a test'));
  const { status, body } = await recompute(mia);
  away.mockRestore();
  expect([status, body.code]).toEqual([503, 'PROVIDER_DOWN']);
  expect(await planOf(mia)).toMatchObject({ status: 'past_due' });
});
