import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Engines } from '#engines/engines.ts';
import { PaymentRefused, PaymentsAway } from '#engines/payments/payments.ts';
import { findDrift, reconcile, settleOpen } from '#features/money/reconcile.ts';
import { syncObject } from '#features/money/sync-object.ts';
import { handOnUnanswered } from '#features/orders/asking-back.ts';
import { receiptCode } from '#features/orders/receipts.ts';
import { runRequestsCommand } from '#features/requests/commands.ts';
import { dayMs, hourMs } from '#kit/time.ts';
import { type Asked, askAtLink, emailsTo, payFor, takeRequests } from '#tests/support/money/requests.ts';
import { connectPayouts, payAt, payToOpen, sessionOf, tapDoor, tapPay } from '#tests/support/money/selling.ts';
import { advance, must, readRow, readRows } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { refundOwed, runRefunds } from '../refunding.ts';

const operatorEmail = 'operator@example.com';
let app: TestApp;
let shared: SharedAlbum;

beforeAll(async () => {
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  app = await openTestApp({ workJobs: false, log });
  app.engines.sandbox?.deliverTo(undefined);
  Object.assign(app.engines.installation, { operatorEmail });
  shared = await shareAlbum(app, { count: 1 });
  await connectPayouts(app, shared.creator);
  await takeRequests(app, shared.creator);
});
afterAll(() => app.close());

/** The provider refuses every refund meanwhile. */
async function whileRefused<T>(run: () => Promise<T>): Promise<T> {
  const own = app.engines.payments;
  const refund = () => Promise.reject(new PaymentRefused('other', 'Insufficient funds'));
  app.engines.payments = { ...own, refund };
  try {
    return await run();
  } finally {
    app.engines.payments = own;
  }
}

/** For a worker who is overtaken: once it has listed what is owed, another one pays it back, or somebody does by hand. */
function overtaken(engines: Engines, payBack: () => Promise<unknown> = () => refundOwed(engines)): Engines {
  let isOver = false;
  const work: Engines['database']['work'] = async (actor, run) => {
    const said = await engines.database.work(actor, run);
    if (Array.isArray(said) && said.length > 0 && !isOver) {
      isOver = true;
      await payBack();
    }
    return said;
  };
  return { ...engines, database: { ...engines.database, work } };
}

const toldOf = async (about: string) =>
  (await emailsTo(app, operatorEmail))
    .filter((text) => text.includes(about))
    .map((text) => text.replaceAll(/\s+/g, ' '));

