import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PaymentsAway } from '#engines/payments/payments.ts';
import { destroyDeletedAlbums } from '#features/albums/jobs.ts';
import { settleOpen } from '#features/money/reconcile.ts';
import { syncObject } from '#features/money/sync-object.ts';
import { listEmails, type OutboxRow } from '#features/notices/store.ts';
import { receiptCode } from '#features/orders/receipts.ts';
import { type DisputeWorld, openDisputeWorld, type Sold } from '#tests/support/money/disputing.ts';
import { removeAlbum } from '#tests/support/money/removing.ts';
import { payAt, payToOpen, sessionOf, tapDoor, tapPay } from '#tests/support/money/selling.ts';
import { advance, must, readRow, readRows, signInQuickly } from '#tests/support/people.ts';
import { addReadyAlbum } from '#tests/support/ready-album.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { refundOwed, runRefunds } from '../refunding.ts';
import { runRefundsCommand } from './refunds-command.ts';

let app: TestApp;
let world: DisputeWorld;
const hour = 3_600_000;

beforeAll(async () => {
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  app = await openTestApp({ workJobs: false, log });
  world = await openDisputeWorld(app);
});
afterAll(() => app.close());

const emailsTo = async (address: string): Promise<OutboxRow[]> =>
  (await app.engines.database.work({ kind: 'system' }, (tx) => listEmails(tx, 1000))).filter(
    ({ to }) => to === address,
  );
/** What whoever paid has read of money that went back. */
const toldOf = async ({ email }: Pick<Sold, 'email'>) =>
  (await emailsTo(email)).filter(({ template }) => /refund/.test(template)).map(({ text }) => text);
/** What its creator is to hear of it in their next summary. */
const notedOf = async ({ orderId }: Pick<Sold, 'orderId'>) =>
  (
    await readRows<{ about: object }>(
      app,
      `select about from notices where event = 'refund' and about ->> 'orderId' = $1`,
      [orderId],
    )
  ).map(({ about }) => about);
const creator = () => signInQuickly(app, world.creator.userId);
/** The jobs run, several times and at once. */
async function work(): Promise<void> {
  await Promise.all([refundOwed(app.engines), refundOwed(app.engines)]);
  await runRefunds(app.engines);
}

/** It was told once: how much, why, to which card, when, and where the receipt is. */
async function expectTold(sold: Sold, why: string, amount = '$50.00'): Promise<void> {
  const reported = await toldOf(sold);
  expect(reported).toHaveLength(1);
  const receipt = `/receipt/${receiptCode(app.engines, sold.orderId)}`;
  for (const part of [amount, why, 'PF DIGITAL', '5 to 10 working days', receipt]) expect(reported[0]).toContain(part);
}

describe('whoever paid is told once that money goes back without their asking', () => {
  it('because the creator ended the link, or shut them out', async () => {
    const [link, viewer] = [await world.sell(), await world.sell()];
    await must(app, 'links.revoke', { linkIds: [link.linkId] }, await creator());
    await readRows(app, 'update link_viewers set blocked_at = $2 where link_id = $1', [
      viewer.linkId,
      new Date(app.engines.clock()),
    ]);
    await work();
    expect([await toldOf(link), await toldOf(viewer)], 'it can be undone').toEqual([[], []]);
    advance(app, 25 * hour);
    await work();
    for (const sold of [link, viewer]) {
      await expectTold(sold, 'The creator ended your access early.');
      expect(await notedOf(sold)).toMatchObject([{ amountCents: 5000, shareCents: 4500 }]);
    }
    const [email] = (await emailsTo(link.email)).filter(({ template }) => template === 'order_refunded');
    expect(email?.subject).toBe('Your refund is on its way');
  });

  it('because the creator deleted what they paid for', async () => {
    const albumId = await addReadyAlbum(app, world.creator.userId);
    const sold = await sellAlbum(albumId);
    await must(app, 'albums.remove', { albumId }, await creator());
    advance(app, 73 * hour);
    await destroyDeletedAlbums(app.engines);
    await work();
    await expectTold(sold, 'The creator deleted what you paid for.');
    expect(await notedOf(sold)).toMatchObject([{ why: 'album_deleted' }]);
  });

  it('because we removed it after a report', async () => {
    const albumId = await addReadyAlbum(app, world.creator.userId);
    const sold = await sellAlbum(albumId);
    await removeAlbum(app, albumId);
    await work();
    await expectTold(sold, 'What you paid for was removed.');
    expect(await notedOf(sold)).toMatchObject([{ why: 'removed' }]);
  });

  it('because the bank of the card reported it, which its creator hears of by an email that says what it means', async () => {
    const [sold, tip] = [await world.sell(), await world.sell({ isTip: true })];
    for (const { chargeId } of [sold, tip]) {
      const warningId = (await app.engines.sandbox?.warn(chargeId)) ?? '';
      await Promise.all([1, 2, 3].map(() => syncObject(app.engines, warningId)));
      await Promise.all([runRefunds(app.engines), runRefunds(app.engines)]);
      await syncObject(app.engines, warningId);
    }
    for (const one of [sold, tip]) {
      await expectTold(one, "The card's bank reported possible fraud.");
      expect(await notedOf(one)).toEqual([]);
    }
    const reported = (await emailsTo(world.creator.email)).filter(({ template }) => template === 'payment_reported');
    expect(reported).toHaveLength(2);
    for (const part of ['$45.00, is taken from your balance', 'There is no fee', "You don't have to do anything"])
      expect(reported[0]?.text).toContain(part);
    expect(reported.map(({ text }) => text).join(), 'who paid is not said').not.toContain(sold.email);
  });

  it('because the creator refunded it herself, of which nobody tells her', async () => {
    const sold = await world.sell();
    await must(app, 'money.refund', { orderId: sold.orderId }, await creator());
    await expectTold(sold, 'The creator refunded it.');
    expect(await notedOf(sold)).toEqual([]);
  });

  it('because staff decided so, and then the creator has an email with their note', async () => {
    const sold = await world.sell();
    const order = { verb: 'order', id: sold.orderId, reason: 'platform_decision', note: 'Only for her to read.' };
    await runRefundsCommand(app.engines, order);
    await work();
    await expectTold(sold, 'We decided to refund this payment.');
    expect((await toldOf(sold)).join()).not.toContain('Only for her to read.');
    expect(await notedOf(sold)).toEqual([]);
  });

  it('because a part of it, and then the rest, was refunded at the provider', async () => {
    const sold = await world.sell();
    const { paymentId } = await readRow<{ paymentId: string }>(
      app,
      'select payment_id as "paymentId" from checkout_orders where id = $1',
      [sold.orderId],
    );
    const hand = async (amountCents: number) => {
      const refundId = `by-hand-${sold.orderId}-${amountCents}`;
      await app.engines.payments.refund({ refundId, orderId: 'o', paymentId, amountCents, reason: 'duplicate' });
      await Promise.all([1, 2, 3].map(() => syncObject(app.engines, sold.chargeId)));
    };
    await hand(1000);
    await expectTold(sold, 'a part of what you paid', '$10.00');
    await hand(4000);
    const reported = await toldOf(sold);
    expect(reported).toHaveLength(2);
    // Emails of the same instant stand in no order.
    expect(reported.filter((text) => text.includes('$40.00'))).toHaveLength(1);
    expect((await notedOf(sold)).length).toBe(2);
  });
});

