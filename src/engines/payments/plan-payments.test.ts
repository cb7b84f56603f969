import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '#engines/database/database.ts';
import { dayMs, hourMs, minuteMs } from '#kit/time.ts';
import { openTestDatabase } from '#tests/support/database/test-database.ts';
import { PaymentRefused, type Payments } from './payments.ts';
import { monthAfter } from './sandbox/plan-billing.ts';
import { openSandbox } from './sandbox/sandbox.ts';
import type { Sandbox } from './sandbox-parts.ts';

let database: Database;
let payments: Payments;
let sandbox: Sandbox;
let turnedMs = 0;
const good = '4242424242424242';
const chargesFail = '4000000000000341';
/** After so long the bill of a renewal is no draft any more. */
const draftMs = hourMs + minuteMs;

beforeAll(async () => {
  database = await openTestDatabase();
  ({ payments, sandbox } = openSandbox({
    database,
    clock: () => Date.now(),
    sandboxClock: () => Date.now() + turnedMs,
    publicUrl: 'http://localhost:3000',
    log: { error: (about) => expect(about).toBeUndefined() },
  }));
});
afterAll(async () => {
  await payments.close();
  await database.close();
});

let orders = 0;
const order = (more: object = {}) => ({
  orderId: `order-${++orders}`,
  productName: 'Creator plan',
  amountCents: 399,
  currency: 'usd',
  email: 'mia@example.com',
  customerId: undefined,
  trialDays: 7,
  asksForCard: true,
  returnUrl: 'http://localhost:3000/post-checkout?session_id={CHECKOUT_SESSION_ID}',
  ...more,
});

/** @returns the name of the plan */
async function take(card: string | null = good, more: object = {}): Promise<string> {
  const { sessionId } = await payments.openPlanCheckout(order(more));
  expect(await sandbox.takePlan(sessionId, card ?? undefined)).toEqual({
    url: `http://localhost:3000/post-checkout?session_id=${sessionId}`,
  });
  const { state, subscriptionId = '', clientSecret } = await payments.findPlanCheckout(sessionId);
  expect([state, clientSecret]).toEqual(['complete', undefined]);
  return subscriptionId;
}

const nowMs = () => Date.now() + turnedMs;
const find = (id: string) => payments.findSubscription(id);
/** Turns the clock to a minute after the next period of a plan has begun. */
async function passToRenewal(id: string): Promise<void> {
  const { periodEndsAt } = await find(id);
  turnedMs += (periodEndsAt?.getTime() ?? Number.NaN) - nowMs() + minuteMs;
  expect(await find(id)).toMatchObject({ periodStartsAt: periodEndsAt });
}
const daysBetween = (from: Date | undefined, to: Date | undefined) =>
  Math.round(((to?.getTime() ?? 0) - (from?.getTime() ?? 0)) / dayMs);