describe('custom work whose refund was refused', () => {
  async function accepted(): Promise<Asked> {
    const asked = await askAtLink(app, shared);
    await must(app, 'requests.accept', { requestId: asked.id, days: 7 }, shared.creator.browser);
    return asked;
  }
  const cancel = ({ id }: Asked) => must(app, 'requests.cancel', { requestId: id }, shared.creator.browser);
  const show = ({ code }: Asked) => must(app, 'requests.show', { code }, newBrowser());
  const orderOf = ({ id }: Asked) =>
    readRow<{ id: string; state: string; charge: string; payment: string }>(
      app,
      'select id, state, charge_id as charge, payment_id as payment from checkout_orders where request_id = $1',
      [id],
    );
  const refundsOf = async (asked: Asked): Promise<string[]> =>
    (
      await readRows<{ refund: string }>(
        app,
        `select r.state || ' ' || r.by_kind || ' ' || r.reason as refund from refunds r join checkout_orders o on o.id = r.order_id
         where o.request_id = $1 order by r.created_at`,
        [asked.id],
      )
    ).map(({ refund }) => refund);

  it('because its bank was quicker goes back once the dispute is won, a day later and once', async () => {
    const asked = await accepted();
    await payFor(app, asked);
    const disputeId = (await app.engines.sandbox?.dispute((await orderOf(asked)).charge)) ?? '';
    await cancel(asked);
    expect([(await orderOf(asked)).state, await refundsOf(asked)]).toEqual([
      'disputed',
      ['failed creator not_delivered'],
    ]);
    advance(app, dayMs);
    await refundOwed(app.engines);
    expect(await refundsOf(asked), 'while the bank decides').toHaveLength(1);
    await app.engines.sandbox?.decideDispute(disputeId, true);
    await syncObject(app.engines, disputeId);
    await refundOwed(overtaken(app.engines));
    await refundOwed(app.engines);
    expect(await refundsOf(asked)).toEqual(['failed creator not_delivered', 'succeeded creator not_delivered']);
    expect(await show(asked)).toMatchObject({ state: 'refunded', refundedCents: 4000 });
    expect(await toldOf(asked.id), 'that a bank was quicker is no fault').toEqual([]);
    expect(await findDrift(app.engines)).toEqual([]);
  });

  it('for another reason is asked for again once a day until it is made', async () => {
    const asked = await accepted();
    await payFor(app, asked);
    await whileRefused(() => cancel(asked));
    await refundOwed(app.engines);
    expect(await refundsOf(asked), 'not sooner').toHaveLength(1);
    advance(app, dayMs);
    await whileRefused(() => refundOwed(app.engines));
    expect(await refundsOf(asked)).toHaveLength(2);
    expect((await orderOf(asked)).state).toBe('paid');
    const reported = await toldOf(`requests show ${asked.id}`);
    expect(reported).toHaveLength(2);
    expect(reported[0]).toContain('The provider says: Insufficient funds');
    advance(app, dayMs);
    await refundOwed(app.engines);
    expect([(await orderOf(asked)).state, (await refundsOf(asked)).at(-1)]).toEqual([
      'refunded',
      'succeeded creator not_delivered',
    ]);
  });

  /** Half of it is to go back, which the provider refuses; the other half is released. */
  async function halved(): Promise<Asked> {
    const asked = await accepted();
    await payFor(app, asked);
    await must(app, 'requests.deliver', { requestId: asked.id, albumId: shared.albumId }, shared.creator.browser);
    await must(app, 'requests.say', { code: asked.code, what: 'complain', text: 'Only half.' }, asked.browser);
    const half = { verb: 'refund', id: asked.id, amount: '20', note: 'Half of it was missing.' };
    await whileRefused(() => runRequestsCommand(app.engines, half));
    return asked;
  }
  /** By hand, at the provider. */
  async function returnHalf(asked: Asked): Promise<void> {
    const { id, charge, payment } = await orderOf(asked);
    const part = { refundId: `by-hand-${id}`, orderId: id, paymentId: payment, amountCents: 2000 };
    await app.engines.payments.refund({ ...part, reason: 'duplicate', isHeld: true });
    await syncObject(app.engines, charge);
  }

  it('in part does not go back twice where it is returned by hand in that very moment', async () => {
    const asked = await halved();
    advance(app, dayMs);
    await refundOwed(overtaken(app.engines, () => returnHalf(asked)));
    expect(await refundsOf(asked)).toEqual(['failed staff platform_decision']);
    expect(await show(asked)).toMatchObject({ state: 'released', refundedCents: 2000 });
  });

  it('in part goes back as well, and what was released beside it stays with its creator', async () => {
    const [asked, byHand] = [await halved(), await halved()];
    await returnHalf(byHand);
    advance(app, dayMs);
    await whileRefused(() => refundOwed(app.engines));
    expect(await refundsOf(asked)).toHaveLength(2);
    advance(app, dayMs);
    await refundOwed(overtaken(app.engines));
    expect((await refundsOf(asked)).slice(2)).toEqual(['succeeded staff platform_decision']);
    expect(await refundsOf(byHand), 'it went back by hand').toHaveLength(1);
    for (const one of [asked, byHand]) {
      expect(await show(one)).toMatchObject({ state: 'released', refundedCents: 2000 });
      const { transfer } = await readRow<{ transfer: { amount: number; amount_reversed: number } }>(
        app,
        `select body as transfer from sandbox_objects where type = 'transfer' and body->>'transfer_group' = 'req_' || $1`,
        [one.id],
      );
      expect(transfer).toMatchObject({ amount: 1800, amount_reversed: 0 });
    }
    await reconcile(app.engines);
    const held = `select coalesce(sum(e.amount_cents), 0)::int as cents from ledger_entries e join ledger_accounts a on a.id = e.account_id
      where a.key = 'liability:held:' || $1`;
    for (const { id } of [asked, byHand]) expect(await readRow(app, held, [id])).toEqual({ cents: 0 });
    expect(await findDrift(app.engines)).toEqual([]);
  });

  it('as nobody waited for it any more when it was paid goes back as well', async () => {
    const asked = await accepted();
    const { url } = await must(app, 'requests.pay', { code: asked.code, amountCents: 4000 }, asked.browser);
    await readRows(app, `update custom_requests set state = 'declined' where id = $1`, [asked.id]);
    await payAt(app, sessionOf(url), { email: asked.email });
    await must(app, 'requests.paid', { sessionId: sessionOf(url) }, asked.browser);
    await whileRefused(() => runRefunds(app.engines));
    advance(app, dayMs);
    await refundOwed(app.engines);
    expect((await orderOf(asked)).state).toBe('refunded');
    const reported = (await emailsTo(app, asked.email)).filter((text) => text.includes('goes back to your card now'));
    expect(reported).toHaveLength(1);
  });
});

