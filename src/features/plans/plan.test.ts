import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { findDrift } from '#features/money/reconcile.ts';
import { workInbox } from '#features/money/webhooks/inbox.ts';
import { openExchangeCheck } from '#tests/support/money/exchange-check.ts';
import { chargesFail } from '#tests/support/money/fans.ts';
import { sessionOfSecret, takePlan } from '#tests/support/money/planning.ts';
import { badCard, goodCard } from '#tests/support/money/selling.ts';
import {
  advance,
  listTemplates,
  must,
  type Person,
  readEmail,
  readRows,
  setUpPerson,
  signInQuickly,
  signUpCreator,
} from '#tests/support/people.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { settlePlans } from './settling-plans.ts';

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

const planOf = ({ browser }: Pick<Person, 'browser'>) => must(app, 'billing.plan', {}, browser);
const checkOf = ({ browser }: Pick<Person, 'browser'>) => must(app, 'billing.checkSubscription', {}, browser);
const meOf = async ({ browser }: Pick<Person, 'browser'>) => must(app, 'accounts.me', {}, browser);

/** The provider is asked with little patience, which a busy machine may use up: then somebody asks again. */
const untilChecked = ({ browser }: Pick<Person, 'browser'>, status: string) =>
  vi.waitFor(async () => expect(await checkOf({ browser })).toMatchObject({ subscription_status: status }));

/** Time goes on, and the provider tells what has happened meanwhile. */
async function wait(ms: number): Promise<void> {
  advance(app, ms);
  await app.engines.sandbox?.deliverDue();
  await workInbox(app.engines);
  // Another round may be telling just now.
  const open = `select type, object_id as about from webhook_inbox where processed_at is null
    union all select body->>'type', id from sandbox_events where delivered_at is null`;
  await vi.waitFor(async () => expect(await readRows(app, open)).toEqual([]));
}

describe('the plan of a creator', () => {
  it('begins with what is left of her trial, is told by a webhook, and is paid for when the trial is over', async () => {
    const creator = await signUpCreator(app);
    expect(await planOf(creator)).toMatchObject({ kind: 'trial', card: null, canChangeCard: false, invoices: [] });
    await wait(2.5 * day);
    await takePlan(app, creator);
    await wait(0);
    expect(await meOf(creator)).toMatchObject({ subscriptionStatus: 'trialing', hasAccess: true, trialEndsAt: null });
    const plan = await planOf(creator);
    expect(plan).toMatchObject({
      kind: 'plan',
      status: 'trialing',
      card: { brand: 'visa', last4: '4242' },
      invoices: [],
    });
    const trialEnd = new Date(plan.trialEnd).getTime();
    expect(Math.round((trialEnd - app.engines.clock()) / day)).toBe(5);
    await wait(4 * day);
    await settlePlans(app.engines);
    expect(await listTemplates(app, creator.email)).toContain('plan_renews');
    await wait(1.5 * day);
    const paid = await planOf(creator);
    expect(paid).toMatchObject({ kind: 'plan', status: 'active', invoices: [{ amountCents: 399, state: 'paid' }] });
    expect(await meOf(creator)).toMatchObject({ subscriptionStatus: 'active', hasAccess: true });
    const emails = await listTemplates(app, creator.email);
    expect(emails.filter((name) => name === 'plan_receipt')).toHaveLength(1);
    expect((await readEmail(app, creator.email)).text).toContain('Creator plan, one month: $3.99');
    await wait(31 * day);
    // Their session has ended meanwhile.
    const browser = await signInQuickly(app, creator.userId);
    expect((await planOf({ browser })).invoices).toHaveLength(2);
    expect(await findDrift(app.engines)).toEqual([]);
  });

  it('is one however often it is tapped, and is refused to whoever has it', async () => {
    const creator = await signUpCreator(app);
    const open = () => app.call('billing.createPlanCheckout', { mode: 'embedded' }, creator.browser);
    const answers = await Promise.all([open(), open(), open()]);
    expect(new Set(answers.map(({ body }) => body.clientSecret)).size).toBe(1);
    await takePlan(app, creator);
    const again = await open();
    expect([again.status, again.body.code]).toEqual([409, 'ALREADY_PURCHASED']);
    expect(await planOf(creator)).toMatchObject({ kind: 'plan', status: 'trialing' });
  });
});