describe('a plan', () => {
  it('is one checkout however often it is asked for, and has one price', async () => {
    const params = order();
    const [first, second] = await Promise.all([payments.openPlanCheckout(params), payments.openPlanCheckout(params)]);
    expect(second).toEqual(first);
    expect(first).toMatchObject({ state: 'open', clientSecret: expect.stringContaining('_secret_') });
    await payments.expireCheckout(first.sessionId);
    expect(await payments.findPlanCheckout(first.sessionId)).toMatchObject({ state: 'expired' });
  });

  it('without a card ends with its trial, and nothing is ever charged', async () => {
    const id = await take(null, { asksForCard: false });
    expect(await find(id)).toMatchObject({ status: 'trialing', card: undefined });
    turnedMs += 7 * dayMs;
    const over = await find(id);
    expect(over).toMatchObject({ status: 'canceled' });
    expect(daysBetween(over.createdAt, over.endedAt)).toBe(7);
    expect((await payments.listInvoices(id)).map(({ amountCents }) => amountCents)).toEqual([0]);
  });

  it('with a card is paid for from the instant at which its trial ends, month by month', async () => {
    const id = await take();
    turnedMs += 70 * dayMs;
    const plan = await find(id);
    expect(plan).toMatchObject({ status: 'active', card: { brand: 'visa', last4: '4242' } });
    const invoices = await payments.listInvoices(id);
    expect(invoices.map(({ paidCents, status }) => [paidCents, status])).toEqual([
      [399, 'paid'],
      [399, 'paid'],
      [399, 'paid'],
      [0, 'paid'],
    ]);
    const [third, , first] = invoices;
    expect(daysBetween(plan.trialEndsAt, first?.paidAt)).toBe(0);
    expect(third?.createdAt, 'not when somebody looked').toEqual(plan.periodStartsAt);
    expect((third?.paidAt?.getTime() ?? 0) - (third?.createdAt.getTime() ?? 0), 'after its hour').toBe(hourMs);
  });

  it('is tried again after 3, 5 and 5 days, and then over; a new card pays what is owed', async () => {
    const [lost, saved] = [await take(chargesFail), await take(chargesFail, { email: 'eve@example.com' })];
    const started = (await find(lost)).trialEndsAt;
    turnedMs += 7 * dayMs + draftMs;
    const tries: (number | undefined)[] = [];
    for (const waited of [0, 3, 5]) {
      turnedMs += waited * dayMs;
      const [invoice] = await payments.listInvoices(lost);
      expect(await find(lost)).toMatchObject({ status: 'past_due' });
      tries.push(daysBetween(started, invoice?.nextAttemptAt));
    }
    expect(tries).toEqual([3, 8, 13]);
    const { customerId } = await find(saved);
    const url = await payments.cardUrl(customerId, 'http://localhost:3000/account/billing');
    await sandbox.changeCard(url.split('/').at(-1) ?? '', good);
    // The card of a subscription comes before the one of its customer.
    expect(await find(saved)).toMatchObject({ status: 'past_due', card: { last4: '0341' } });
    const cardId = (await payments.findCustomerCard(customerId)) ?? '';
    await payments.setCard(saved, cardId);
    expect(await payments.listPaidByCard(customerId)).toEqual([{ subscriptionId: saved, cardId, isResting: false }]);
    for (const invoiceId of await payments.listOwed(saved)) await payments.payOwed(invoiceId, cardId);
    expect(await find(saved)).toMatchObject({ status: 'active', card: { last4: '4242' } });
    turnedMs += 5 * dayMs;
    expect(await find(lost)).toMatchObject({ status: 'canceled' });
    expect((await payments.listInvoices(lost))[0]).toMatchObject({ status: 'uncollectible', nextAttemptAt: undefined });
  });

  it('renews by a draft, which is a bill and paid for after an hour', async () => {
    const id = await take(good, { trialDays: undefined });
    await passToRenewal(id);
    expect(await find(id)).toMatchObject({ status: 'active' });
    const newest = async () => (await payments.listInvoices(id))[0];
    const draft = { status: 'draft', amountCents: 399, paidCents: 0, number: undefined, paidAt: undefined };
    expect(await newest()).toMatchObject({ ...draft, finalizationError: undefined });
    expect(await payments.listOwed(id), 'nobody owes a draft').toEqual([]);
    turnedMs += hourMs;
    expect(await newest()).toMatchObject({ status: 'paid', paidCents: 399, number: expect.any(String) });
  });

  it('stays active with a draft that cannot be made final, until that is asked for and works', async () => {
    const id = await take(good, { trialDays: undefined });
    await sandbox.spoilBills(id, 'customer_tax_location_invalid');
    turnedMs += 31 * dayMs + draftMs;
    expect(await find(id)).toMatchObject({ status: 'active' });
    const [draft] = await payments.listInvoices(id);
    expect(draft).toMatchObject({ status: 'draft', finalizationError: 'customer_tax_location_invalid' });
    const { invoiceId = '' } = draft ?? {};
    await expect(payments.finalizeInvoice(invoiceId)).rejects.toBeInstanceOf(PaymentRefused);
    turnedMs += 2 * dayMs;
    expect((await payments.listInvoices(id))[0], 'nothing tries it again by itself').toEqual(draft);
    await sandbox.spoilBills(id, undefined);
    await payments.finalizeInvoice(invoiceId);
    await payments.finalizeInvoice(invoiceId);
    const paid = { invoiceId, status: 'paid', paidCents: 399, finalizationError: undefined };
    expect((await payments.listInvoices(id))[0]).toMatchObject(paid);
  });

  it('that ends while its renewal is a draft is charged for nothing more', async () => {
    const id = await take(good, { trialDays: undefined });
    await passToRenewal(id);
    await payments.endPlan(id);
    turnedMs += 9 * dayMs;
    expect((await payments.listInvoices(id)).map(({ status }) => status)).toEqual(['draft', 'paid']);
  });

  it('waits with its draft for whoever takes events, no longer than three days', async () => {
    const id = await take(good, { trialDays: undefined });
    await sandbox.deliverDue();
    let status = 500;
    sandbox.deliverTo(async () => status);
    await passToRenewal(id);
    await sandbox.deliverDue();
    const stateAfter = async (ms: number) => {
      turnedMs += ms;
      return (await payments.listInvoices(id))[0]?.status;
    };
    expect(await stateAfter(draftMs)).toBe('draft');
    expect(await stateAfter(2 * dayMs)).toBe('draft');
    expect(await stateAfter(dayMs)).toBe('paid');
    await passToRenewal(id);
    await sandbox.deliverDue();
    expect(await stateAfter(draftMs + hourMs)).toBe('draft');
    status = 200;
    await sandbox.deliverDue();
    expect(await stateAfter(hourMs)).toBe('paid');
    sandbox.deliverTo(undefined);
  });

  it('runs out when that was asked for, goes on when it was taken back, and ends at once when it has to', async () => {
    const [stays, goes, ended] = [await take(), await take(), await take()];
    for (const id of [stays, goes]) await payments.setPlanEnding(id, true);
    await payments.setPlanEnding(stays, false);
    await payments.endPlan(ended);
    await payments.endPlan(ended);
    expect(await find(goes)).toMatchObject({ status: 'trialing', cancelsAtPeriodEnd: true });
    expect(await find(ended)).toMatchObject({ status: 'canceled' });
    turnedMs += 8 * dayMs;
    expect([(await find(stays)).status, (await find(goes)).status]).toEqual(['active', 'canceled']);
  });

  it('is paused from the end of what is paid for: bills are void until the one that is paid again', async () => {
    const id = await take(good, { trialDays: undefined });
    const from = (await find(id)).periodEndsAt ?? new Date(Number.NaN);
    const until = new Date(monthAfter(from.getTime() / 1000, 2) * 1000);
    for (const _tap of [1, 2]) await payments.pausePlan(id, { from, until });
    const paused = { status: 'active', isPaused: true, pausedFrom: from, pausedUntil: until };
    expect(await find(id)).toMatchObject({ ...paused, periodEndsAt: from });
    turnedMs += 62 * dayMs;
    expect(await find(id)).toMatchObject({ ...paused, periodEndsAt: until });
    const bills = async () => (await payments.listInvoices(id)).map(({ status, paidCents }) => [status, paidCents]);
    const void_ = ['void', 0];
    expect(await bills()).toEqual([void_, void_, ['paid', 399]]);
    turnedMs += until.getTime() - nowMs() - 1800_000;
    const again = { status: 'active', isPaused: false, pausedFrom: undefined, pausedUntil: undefined };
    expect(await find(id), 'in time for its bill').toMatchObject(again);
    turnedMs += hourMs + draftMs;
    expect(await bills()).toEqual([['paid', 399], void_, void_, ['paid', 399]]);
  });

  it('goes on before its time: as if nothing had been, or for a month that is paid for once', async () => {
    const id = await take(good, { trialDays: undefined });
    const from = (await find(id)).periodEndsAt ?? new Date(Number.NaN);
    const until = new Date(monthAfter(from.getTime() / 1000, 1) * 1000);
    await payments.pausePlan(id, { from, until });
    await payments.resumePlan(id);
    expect(await find(id)).toMatchObject({ isPaused: false, periodEndsAt: from });
    await payments.pausePlan(id, { from, until });
    turnedMs += 40 * dayMs;
    await Promise.all([1, 2].map(() => payments.resumePlan(id, { key: `resume:${id}` })));
    const gone = await find(id);
    expect(gone).toMatchObject({ status: 'active', isPaused: false, pausedFrom: undefined });
    expect(Math.abs((gone.periodStartsAt?.getTime() ?? 0) - nowMs())).toBeLessThan(dayMs);
    expect((await payments.listInvoices(id)).map(({ status }) => status)).toEqual(['paid', 'void', 'paid']);
  });

  it('is found by its invoice, its payment and its charge, and a payment goes back once', async () => {
    const id = await take(good, { trialDays: undefined });
    const [invoice] = await payments.listInvoices(id);
    const { invoiceId = '' } = invoice ?? {};
    await Promise.all([1, 2].map(() => payments.refundInvoice(invoiceId, { key: `moneyback:${id}` })));
    await payments.refundInvoice(invoiceId, { key: 'again' });
    const own: [string, number, string | undefined][] = [];
    for await (const page of payments.movements(undefined))
      for (const { kind, amountCents, isOwnSale, chargeId = '' } of page)
        if (isOwnSale && (await payments.findSubscriptionOf(chargeId)) === id) own.push([kind, amountCents, chargeId]);
    expect(own.map(([kind, amountCents]) => [kind, amountCents])).toEqual([
      ['refund', -399],
      ['charge', 399],
    ]);
    expect(await payments.findSubscriptionOf(invoiceId)).toBe(id);
    expect(await payments.findSubscriptionOf('acct_1')).toBeUndefined();
  });
});