describe('nothing is told twice, or too early', () => {
  it('where the provider has made the refund and the answer was lost', async () => {
    const sold = await world.sell();
    const own = app.engines.payments;
    app.engines.payments = {
      ...own,
      refund: async (params) => {
        await own.refund(params);
        throw new PaymentsAway('lost');
      },
    };
    const browser = await creator();
    await must(app, 'money.refund', { orderId: sold.orderId }, browser);
    app.engines.payments = own;
    expect(await toldOf(sold)).toEqual([]);
    for (let n = 0; n < 3; n++) await runRefunds(app.engines, sold.orderId);
    await syncObject(app.engines, sold.chargeId);
    await expectTold(sold, 'The creator refunded it.');
  });

  it('where whoever paid had asked: they have an answer, which says why where it is not the creator’s', async () => {
    const [answered, reported] = [await world.sell(), await world.sell()];
    for (const { orderId } of [answered, reported]) {
      const ask = { code: receiptCode(app.engines, orderId), reason: 'satisfaction', text: '' };
      await must(app, 'refunds.ask', ask, newBrowser());
    }
    await must(app, 'refunds.answer', { orderId: answered.orderId, isRefunded: true }, await creator());
    await syncObject(app.engines, (await app.engines.sandbox?.warn(reported.chargeId)) ?? '');
    await runRefunds(app.engines);
    for (const { email } of [answered, reported])
      expect((await emailsTo(email)).map(({ template }) => template).toSorted()).toEqual([
        'receipt',
        'refund_answered',
        'refund_request_kept',
      ]);
    expect((await toldOf(reported)).join()).toContain("The card's bank reported possible fraud.");
  });

  it('where a bank has taken it back: that is no refund', async () => {
    const sold = await world.sell();
    await world.decide(await world.dispute(sold), false);
    expect([await world.stateOf(sold), await toldOf(sold), await notedOf(sold)]).toEqual(['charged_back', [], []]);
  });
});

it('a creator who is gone is told nothing, and whoever paid her is', async () => {
  const sold = await world.sell();
  await readRows(app, `update users set status = 'deleting' where id = $1`, [world.creator.userId]);
  await work();
  await readRows(app, `update users set status = 'active' where id = $1`, [world.creator.userId]);
  await expectTold(sold, 'The creator has closed their account.');
});

/** Somebody buys an album of the creator by a link of their own. */
async function sellAlbum(albumId: string): Promise<Sold> {
  const more = { albumIds: [albumId], expiry: { kind: 'never' } } as const;
  const { slug, id: linkId } = await world.shared.makeLink(payToOpen(5000), more);
  const browser = newBrowser();
  const email = `buyer-of-${slug.toLowerCase()}@example.com`;
  await tapDoor(app, slug, browser);
  await payAt(app, sessionOf((await tapPay(app, slug, browser, 5000, { offerId: 'pay' })).body.url), { email });
  await settleOpen(app.engines, 0);
  const ids = 'select id as "orderId", charge_id as "chargeId" from checkout_orders where link_id = $1';
  const found = await readRow<{ orderId: string; chargeId: string }>(app, ids, [linkId]);
  return { slug, linkId, browser, email, ...found };
}
