import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PaymentRefused } from '#engines/payments/payments.ts';
import { syncLedger } from '#features/books/ledger-sync.ts';
import { payCreators, payNow } from '#features/money/paying-out.ts';
import { findDrift } from '#features/money/reconcile.ts';
import { syncObject } from '#features/money/sync-object.ts';
import { dayMs } from '#kit/time.ts';
import { type DisputeWorld, openDisputeWorld, type Sold } from '#tests/support/money/disputing.ts';
import { proveSeller } from '#tests/support/money/selling.ts';
import { advance, must, readRow, readRows, signInQuickly } from '#tests/support/people.ts';
import { headersOf, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { settleFees } from './bearing-fees.ts';
import { runDisputesCommand } from './disputes/disputes-command.ts';

let app: TestApp;
let world: DisputeWorld;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  world = await openDisputeWorld(app);
  await proveSeller(app, world.creator);
});
afterAll(() => app.close());

const rowOf = (disputeId: string) =>
  readRow<Record<string, unknown>>(
    app,
    'select borne_cents as borne, fee_payment_id is not null as taken, fee_back_id is not null as back, fee_tries as tries from disputes where dispute_id = $1',
    [disputeId],
  );
const read = async (procedure: string, input: object) =>
  must(app, procedure, input, await signInQuickly(app, world.creator.userId));
const shownOf = async ({ orderId }: Sold) =>
  (await read('money.disputes', {})).rows.find((row: { orderId: string }) => row.orderId === orderId).fee;
async function availableOf() {
  const [{ available, dueCents }, { balance }] = [await read('money.payouts', {}), await read('money.earnings', {})];
  return { payouts: available, earnings: balance.available, dueCents };
}
const linesOf = async (filter: string, { orderId }: Sold) =>
  (await read('money.listEarnings', { filter })).rows
    .filter((row: { kind: string; orderId: string }) => row.kind === 'dispute_fee' && row.orderId === orderId)
    .map(({ amountCents }: { amountCents: number }) => amountCents);
const mailsOf = async (template: string): Promise<string> =>
  (await readRows<{ text: string }>(app, 'select body_text as text from mail_outbox where template = $1', [template]))
    .map(({ text }) => text.replaceAll(/\s+/g, ' '))
    .join();
/** Returns how often the fee of a payment was moved, by the provider. */
const movedOf = async ({ chargeId }: Sold) =>
  readRows(
    app,
    `select type, (body->>'amount')::int as cents from sandbox_objects where type in ('charge', 'transfer')
     and body @> $1::jsonb order by seq`,
    [JSON.stringify({ metadata: { kind: 'dispute_fee', charge: chargeId } })],
  );
const settle = async () => {
  await settleFees(app.engines);
  await syncLedger(app.engines);
};

/** The bank is asked, of which nobody was told yet; a moment after whatever was before. @returns the dispute's id */
async function askBank({ chargeId }: Sold): Promise<string | undefined> {
  advance(app, 1000);
  return app.engines.sandbox?.dispute(chargeId);
}

/** A payment that is disputed. */
async function disputeOne(cents = 5000): Promise<{ sold: Sold; disputeId: string }> {
  const sold = await world.sell({ cents });
  return { sold, disputeId: await world.dispute(sold) };
}