/** Somebody pays to open. */
async function sell(): Promise<{ orderId: string; email: string; code: string }> {
  const { slug, id: linkId } = await shared.makeLink(payToOpen(1000));
  const buyer = newBrowser();
  const email = `buyer-of-${slug.toLowerCase()}@example.com`;
  await tapDoor(app, slug, buyer);
  await payAt(app, sessionOf((await tapPay(app, slug, buyer, 1000, { offerId: 'pay' })).body.url), { email });
  await settleOpen(app.engines, 0);
  const { id: orderId } = await readRow<{ id: string }>(app, 'select id from checkout_orders where link_id = $1', [
    linkId,
  ]);
  return { orderId, email, code: receiptCode(app.engines, orderId) };
}

const refusedWords = "The payment provider refused this refund. We've been told and will look into it.";

describe('a refund that a creator makes and the provider refuses', () => {
  it('is not said to be on its way, and the operator is told of it, however often it is tapped', async () => {
    const { orderId } = await sell();
    const tap = () => app.call('money.refund', { orderId }, shared.creator.browser);
    const refused = await whileRefused(() => Promise.all([tap(), tap()]));
    for (const { status, body } of [...refused, await whileRefused(tap)]) {
      expect([status, body.code]).toEqual([409, 'CONFLICT']);
      expect(body.message).toBe(refusedWords);
    }
    const reported = await toldOf(orderId);
    expect(reported).toHaveLength(1);
    expect(reported[0]).toContain(`npm run pf -- refunds order ${orderId} --reason REASON --note TEXT`);
    expect((await tap()).body).toEqual({ state: 'refunded' });
  });
});

describe('a refund that a buyer has asked for and its creator accepts', () => {
  const answersTo = async (email: string) =>
    (await emailsTo(app, email)).filter((text) => text.includes('is on its way back')).length;
  const waiting = async (orderId: string) =>
    (await must(app, 'refunds.waiting', {}, shared.creator.browser)).requests.find(
      (request: { orderId: string }) => request.orderId === orderId,
    );
  const asking = async (code: string) => (await must(app, 'money.receipt', { code }, newBrowser())).asking;
  const answer = (orderId: string, isRefunded = true) =>
    app.call('refunds.answer', { orderId, isRefunded, text: 'It was as described.' }, shared.creator.browser);
  async function asked() {
    const sold = await sell();
    await must(app, 'refunds.ask', { code: sold.code, reason: 'satisfaction', text: '' }, newBrowser());
    return sold;
  }

  it('waits for another answer where the provider refuses it, and nobody is told that it is on its way', async () => {
    const { orderId, email, code } = await asked();
    expect(await waiting(orderId)).toMatchObject({ wasRefused: false });
    const refused = await whileRefused(() => answer(orderId));
    expect([refused.status, refused.body.code, refused.body.message]).toEqual([409, 'CONFLICT', refusedWords]);
    expect([await answersTo(email), await asking(code)]).toEqual([0, 'asked']);
    expect(await waiting(orderId)).toMatchObject({ wasRefused: true });
    expect(await toldOf(`refunds order ${orderId}`)).toHaveLength(1);
    const again = await answer(orderId);
    expect([again.status, again.body]).toEqual([200, { state: 'refunded' }]);
    expect([await answersTo(email), await asking(code), await waiting(orderId)]).toEqual([1, 'returned', undefined]);
    const given = 'select state, answer, answered_by as by from refund_requests where order_id = $1';
    expect(await readRow(app, given, [orderId])).toEqual({
      state: 'refunded',
      answer: 'It was as described.',
      by: 'creator',
    });
    const audited = `select action from audit_log where target_id = $1 and action like 'order.refund%' order by at`;
    const said = (await readRows<{ action: string }>(app, audited, [orderId])).map(({ action }) => action);
    expect(said, 'each yes is one, whatever becomes of it').toEqual(['order.refund_accepted', 'order.refund_accepted']);
  });

  it('is answered once, and told to the buyer when a provider that was away has taken it', async () => {
    const [{ orderId, email }, other] = [await asked(), await asked()];
    const { payments } = app.engines;
    const { refund } = payments;
    payments.refund = () => Promise.reject(new PaymentsAway('a test'));
    const [yes, no, ...both] = await (async () => [
      await answer(orderId),
      await answer(orderId, false),
      ...(await Promise.all([answer(other.orderId), answer(other.orderId, false)])),
    ])().finally(() => {
      payments.refund = refund;
    });
    expect([yes?.body, no?.status]).toEqual([{ state: 'returning' }, 409]);
    expect(both.map(({ status }) => status).toSorted(), 'yes and no at once').toEqual([200, 409]);
    expect([await answersTo(email), await waiting(orderId)]).toEqual([0, undefined]);
    advance(app, 73 * hourMs);
    await handOnUnanswered(app.engines);
    expect(await toldOf(`refunds accept ${orderId}`), 'it was answered').toEqual([]);
    await runRefunds(app.engines);
    await runRefunds(app.engines);
    expect(await answersTo(email)).toBe(1);
  });
});
