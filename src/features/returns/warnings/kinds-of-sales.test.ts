import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PaymentRefused, PaymentsAway } from '#engines/payments/payments.ts';
import { spendCredits } from '#features/credits/lots/accounting.ts';
import { settleCredits } from '#features/credits/lots/settling.ts';
import { runReleases } from '#features/held/releasing.ts';
import { findDrift, reconcile } from '#features/money/reconcile.ts';
import { syncObject } from '#features/money/sync-object.ts';
import { tendRequests } from '#features/requests/jobs.ts';
import { buyPack, countCredits } from '#tests/support/money/credits.ts';
import { listRefundsMade } from '#tests/support/money/disputing.ts';
import { openExchangeCheck } from '#tests/support/money/exchange-check.ts';
import { type FanStage, openFanStage } from '#tests/support/money/fans.ts';
import { takePlan } from '#tests/support/money/planning.ts';
import { type Asked, askAtLink, payFor, takeRequests } from '#tests/support/money/requests.ts';
import { fillAccount, tapDoor } from '#tests/support/money/selling.ts';
import { listTemplates, must, readRow, readRows, signInQuickly, signUpCreator } from '#tests/support/people.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { refundOwed, runRefunds } from '../refunding.ts';

const check = openExchangeCheck();
let app: TestApp;
let stage: FanStage;

beforeAll(async () => {
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  app = await openTestApp({ workJobs: false, onExchange: check.receive, log });
  stage = await openFanStage(app);
  await takeRequests(app, stage.creator);
  await fillAccount(app, stage.accountId);
});
afterAll(async () => {
  expect(check.faults).toEqual([]);
  await app.close();
});

/** Its bank reports a payment, of which is told several times; then the job of refunds runs. */
async function warn(chargeId = ''): Promise<void> {
  const warningId = (await app.engines.sandbox?.warn(chargeId)) ?? '';
  const received = await Promise.all([1, 2, 3].map(() => syncObject(app.engines, warningId)));
  expect(received).toEqual([true, true, true]);
  await runRefunds(app.engines);
  await syncObject(app.engines, warningId);
}
const refundsOf = (chargeId = '') => listRefundsMade(app, chargeId);

describe('a month of a subscription', () => {
  const chargesOf = async (linkId: string) =>
    (
      await readRows<{ charge: string }>(
        app,
        'select charge_id as charge from checkout_orders where link_id = $1 order by paid_at',
        [linkId],
      )
    ).map(({ charge }) => charge);

  it('goes back, and the subscription ends: its card is charged no more', async () => {
    const fan = await stage.makeFan();
    const [charge] = await chargesOf(fan.linkId);
    await warn(charge);
    expect(await stage.rowOf(fan)).toMatchObject({ status: 'canceled', ended: true });
    expect(await refundsOf(charge)).toEqual([{ cents: 999, reason: 'fraudulent' }]);
    expect(await stage.isOpen(fan.slug, fan.browser)).toBe(false);
    await stage.wait(40);
    expect((await stage.monthsOf(fan)).map(({ state }) => state)).toEqual(['refunded']);
    expect(await findDrift(app.engines)).toEqual([]);
  });

  it('that is long over goes back alone, and the subscription ends all the same', async () => {
    const fan = await stage.makeFan();
    await stage.wait(32);
    const [first] = await chargesOf(fan.linkId);
    await warn(first);
    expect(await stage.rowOf(fan)).toMatchObject({ status: 'canceled', ended: true });
    await stage.wait(40);
    expect((await stage.monthsOf(fan)).map(({ state }) => state)).toEqual(['refunded', 'paid']);
    expect((await listTemplates(app, fan.email)).filter((name) => name === 'fan_ended')).toHaveLength(1);
  });
});

