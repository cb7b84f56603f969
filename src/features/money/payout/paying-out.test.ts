import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { listEmails } from '#features/notices/store.ts';
import { syncSession } from '#features/orders/sync-orders.ts';
import { runPayoutsCommand } from '#features/payouts/commands.ts';
import { updateSellerRecord } from '#features/payouts/holding.ts';
import { syncAccount } from '#features/payouts/sync-account.ts';
import {
  connectPayouts,
  payAt,
  proveSeller,
  sessionOf,
  tapDoor,
  tapPay,
  tipToOpen,
} from '#tests/support/money/selling.ts';
import { advance, goodPassword, listTemplates, must, readRow, readRows } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { writeSettings } from '#tests/support/write-settings.ts';
import { payCreators } from '../paying-out.ts';
import { reconcile, settleOpen } from '../reconcile.ts';

let app: TestApp;
let shared: SharedAlbum;
let accountId: string;
let reported: unknown[] = [];
const day = 86_400_000;
const operatorEmail = 'operator@example.com';

beforeAll(async () => {
  const log = { info: () => undefined, warn: () => undefined, error: (about: object) => void reported.push(about) };
  app = await openTestApp({ workJobs: false, log });
  Object.assign(app.engines.installation, { operatorEmail });
});
beforeEach(async () => {
  reported = [];
  // A Monday, at noon where the creators are.
  const days = (8 - new Date(app.engines.clock()).getUTCDay()) % 7;
  app.setNow(
    `${new Date(app.engines.clock() + (days === 0 ? 7 : days) * day).toISOString().slice(0, 10)}T11:00:00.000Z`,
  );
  shared = await shareAlbum(app, { count: 1 });
  accountId = await connectPayouts(app, shared.creator);
  await proveSeller(app, shared.creator);
});
afterAll(() => app.close());

/** Somebody tips. @returns the order */
async function sell(amountCents = 2000): Promise<string> {
  const { slug } = await shared.makeLink(tipToOpen(1000));
  const browser = newBrowser();
  await tapDoor(app, slug, browser);
  const sessionId = sessionOf((await tapPay(app, slug, browser, amountCents)).body.url);
  await payAt(app, sessionId);
  return (await syncSession(app.engines, sessionId))?.id ?? '';
}

const show = () => must(app, 'money.payouts', {}, shared.creator.browser);
const pf = (verb?: string, more: { reason?: string; note?: string; email?: string } = {}) =>
  runPayoutsCommand(app.engines, { verb, email: shared.creator.email, reason: undefined, note: undefined, ...more });
const codes = async () => (await show()).holds.map(({ code }: { code: string }) => code);
const templates = () => listTemplates(app, shared.creator.email);
/** What somebody was written, all of it. */
const textsTo = async (email: string) =>
  (await app.engines.database.work({ kind: 'system' }, (tx) => listEmails(tx, 1000)))
    .filter(({ to }) => to === email)
    .map(({ text }) => text)
    .join('\n');
const statesOf = async () =>
  (await readRows(app, 'select state from payouts where acct_id = $1 order by created_at', [accountId])).map(
    ({ state }) => state,
  );
const paidCents = async () => (await show()).made.map(({ cents }: { cents: number }) => cents);

/** Money that has settled, and a first payout that was looked at. */
async function sellReviewed(): Promise<string> {
  const orderId = await sell();
  advance(app, 3 * day);
  await payCreators(app.engines);
  await pf('release');
  return orderId;
}

describe('a first payout', () => {
  it('waits until a person has looked at it, then leaves by itself, comes to the bank and is told', async () => {
    await sell();
    await payCreators(app.engines);
    expect(await codes(), 'nothing has settled yet').toEqual([]);
    advance(app, 3 * day);
    await payCreators(app.engines);
    await payCreators(app.engines);
    expect([await codes(), await statesOf(), (await show()).nextOn]).toEqual([['REVIEW_NEW'], [], null]);
    expect((await templates()).filter((name) => name === 'payout_held')).toHaveLength(1);
    expect(await textsTo(operatorEmail)).toContain(shared.creator.email);
    expect(await pf()).toContain(`${shared.creator.email}  since`);
    expect(await pf('release')).toContain('next round');
    expect(await codes()).toEqual([]);
    await payCreators(app.engines);
    await payCreators(app.engines);
    expect([await statesOf(), await paidCents(), (await show()).available]).toEqual([['in_transit'], [1800], 0]);
    expect(await textsTo(shared.creator.email)).toContain('$18.00 left for your bank');
    advance(app, 2 * day);
    await payCreators(app.engines);
    expect(await statesOf()).toEqual(['paid']);
    expect(await reconcile(app.engines)).toEqual([]);
    const actions = `select action from audit_log where target_id = $1 and action like 'payouts.%'`;
    expect(await readRows(app, actions, [shared.creator.userId])).toEqual([{ action: 'payouts.released' }]);
  });
});