describe('a plan that goes wrong or comes to an end', () => {
  it('keeps its access while a payment is tried again, and ends after the last try; a new card pays at once', async () => {
    const [ends, mends] = [await signUpCreator(app), await signUpCreator(app)];
    for (const creator of [ends, mends]) await takePlan(app, creator, chargesFail);
    await wait(8 * day);
    for (const creator of [ends, mends]) {
      expect(await meOf(creator)).toMatchObject({ subscriptionStatus: 'past_due', hasAccess: true });
      expect(await listTemplates(app, creator.email)).toContain('plan_payment_failed');
      expect((await planOf(creator)).nextAttemptAt).not.toBeNull();
    }
    const { url } = await must(app, 'billing.changeCard', {}, mends.browser);
    await app.engines.sandbox?.changeCard(String(url).split('/').at(-1) ?? '', goodCard);
    await untilChecked(mends, 'active');
    await wait(14 * day);
    expect(await meOf(ends)).toMatchObject({ subscriptionStatus: 'inactive', hasAccess: false });
    expect(await planOf(ends)).toMatchObject({ kind: 'ended', canChangeCard: false });
    expect(await listTemplates(app, ends.email)).toContain('plan_ended');
    expect(await meOf(mends)).toMatchObject({ subscriptionStatus: 'active', hasAccess: true });
  });

  it('runs out after one tap, goes on after another, and is taken again when it is over', async () => {
    const creator = await signUpCreator(app);
    await takePlan(app, creator);
    const { browser } = creator;
    await wait(0);
    expect(await must(app, 'billing.cancelPlan', {}, browser)).toMatchObject({ cancelAtPeriodEnd: true, kind: 'plan' });
    expect(await listTemplates(app, creator.email)).toContain('plan_cancelled');
    expect(await must(app, 'billing.resumePlan', {}, browser)).toMatchObject({ cancelAtPeriodEnd: false });
    await must(app, 'billing.cancelPlan', {}, browser);
    await wait(8 * day);
    expect(await meOf(creator)).toMatchObject({ subscriptionStatus: 'inactive', hasAccess: false });
    expect((await app.call('albums.create', { name: 'Late', peopleConsent: 'only_me' }, browser)).body.code).toBe(
      'SUBSCRIPTION_REQUIRED',
    );
    await takePlan(app, creator);
    await untilChecked(creator, 'active');
    expect(await meOf(creator)).toMatchObject({ hasAccess: true });
  });

  it('gives the first payment back once, to whoever asks within seven days of it', async () => {
    const [soon, late] = [await signUpCreator(app), await signUpCreator(app)];
    for (const creator of [soon, late]) await takePlan(app, creator);
    await wait(0);
    const early = await app.call('billing.moneyBack', {}, soon.browser);
    expect(early.body.message, 'nothing was paid yet').toBe('The time for a refund has passed.');
    await wait(8 * day);
    const { moneyBackUntil, periodEnd } = await planOf(soon);
    expect(new Date(moneyBackUntil).getTime()).toBeLessThan(new Date(periodEnd).getTime());
    const answers = await Promise.all([1, 2].map(() => app.call('billing.moneyBack', {}, soon.browser)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await planOf(soon)).toMatchObject({ kind: 'ended', invoices: [{ state: 'refunded', refundedCents: 399 }] });
    expect(await meOf(soon)).toMatchObject({ hasAccess: false, subscriptionStatus: 'inactive' });
    const emails = await listTemplates(app, soon.email);
    expect(emails.filter((name) => name === 'plan_refunded')).toHaveLength(1);
    expect(emails).not.toContain('plan_ended');
    expect(await findDrift(app.engines)).toEqual([]);
    await takePlan(app, soon);
    await wait(0);
    expect((await planOf(soon)).moneyBackUntil, 'once per person').toBeNull();
    expect((await app.call('billing.moneyBack', {}, soon.browser)).status).toBe(409);
    await wait(8 * day);
    const refused = await app.call('billing.moneyBack', {}, late.browser);
    expect([refused.status, refused.body.message]).toEqual([409, 'The time for a refund has passed.']);
  });
});

describe('joining by a checkout', () => {
  const begin = (email: string, browser = newBrowser(), more: object = {}) =>
    app.call('billing.createTrialCheckout', { email, mode: 'embedded', trialCode: 'FREE7', ...more }, browser);
  const arrive = async (sessionId: string, browser = newBrowser()) =>
    must(app, 'billing.arrive', { sessionId }, browser);

  it('leads from an address by a trial without a card to an account that has it', async () => {
    const browser = newBrowser();
    const sessionId = sessionOfSecret((await begin('trial@example.com', browser)).body.clientSecret);
    expect(await arrive(sessionId, browser)).toEqual({ state: 'checking', isTrial: true, email: 't•••@example.com' });
    await app.engines.sandbox?.takePlan(sessionId, undefined);
    expect(await arrive(sessionId, browser)).toMatchObject({ state: 'needs_email' });
    expect(await arrive(sessionId), 'the name of a checkout opens nothing').toMatchObject({ state: 'unknown' });
    const { code } = await readEmail(app, 'trial@example.com');
    await must(app, 'accounts.confirm', { code }, browser);
    const { user } = await must(app, 'accounts.me', {}, browser);
    expect(await arrive(sessionId, browser)).toMatchObject({ state: 'ready' });
    await setUpPerson(app, { browser, userId: user.id });
    const me = await must(app, 'accounts.me', {}, browser);
    expect(me).toMatchObject({ subscriptionStatus: 'trialing', hasAccess: true });
    const plan = await planOf({ browser });
    expect(plan).toMatchObject({ kind: 'trial', card: null, canChangeCard: true, trialEnd: me.trialEndsAt });
    await wait(7 * day);
    expect(await meOf({ browser })).toMatchObject({ subscriptionStatus: 'inactive', hasAccess: false });
    expect(await planOf({ browser })).toMatchObject({ kind: 'ended' });
    expect(await listTemplates(app, 'trial@example.com')).not.toContain('plan_ended');
  });

  it('answers alike for an address that has an account, which is told by mail only', async () => {
    const known = await signUpCreator(app);
    advance(app, 120_000);
    const browser = newBrowser();
    const answer = await begin(known.email, browser);
    expect([answer.status, Object.keys(answer.body)]).toEqual([200, ['clientSecret']]);
    const sessionId = sessionOfSecret(answer.body.clientSecret);
    await app.engines.sandbox?.takePlan(sessionId, undefined);
    expect(await arrive(sessionId, browser)).toMatchObject({ state: 'needs_email' });
    expect((await readEmail(app, known.email)).template).toBe('account_exists');
    expect((await planOf(known)).canChangeCard, 'nobody else changes her plan').toBe(false);
  });

  it('gives nobody a second trial, and whoever has paid her month', async () => {
    const first = await signUpCreator(app, { email: 'twice@example.com' });
    expect(await planOf(first)).toMatchObject({ kind: 'trial' });
    advance(app, 120_000);
    const browser = newBrowser();
    const again = sessionOfSecret((await begin('twice+2@example.com', browser)).body.clientSecret);
    await app.engines.sandbox?.takePlan(again, undefined);
    await arrive(again, browser);
    const { userId } = await confirmWith('twice+2@example.com', browser);
    await setUpPerson(app, { browser, userId });
    expect(await meOf({ browser })).toMatchObject({ hasAccess: false, subscriptionStatus: null });
    advance(app, 120_000);
    const paying = newBrowser();
    const paid = await begin('twice+3@example.com', paying, { trialCode: undefined });
    const sessionId = sessionOfSecret(paid.body.clientSecret);
    await app.engines.sandbox?.takePlan(sessionId, goodCard);
    await arrive(sessionId, paying);
    const person = await confirmWith('twice+3@example.com', paying);
    await setUpPerson(app, { browser: paying, userId: person.userId });
    expect(await meOf({ browser: paying })).toMatchObject({ hasAccess: true, subscriptionStatus: 'active' });
    await vi.waitFor(async () => {
      await checkOf({ browser: paying });
      expect(await listTemplates(app, 'twice+3@example.com')).toContain('plan_receipt');
    });
  });

  async function confirmWith(email: string, browser: ReturnType<typeof newBrowser>) {
    const { code } = await readEmail(app, email);
    await must(app, 'accounts.confirm', { code }, browser);
    const { user } = await must(app, 'accounts.me', {}, browser);
    return { userId: String(user.id) };
  }

  it('says plainly that a code is unknown, and asks for an address that can be one', async () => {
    const wrong = await begin('code@example.com', newBrowser(), { trialCode: 'FREE99' });
    expect([wrong.status, wrong.body.data.field]).toEqual([422, 'trialCode']);
    expect(wrong.body.message).toMatch(/^This trial code isn't valid\..*pay for the first month now\.$/);
    expect((await begin('a@b.c')).status).toBe(422);
  });

  it('takes no card that is declined', async () => {
    const creator = await signUpCreator(app);
    const { clientSecret } = await must(app, 'billing.createPlanCheckout', { mode: 'embedded' }, creator.browser);
    const answer = await app.engines.sandbox?.takePlan(sessionOfSecret(clientSecret), badCard);
    expect(answer).toEqual({ declined: 'Your card was declined.' });
    expect(await planOf(creator)).toMatchObject({ kind: 'trial', canChangeCard: false });
  });

  it('tells a browser what it needs to show the frame', async () => {
    const config = await must(app, 'billing.stripeConfig', {}, newBrowser());
    expect(config).toEqual({ publishableKey: expect.stringMatching(/^pk_test_sandbox_/), mode: 'sandbox' });
  });
});

// The last one: nothing is told from here on.
describe('a plan of which nobody is told', () => {
  it('is there as soon as somebody asks, and the jobs find what nobody asks for', async () => {
    const creator = await signUpCreator(app);
    app.engines.sandbox?.deliverTo(undefined);
    const { clientSecret } = await must(app, 'billing.createPlanCheckout', { mode: 'embedded' }, creator.browser);
    await app.engines.sandbox?.takePlan(sessionOfSecret(clientSecret), goodCard);
    await vi.waitFor(async () => {
      expect(await checkOf(creator)).toMatchObject({ subscription_status: 'trialing', cancel_at_period_end: false });
      expect(await planOf(creator)).toMatchObject({ kind: 'plan' });
    });
    advance(app, 8 * day);
    await settlePlans(app.engines);
    expect(await planOf(creator)).toMatchObject({ status: 'active', invoices: [{ state: 'paid' }] });
  });
});
