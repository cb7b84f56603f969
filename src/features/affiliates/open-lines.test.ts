import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  bring,
  makePartner,
  owedByRows,
  owedTo,
  type Partner,
  payBill,
  returnBill,
  returnPart,
  sumBooks,
  waitDays,
} from '#tests/support/money/partners.ts';
import { must, type Person, readRow, readRows, signInQuickly } from '#tests/support/people.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { writeSettings } from '#tests/support/write-settings.ts';
import { makeReferralVoid } from './deciding.ts';
import { makeRun, planRun, settleLine, totalOf } from './paying.ts';

let app: TestApp;
let partner: Partner;
let people: [Person, Person];
let bills: [string, string];
let n = 0;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  app.setNow('2027-01-04T12:00:00Z');
});
afterAll(() => app.close());
/** A run with a line of two shares of 80 cents each, which is to be paid. */
beforeEach(async () => {
  await readRows(app, 'delete from rate_limits');
  await writeSettings(app, { 'affiliates.payoutCents': 1 });
  partner = await makePartner(app, `partner-${++n}@example.com`);
  people = [await bring(app, partner), await bring(app, partner)];
  bills = [await payBill(app, people[0]), await payBill(app, people[1])];
  await waitDays(app, 31);
  await make();
  expect(await line()).toEqual({ state: 'open', cents: 160, made: 160 });
});
/** Whatever happened: the books are even, and owe a partner what the rows say. */
afterEach(async () => {
  expect(await sumBooks(app)).toEqual([]);
  expect(await owedTo(app, partner)).toBe(await owedByRows(app, partner));
  await readRows(app, `update affiliates set state = 'rejected' where id = $1`, [partner.id]);
});

const command = { adminId: null };
async function make(): Promise<void> {
  const lines = await planRun(app.engines);
  await makeRun(app.engines, command, { partners: lines.length, totalCents: totalOf(lines) });
}
/** The one that is open, else the newest. */
const readLine = () =>
  readRow<{ id: string; state: string; cents: number; made: number }>(
    app,
    `select id, state, amount_cents::int as cents, made_cents::int as made from affiliate_payouts
     where affiliate_id = $1 order by state = 'open' desc, created_at desc, id desc limit 1`,
    [partner.id],
  );
async function line() {
  const { id: _, ...shown } = await readLine();
  return shown;
}
const settle = async (paidCents: number | null) =>
  settleLine(app.engines, command, { payoutId: (await readLine()).id, paidCents, note: '' });
const mine = async () => (await must(app, 'affiliates.mine', {}, await signInQuickly(app, partner.userId))).partner;
async function makeVoid({ userId }: Person): Promise<void> {
  const { id } = await readRow<{ id: string }>(app, 'select id from affiliate_referrals where user_id = $1', [userId]);
  expect(await makeReferralVoid(app.engines, command, { referralId: id, reason: 'spam', note: '' })).toBe('done');
}

describe('a line that is to be paid', () => {
  it('is smaller by what a referral brought that is void, and is paid as to the rest', async () => {
    await makeVoid(people[0]);
    expect(await line()).toEqual({ state: 'open', cents: 80, made: 160 });
    expect(await owedTo(app, partner)).toBe(80);
    expect(await settle(79), 'less than is to be paid').toBe(false);
    expect(await settle(161), 'more than it ever was').toBe(false);
    expect(await settle(80)).toBe(true);
    expect(await mine()).toMatchObject({ paidCents: 80, payableCents: 0, debtCents: 0, earnedCents: 80 });
    expect(await owedTo(app, partner)).toBe(0);
  });

  it('leaves the run when nothing is left of it, and its partner is in the next one', async () => {
    for (const person of people) await makeVoid(person);
    expect(await line()).toEqual({ state: 'canceled', cents: 0, made: 160 });
    expect(await mine()).toMatchObject({ payouts: [], payableCents: 0, earnedCents: 0 });
    expect(await settle(null), 'it is settled').toBe(false);
    const other = await bring(app, partner);
    await payBill(app, other);
    await waitDays(app, 31);
    expect(await planRun(app.engines)).toMatchObject([{ affiliateId: partner.id, amountCents: 80 }]);
  });

  it('follows what goes back of its bills, in parts and in whole, and gives the rest to the next run when it is not paid', async () => {
    await returnPart(app, bills[0], 100);
    expect(await line()).toMatchObject({ state: 'open', cents: 140 });
    await returnBill(app, bills[0]);
    expect(await line()).toMatchObject({ state: 'open', cents: 80 });
    await returnPart(app, bills[1], 200);
    expect(await line()).toMatchObject({ state: 'open', cents: 40 });
    expect(await settle(null)).toBe(true);
    expect(await planRun(app.engines)).toMatchObject([{ payableCents: 40, debtCents: 0, amountCents: 40 }]);
    await make();
    expect(await settle(40)).toBe(true);
    expect(await mine()).toMatchObject({ paidCents: 40, debtCents: 0 });
    await returnBill(app, bills[1]);
    expect(await mine()).toMatchObject({ debtCents: 40 });
  });

  it('is booked as it was paid when that was before something went back, and the rest is taken off the next run', async () => {
    await makeVoid(people[0]);
    expect(await settle(160)).toBe(true);
    expect(await owedTo(app, partner)).toBe(-80);
    expect(await mine()).toMatchObject({ paidCents: 160, debtCents: 80, earnedCents: 80 });
    for (let bill = 0; bill < 2; bill++) await payBill(app, people[1]);
    await waitDays(app, 31);
    expect(await planRun(app.engines)).toMatchObject([{ payableCents: 160, debtCents: 80, amountCents: 80 }]);
    await make();
    expect(await settle(null), 'what was too much stays owed').toBe(true);
    expect(await mine()).toMatchObject({ debtCents: 80 });
    await make();
    expect(await settle(80)).toBe(true);
    expect(await owedTo(app, partner)).toBe(0);
  });

  it('is booked as well when it had left the run by then, once', async () => {
    for (const person of people) await makeVoid(person);
    expect(await Promise.all([settle(160), settle(160)])).toContain(true);
    expect(await settle(160)).toBe(false);
    expect(await owedTo(app, partner)).toBe(-160);
    expect(await mine()).toMatchObject({
      paidCents: 160,
      debtCents: 160,
      payouts: [{ amountCents: 160, isPaid: true }],
    });
  });

  it('stays as it is once it was paid: a referral that is void later changes nothing of it', async () => {
    expect(await settle(160)).toBe(true);
    await makeVoid(people[0]);
    expect(await line()).toEqual({ state: 'paid', cents: 160, made: 160 });
    expect(await mine()).toMatchObject({ paidCents: 160, debtCents: 0 });
  });

  it('is confirmed and made smaller one after the other, whichever comes first', async () => {
    const outcomes = await Promise.all([settle(160), makeVoid(people[0]), settle(160), makeVoid(people[1])]);
    expect(outcomes.filter((isSettled) => isSettled === true)).toHaveLength(1);
    expect(await line()).toMatchObject({ state: 'paid', cents: 160 });
  });
});
