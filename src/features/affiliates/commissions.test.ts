import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listBalances } from '#features/books/ledger-store.ts';
import { settleCredits } from '#features/credits/lots/settling.ts';
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
  sharesOf,
  sumBooks,
  waitDays,
} from '#tests/support/money/partners.ts';
import { takePlan } from '#tests/support/money/planning.ts';
import { must, type Person, readRow, readRows, signInQuickly } from '#tests/support/people.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { settleCommissions } from './commissions.ts';
import { makeReferralVoid } from './deciding.ts';

let app: TestApp;
let partner: Partner;
let n = 0;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  app.setNow('2027-01-04T12:00:00Z');
});
afterAll(() => app.close());
beforeEach(async () => {
  await readRows(app, 'delete from rate_limits');
  partner = await makePartner(app, `partner-${++n}@example.com`);
});
/** Whatever happened: the books are even, and owe a partner what the rows say. */
afterEach(async () => {
  expect(await sumBooks(app)).toEqual([]);
  expect(await owedTo(app, partner)).toBe(await owedByRows(app, partner));
});

const command = { adminId: null };
const mine = async () => (await must(app, 'affiliates.mine', {}, await signInQuickly(app, partner.userId))).partner;
const lostByLeaving = async () =>
  (await must(app, 'privacy.showDeletion', {}, await signInQuickly(app, partner.userId))).partnerCents;
const states = async () => (await sharesOf(app, partner)).map(({ state, reversed }) => [state, reversed]).toSorted();
const referralOf = (person: Person) =>
  readRow<{ id: string; reason: string | null }>(
    app,
    'select id, void_reason as reason from affiliate_referrals where user_id = $1',
    [person.userId],
  );

describe('the share of a partner', () => {
  it('comes of the first bill that was paid, once, stands in the books, and goes back with it', async () => {
    const person = await bring(app, partner);
    await takePlan(app, person);
    await passDays(app, 8);
    expect(await sharesOf(app, partner)).toEqual([{ state: 'pending', amount: 80, reversed: null }]);
    await Promise.all([settleCommissions(app.engines), settleCommissions(app.engines)]);
    expect(await sharesOf(app, partner)).toHaveLength(1);
    expect(await owedTo(app, partner)).toBe(80);
    expect(await lostByLeaving()).toBe(80);
    const { realm } = app.engines.payments;
    const balances = await app.engines.database.work({ kind: 'system' }, (tx) => listBalances(tx, realm));
    expect(balances.find(({ key }) => key === 'expense:affiliate')?.amountCents).toBe(80);
    expect(await findDrift(app.engines)).toEqual([]);
    const { charge } = await readRow(app, 'select charge_id as charge from commissions');
    expect(charge, 'by which a dispute is known').toMatch(/^(ch|py)_/);
    const counts = { clicks: 1, signUps: 1, active: 1 };
    expect(await mine()).toMatchObject({ ...counts, earnedCents: 80, pendingCents: 80, payableCents: 0 });
    await must(app, 'billing.moneyBack', {}, person.browser);
    await passDays(app, 0);
    expect(await states()).toEqual([['void', 'refunded']]);
    expect([await owedTo(app, partner), await lostByLeaving()]).toEqual([0, 0]);
    expect(await findDrift(app.engines)).toEqual([]);
  });

  it('waits for 30 days to their very instant, and is taken back when the bill goes back before', async () => {
    const [kept, back] = [await bring(app, partner), await bring(app, partner)];
    await payBill(app, kept);
    const invoiceId = await payBill(app, back);
    await waitDays(app, 29);
    await returnBill(app, invoiceId);
    expect(await states()).toEqual([
      ['pending', null],
      ['void', 'refunded'],
    ]);
    await waitDays(app, 1);
    expect(await states()).toContainEqual(['payable', null]);
    expect(await mine()).toMatchObject({ earnedCents: 80, payableCents: 80 });
  });

  it('is for twelve months: the bill of the twelfth counts, the one of the thirteenth does not', async () => {
    const person = await bring(app, partner);
    for (let month = 0; month < 13; month++) {
      await payBill(app, person);
      await waitDays(app, 30.4167);
    }
    const bills = await readRows(
      app,
      'select 1 from plan_invoices i join platform_subscriptions p on p.id = i.plan_id where p.user_id = $1',
      [person.userId],
    );
    expect([bills.length, (await sharesOf(app, partner)).length]).toEqual([13, 12]);
  });

  it('waits while a bank is asked for the money back, and is taken back when that is lost', async () => {
    await payBill(app, await bring(app, partner));
    const charge = `ch_${partner.code}`;
    await readRows(app, 'update commissions set charge_id = $2 where affiliate_id = $1', [partner.id, charge]);
    await readRows(
      app,
      `insert into disputes (id, provider, livemode, dispute_id, charge_id, status, standing, reason, amount_cents, currency, opened_at, created_at)
        values ($1, 'sandbox', false, $2, $3, 'needs_response', 'open', 'fraudulent', 399, 'usd', now(), now())`,
      [crypto.randomUUID(), `du_${partner.code}`, charge],
    );
    await waitDays(app, 31);
    expect(await states()).toEqual([['pending', null]]);
    await readRows(app, `update disputes set standing = 'lost' where charge_id = $1`, [charge]);
    await waitDays(app, 0);
    expect(await states()).toEqual([['void', 'disputed']]);
  });

  it('follows the share that a partner has when the bill is paid', async () => {
    const person = await bring(app, partner);
    await payBill(app, person);
    await readRows(app, 'update affiliates set share_bps = 5000 where id = $1', [partner.id]);
    await payBill(app, person);
    await readRows(app, 'update affiliates set share_bps = 0 where id = $1', [partner.id]);
    await payBill(app, person);
    expect((await sharesOf(app, partner)).map(({ amount }) => amount).toSorted()).toEqual([200, 80]);
  });
});

