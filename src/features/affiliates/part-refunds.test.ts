import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { withBooks } from '#engines/payments/sandbox/books.ts';
import { refundCharge } from '#engines/payments/sandbox/refunding.ts';
import { syncLedger } from '#features/books/ledger-sync.ts';
import { findDrift } from '#features/money/reconcile.ts';
import {
  bring,
  makePartner,
  owedByRows,
  owedTo,
  type Partner,
  passDays,
  payBill,
  returnBill,
  returnPart,
  sumBooks,
  waitDays,
} from '#tests/support/money/partners.ts';
import { takePlan } from '#tests/support/money/planning.ts';
import { advance, must, type Person, readRow, readRows, signInQuickly, signUpCreator } from '#tests/support/people.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { writeSettings } from '#tests/support/write-settings.ts';
import { settleCommissions } from './commissions.ts';
import { makeRun, planRun, settleLine, totalOf } from './paying.ts';

let app: TestApp;
let partner: Partner;
let person: Person;
let n = 0;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  app.setNow('2027-01-04T12:00:00Z');
});
afterAll(() => app.close());
beforeEach(async () => {
  await readRows(app, 'delete from rate_limits');
  await writeSettings(app, { 'affiliates.payoutCents': 1 });
  partner = await makePartner(app, `partner-${++n}@example.com`);
  person = await bring(app, partner);
});
/** Whatever happened: the books are even, and owe a partner what the rows say. */
afterEach(async () => {
  expect(await sumBooks(app)).toEqual([]);
  expect(await owedTo(app, partner)).toBe(await owedByRows(app, partner));
  await readRows(app, `update affiliates set state = 'rejected' where id = $1`, [partner.id]);
});

const command = { adminId: null };
const mine = async () => (await must(app, 'affiliates.mine', {}, await signInQuickly(app, partner.userId))).partner;
const share = () =>
  readRow<{ state: string; returned: number; because: string | null }>(
    app,
    'select state, returned_cents::int as returned, reversed_because as because from commissions where affiliate_id = $1',
    [partner.id],
  );

describe('the share of a bill that goes back in parts', () => {
  it('goes back by all that went back so far, to the nearest cent, and never by more than itself', async () => {
    const invoiceId = await payBill(app, person);
    for (const [refunded, owed] of [
      [1, 80],
      [2, 80],
      [3, 79],
      [133, 53],
      [200, 40],
      [398, 0],
    ] as const) {
      await returnPart(app, invoiceId, refunded);
      expect([refunded, await owedTo(app, partner)]).toEqual([refunded, owed]);
    }
    expect(await share()).toEqual({ state: 'void', returned: 80, because: 'refunded' });
    await returnBill(app, invoiceId);
    expect(await share()).toMatchObject({ returned: 80 });
    expect(await mine()).toMatchObject({ earnedCents: 0, pendingCents: 0, debtCents: 0 });
  });

  it('goes back as to the rest when all of the bill does', async () => {
    const invoiceId = await payBill(app, person);
    await returnPart(app, invoiceId, 100);
    await Promise.all([settleCommissions(app.engines), settleCommissions(app.engines)]);
    expect(await share()).toEqual({ state: 'pending', returned: 20, because: null });
    expect(await mine()).toMatchObject({ earnedCents: 60, pendingCents: 60, signUps: 1 });
    await returnBill(app, invoiceId);
    expect(await share()).toEqual({ state: 'void', returned: 80, because: 'refunded' });
    expect(await owedTo(app, partner)).toBe(0);
  });

  it('does not come back when a refund does not arrive, and is noted of what was given back before it was noted', async () => {
    const invoiceId = await payBill(app, person);
    await returnPart(app, invoiceId, 100);
    await returnPart(app, invoiceId, 0);
    expect(await owedTo(app, partner)).toBe(60);
    await readRows(app, 'update affiliates set share_bps = 0 where id = $1', [partner.id]);
    await returnPart(app, await payBill(app, person), 200);
    await readRows(app, 'update affiliates set share_bps = 2000 where id = $1', [partner.id]);
    await settleCommissions(app.engines);
    expect(await owedTo(app, partner), '60 and 40').toBe(100);
  });

  it('is paid as to what is left, and what goes back later is taken off the next payouts', async () => {
    const run = async (isPaid = true) => {
      const lines = await planRun(app.engines);
      await makeRun(app.engines, command, { partners: lines.length, totalCents: totalOf(lines) });
      const { id, cents } = await readRow<{ id: string; cents: number }>(
        app,
        `select id, amount_cents::int as cents from affiliate_payouts where affiliate_id = $1 and state = 'open'`,
        [partner.id],
      );
      await settleLine(app.engines, command, { payoutId: id, paidCents: isPaid ? cents : null, note: '' });
    };
    const invoiceId = await payBill(app, person);
    await returnPart(app, invoiceId, 100);
    await waitDays(app, 31);
    expect(await planRun(app.engines)).toMatchObject([{ payableCents: 60, debtCents: 0, amountCents: 60 }]);
    await run();
    expect(await owedTo(app, partner)).toBe(0);
    for (const refunded of [200, 300]) await returnPart(app, invoiceId, refunded);
    expect(await mine()).toMatchObject({ paidCents: 60, debtCents: 40, earnedCents: 20 });
    await payBill(app, person);
    await waitDays(app, 31);
    expect(await planRun(app.engines)).toMatchObject([{ payableCents: 80, debtCents: 40, amountCents: 40 }]);
    await run(false);
    await returnBill(app, invoiceId);
    expect(await planRun(app.engines)).toMatchObject([{ payableCents: 80, debtCents: 60, amountCents: 20 }]);
    await run();
    expect(await owedTo(app, partner)).toBe(0);
    expect(await mine()).toMatchObject({ paidCents: 80, debtCents: 0, earnedCents: 80 });
  });
});

