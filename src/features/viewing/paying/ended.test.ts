import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { PaymentsAway } from '#engines/payments/payments.ts';
import { findDrift, reconcile, settleOpen } from '#features/money/reconcile.ts';
import { closeSales } from '#features/orders/closing-sales.ts';
import { refundOrderQueue } from '#features/orders/rules.ts';
import { refundOwed } from '#features/returns/refunding.ts';
import type { EndedSales } from '#features/sales/ending.ts';
import { hourMs, minuteMs } from '#kit/time.ts';
import { emailsTo } from '#tests/support/money/requests.ts';
import { connectPayouts, payAt, payToOpen, sessionOf, tapDoor, tapPay } from '#tests/support/money/selling.ts';
import { advance, listTemplates, must, readRow, readRows } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { type Browser, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';

/* What is said and done around the moment in which something that is being paid for is taken away. */

let app: TestApp;
let shared: SharedAlbum;

beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  app.engines.sandbox?.deliverTo(undefined);
  shared = await shareAlbum(app, { count: 1 });
  await connectPayouts(app, shared.creator);
});
afterAll(() => app.close());
beforeEach(() => advance(app, minuteMs));
afterEach(() => vi.restoreAllMocks());

interface Buying {
  linkId: string;
  slug: string;
  browser: Browser;
  email: string;
  sessionId: string;
}
let count = 0;

/** Somebody stands on the provider's page. */
async function beginToPay(): Promise<Buying> {
  const { id: linkId, slug } = await shared.makeLink(payToOpen(1000));
  const browser = newBrowser();
  await tapDoor(app, slug, browser);
  const { body } = await tapPay(app, slug, browser, 1000, { offerId: 'pay' });
  return { linkId, slug, browser, email: `buyer-${++count}@example.com`, sessionId: sessionOf(body.url) };
}
const revoke = ({ linkId }: Buying) => must(app, 'links.revoke', { linkIds: [linkId] }, shared.creator.browser);
const undo = ({ linkId }: Buying) => must(app, 'links.undoRevoke', { linkIds: [linkId] }, shared.creator.browser);
const statusOf = ({ sessionId, browser }: Pick<Buying, 'sessionId' | 'browser'>) =>
  must(app, 'viewing.checkoutStatus', { sessionId }, browser);
const orderOf = ({ sessionId }: Buying) =>
  readRow(app, 'select state, ended_why as why from checkout_orders where session_id = $1', [sessionId]);
const doorOf = async ({ slug, browser }: Buying) => (await tapDoor(app, slug, browser)).body;

describe('what was paid before its link was revoked', () => {
  it('keeps its time to be undone though nobody had told of it, and is said to come back, also to who has never opened it', async () => {
    const buying = await beginToPay();
    await payAt(app, buying.sessionId, { email: buying.email });
    advance(app, 2000);
    await revoke(buying);
    expect(await orderOf(buying)).toEqual({ state: 'canceled', why: 'link_revoked' });
    const said = {
      title: 'Access ended',
      text: 'The creator has ended access to this link. Your refund of $10.00 is on its way.',
    };
    const { ended, viewPath } = await statusOf(buying);
    expect([ended, viewPath]).toEqual([said, undefined]);
    expect(await orderOf(buying)).toEqual({ state: 'paid', why: null });
    expect(await doorOf(buying)).toMatchObject({ reason: 'REVOKED', ...said });
    await refundOwed(app.engines);
    expect(await orderOf(buying), 'it may still be undone').toEqual({ state: 'paid', why: null });
    await undo(buying);
    expect(await doorOf(buying), 'and opens then').toBeUndefined();
    expect((await statusOf(buying)).viewPath).toBe(`/view/${buying.slug}`);
  });

  it('goes back after that time, and the door says so to who has never opened it', async () => {
    const buying = await beginToPay();
    await payAt(app, buying.sessionId, { email: buying.email });
    await statusOf(buying);
    await revoke(buying);
    advance(app, 24 * hourMs);
    await refundOwed(app.engines);
    expect(await orderOf(buying)).toMatchObject({ state: 'refunded' });
    expect(await doorOf(buying)).toMatchObject({
      title: 'Access ended',
      text: expect.stringContaining('Your refund of $10.00'),
    });
    expect((await tapDoor(app, buying.slug, newBrowser())).body).toMatchObject({ reason: 'NOT_FOUND' });
    expect(await listTemplates(app, buying.email)).toEqual(['order_refunded', 'receipt']);
  });
});