describe('custom work', () => {
  const factsOf = async ({ id }: Asked) => {
    await reconcile(app.engines);
    return readRow<{ charge: string; state: string; request: string; held: number; hers: number; fee: number }>(
      app,
      `with booked as (select a.key, sum(e.amount_cents)::int as cents from ledger_transactions t join ledger_entries e on e.transaction_id = t.id
         join ledger_accounts a on a.id = e.account_id join checkout_orders o on o.charge_id = t.charge_id where o.request_id = $1 group by 1)
       select o.charge_id as charge, o.state, r.state as request, coalesce((select cents from booked where key = 'liability:held:' || r.id), 0) as held,
         coalesce((select cents from booked where key like 'liability:creator:%'), 0) as hers,
         coalesce((select cents from booked where key = 'income:platform_fee'), 0) as fee
       from custom_requests r join checkout_orders o on o.request_id = r.id where r.id = $1`,
      [id],
    );
  };
  async function paid(): Promise<Asked> {
    const asked = await askAtLink(app, stage.shared);
    await must(app, 'requests.accept', { requestId: asked.id, days: 7 }, stage.creator.browser);
    await payFor(app, asked);
    return asked;
  }
  async function delivered(): Promise<{ asked: Asked; slug: string }> {
    const asked = await paid();
    const work = { requestId: asked.id, albumId: stage.shared.albumId };
    await must(app, 'requests.deliver', work, stage.creator.browser);
    const { viewPath } = await must(app, 'requests.open', { code: asked.code }, asked.browser);
    return { asked, slug: String(viewPath).split('/').at(-1) ?? '' };
  }
  const back = { state: 'refunded', held: 0, hers: 0, fee: 0 };

  it('that is held goes back, and nobody works at it any more', async () => {
    const asked = await paid();
    const { charge } = await factsOf(asked);
    await warn(charge);
    expect(await factsOf(asked)).toMatchObject({ ...back, request: 'refunded' });
    expect(await refundsOf(charge)).toEqual([{ cents: 4000, reason: 'fraudulent' }]);
    await tendRequests(app.engines);
    expect(await findDrift(app.engines)).toEqual([]);
  });

  it('that was released is taken back from whoever had it, and what was delivered opens no more', async () => {
    const { asked, slug } = await delivered();
    await must(app, 'requests.say', { code: asked.code, what: 'accept' }, asked.browser);
    const { charge, hers, fee } = await factsOf(asked);
    expect([hers, fee]).toEqual([-3600, -400]);
    await warn(charge);
    expect(await factsOf(asked)).toMatchObject(back);
    expect(await refundsOf(charge)).toHaveLength(1);
    expect((await tapDoor(app, slug, asked.browser)).body).toMatchObject({
      title: 'Access ended',
      text: expect.stringContaining('What was made for you is closed.'),
    });
    expect(await findDrift(app.engines)).toEqual([]);
  });

  it('whose release is refused goes back without it, and is never sent as well', async () => {
    const { payments, sandbox } = app.engines;
    const own = { release: payments.release, refund: payments.refund };
    const { asked } = await delivered();
    payments.release = () => Promise.reject(new PaymentsAway('a test'));
    await must(app, 'requests.say', { code: asked.code, what: 'accept' }, asked.browser);
    const { charge } = await factsOf(asked);
    const warningId = (await sandbox?.warn(charge)) ?? '';
    await expect(syncObject(app.engines, warningId), 'it may have been sent').rejects.toThrow('is being sent');
    payments.release = () => Promise.reject(new PaymentRefused('unknown', 'No such account.'));
    payments.refund = () => Promise.reject(new PaymentRefused('other', 'Insufficient funds'));
    await Promise.all([1, 2, 3].map(() => syncObject(app.engines, warningId)));
    await runRefunds(app.engines);
    Object.assign(payments, own);
    await Promise.all([1, 2].map(() => runReleases(app.engines, asked.id)));
    expect(await factsOf(asked)).toMatchObject({ state: 'paid', request: 'refunded', held: -4000, hers: 0 });
    await stage.wait(1);
    await refundOwed(app.engines);
    expect(await factsOf(asked)).toMatchObject({ ...back, request: 'refunded' });
    expect(await refundsOf(charge)).toEqual([{ cents: 4000, reason: 'fraudulent' }]);
    expect(await findDrift(app.engines)).toEqual([]);
  });

  it('that is released in the very moment leaves nobody with money that went back', async () => {
    const { asked } = await delivered();
    const { charge } = await factsOf(asked);
    await Promise.all([
      app.call('requests.say', { code: asked.code, what: 'accept' }, asked.browser),
      // Lost to the release, it is tried again.
      warn(charge).catch(() => undefined),
    ]);
    const [warning] = await readRows<{ id: string }>(
      app,
      'select warning_id as id from fraud_warnings where charge_id = $1',
      [charge],
    );
    await syncObject(app.engines, warning?.id ?? '');
    await runRefunds(app.engines);
    expect(await factsOf(asked)).toMatchObject(back);
    expect(await refundsOf(charge)).toHaveLength(1);
    expect(await findDrift(app.engines)).toEqual([]);
  });
});

