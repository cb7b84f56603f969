import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { finalizeDraft } from '#features/books/finalizing-draft.ts';
import { dayMs, hourMs, minuteMs } from '#kit/time.ts';
import { takePlan } from '#tests/support/money/planning.ts';
import { emailsTo } from '#tests/support/money/requests.ts';
import { goodCard } from '#tests/support/money/selling.ts';
import {
  advance,
  listTemplates,
  must,
  type Person,
  readRow,
  signInQuickly,
  signUpCreator,
} from '#tests/support/people.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { settlePlans } from './settling-plans.ts';

const operatorEmail = 'operator@example.com';
let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  Object.assign(app.engines.installation, { operatorEmail });
  app.engines.sandbox?.deliverTo(undefined);
});
afterAll(() => app.close());

/** Sessions end in a month. */
const signedIn = ({ userId }: Person) => signInQuickly(app, userId);
const planOf = async (creator: Person) => must(app, 'billing.plan', {}, await signedIn(creator));
const meOf = async (creator: Person) => must(app, 'accounts.me', {}, await signedIn(creator));
const countOf = async (email: string, template: string) =>
  (await listTemplates(app, email)).filter((name) => name === template).length;
const rowOf = ({ userId }: Person) =>
  readRow<{ subscriptionId: string; periodEnd: Date }>(
    app,
    'select subscription_id as "subscriptionId", period_end as "periodEnd" from platform_subscriptions where user_id = $1',
    [userId],
  );

/** Somebody whose trial with a card ends in a moment. */
async function subscribed(): Promise<Person & { subscriptionId: string; renewsAt: Date }> {
  const creator = await signUpCreator(app);
  await takePlan(app, creator, goodCard);
  await settlePlans(app.engines, 0);
  const { subscriptionId, periodEnd } = await rowOf(creator);
  return { ...creator, subscriptionId, renewsAt: periodEnd };
}

async function passTo(atMs: number): Promise<void> {
  advance(app, atMs - app.engines.clock());
  await settlePlans(app.engines, 0);
}

