import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { PaymentsAway } from '#engines/payments/payments.ts';
import { describeNoAccess } from '#features/accounts/plan-end.ts';
import { findDrift } from '#features/money/reconcile.ts';
import { workInbox } from '#features/money/webhooks/inbox.ts';
import { openExchangeCheck } from '#tests/support/money/exchange-check.ts';
import { failNextMonths } from '#tests/support/money/fans.ts';
import { takePlan } from '#tests/support/money/planning.ts';
import {
  advance,
  listTemplates,
  must,
  type Person,
  readRow,
  readRows,
  signInQuickly,
  signUpCreator,
} from '#tests/support/people.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { tendLapses } from '../lapses/lapses.ts';
import { describeResumed } from '../plan-words.ts';
import { settlePlans } from '../settling-plans.ts';
import { syncPlan } from '../sync-plan.ts';

const check = openExchangeCheck();
const day = 86_400_000;
let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false, onExchange: check.receive });
});
afterAll(async () => {
  expect(check.faults).toEqual([]);
  await app.close();
});

/** Time goes on, and the provider tells what has happened meanwhile: in steps, as nobody acts upon what it tells after a month. */
async function waitUntil(moment: Date): Promise<void> {
  const open = `select type, object_id as about from webhook_inbox where processed_at is null and event_created_at > $1::timestamptz - interval '30 days'
    union all select body->>'type', id from sandbox_events where delivered_at is null`;
  do {
    advance(app, Math.min(20 * day, Math.max(0, moment.getTime() - app.engines.clock())));
    await vi.waitFor(async () => {
      // What is told makes us ask, and then more may be due.
      await app.engines.sandbox?.deliverDue();
      await workInbox(app.engines);
      expect(await readRows(app, open, [new Date(app.engines.clock())])).toEqual([]);
    });
  } while (app.engines.clock() < moment.getTime());
}
const later = (moment: Date, ms: number) => new Date(moment.getTime() + ms);

/** Sessions end in a long pause. */
const call = async (name: string, { userId }: Pick<Person, 'userId'>, body: object = {}) =>
  app.call(name, body, await signInQuickly(app, userId));
const planOf = async ({ userId }: Pick<Person, 'userId'>) =>
  must(app, 'billing.plan', {}, await signInQuickly(app, userId));
const meOf = async ({ userId }: Pick<Person, 'userId'>) =>
  must(app, 'accounts.me', {}, await signInQuickly(app, userId));
const count = async ({ email }: Person, template: string) =>
  (await listTemplates(app, email)).filter((name) => name === template).length;

/** Somebody whose first month is paid for. @returns when it ends */
async function subscribed({ failsNext = false } = {}): Promise<{ creator: Person; from: Date }> {
  const creator = await signUpCreator(app);
  await readRows(app, 'update users set subscription_status = null, trial_ends_at = null where id = $1', [
    creator.userId,
  ]);
  const sessionId = await takePlan(app, creator);
  const { subscriptionId = '' } = await app.engines.payments.findPlanCheckout(sessionId);
  if (failsNext) await failNextMonths(app, subscriptionId);
  await waitUntil(new Date(app.engines.clock()));
  return { creator, from: new Date((await planOf(creator)).periodEnd) };
}