describe('what was sold', () => {
  const settlement = () =>
    readRow<{ days: number }>(app, 'select settlement_days as days from user_stripe_accounts where acct_id = $1', [
      accountId,
    ]);

  it('rests for seven days with somebody new, however soon the provider lets it go', async () => {
    await readRows(app, 'update users set created_at = $2 where id = $1', [
      shared.creator.userId,
      new Date(app.engines.clock()),
    ]);
    await readRows(app, 'update user_stripe_accounts set settlement_days = 7 where acct_id = $1', [accountId]);
    const soldAt = new Date(app.engines.clock());
    await sell();
    advance(app, 6 * day);
    const on = new Date(soldAt.getTime() + 7 * day).toISOString().slice(0, 10);
    expect(await show()).toMatchObject({ available: 0, pending: [{ on, cents: 1800 }] });
    expect((await app.engines.payments.balance(accountId)).available.get('usd'), 'at the provider').toBe(1800);
    advance(app, 1.1 * day);
    await payCreators(app.engines);
    expect([(await show()).available, await codes(), await settlement()]).toEqual([1800, ['REVIEW_NEW'], { days: 7 }]);
  });

  it('rests as long as the settings say, for what is sold from then on', async () => {
    const pending = async () => (await show()).pending.map(({ on }: { on: string }) => on);
    const onAfter = (days: number) => new Date(app.engines.clock() + days * day).toISOString().slice(0, 10);
    const { userId } = shared.creator;
    const now = () => new Date(app.engines.clock());
    const stand = () =>
      app.engines.database.work({ kind: 'system' }, (tx) => updateSellerRecord(app.engines, tx, userId, now()));
    await readRows(app, 'update users set created_at = $2 where id = $1', [userId, now()]);
    await stand();
    await sell();
    const before = onAfter(7);
    await writeSettings(app, { 'money.settlementDays': 3, 'money.disputedSettlementDays': 21 });
    await stand();
    expect(await settlement()).toEqual({ days: 3 });
    await sell();
    expect(await pending()).toEqual([onAfter(3), before]);
    const other = await shareAlbum(app, { count: 1 });
    await connectPayouts(app, other.creator);
    expect(
      await readRow(app, 'select settlement_days as days from user_stripe_accounts where user_id = $1', [
        other.creator.userId,
      ]),
    ).toEqual({ days: 3 });
    expect(await must(app, 'money.disputes', {}, shared.creator.browser)).toMatchObject({ restDays: 21 });
    await writeSettings(app, { 'money.settlementDays': 7, 'money.disputedSettlementDays': 14 });
    advance(app, 8 * day);
  });

  it('of somebody who is here for long leaves as soon as the provider lets it go', async () => {
    await sellReviewed();
    await payCreators(app.engines);
    expect([await statesOf(), await settlement()]).toEqual([['in_transit'], { days: 0 }]);
  });
});