describe('the renewal of a plan', () => {
  it('is charged after an hour, in which everything works and no mail is sent', async () => {
    const creator = await subscribed();
    await passTo(creator.renewsAt.getTime() + minuteMs);
    expect(await meOf(creator)).toMatchObject({ subscriptionStatus: 'active', hasAccess: true });
    expect(await planOf(creator)).toMatchObject({ kind: 'plan', renewal: 'soon', stuckUntil: null });
    const paused = await app.call('billing.pausePlan', { months: 1 }, await signedIn(creator));
    expect([paused.status, paused.body.message]).toEqual([
      409,
      "This month hasn't been charged yet. Once it's paid, you can pause your plan.",
    ]);
    expect((await planOf(creator)).pauses).toEqual([]);
    const before = await listTemplates(app, creator.email);
    expect(before).not.toContain('plan_receipt');
    expect(before).not.toContain('plan_payment_failed');
    await passTo(creator.renewsAt.getTime() + 2 * hourMs);
    expect(await planOf(creator)).toMatchObject({ renewal: null, invoices: [{ state: 'paid', amountCents: 399 }] });
    expect(await countOf(creator.email, 'plan_receipt')).toBe(1);
  });

  it('is not charged to whoever cancels within that hour: the plan ends at once', async () => {
    const creator = await subscribed();
    await passTo(creator.renewsAt.getTime() + minuteMs);
    const ended = await must(app, 'billing.cancelPlan', {}, await signedIn(creator));
    expect(ended).toMatchObject({ kind: 'ended', invoices: [] });
    await passTo(creator.renewsAt.getTime() + 3 * dayMs);
    expect(await planOf(creator)).toMatchObject({ kind: 'ended', invoices: [] });
    expect(await countOf(creator.email, 'plan_receipt')).toBe(0);
  });

  it('that cannot be charged is told at once, tried again each day, and goes on', async () => {
    const creator = await subscribed();
    await app.engines.sandbox?.spoilBills(creator.subscriptionId, 'customer_tax_location_invalid');
    await passTo(creator.renewsAt.getTime() + 2 * hourMs);
    expect(await meOf(creator)).toMatchObject({ subscriptionStatus: 'past_due', hasAccess: true });
    const stuckUntil = new Date(creator.renewsAt.getTime() + 16 * dayMs).toISOString();
    expect(await planOf(creator)).toMatchObject({ kind: 'plan', renewal: 'stuck', stuckUntil, nextAttemptAt: null });
    expect(await countOf(creator.email, 'plan_unbilled')).toBe(1);
    expect(await countOf(creator.email, 'plan_payment_failed')).toBe(0);
    const reported = (await emailsTo(app, operatorEmail)).filter((text) =>
      text.includes('customer_tax_location_invalid'),
    );
    expect(reported).toHaveLength(1);
    await passTo(creator.renewsAt.getTime() + 4 * dayMs);
    expect(await countOf(creator.email, 'plan_unbilled'), 'once').toBe(1);
    await app.engines.sandbox?.spoilBills(creator.subscriptionId, undefined);
    await passTo(creator.renewsAt.getTime() + 5.5 * dayMs);
    expect(await meOf(creator)).toMatchObject({ subscriptionStatus: 'active', hasAccess: true });
    expect(await planOf(creator)).toMatchObject({ renewal: null, invoices: [{ state: 'paid' }] });
  });

  it('that was cancelled since it was listed to be tried again is not charged', async () => {
    const { payments, sandbox } = app.engines;
    const stuck = [await subscribed(), await subscribed()];
    for (const { subscriptionId } of stuck) await sandbox?.spoilBills(subscriptionId, 'customer_tax_location_invalid');
    await passTo(Math.max(...stuck.map(({ renewsAt }) => renewsAt.getTime())) + 2 * hourMs);
    const [ended = '', ending = ''] = stuck.map(({ subscriptionId }) => subscriptionId);
    await payments.endPlan(ended);
    await payments.setPlanEnding(ending, true);
    for (const subscriptionId of [ended, ending]) {
      await sandbox?.spoilBills(subscriptionId, undefined);
      const [draft] = await payments.listInvoices(subscriptionId);
      await finalizeDraft(app.engines, subscriptionId, draft?.invoiceId ?? '');
      expect((await payments.listInvoices(subscriptionId))[0]).toMatchObject({ status: 'draft', paidCents: 0 });
    }
  });

  it('that is never charged ends the plan after 16 days, also while the provider is away', async () => {
    const creator = await subscribed();
    await app.engines.sandbox?.spoilBills(creator.subscriptionId, 'customer_tax_location_invalid');
    await passTo(creator.renewsAt.getTime() + 2 * hourMs);
    const endsAt = creator.renewsAt.getTime() + 16 * dayMs;
    await passTo(endsAt - hourMs);
    expect(await meOf(creator)).toMatchObject({ hasAccess: true });
    // A checkout that somebody left open is asked about first, in vain.
    await app.call('billing.createPlanCheckout', { mode: 'embedded' }, await signedIn(await signUpCreator(app)));
    app.engines.sandbox?.setTrouble({ status: 409 });
    try {
      await passTo(endsAt + minuteMs);
      expect(await meOf(creator)).toMatchObject({ subscriptionStatus: 'inactive', hasAccess: false });
    } finally {
      app.engines.sandbox?.setTrouble(undefined);
    }
    await settlePlans(app.engines, 0);
    expect(await planOf(creator)).toMatchObject({ kind: 'ended', invoices: [] });
    expect(await countOf(creator.email, 'plan_ended')).toBe(1);
    const { status } = await app.engines.payments.findSubscription(creator.subscriptionId);
    expect(status, 'nothing is charged later').toBe('canceled');
  });
});