describe('a referral that is void', () => {
  it('by an administrator takes back what waits, and nothing more comes of it', async () => {
    const person = await bring(app, partner);
    await payBill(app, person);
    const { id } = await referralOf(person);
    const makeVoid = () =>
      makeReferralVoid(app.engines, command, { referralId: id, reason: 'spam', note: 'Comments under videos' });
    expect([await makeVoid(), await makeVoid()]).toEqual(['done', 'not_now']);
    expect(await states()).toEqual([['void', 'referral_void']]);
    await payBill(app, person);
    expect(await sharesOf(app, partner)).toHaveLength(1);
    expect(await mine()).toMatchObject({ signUps: 0, earnedCents: 0 });
  });

  it('by who pays: whoever pays as the partner themselves was brought by nobody', async () => {
    const person = await bring(app, partner);
    await readRows(app, 'update affiliates set share_bps = 0 where id = $1', [partner.id]);
    for (const { userId } of [partner, person]) await payBill(app, { userId });
    await readRows(
      app,
      `update platform_subscriptions p set customer_id = o.customer_id from platform_subscriptions o where p.user_id = $1 and o.user_id = $2`,
      [person.userId, partner.userId],
    );
    await readRows(app, 'update affiliates set share_bps = 2000 where id = $1', [partner.id]);
    await payBill(app, person);
    expect(await sharesOf(app, partner)).toEqual([]);
    expect(await referralOf(person)).toMatchObject({ reason: 'same_person' });
  });
});

describe('the credits of a partner', () => {
  const credits = () =>
    readRows(app, `select granted from credit_lots where user_id = $1 and source = 'referral'`, [partner.userId]);
  it('come once of each creator they brought, when the first payment can not be had back any more', async () => {
    const [paying, back] = [await bring(app, partner), await bring(app, partner)];
    await payBill(app, paying);
    const invoiceId = await payBill(app, back);
    await waitDays(app, 7);
    await settleCredits(app.engines);
    expect(await credits()).toEqual([]);
    await returnBill(app, invoiceId);
    await waitDays(app, 1);
    for (let times = 0; times < 2; times++) await settleCredits(app.engines, partner.userId);
    await payBill(app, paying);
    await waitDays(app, 9);
    await settleCredits(app.engines);
    expect(await credits()).toEqual([{ granted: 30 }]);
  });
});