describe('a plan that is paused', () => {
  it('runs to the end of what is paid for, gives no access then, resumes automatically and is paid for', async () => {
    const { creator, from } = await subscribed();
    const { pauses } = await planOf(creator);
    expect(pauses).toHaveLength(3);
    const until = new Date(pauses[1].until);
    const answers = await Promise.all([1, 2].map(() => call('billing.pausePlan', creator, { months: 2 })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await count(creator, 'plan_paused')).toBe(1);
    expect((await call('billing.pausePlan', creator, { months: 1 })).status).toBe(409);
    const coming = { kind: 'plan', pause: { from: from.toISOString(), until: until.toISOString() }, pauses: [] };
    expect(await planOf(creator)).toMatchObject(coming);
    await waitUntil(later(from, -60_000));
    expect(await meOf(creator)).toMatchObject({ hasAccess: true, planPausedUntil: null });

    await waitUntil(later(from, 60_000));
    const paused = { hasAccess: false, subscriptionStatus: 'inactive', planPausedUntil: until.toISOString() };
    expect(await meOf(creator)).toMatchObject(paused);
    expect((await call('albums.create', creator, { name: 'Late', peopleConsent: 'only_me' })).body.code).toBe(
      'SUBSCRIPTION_REQUIRED',
    );
    expect(await planOf(creator)).toMatchObject({ kind: 'paused', card: { last4: '4242' } });
    const second = await call('billing.createPlanCheckout', creator, { mode: 'embedded' });
    expect([second.status, second.body.code], 'it would be paid for twice').toEqual([409, 'CONFLICT']);

    await waitUntil(later(until, -4 * day));
    await settlePlans(app.engines);
    expect(await count(creator, 'plan_resumes')).toBe(0);
    await waitUntil(later(until, -2 * day));
    for (const _round of [1, 2]) await settlePlans(app.engines);
    expect(await count(creator, 'plan_resumes')).toBe(1);
    expect(await meOf(creator)).toMatchObject({ hasAccess: false });

    await waitUntil(later(until, 60_000));
    expect(await meOf(creator)).toMatchObject({ hasAccess: true, planPausedUntil: null });
    expect(await planOf(creator), 'charged within the hour').toMatchObject({ kind: 'plan', renewal: 'soon' });
    await waitUntil(later(until, 2 * 3600_000));
    const { kind, renewal, invoices, pauses: left } = await planOf(creator);
    expect(renewal).toBeNull();
    expect([kind, invoices.map(({ state }: { state: string }) => state), left.length]).toEqual([
      'plan',
      ['paid', 'paid'],
      1,
    ]);
    expect([await count(creator, 'plan_resumed'), await count(creator, 'plan_receipt')]).toEqual([1, 2]);
    expect(await findDrift(app.engines)).toEqual([]);
  });

  it('is taken back before it begins, and costs no month of the three', async () => {
    const { creator, from } = await subscribed();
    await call('billing.pausePlan', creator, { months: 3 });
    expect((await call('billing.endPause', creator)).body).toMatchObject({ kind: 'plan', pause: null });
    expect((await planOf(creator)).pauses).toHaveLength(3);
    expect(await count(creator, 'plan_resumed')).toBe(0);
    await call('billing.pausePlan', creator, { months: 1 });
    expect((await call('billing.cancelPlan', creator)).body).toMatchObject({ cancelAtPeriodEnd: true, pause: null });
    await waitUntil(later(from, 60_000));
    expect(await planOf(creator)).toMatchObject({ kind: 'ended' });
  });

  it('is resumed before its time for a month that is paid for once, or ended', async () => {
    const [first, second] = [await subscribed(), await subscribed()];
    for (const { creator } of [first, second]) await call('billing.pausePlan', creator, { months: 3 });
    await waitUntil(later(second.from, 35 * day));
    const { creator } = first;
    const answers = await Promise.all([1, 2].map(() => call('billing.endPause', creator)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await meOf(creator)).toMatchObject({ hasAccess: true, subscriptionStatus: 'active' });
    expect(describeResumed(answers[0]?.body).isActive).toBe(true);
    const plan = await planOf(creator);
    expect([plan.invoices.length, plan.pauses.length], 'a month that has begun is used').toEqual([2, 1]);
    expect(Math.round((new Date(plan.periodEnd).getTime() - app.engines.clock()) / day)).toBeGreaterThan(27);
    await waitUntil(new Date(app.engines.clock()));
    expect([await count(creator, 'plan_resumed'), await count(creator, 'plan_receipt')]).toEqual([1, 2]);

    expect((await call('billing.cancelPlan', second.creator)).body).toMatchObject({ kind: 'ended', pause: null });
    expect(await meOf(second.creator)).toMatchObject({ hasAccess: false, planIsPaused: false, planPausedUntil: null });
    expect((await planOf(second.creator)).invoices).toHaveLength(1);
  });

  it('that is resumed with a card that is declined is not told to be active again', async () => {
    const { creator, from } = await subscribed({ failsNext: true });
    await call('billing.pausePlan', creator, { months: 2 });
    await waitUntil(later(from, 60_000));
    const { body } = await call('billing.endPause', creator);
    expect(body).toMatchObject({ kind: 'plan', status: 'past_due', pause: null });
    expect(describeResumed(body)).toEqual({ isActive: false, title: "Your payment didn't go through" });
    await waitUntil(new Date(app.engines.clock()));
    expect([await count(creator, 'plan_payment_failed'), await count(creator, 'plan_resumed')]).toEqual([1, 0]);
  });

  it('is cancelled by what the provider says of it: a month that was paid for since runs out', async () => {
    const { creator, from } = await subscribed();
    const { pauses } = await planOf(creator);
    await call('billing.pausePlan', creator, { months: 1 });
    await waitUntil(later(from, 60_000));
    expect(await planOf(creator)).toMatchObject({ kind: 'paused' });
    app.engines.sandbox?.setTelling(false);
    try {
      advance(app, later(new Date(pauses[0].until), 2 * 3600_000).getTime() - app.engines.clock());
      await app.engines.sandbox?.deliverDue();
      const { body } = await call('billing.cancelPlan', creator);
      expect(body).toMatchObject({ kind: 'plan', cancelAtPeriodEnd: true, pause: null });
      expect(new Date(body.periodEnd).getTime()).toBeGreaterThan(app.engines.clock() + 20 * day);
    } finally {
      app.engines.sandbox?.setTelling(true);
    }
  });

  it('is cancelled by another tap when one of two calls to the provider failed, and is not paused afterwards', async () => {
    const { creator } = await subscribed();
    await call('billing.pausePlan', creator, { months: 1 });
    const { payments } = app.engines;
    for (const name of ['resumePlan', 'setPlanEnding'] as const) {
      const broken = vi.spyOn(payments, name).mockRejectedValueOnce(new PaymentsAway('away'));
      expect((await call('billing.cancelPlan', creator)).status).toBeGreaterThanOrEqual(500);
      broken.mockRestore();
      await waitUntil(new Date(app.engines.clock()));
    }
    expect((await call('billing.cancelPlan', creator)).body).toMatchObject({ cancelAtPeriodEnd: true, pause: null });
    expect((await call('billing.resumePlan', creator)).body).toMatchObject({ cancelAtPeriodEnd: false, pause: null });
  });

  it('is nothing that a trial, or somebody else, can have', async () => {
    const trial = await signUpCreator(app);
    await takePlan(app, trial);
    await waitUntil(new Date(app.engines.clock()));
    const refused = await call('billing.pausePlan', trial, { months: 1 });
    expect([refused.status, refused.body.message]).toEqual([409, "A free trial can't be paused."]);
    const { creator } = await subscribed();
    const other = await signUpCreator(app);
    for (const name of ['billing.pausePlan', 'billing.endPause'])
      expect((await call(name, other, { months: 1 })).status).toBe(409);
    expect(await planOf(creator)).toMatchObject({ kind: 'plan', pause: null });
    expect((await call('billing.pausePlan', creator, { months: 4 })).status).toBe(422);
  });

  it('lets nothing go that is stored', async () => {
    const { creator, from } = await subscribed();
    await call('billing.pausePlan', creator, { months: 3 });
    await waitUntil(later(from, 60_000));
    await tendLapses(app.engines);
    const lapses = async () =>
      (await readRow<{ n: number }>(app, 'select count(*)::int as n from lapses where user_id = $1', [creator.userId]))
        .n;
    expect(await lapses()).toBe(0);
    expect(await count(creator, 'albums_kept')).toBe(0);
    await call('billing.cancelPlan', creator);
    await tendLapses(app.engines);
    expect(await lapses(), 'from the end of the plan on').toBe(1);
  });

  it('without an end, as the provider itself can begin one, keeps what is stored until she resumes', async () => {
    const { creator } = await subscribed();
    const { id } = await readRow<{ id: string }>(
      app,
      'select subscription_id as id from platform_subscriptions where user_id = $1',
      [creator.userId],
    );
    await readRows(
      app,
      `update sandbox_objects set body = jsonb_set(body, '{pause_collection}', '{"behavior": "void", "resumes_at": null}') where id = $1`,
      [id],
    );
    await syncPlan(app.engines, id);
    const me = await meOf(creator);
    expect(me).toMatchObject({ hasAccess: false, planIsPaused: true, planPausedUntil: null });
    expect(describeNoAccess(me)).toMatchObject({
      title: 'Your plan is paused',
      text: expect.stringContaining('until you resume it'),
    });
    await tendLapses(app.engines);
    expect(await readRows(app, 'select user_id from lapses where user_id = $1', [creator.userId])).toEqual([]);
    expect((await call('billing.endPause', creator)).body).toMatchObject({ kind: 'plan', pause: null });
    expect(await meOf(creator)).toMatchObject({ hasAccess: true, planIsPaused: false });
  });
});