describe('a part of a bill that is given back at the provider by hand', () => {
  async function payAndReturn(payer: Person): Promise<void> {
    await takePlan(app, payer);
    await passDays(app, 8);
    const { id } = await readRow<{ id: string }>(
      app,
      `select i.invoice_id as id from plan_invoices i join platform_subscriptions p on p.id = i.plan_id where p.user_id = $1 and i.paid_cents > 0`,
      [payer.userId],
    );
    const { chargeId: charge } = await app.engines.payments.findInvoicePayment(id);
    advance(app, 60_000);
    await app.engines.database.work({ kind: 'system' }, (tx) =>
      withBooks(tx, app.engines.clock(), (books) => refundCharge(books, { charge, amount: 100 })),
    );
  }
  const invoicesOf = async ({ userId }: Person) =>
    (await must(app, 'billing.plan', {}, await signInQuickly(app, userId))).invoices;

  it('is heard of, and takes its part of the share', async () => {
    await payAndReturn(person);
    await passDays(app, 0);
    expect(await share()).toEqual({ state: 'pending', returned: 20, because: null });
    await syncLedger(app.engines);
    expect(await findDrift(app.engines)).toEqual([]);
  });

  it('stands on the bill of a creator whom nobody has brought as well', async () => {
    const alone = await signUpCreator(app);
    await payAndReturn(alone);
    await passDays(app, 0);
    expect(await invoicesOf(alone)).toMatchObject([{ state: 'partly_refunded', refundedCents: 100 }]);
  });

  it('is found in the books where nobody tells of it', async () => {
    await app.engines.sandbox?.setChaos({ ...(await app.engines.sandbox.chaos()), drops: true });
    await payAndReturn(person);
    await passDays(app, 0);
    expect(await share()).toMatchObject({ returned: 0 });
    await syncLedger(app.engines);
    await settleCommissions(app.engines);
    expect(await share()).toMatchObject({ returned: 20 });
    expect(await invoicesOf(person)).toMatchObject([{ state: 'partly_refunded', refundedCents: 100 }]);
  });
});
