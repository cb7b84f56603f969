import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  bring,
  makePartner,
  owedByRows,
  owedTo,
  type Partner,
  payBill,
  returnBill,
  sumBooks,
  waitDays,
} from '#tests/support/money/partners.ts';
import { must, type Person, readRow, readRows, signInQuickly } from '#tests/support/people.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { writeSettings } from '#tests/support/write-settings.ts';
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
  await writeSettings(app, { 'affiliates.payoutCents': 80 });
  partner = await makePartner(app, `partner-${++n}@example.com`);
  person = await bring(app, partner);
});
/** Whatever happened: the books are even, and owe a partner what the rows say. */
afterEach(async () => {
  expect(await sumBooks(app)).toEqual([]);
  expect(await owedTo(app, partner)).toBe(await owedByRows(app, partner));
  // What comes of this one later is no matter of the next test.
  await readRows(app, `update affiliates set state = 'rejected' where id = $1`, [partner.id]);
});

const command = { adminId: null };
const mine = async () => (await must(app, 'affiliates.mine', {}, await signInQuickly(app, partner.userId))).partner;
const plan = () => planRun(app.engines);
async function make() {
  const lines = await plan();
  return makeRun(app.engines, command, { partners: lines.length, totalCents: totalOf(lines) });
}
const openLine = () =>
  readRow<{ id: string; cents: number }>(
    app,
    `select id, amount_cents::int as cents from affiliate_payouts where affiliate_id = $1 and state = 'open'`,
    [partner.id],
  );
async function settle(isPaid: boolean): Promise<boolean> {
  const { id: payoutId, cents } = await openLine();
  const note = isPaid ? '' : 'No bank account';
  return settleLine(app.engines, command, { payoutId, paidCents: isPaid ? cents : null, note });
}

describe('a run', () => {
  it('pays what its dry run said, once, however often it is tapped', async () => {
    await payBill(app, person);
    await waitDays(app, 31);
    await writeSettings(app, { 'affiliates.payoutCents': 81 });
    expect(await plan(), 'too little').toEqual([]);
    await writeSettings(app, { 'affiliates.payoutCents': 80 });
    const lines = await plan();
    expect(lines).toMatchObject([{ affiliateId: partner.id, amountCents: 80, email: partner.email }]);
    const expected = { partners: 1, totalCents: 80 };
    expect(await makeRun(app.engines, command, { ...expected, totalCents: 81 })).toBeUndefined();
    expect(await makeRun(app.engines, command, { ...expected, partners: 2 })).toBeUndefined();
    const runs = await Promise.all([1, 2, 3].map(() => makeRun(app.engines, command, expected)));
    expect(runs.filter((run) => run !== undefined)).toHaveLength(1);
    expect(await owedTo(app, partner), 'nothing has left yet').toBe(80);
    const { id, cents } = await openLine();
    expect(cents).toBe(80);
    const paid = () => settleLine(app.engines, command, { payoutId: id, paidCents: 80, note: '' });
    expect((await Promise.all([paid(), paid(), paid()])).filter((isPaid) => isPaid)).toHaveLength(1);
    expect(await mine()).toMatchObject({
      paidCents: 80,
      payableCents: 0,
      payouts: [{ amountCents: 80, isPaid: true }],
    });
    expect(await owedTo(app, partner)).toBe(0);
    const emails = await readRows(app, `select 1 from mail_outbox where template = 'partner_paid' and recipient = $1`, [
      partner.email,
    ]);
    expect(emails).toHaveLength(1);
  });

  it('has a partner once a month; a line that was not paid waits for the next run', async () => {
    await payBill(app, person);
    await waitDays(app, 31);
    await make();
    expect(await plan(), 'while a line is open').toEqual([]);
    expect(await settle(false)).toBe(true);
    expect(await plan()).toMatchObject([{ amountCents: 80 }]);
    await make();
    expect(await settle(true)).toBe(true);
    await payBill(app, person);
    await readRows(app, `update commissions set state = 'payable' where affiliate_id = $1 and state = 'pending'`, [
      partner.id,
    ]);
    expect(await plan(), 'in the same month').toEqual([]);
    await waitDays(app, 31);
    expect(await plan()).toMatchObject([{ affiliateId: partner.id, amountCents: 80 }]);
  });

  it('takes what was paid and went back from the next one', async () => {
    const invoices = [await payBill(app, person), await payBill(app, person)];
    await waitDays(app, 31);
    await make();
    await settle(true);
    await returnBill(app, invoices[0] ?? '');
    expect(await owedTo(app, partner)).toBe(-80);
    expect(await mine()).toMatchObject({ debtCents: 80, paidCents: 160, earnedCents: 80 });
    await waitDays(app, 31);
    expect(await plan(), 'there is only the debt').toEqual([]);
    for (let bill = 0; bill < 2; bill++) await payBill(app, person);
    await waitDays(app, 31);
    expect(await plan()).toMatchObject([{ payableCents: 160, debtCents: 80, amountCents: 80 }]);
    await make();
    expect(await settle(false), 'the debt stays').toBe(true);
    expect(await plan()).toMatchObject([{ payableCents: 160, debtCents: 80, amountCents: 80 }]);
    await make();
    await settle(true);
    expect(await owedTo(app, partner)).toBe(0);
    expect(await mine()).toMatchObject({ debtCents: 0, payableCents: 0, paidCents: 240 });
  });

  it('has nothing for whoever is paused or suspended', async () => {
    await payBill(app, person);
    await waitDays(app, 31);
    await readRows(app, `update affiliates set state = 'paused' where id = $1`, [partner.id]);
    expect(await plan()).toEqual([]);
    await readRows(app, `update affiliates set state = 'approved' where id = $1`, [partner.id]);
    await readRows(app, `update users set status = 'suspended' where id = $1`, [partner.userId]);
    expect(await plan()).toEqual([]);
    await readRows(app, `update users set status = 'active' where id = $1`, [partner.userId]);
    expect(await plan()).toHaveLength(1);
  });
});