describe('what the platform sold', () => {
  const chargeOf = async (sessionId: string) => (await app.engines.payments.findCheckout(sessionId)).chargeId;
  async function spend(userId: string, credits: number): Promise<void> {
    const { database, payments, linkClock } = app.engines;
    const about = { realm: payments.realm, userId, now: new Date(linkClock()) };
    const params = { ...about, jobId: crypto.randomUUID(), what: 'trace', credits } as const;
    expect(await database.work({ kind: 'system' }, (tx) => spendCredits(tx, params))).toBe(true);
  }
  const packMailsTo = async (address: string) =>
    (await listTemplates(app, address)).filter((name) => name.startsWith('pack_')).toSorted();
  const textTo = async (address: string, template: string) =>
    (
      await readRow<{ text: string }>(
        app,
        'select body_text as text from mail_outbox where recipient = $1 and template = $2',
        [address, template],
      )
    ).text.replaceAll(/\s+/g, ' ');
  async function bought() {
    const creator = await signUpCreator(app);
    const sessionId = await buyPack(app, creator);
    await syncObject(app.engines, sessionId);
    await settleCredits(app.engines, creator.userId);
    return { ...creator, sessionId, chargeId: await chargeOf(sessionId) };
  }

  it('credits go with the money of their pack, those that are spent as a debt', async () => {
    const { userId, chargeId, email } = await bought();
    const before = await countCredits(app, userId);
    await spend(userId, 45);
    await warn(chargeId);
    await settleCredits(app.engines, userId);
    expect(await refundsOf(chargeId)).toEqual([{ cents: 500, reason: 'fraudulent' }]);
    expect((await countCredits(app, userId)).balance).toBe(before.balance - 45 - 50);
    expect(await packMailsTo(email)).toEqual(['pack_receipt', 'pack_refunded']);
    expect(await textTo(email, 'pack_refunded')).toMatch(
      /\$5\.00 .*The card's bank reported possible fraud.*below zero/,
    );
    expect(await findDrift(app.engines)).toEqual([]);
  });

  it('of a pack whose unused part was asked back before, the rest goes back', async () => {
    const { userId, sessionId, chargeId, browser, email } = await bought();
    await spend(userId, 20);
    const [pack] = await readRows<{ id: string }>(app, 'select id from credit_orders where session_id = $1', [
      sessionId,
    ]);
    await must(app, 'credits.askBack', { packId: pack?.id }, browser);
    const first = await refundsOf(chargeId);
    expect(first).toHaveLength(1);
    const reported = await textTo(email, 'pack_refunded');
    expect(reported).toMatch(/\$3\.00 .*taken from your balance/);
    expect(reported).not.toContain('fraud');
    await warn(chargeId);
    expect(await packMailsTo(email)).toEqual(['pack_receipt', 'pack_refunded', 'pack_refunded']);
    const [, rest, ...more] = await refundsOf(chargeId);
    expect([(first[0]?.cents ?? 0) + (rest?.cents ?? 0), more]).toEqual([500, []]);
    expect(await readRow(app, 'select state, back_state from credit_orders where id = $1', [pack?.id])).toEqual({
      state: 'refunded',
      back_state: 'succeeded',
    });
    expect(await findDrift(app.engines)).toEqual([]);
  });

  it('a month of a plan goes back, and the plan ends', async () => {
    const creator = await signUpCreator(app);
    const sessionId = await takePlan(app, creator);
    await syncObject(app.engines, sessionId);
    const { subscriptionId = '' } = await app.engines.payments.findPlanCheckout(sessionId);
    const [invoice] = await app.engines.payments.listInvoices(subscriptionId);
    // Their trial is paid for by nobody: time goes on until their first month is.
    const browser = await pastTrial(creator.userId, subscriptionId, invoice?.paidCents ?? 0);
    const [paid] = await app.engines.payments.listInvoices(subscriptionId);
    const { chargeId } = await app.engines.payments.findInvoicePayment(paid?.invoiceId ?? '');
    await warn(chargeId);
    expect(await refundsOf(chargeId)).toEqual([{ cents: paid?.paidCents, reason: 'fraudulent' }]);
    expect(await must(app, 'billing.checkSubscription', {}, browser)).toMatchObject({
      subscription_status: 'inactive',
    });
    const { endedAt } = await app.engines.payments.findSubscription(subscriptionId);
    expect(endedAt).toBeDefined();
    const reported = (await listTemplates(app, creator.email)).filter((name) => /^plan_(refunded|ended)$/.test(name));
    expect(reported).toEqual(['plan_refunded']);
    expect(await textTo(creator.email, 'plan_refunded')).toContain("The card's bank reported possible fraud");
    expect(await findDrift(app.engines)).toEqual([]);
  });

  async function pastTrial(userId: string, subscriptionId: string, paidCents: number) {
    if (paidCents === 0) {
      await stage.wait(9);
      await syncObject(app.engines, subscriptionId);
    }
    return signInQuickly(app, userId);
  }

  it('what is nobody’s here is asked about again, and changes nothing', async () => {
    const { payments, sandbox } = app.engines;
    const { accountId } = await readRow<{ accountId: string }>(
      app,
      'select acct_id as "accountId" from user_stripe_accounts where user_id = $1',
      [stage.creator.userId],
    );
    const { sessionId } = await payments.openCheckout({
      orderId: crypto.randomUUID(),
      kind: 'tip',
      productName: 'Tip',
      amountCents: 1000,
      currency: 'usd',
      feeCents: 100,
      accountId,
      expiresAt: new Date(app.engines.linkClock() + 3_600_000),
      successUrl: 'http://localhost:3000/tip-success',
      cancelUrl: 'http://localhost:3000/',
    });
    await sandbox?.pay(sessionId, { email: 'x@example.com', card: '4242424242424242' });
    const warningId = (await sandbox?.warn((await chargeOf(sessionId)) ?? '')) ?? '';
    expect(await syncObject(app.engines, warningId)).toBe(false);
    expect(await refundsOf(await chargeOf(sessionId))).toEqual([]);
  });
});