describe('the schedule', () => {
  const set = (interval: string, password = goodPassword) =>
    app.call('payouts.setSchedule', { interval, password }, shared.creator.browser);

  it('is changed by the password alone, and told', async () => {
    expect((await set('weekly', 'guessed')).body).toMatchObject({ data: { field: 'password' } });
    expect([(await show()).interval, (await templates()).includes('payout_schedule')]).toEqual(['daily', false]);
    expect((await set('weekly')).status).toBe(200);
    expect(await textsTo(shared.creator.email)).toContain('Weekly, on Friday');
    expect((await show()).interval).toBe('weekly');
  });

  it('of Fridays pays on Friday and no sooner, once', async () => {
    await sellReviewed();
    await set('weekly');
    expect((await show()).nextOn).toBe(new Date(app.engines.clock() + day).toISOString().slice(0, 10));
    await payCreators(app.engines);
    expect(await statesOf(), 'it is Thursday').toEqual([]);
    advance(app, day);
    await payCreators(app.engines);
    await payCreators(app.engines);
    expect(await statesOf()).toEqual(['in_transit']);
  });

  it('by hand pays when she asks, once however often she taps', async () => {
    await sellReviewed();
    expect((await app.call('payouts.payNow', {}, shared.creator.browser)).status, 'she is paid daily').toBe(409);
    await set('manual');
    await payCreators(app.engines);
    expect([await statesOf(), (await show()).canPayNow]).toEqual([[], true]);
    const taps = await Promise.all([1, 2].map(() => app.call('payouts.payNow', {}, shared.creator.browser)));
    expect(taps.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect([await statesOf(), await paidCents()]).toEqual([['in_transit'], [1800]]);
  });

  it('waits until there are ten dollars', async () => {
    await sellReviewed();
    await payCreators(app.engines);
    await sell(1100);
    advance(app, 4 * day);
    await payCreators(app.engines);
    expect([await statesOf(), (await show()).available]).toEqual([['paid'], 990]);
  });
});

describe('the provider', () => {
  it('pays nothing out by itself: its own schedule is stopped before there is anything', async () => {
    const stop = vi.spyOn(app.engines.payments, 'stopOwnSchedule');
    await payCreators(app.engines);
    await payCreators(app.engines);
    expect(stop.mock.calls.filter(([id]) => id === accountId)).toHaveLength(1);
    stop.mockRestore();
  });
});

describe('a bank that sends a payout back', () => {
  it('holds the next ones for three days, and the money is there again', async () => {
    await sellReviewed();
    await payCreators(app.engines);
    const { payoutId } = await readRow<{ payoutId: string }>(
      app,
      'select payout_id as "payoutId" from payouts where acct_id = $1',
      [accountId],
    );
    await app.engines.sandbox?.rejectPayout(payoutId);
    advance(app, 2 * day);
    await payCreators(app.engines);
    expect([await statesOf(), await codes(), (await show()).available]).toEqual([['failed'], ['BANK_REJECTED'], 1800]);
    expect(await templates()).toEqual(expect.arrayContaining(['payout_failed', 'payout_held']));
    advance(app, 3 * day);
    await payCreators(app.engines);
    expect([await statesOf(), await codes()]).toEqual([['failed', 'in_transit'], []]);
  });
});

describe('what is held', () => {
  it('by staff stays until staff releases it, is told with its reason, and one appeal at a time is answered by email', async () => {
    await sellReviewed();
    const appeal = () => app.call('payouts.appeal', { text: 'I am not on any list.' }, shared.creator.browser);
    expect((await appeal()).status, 'nothing is held').toBe(409);
    await expect(pf('hold', { reason: 'REPORT_OPEN' })).rejects.toThrow('Say why');
    // There is no such report: a hold of the system's own would end by itself.
    await pf('hold', { reason: 'REPORT_OPEN', note: 'Please send us your passport.' });
    expect(await textsTo(shared.creator.email)).toContain('Please send us your passport.');
    await payCreators(app.engines);
    expect(await statesOf()).toEqual([]);
    expect([(await appeal()).status, (await appeal()).status, (await show()).appeal]).toEqual([200, 409, 'open']);
    expect(await textsTo(operatorEmail)).toContain('I am not on any list.');
    expect(await pf('show')).toContain('I am not on any list.');
    await pf('keep', { note: 'We need the document.' });
    expect(await textsTo(shared.creator.email)).toContain('We need the document.');
    expect([await codes(), (await show()).appeal]).toEqual([['REPORT_OPEN'], 'answered']);
    expect((await appeal()).status).toBe(200);
    await pf('release', { note: 'Thank you for the document.' });
    expect(await textsTo(shared.creator.email)).toContain('Thank you for the document.');
    await payCreators(app.engines);
    expect(await statesOf()).toEqual(['in_transit']);
  });

  it('for a report, or for what the provider misses, ends with it', async () => {
    await sellReviewed();
    const report = `insert into reports (id, number, kind, state, target, creator_id, details, on_behalf, name, email, network, created_at, decide_by)
      values (gen_random_uuid(), 12345678, 'intimate', 'hidden', 'x', $1, 'x', 'self', 'x', 'x@example.com', '', now(), now())`;
    await readRows(app, report, [shared.creator.userId]);
    await payCreators(app.engines);
    expect([await codes(), await statesOf()]).toEqual([['REPORT_OPEN'], []]);
    await readRows(app, `delete from reports where creator_id = $1`, [shared.creator.userId]);
    await app.engines.sandbox?.answerOnboarding(accountId, false);
    await syncAccount(app.engines, accountId);
    await payCreators(app.engines);
    expect([await codes(), await statesOf()]).toEqual([['ID_MISSING'], []]);
    await app.engines.sandbox?.answerOnboarding(accountId, true);
    await syncAccount(app.engines, accountId);
    await payCreators(app.engines);
    expect([await codes(), await statesOf()]).toEqual([[], ['in_transit']]);
  });
});

it('a balance below zero pays nothing out, and what comes in next covers it', async () => {
  const orderId = await sellReviewed();
  await payCreators(app.engines);
  await must(app, 'money.refund', { orderId }, shared.creator.browser);
  await settleOpen(app.engines, 0);
  expect((await show()).available).toBe(-1800);
  await sell(2500);
  advance(app, 4 * day);
  await payCreators(app.engines);
  expect([(await show()).available, await statesOf()]).toEqual([450, ['paid']]);
  expect(reported).toEqual([]);
});