describe('the fee of a dispute', () => {
  it('is the platform’s until the creator was warned: of the first two, whatever is disputed later', async () => {
    const first = await disputeOne();
    // Of the second one its payment tells before it does, and the third one is known sooner.
    const [second, third] = [await world.sell(), await world.sell()];
    const [secondId = '', thirdId = ''] = [await askBank(second), await askBank(third)];
    await syncObject(app.engines, second.chargeId);
    await syncObject(app.engines, third.chargeId);
    await syncObject(app.engines, thirdId);
    await syncObject(app.engines, secondId);
    await settle();
    expect([await rowOf(first.disputeId), await rowOf(secondId)]).toMatchObject([{ borne: 0 }, { borne: 0 }]);
    expect(await mailsOf('dispute')).not.toContain('$15.00');
    expect(await shownOf(second)).toBeNull();
    expect(await read('money.disputes', {})).toMatchObject({ rate: 'limited', mostCents: 10_000 });
    // Their payouts are held at once, not only when the next one is due.
    expect((await read('money.payouts', {})).holds.map(({ code }: { code: string }) => code)).toEqual(['DISPUTE_RATE']);
  });

  it('is hers from then on: told at once, and taken once there is enough in her account', async () => {
    const { sold, disputeId } = await disputeOne();
    expect(await mailsOf('dispute')).toContain('a fee of $15.00. You pay it, because at least 0.75% of your sales');
    await settle();
    expect(await rowOf(disputeId)).toEqual({ borne: 1500, taken: false, back: false, tries: 1 });
    expect(await shownOf(sold)).toEqual({ cents: 1500, state: 'due' });
    // What is shown as available is what could be paid out.
    const due = await availableOf();
    await readRows(app, 'update disputes set borne_cents = 0 where dispute_id = $1', [disputeId]);
    const without = await availableOf();
    await readRows(app, 'update disputes set borne_cents = 1500 where dispute_id = $1', [disputeId]);
    expect(due).toEqual({ payouts: without.payouts - 1500, earnings: without.earnings - 1500, dueCents: 1500 });
    await world.sell();
    advance(app, 3 * dayMs);
    await Promise.all([settle(), settle(), settle()]);
    await settle();
    expect(await movedOf(sold)).toEqual([{ type: 'charge', cents: 1500 }]);
    expect(await shownOf(sold)).toEqual({ cents: 1500, state: 'taken' });
    expect((await availableOf()).dueCents).toBe(0);
    expect(await world.bookedOf(sold)).toContain(
      'dispute_fee: stripe +1500, custody -1500, dispute_fee -1500, creator +1500',
    );
    expect(await world.leftOf(sold)).not.toHaveProperty('expense:dispute_fee');
    expect(await findDrift(app.engines)).toEqual([]);
    await world.decide(disputeId, false);
    await settle();
    expect(await mailsOf('dispute_lost')).toContain('The fee of $15.00 for the dispute is not returned.');
    expect(await movedOf(sold)).toHaveLength(1);
  });

  it('is not hers to be paid out while it is taken and not yet in the books', async () => {
    const { disputeId } = await disputeOne();
    await world.sell();
    advance(app, 3 * dayMs);
    await syncLedger(app.engines);
    const before = await availableOf();
    const own = app.engines.payments;
    app.engines.payments = { ...own, takeFee: async () => 'py_unheard' };
    await settleFees(app.engines);
    app.engines.payments = own;
    expect(await rowOf(disputeId)).toMatchObject({ borne: 1500, taken: true });
    expect(await availableOf()).toEqual(before);
    await readRows(app, 'update disputes set fee_payment_id = null where dispute_id = $1', [disputeId]);
    await settle();
    expect(await availableOf()).toEqual({ ...before, dueCents: 0 });
  });

  it('stands in her activity, among fees, beside its payment and in her statements', async () => {
    const { sold } = await disputeOne();
    advance(app, 3 * dayMs);
    await settle();
    expect([await linesOf('all', sold), await linesOf('fees', sold), await linesOf('refunds', sold)]).toEqual([
      [-1500],
      [-1500],
      [],
    ]);
    const { rows } = await read('money.listEarnings', { filter: 'refunds' });
    expect(rows.find(({ orderId }: { orderId: string }) => orderId === sold.orderId)).toMatchObject({
      amountCents: -4500,
    });
    expect(await read('money.earningOrder', { orderId: sold.orderId })).toMatchObject({
      keptCents: 0,
      disputeFeeCents: 1500,
    });
    const headers = headersOf(await signInQuickly(app, world.creator.userId));
    const period = new Date(app.engines.linkClock()).toISOString();
    const tableOf = async (stretch: string) =>
      (await app.fastify.inject({ url: `/api/money/statement.csv?period=${stretch}`, headers })).body;
    expect(await tableOf(period.slice(0, 7))).toContain(`Bank's dispute fee,`);
    const [head = '', ...months] = (await tableOf(period.slice(0, 4))).split('\r\n');
    const column = head.split(',').indexOf('Dispute fees');
    expect(months.map((line) => line.split(',')[column])).toContain('-45.00');
  });

  it('is given back once where the bank returns it', async () => {
    const { sold, disputeId } = await disputeOne();
    advance(app, 3 * dayMs);
    await settle();
    await world.decide(disputeId, true, { returnsFee: true });
    await Promise.all([settle(), settle()]);
    await settle();
    expect(await movedOf(sold)).toEqual([
      { type: 'charge', cents: 1500 },
      { type: 'transfer', cents: 1500 },
    ]);
    expect(await shownOf(sold)).toEqual({ cents: 1500, state: 'returned' });
    expect((await linesOf('fees', sold)).toSorted()).toEqual([-1500, 1500]);
    expect(await mailsOf('dispute_won')).toContain("was returned, so you don't pay it.");
    expect(await world.leftOf(sold)).toMatchObject({ 'liability:creator': -4500, 'income:platform_fee': -500 });
    expect(await world.leftOf(sold)).not.toHaveProperty('expense:dispute_fee');
    expect(await findDrift(app.engines)).toEqual([]);
  });

  it('is not taken at all where it was returned before', async () => {
    const { sold, disputeId } = await disputeOne();
    await world.decide(disputeId, true, { returnsFee: true });
    await settle();
    expect(await movedOf(sold)).toEqual([]);
    expect(await shownOf(sold)).toEqual({ cents: 1500, state: 'returned' });
  });

  it('is told to who runs it, and what is paid out leaves enough for it', async () => {
    const { sold, disputeId } = await disputeOne();
    const reported = async () =>
      (await runDisputesCommand(app.engines, { verb: undefined, id: undefined, folder: undefined, note: undefined }))
        .split('\n')
        .find((line) => line.includes(disputeId));
    expect(await reported()).toContain("fee $15.00 is the creator's: waits for their balance");
    await readRows(
      app,
      `update checkout_orders set paid_at = paid_at - interval '100 days' where state in ('disputed', 'charged_back')`,
    );
    await readRows(
      app,
      `insert into payout_holds (id, user_id, provider, livemode, code, note, by_kind, since, ended_at, ended_by)
      values (gen_random_uuid(), $1, 'sandbox', false, 'REVIEW_NEW', '', 'system', now(), now(), 'staff')`,
      [world.creator.userId],
    );
    advance(app, 15 * dayMs); // what they sell rests so long by now
    const own = app.engines.payments;
    const no = () => Promise.reject(new PaymentRefused('other', 'not now'));
    app.engines.payments = { ...own, takeFee: no };
    const has = (await own.balance(world.accountId)).available.get('usd') ?? 0;
    expect(await payNow(app.engines, world.creator.userId)).toBe('started');
    expect(await readRow(app, 'select amount_cents::int as cents from payouts')).toEqual({ cents: has - 1500 });
    app.engines.payments = own;
    await payCreators(app.engines);
    await payNow(app.engines, world.creator.userId);
    expect(await movedOf(sold)).toEqual([{ type: 'charge', cents: 1500 }]);
    expect(await reported()).toContain("fee $15.00 is the creator's: taken from their balance");
    await syncLedger(app.engines);
    expect(await findDrift(app.engines)).toEqual([]);
  });

  it('is the platform’s once the dispute was won: what was taken is hers again, and what was not is never taken', async () => {
    const taken = await disputeOne();
    const due = await disputeOne();
    await world.sell();
    advance(app, 3 * dayMs);
    const bear = 'update disputes set borne_cents = $2 where dispute_id = $1';
    await readRows(app, bear, [taken.disputeId, 1500]);
    await readRows(app, bear, [due.disputeId, 0]);
    await settle();
    expect(await movedOf(taken.sold)).toEqual([{ type: 'charge', cents: 1500 }]);
    await readRows(app, bear, [due.disputeId, 1500]);
    for (const { disputeId } of [taken, due]) await world.decide(disputeId, true);
    await readRows(app, 'update disputes set fee_cents = 1500 where dispute_id = any($1)', [
      [taken.disputeId, due.disputeId],
    ]);
    await settle();
    await settle();
    expect((await movedOf(taken.sold)).map(({ type, cents }) => `${type} ${cents}`)).toEqual([
      'charge 1500',
      'transfer 1500',
    ]);
    expect(await movedOf(due.sold)).toEqual([]);
    expect(await rowOf(taken.disputeId)).toMatchObject({ taken: true, back: true });
    expect((await availableOf()).dueCents).toBe(0);
  });
});
