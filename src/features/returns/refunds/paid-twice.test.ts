import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PaymentRefused } from '#engines/payments/payments.ts';
import { settleOpen } from '#features/money/reconcile.ts';
import { fansToOpen, makeTier, subscribe } from '#tests/support/money/fans.ts';
import {
  connectPayouts,
  payAt,
  payToOpen,
  post,
  sessionOf,
  tapDoor,
  tapPay,
  tipToOpen,
} from '#tests/support/money/selling.ts';
import { advance, readRows } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { refundOwed } from '../refunding.ts';

let app: TestApp;
let shared: SharedAlbum;
const minute = 60_000;
const operatorEmail = 'operator@example.com';

beforeAll(async () => {
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  app = await openTestApp({ workJobs: false, log });
  Object.assign(app.engines.installation, { operatorEmail });
  shared = await shareAlbum(app, { count: 1 });
  await connectPayouts(app, shared.creator);
});
afterAll(() => app.close());

const statesOf = async (linkId: string) =>
  (await readRows(app, 'select state from checkout_orders where link_id = $1 order by paid_at, id', [linkId])).map(
    ({ state }) => state,
  );

/** Somebody pays in a browser of their own. */
async function pay(slug: string, email: string, { offerId = 'pay', isOpened = true } = {}): Promise<void> {
  const browser = newBrowser();
  await tapDoor(app, slug, browser);
  await payAt(app, sessionOf((await tapPay(app, slug, browser, 1000, { offerId })).body.url), { email });
  await settleOpen(app.engines, 0);
  if (isOpened) await post(app, `/api/view/${slug}/open`, {}, browser);
}

describe('what one address pays for twice within ten minutes', () => {
  it('is paid back when nobody has opened it ten minutes later, and the first stays', async () => {
    const { id, slug } = await shared.makeLink(payToOpen(1000));
    await pay(slug, 'twice@example.com');
    advance(app, 9 * minute);
    await pay(slug, 'twice@example.com', { isOpened: false });
    // Orders of the same instant stand in no order.
    advance(app, 1000);
    await pay(slug, 'other@example.com', { isOpened: false });
    await refundOwed(app.engines);
    expect(await statesOf(id), 'it may still be opened').toEqual(['paid', 'paid', 'paid']);
    advance(app, 10 * minute);
    await refundOwed(app.engines);
    await refundOwed(app.engines);
    expect(await statesOf(id)).toEqual(['paid', 'refunded', 'paid']);
    const reasons =
      'select r.reason, r.by_kind from refunds r join checkout_orders o on o.id = r.order_id where o.link_id = $1';
    expect(await readRows(app, reasons, [id])).toEqual([{ reason: 'duplicate', by_kind: 'system' }]);
  });

  it('stays paid where it was opened, where it came later, and where it is a tip', async () => {
    const [opened, late] = [await shared.makeLink(payToOpen(1000)), await shared.makeLink(payToOpen(1000))];
    const tip = await shared.makeLink(tipToOpen(1000));
    for (const isOpened of [true, true]) await pay(opened.slug, 'twice@example.com', { isOpened });
    for (const isOpened of [true, false]) await pay(tip.slug, 'twice@example.com', { offerId: 'tip', isOpened });
    await pay(late.slug, 'twice@example.com');
    advance(app, 11 * minute);
    await pay(late.slug, 'twice@example.com', { isOpened: false });
    advance(app, 11 * minute);
    await refundOwed(app.engines);
    for (const { id } of [opened, late, tip]) expect(await statesOf(id)).toEqual(['paid', 'paid']);
  });

  it('ends with it where it is a subscription', async () => {
    const tierId = await makeTier(app, shared.creator);
    const { id, slug } = await shared.makeLink(fansToOpen(), { expiry: { kind: 'never' } });
    for (const _ of [1, 2]) {
      const browser = newBrowser();
      await tapDoor(app, slug, browser);
      await subscribe(app, { slug, browser, tierId }, { email: 'twice@example.com' });
    }
    advance(app, 11 * minute);
    await refundOwed(app.engines);
    expect(await statesOf(id)).toEqual(['paid', 'refunded']);
    const ended = 'select count(*)::int as lives from fan_subscriptions where link_id = $1 and ended_at is null';
    expect(await readRows(app, ended, [id])).toEqual([{ lives: 1 }]);
  });

  it('is asked for again once a day where the provider refuses it, and each time the operator is told once', async () => {
    const { id, slug } = await shared.makeLink(payToOpen(1000));
    await pay(slug, 'refused@example.com');
    advance(app, minute);
    await pay(slug, 'refused@example.com', { isOpened: false });
    advance(app, 11 * minute);
    const { payments } = app.engines;
    const { refund } = payments;
    payments.refund = () => Promise.reject(new PaymentRefused('other', 'Insufficient funds'));
    for (let n = 0; n < 3; n++) await refundOwed(app.engines);
    const reported = `select body_text from mail_outbox where recipient = $1 and template = 'refund_failed'`;
    const [, again] = await readRows<{ id: string }>(
      app,
      'select id from checkout_orders where link_id = $1 order by paid_at',
      [id],
    );
    const tries = async () =>
      (await readRows(app, 'select id from refunds where order_id = $1', [again?.id ?? ''])).length;
    expect([await tries(), (await readRows(app, reported, [operatorEmail])).length]).toEqual([1, 1]);
    advance(app, 24 * 60 * minute);
    for (let n = 0; n < 3; n++) await refundOwed(app.engines);
    expect([await tries(), (await readRows(app, reported, [operatorEmail])).length]).toEqual([2, 2]);
    payments.refund = refund;
    await refundOwed(app.engines);
    expect(await statesOf(id), 'not sooner').toEqual(['paid', 'paid']);
    advance(app, 24 * 60 * minute);
    await refundOwed(app.engines);
    expect(await statesOf(id)).toEqual(['paid', 'refunded']);
  });
});
