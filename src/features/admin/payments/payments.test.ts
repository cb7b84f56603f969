import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { reconcile } from '#features/money/reconcile.ts';
import { keepEvents } from '#features/money/webhooks/inbox-store.ts';
import { answerDisputes } from '#features/returns/disputes/answering-disputes.ts';
import { runRefunds } from '#features/returns/refunding.ts';
import { type DisputeWorld, openDisputeWorld, type Sold } from '#tests/support/money/disputing.ts';
import {
  advance,
  makeAdministrator,
  must,
  readRow,
  readRows,
  signInQuickly,
  signUpCreator,
} from '#tests/support/people.ts';
import { type Browser, openTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
let world: DisputeWorld;
let adminId: string;
let desk: Browser;
beforeAll(async () => {
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  app = await openTestApp({ workJobs: false, log });
  world = await openDisputeWorld(app);
  const admin = await signUpCreator(app, { email: 'finance@example.com' });
  await makeAdministrator(app, admin, ['finance']);
  adminId = admin.userId;
});
afterAll(() => app.close());
beforeEach(async () => {
  await readRows(app, 'delete from rate_limits');
  desk = await signInQuickly(app, adminId);
});

const ask = (name: string, input: object = {}) => must(app, `adminPayments.${name}`, input, desk);
const tryTo = async (name: string, input: object) => {
  const { status, body } = await app.call(`adminPayments.${name}`, input, desk);
  return { status, message: String(body.message ?? '') };
};
const find = async (query: string): Promise<string[]> =>
  (await ask('findOrders', { query })).orders.map(({ id }: { id: string }) => id);
const audited = (action: string) =>
  readRows(app, `select actor_type as by, actor_id as "adminId" from audit_log where action = $1`, [action]);
const byAdmin = () => ({ by: 'admin', adminId });
const refundsOf = ({ orderId }: Sold) =>
  readRows<{ cents: number }>(
    app,
    'select amount_cents as cents from refunds where order_id = $1 order by amount_cents',
    [orderId],
  );

describe('payments', () => {
  it('are found by number, receipt, the names of the provider, the address and the creator, a page at a time', async () => {
    const sold = await world.sell();
    advance(app, 1000);
    const other = await world.sell();
    const row = await readRow<{ number: number; session: string; payment: string }>(
      app,
      `select r.number, o.session_id as session, o.payment_id as payment from receipts r join checkout_orders o on o.id = r.order_id
       where o.id = $1`,
      [sold.orderId],
    );
    for (const words of [sold.orderId, String(row.number), row.session, row.payment, sold.chargeId, sold.email])
      expect(await find(words), words).toEqual([sold.orderId]);
    const { handle } = await readRow<{ handle: string }>(app, 'select handle from users where id = $1', [
      world.creator.userId,
    ]);
    for (const words of ['', `@${handle}`, handle.slice(0, 8), world.creator.userId])
      expect(await find(words), words).toEqual([other.orderId, sold.orderId]);
    expect((await ask('findOrders', { query: '', before: other.orderId })).orders).toHaveLength(1);
    // An address is searched for as a whole, and nobody's finds nothing.
    for (const words of [sold.email.slice(0, 8), 'nobody@example.com', 'cs_nobodys'])
      expect(await find(words)).toEqual([]);
  });

  it('are shown with what became of them and what they moved, and looking is written down once', async () => {
    const sold = await world.sell();
    const order = await ask('showOrder', { orderId: sold.orderId });
    await ask('showOrder', { orderId: sold.orderId });
    expect(order).toMatchObject({
      state: 'paid',
      amountCents: 5000,
      feeCents: 500,
      buyerEmail: sold.email,
      refusal: null,
    });
    expect(order.steps.map(({ what }: { what: string }) => what)).toEqual(['began', 'paid', 'available']);
    // No album's name is here, whatever it is called.
    expect(JSON.stringify(order)).not.toContain('albumId');
    expect(await audited('order.looked_at')).toEqual([byAdmin()]);
  });

  it('go back in part and whole, once for each time that it was decided, told to the creator with the note', async () => {
    const sold = await world.sell();
    const refund = { orderId: sold.orderId, reason: 'satisfaction', note: 'It was another one.', refundedCents: 0 };
    const twice = await Promise.all([1, 2].map(() => tryTo('refundOrder', { ...refund, amountCents: 2000 })));
    expect(twice.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    await runRefunds(app.engines);
    expect(await world.stateOf(sold)).toBe('partially_refunded');
    // The same decision once more, after it was done.
    expect(await tryTo('refundOrder', { ...refund, amountCents: 2000 })).toMatchObject({
      status: 409,
      message: expect.stringContaining('Something of it has gone back'),
    });
    expect(await tryTo('refundOrder', { ...refund, amountCents: 3001, refundedCents: 2000 })).toMatchObject({
      message: expect.stringContaining('more than is left'),
    });
    expect(await ask('refundOrder', { ...refund, refundedCents: 2000 })).toEqual({ amountCents: 3000 });
    await runRefunds(app.engines);
    expect(await refundsOf(sold)).toEqual([{ cents: 2000 }, { cents: 3000 }]);
    expect(await world.stateOf(sold)).toBe('refunded');
    const { steps, refusal } = await ask('showOrder', { orderId: sold.orderId });
    const times = (what: string) => steps.filter((step: { what: string }) => step.what === what).length;
    expect([times('paid'), times('refund_asked'), times('refund_made')]).toEqual([1, 2, 2]);
    expect(refusal).toContain('nothing to give back');
    expect(await audited('order.refunded')).toEqual([byAdmin(), byAdmin()]);
    const told = `select body_text as text from mail_outbox where template = 'refund_decided' order by created_at`;
    expect((await readRows<{ text: string }>(app, told))[0]?.text).toContain('$20.00');
  });
});

describe('disputes', () => {
  it('show what would be sent, and are submitted or accepted', async () => {
    const [one, two] = [await world.sell(), await world.sell()];
    const [first, second] = [await world.dispute(one), await world.dispute(two)];
    expect(await tryTo('submitDispute', { disputeId: first })).toMatchObject({ status: 409 });
    await answerDisputes(app.engines);
    const card = await ask('showDispute', { disputeId: first });
    expect(card).toMatchObject({ orderId: one.orderId, next: 'scheduled', refusal: null, amountCents: 5000 });
    expect(card.evidence.map(({ field }: { field: string }) => field)).toContain('product_description');
    await ask('submitDispute', { disputeId: first });
    await ask('acceptDispute', { disputeId: second, note: 'They are right.' });
    const { disputes } = await ask('disputes');
    const nextOf = (id: string) => disputes.find((row: { disputeId: string }) => row.disputeId === id).next;
    expect([nextOf(first), nextOf(second)]).toEqual(['submitting', 'not_contested']);
    expect(
      await tryTo('refundOrder', { orderId: one.orderId, reason: 'duplicate', note: 'x', refundedCents: 0 }),
    ).toMatchObject({
      status: 409,
      message: expect.stringContaining('the bank decides'),
    });
    expect([...(await audited('dispute.submitted')), ...(await audited('dispute.objected'))]).toEqual([
      byAdmin(),
      byAdmin(),
    ]);
    const { steps } = await ask('showOrder', { orderId: one.orderId });
    expect(steps).toContainEqual(expect.objectContaining({ what: 'disputed', amountCents: 5000 }));
  });
});

describe('payouts', () => {
  it('are held with a reason, listed with why, and released', async () => {
    const { userId } = world.creator;
    await ask('holdPayouts', { userId, reason: 'SANCTIONS', note: 'A name on a list.' });
    expect(await tryTo('holdPayouts', { userId, reason: 'SANCTIONS', note: 'Again.' })).toMatchObject({ status: 409 });
    const { held } = await ask('payouts');
    const hold = held[0].holds.find(({ code }: { code: string }) => code === 'SANCTIONS');
    expect(held).toMatchObject([{ userId, appeal: null }]);
    expect(hold).toMatchObject({ by: 'staff', note: 'A name on a list.' });
    expect(await tryTo('refuseAppeal', { userId, note: 'No.' })).toMatchObject({ status: 409 });
    await ask('releasePayouts', { userId });
    expect((await ask('payouts')).held).toEqual([]);
    for (const action of ['payouts.held', 'payouts.released']) expect(await audited(action)).toEqual([byAdmin()]);
  });

  it('that did not arrive are listed with why', async () => {
    await readRows(
      app,
      `insert into payouts (id, user_id, provider, livemode, acct_id, amount_cents, currency, state, failure, created_at)
       values (gen_random_uuid(), $1, 'sandbox', false, $2, 1000, 'usd', 'failed', 'account_closed', $3)`,
      [world.creator.userId, world.accountId, new Date(app.engines.clock())],
    );
    expect((await ask('payouts')).failed).toMatchObject([
      { state: 'failed', failure: 'account_closed', amountCents: 1000 },
    ]);
  });
});

describe('what the provider has told', () => {
  const eventId = 'evt_waiting';
  const keep = (createdAt: Date, id = eventId) =>
    app.engines.database.work({ kind: 'system' }, (tx) =>
      keepEvents(tx, app.engines.payments.realm, [
        {
          hook: 'stripe',
          at: createdAt,
          event: {
            eventId: id,
            type: 'charge.updated',
            objectId: 'ch_unknown',
            accountId: undefined,
            livemode: false,
            createdAt,
            isActedUpon: true,
          },
        },
      ]),
    );

  it('and nobody could act upon is listed, and replayed once more', async () => {
    const now = new Date(app.engines.clock());
    await keep(now);
    await readRows(
      app,
      `update webhook_inbox set attempts = 3, last_error = 'nothing is known', next_attempt_at = $2 where event_id = $1`,
      [eventId, new Date(now.getTime() + 3_600_000)],
    );
    const { events } = await ask('events');
    expect(events).toMatchObject([{ eventId, attempts: 3, error: 'nothing is known', objectId: 'ch_unknown' }]);
    await ask('replayEvent', { eventId });
    const tries = 'select attempts from webhook_inbox where event_id = $1';
    await expect.poll(async () => (await readRow<{ attempts: number }>(app, tries, [eventId])).attempts).toBe(4);
    expect(await audited('event.replayed')).toEqual([byAdmin()]);
  });

  it('is not replayed when it is too old to be taken', async () => {
    await keep(new Date(app.engines.clock() - 31 * 86_400_000), 'evt_old');
    await readRows(app, `update webhook_inbox set processed_at = now() where event_id = 'evt_old'`);
    expect(await tryTo('replayEvent', { eventId: 'evt_old' })).toMatchObject({ status: 409 });
    const left = await readRows(
      app,
      `select processed_at is null as waits from webhook_inbox where event_id = 'evt_old'`,
    );
    expect(left).toEqual([{ waits: false }]);
    expect(await tryTo('replayEvent', { eventId: 'evt_never' })).toMatchObject({ status: 404 });
  });
});

describe('the books', () => {
  it('are compared when somebody asks, one comparison at a time', async () => {
    await ask('checkBooks');
    expect(await tryTo('checkBooks', {})).toMatchObject({ status: 409, message: 'A check is under way already.' });
    const [run] = await readRows<{ id: string }>(app, 'select id from reconciliation_runs where finished_at is null');
    expect((await ask('books')).checks[0]).toMatchObject({ finishedAt: null });
    await reconcile(app.engines, run?.id);
    expect((await ask('books')).checks[0]).toMatchObject({ faults: [], drift: [], finishedAt: expect.any(String) });
    expect(await readRows(app, 'select from reconciliation_runs where finished_at is null')).toEqual([]);
    expect(await audited('books.checked')).toEqual([byAdmin()]);
  });

  it('tell of a payment that is not in them, and of who owes the platform', async () => {
    const sold = await world.sell();
    await readRows(
      app,
      `update checkout_orders set charge_id = 'ch_elsewhere', paid_at = paid_at - interval '2 hours' where id = $1`,
      [sold.orderId],
    );
    await readRows(app, `update ledger_days set owed_cents = owed_cents - 100000`);
    advance(app, 1000);
    await reconcile(app.engines);
    const { checks, negative } = await ask('books');
    expect(checks[0].faults).toContain(`order ${sold.orderId} was paid and is not in the books`);
    expect(negative[0]).toMatchObject({ userId: world.creator.userId, currency: 'usd' });
    expect(negative[0].owedCents).toBeGreaterThan(0);
  });
});
