import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
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
  sharesOf,
  sumBooks,
  waitDays,
} from '#tests/support/money/partners.ts';
import { takePlan } from '#tests/support/money/planning.ts';
import {
  makeAdministrator,
  must,
  type Person,
  readRow,
  readRows,
  signInQuickly,
  signUpCreator,
} from '#tests/support/people.ts';
import { type Browser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { runAffiliates } from './commands.ts';
import { restoreReferral } from './deciding.ts';
import { sweepApplications } from './jobs.ts';

let app: TestApp;
let partner: Partner;
let admin: Person;
let n = 0;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  app.setNow('2027-01-04T12:00:00Z');
  admin = await signUpCreator(app);
  await makeAdministrator(app, admin);
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

const [card, otherCard] = ['4242424242424242', '5555555555554444'];
const mine = async () => (await must(app, 'affiliates.mine', {}, await signInQuickly(app, partner.userId))).partner;
const states = async () => (await sharesOf(app, partner)).map(({ state, reversed }) => [state, reversed]);
const referralOf = ({ userId }: Person) =>
  readRow<{ id: string; reason: string | null }>(
    app,
    'select id, void_reason as reason from affiliate_referrals where user_id = $1',
    [userId],
  );
/** Somebody whom the partner brought takes a plan by a card. */
async function bringPayer(by: string): Promise<Person> {
  const person = await bring(app, partner);
  await takePlan(app, person, by);
  return person;
}

describe('whoever pays their plan by the card of their partner', () => {
  it('was brought by nobody, whatever their names: the referral is void when its first bill is noted', async () => {
    await takePlan(app, partner, card);
    const [same, other] = [await bringPayer(card), await bringPayer(otherCard)];
    await passDays(app, 8);
    expect(await referralOf(same)).toMatchObject({ reason: 'same_card' });
    expect(await referralOf(other)).toMatchObject({ reason: null });
    expect((await states()).toSorted()).toEqual([
      ['pending', null],
      ['void', 'referral_void'],
    ]);
    expect(await mine()).toMatchObject({
      signUps: 1,
      earnedCents: 80,
      notCounted: [{ reason: 'same_card', count: 1 }],
    });
    await passDays(app, 31);
    expect(await sharesOf(app, partner), 'nothing more comes of the one').toHaveLength(3);
    await syncLedger(app.engines);
    expect(await findDrift(app.engines)).toEqual([]);
    const logged = await readRows(
      app,
      `select details from audit_log where action = 'affiliate.referral_void' and actor_type = 'system' and target_id = $1`,
      [partner.id],
    );
    expect(logged).toEqual([{ details: { reason: 'same_card' } }]);
  });

  it('is void also when the partner pays by it later, as to the shares that wait', async () => {
    const person = await bringPayer(card);
    await passDays(app, 8);
    expect(await states()).toEqual([['pending', null]]);
    await takePlan(app, partner, card);
    await passDays(app, 8);
    expect(await referralOf(person)).toMatchObject({ reason: 'same_card' });
    expect(await states()).toEqual([['void', 'referral_void']]);
    expect(await owedTo(app, partner)).toBe(0);
  });

  it('keeps what was paid before: nothing waits by then', async () => {
    const person = await bringPayer(card);
    await passDays(app, 8);
    await readRows(app, `update commissions set state = 'paid', paid_at = now() where affiliate_id = $1`, [partner.id]);
    await takePlan(app, partner, card);
    await passDays(app, 8);
    expect(await referralOf(person)).toMatchObject({ reason: null });
    // It was paid without a run here; the books know nothing of it.
    await readRows(app, `update commissions set state = 'pending', paid_at = null where affiliate_id = $1`, [
      partner.id,
    ]);
  });

  it('is paid for only once their card was asked for', async () => {
    const person = await bring(app, partner);
    await payBill(app, person);
    await readRows(app, `update commissions set charge_id = 'ch_known' where affiliate_id = $1`, [partner.id]);
    await readRows(app, 'delete from bill_cards');
    await readRows(app, `update plan_invoices set paid_at = paid_at - interval '500 days'`);
    await waitDays(app, 31);
    expect(await states(), 'nobody has asked').toEqual([['pending', null]]);
    await readRows(app, `update plan_invoices set paid_at = paid_at + interval '500 days'`);
    await waitDays(app, 0);
    expect(await states()).toEqual([['payable', null]]);
  });
});

describe('a referral that is void by itself', () => {
  let person: Person;
  let desk: Browser;
  beforeEach(async () => {
    await takePlan(app, partner, card);
    person = await bringPayer(card);
    await passDays(app, 8);
    desk = await signInQuickly(app, admin.userId);
  });

  it('is shown with its reason, counts when an administrator says so, and stays so', async () => {
    const { id } = await referralOf(person);
    const show = async () => (await must(app, 'adminAffiliates.show', { affiliateId: partner.id }, desk)).referrals;
    expect(await show()).toMatchObject([{ id, voidReason: 'same_card', isKept: false, earnedCents: 0 }]);
    await passDays(app, 31);
    expect(await sharesOf(app, partner)).toHaveLength(1);
    desk = await signInQuickly(app, admin.userId);
    const answers = [1, 2].map(() => app.call('adminAffiliates.restoreReferral', { referralId: id }, desk));
    expect((await Promise.all(answers)).map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(await show()).toMatchObject([{ id, voidReason: null, isKept: true, earnedCents: 160 }]);
    expect(await owedTo(app, partner), 'with the bill that was paid meanwhile').toBe(160);
    await passDays(app, 31);
    expect(await referralOf(person)).toMatchObject({ reason: null });
    expect((await states()).map(([state]) => state).toSorted()).toEqual(['payable', 'payable', 'pending']);
    expect(await mine()).toMatchObject({ notCounted: [], signUps: 1, earnedCents: 240 });
    await syncLedger(app.engines);
    expect(await findDrift(app.engines)).toEqual([]);
  });

  it('can be void again, and count again, by the command line as well', async () => {
    const { id } = await referralOf(person);
    const order = { id, reason: 'other', percent: undefined, total: undefined };
    for (let times = 0; times < 2; times++) {
      await runAffiliates(app.engines, { ...order, verb: 'restore' });
      expect(await owedTo(app, partner)).toBe(80);
      await runAffiliates(app.engines, { ...order, verb: 'void' });
      expect(await owedTo(app, partner)).toBe(0);
    }
    await expect(runAffiliates(app.engines, { ...order, verb: 'restore', id: partner.id })).rejects.toThrow(
      'counts already',
    );
  });

  it('gives again only what went back because of that', async () => {
    const { id } = await referralOf(person);
    await readRows(
      app,
      'update plan_invoices set refunded_cents = 100 where paid_cents > 0 and plan_id in (select id from platform_subscriptions where user_id = $1)',
      [person.userId],
    );
    expect(await restoreReferral(app.engines, { adminId: null }, { referralId: id })).toBe('done');
    expect(await owedTo(app, partner)).toBe(60);
  });
});

describe('what is kept of cards', () => {
  it('is a hash, of partners and of whom they brought alone, and is forgotten after 13 months', async () => {
    const alone = await signUpCreator(app);
    await takePlan(app, alone, card);
    await takePlan(app, partner, card);
    const person = await bringPayer(otherCard);
    await passDays(app, 8);
    const cardsOf = async (...people: Person[]) =>
      readRows<{ hash: string }>(
        app,
        `select encode(card_hash, 'hex') as hash from bill_cards where user_id = any($1)`,
        [people.map(({ userId }) => userId)],
      );
    expect(await cardsOf(alone)).toEqual([]);
    expect(await cardsOf(partner, person)).toEqual(
      [1, 2].map(() => ({ hash: expect.stringMatching(/^[0-9a-f]{64}$/) })),
    );
    await readRows(app, 'update commissions set state = $2, paid_at = now() where affiliate_id = $1', [
      partner.id,
      'paid',
    ]);
    await waitDays(app, 396);
    await sweepApplications(app.engines);
    expect(await cardsOf(partner, person)).toEqual([]);
    await readRows(app, `update commissions set state = 'pending', paid_at = null where affiliate_id = $1`, [
      partner.id,
    ]);
  });
});