describe('what was paid after its link was revoked', () => {
  it('goes back though the link is there again: it opens nothing, the price is asked again, and the email says why', async () => {
    const buying = await beginToPay();
    await revoke(buying);
    await payAt(app, buying.sessionId, { email: buying.email });
    await undo(buying);
    expect(await statusOf(buying)).toMatchObject({
      state: 'returned',
      ended: { title: 'Your payment goes back to you' },
    });
    expect(await doorOf(buying)).toMatchObject({
      reason: 'NEED_OFFER',
      text: expect.stringContaining(
        'Your payment of $10.00 arrived when this was not for sale: it goes back to your card.',
      ),
    });
    await refundOwed(app.engines);
    expect(await orderOf(buying)).toEqual({ state: 'refunded', why: 'link_revoked' });
    const [text = ''] = await emailsTo(app, buying.email);
    expect(text).toContain(
      'The creator has ended access to this link. Your payment arrived after that, so all of it goes back',
    );
    await reconcile(app.engines);
    expect(await findDrift(app.engines)).toEqual([]);
  });

  it('is asked back in the transaction that notes it, and by the next round where that was lost', async () => {
    const buying = await beginToPay();
    await revoke(buying);
    await payAt(app, buying.sessionId, { email: buying.email });
    await statusOf(buying);
    const { id } = await readRow<{ id: string }>(app, 'select id from checkout_orders where session_id = $1', [
      buying.sessionId,
    ]);
    const refunds = `select cause, is_told as "isTold" from refunds where order_id = $1`;
    const requested = [{ cause: 'paid_after_end', isTold: true }];
    expect(await readRows(app, refunds, [id])).toEqual(requested);
    const job = `delete from pgboss.job where name = $1 and data ->> 'orderId' = $2 returning id`;
    expect(await readRows(app, job, [refundOrderQueue, id])).toHaveLength(1);
    await readRows(app, 'delete from refunds where order_id = $1', [id]);
    await refundOwed(app.engines);
    expect(await readRows(app, refunds, [id])).toEqual(requested);
    expect(await orderOf(buying)).toEqual({ state: 'refunded', why: 'link_revoked' });
  });

  it('goes back by itself even where nobody had noted the end', async () => {
    const buying = await beginToPay();
    await readRows(app, 'update magic_links set is_revoked = true, revoked_at = $2 where id = $1', [
      buying.linkId,
      new Date(app.engines.clock()),
    ]);
    await payAt(app, buying.sessionId, { email: buying.email });
    await statusOf(buying);
    await refundOwed(app.engines);
    expect(await orderOf(buying)).toEqual({ state: 'refunded', why: 'link_revoked' });
  });

  it('is said to be on its way to the door of a link that stays revoked', async () => {
    const buying = await beginToPay();
    await revoke(buying);
    await payAt(app, buying.sessionId, { email: buying.email });
    await statusOf(buying);
    const { reason, text } = await doorOf(buying);
    expect(reason).toBe('REVOKED');
    expect(text).toContain('Your payment of $10.00 arrived when this was not for sale');
  });
});

describe('an end', () => {
  it('is done while the provider does not answer, and the checkout is closed once it does', async () => {
    const buying = await beginToPay();
    const { payments } = app.engines;
    const away = vi.spyOn(payments, 'expireCheckout').mockRejectedValue(new PaymentsAway(new Error('no line')));
    await revoke(buying);
    expect(away, 'ending asks nobody').not.toHaveBeenCalled();
    const jobs = await readRows<{ data: EndedSales }>(
      app,
      `delete from pgboss.job where name = 'sales.end' returning data`,
    );
    const { id } = await readRow<{ id: string }>(app, 'select id from checkout_orders where session_id = $1', [
      buying.sessionId,
    ]);
    const mine = jobs.find(({ data }) => data.orders.some((order) => order.id === id));
    if (mine === undefined) throw new Error('no job was written');
    await closeSales(app.engines, mine.data);
    expect(away).toHaveBeenCalled();
    expect((await payments.findCheckout(buying.sessionId)).state).toBe('open');
    away.mockRestore();
    advance(app, hourMs / 2);
    await settleOpen(app.engines, 0);
    expect((await payments.findCheckout(buying.sessionId)).state).toBe('expired');
  });

  it('in the moment in which the provider makes the page leads nobody there', async () => {
    const { id: linkId, slug } = await shared.makeLink(payToOpen(1000));
    const browser = newBrowser();
    await tapDoor(app, slug, browser);
    const { payments } = app.engines;
    const open = payments.openCheckout.bind(payments);
    const opened: string[] = [];
    vi.spyOn(payments, 'openCheckout').mockImplementationOnce(async (order) => {
      const checkout = await open(order);
      opened.push(checkout.sessionId);
      // As if the order had been written a moment after the end had looked.
      await readRows(app, 'update magic_links set is_revoked = true, revoked_at = $2 where id = $1', [
        linkId,
        new Date(app.engines.clock()),
      ]);
      return checkout;
    });
    const { body } = await tapPay(app, slug, browser, 1000, { offerId: 'pay' });
    expect(body.url).toBeUndefined();
    expect((await payments.findCheckout(opened[0] ?? '')).state).toBe('expired');
  });
});

describe('the reference of a payment', () => {
  it('is no key: another browser is told where it opens and how to prove the address, and nothing to ask the money back with', async () => {
    const buying = await beginToPay();
    await payAt(app, buying.sessionId, { email: buying.email });
    expect(await statusOf(buying)).toMatchObject({
      state: 'done',
      isOwn: true,
      viewPath: `/view/${buying.slug}`,
      receiptPath: expect.stringMatching(/^\/receipt\//),
    });
    const other = newBrowser();
    const reported = await statusOf({ ...buying, browser: other });
    expect(reported).toMatchObject({ state: 'done', isOwn: false, email: 'b•••@example.com' });
    expect([reported.viewPath, reported.receiptPath]).toEqual([undefined, undefined]);
    expect(JSON.stringify(reported)).not.toContain(buying.email);
    // Back from the bank's app in it, one tap proves the address of the payment, which need not be typed.
    const find = (sessionId: string) => app.call('viewing.findPurchases', { sessionId }, other);
    const answers = [await find('cs_test_nobody'), await find(buying.sessionId)];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers[0]?.body).toEqual(answers[1]?.body);
    const token = /find-my-purchases#(\S+)/.exec((await emailsTo(app, buying.email)).join('\n'))?.[1];
    await must(app, 'viewing.claimPurchases', { token }, other);
    expect(await statusOf({ ...buying, browser: other })).toMatchObject({
      isOwn: true,
      viewPath: `/view/${buying.slug}`,
    });
    expect(await doorOf({ ...buying, browser: other }), 'the link asks for no money there').toBeUndefined();
  });
});
