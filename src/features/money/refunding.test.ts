import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { PaymentRefused } from '#engines/payments/payments.ts';
import { connectPayouts, payAt, post, sessionOf, tapDoor, tapPay, tipToOpen } from '#tests/support/money/selling.ts';
import { must, pass, readRows } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { type Browser, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { settleOpen } from './reconcile.ts';
import { refundRevoked } from './refunding.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });
let app: TestApp;
let shared: SharedAlbum;
let told: unknown[];
const hour = 3_600_000;

beforeAll(async () => {
  const log = { info: () => undefined, warn: () => undefined, error: (about: object) => void told.push(about) };
  app = await openTestApp({ workJobs: false, log });
  shared = await shareAlbum(app, { count: 1 });
  await connectPayouts(app, shared.creator);
});
beforeEach(() => {
  told = [];
});
afterAll(() => app.close());

/** A link, and somebody who has paid for it. */
async function sell({ isOpened = false } = {}): Promise<{ slug: string; id: string; buyer: Browser }> {
  const { slug, id } = await shared.makeLink(tipToOpen(1000));
  const buyer = newBrowser();
  await tapDoor(app, slug, buyer);
  await payAt(app, sessionOf((await tapPay(app, slug, buyer)).body.url));
  await settleOpen(app.engines, 0);
  if (isOpened) await post(app, `/api/view/${slug}/open`, {}, buyer);
  return { slug, id, buyer };
}

const revoke = (id: string) => must(app, 'links.revoke', { linkIds: [id] }, shared.creator.browser);
const statesOf = async (linkId: string) => {
  const orders = 'select state from checkout_orders where link_id = $1';
  const refunds =
    'select r.state from refunds r join checkout_orders o on o.id = r.order_id where o.link_id = $1 order by r.created_at';
  const rows = [...(await readRows(app, orders, [linkId])), ...(await readRows(app, refunds, [linkId]))];
  return rows.map(({ state }) => state);
};

/** The provider refuses every refund meanwhile, or those that `isHit` names. */
async function whileRefused(error: Error, run: () => Promise<unknown>, isHit = (_orderId: string) => true) {
  const own = app.engines.payments;
  app.engines.payments = {
    ...own,
    refund: async (refund) => (isHit(refund.orderId) ? Promise.reject(error) : own.refund(refund)),
  };
  try {
    await run();
  } finally {
    app.engines.payments = own;
  }
}

describe('a refund that is owed for a link that ended', () => {
  it('is asked for again a day after it was refused, not sooner, until it is made', async () => {
    const { id } = await sell();
    await revoke(id);
    pass(app, 25 * hour);
    await whileRefused(new PaymentRefused('other', 'Insufficient funds'), () => refundRevoked(app.engines));
    expect(told).toHaveLength(1);
    await refundRevoked(app.engines);
    expect(await statesOf(id)).toEqual(['paid', 'failed']);
    pass(app, 24 * hour);
    await refundRevoked(app.engines);
    await refundRevoked(app.engines);
    expect(await statesOf(id)).toEqual(['refunded', 'failed', 'succeeded']);
  });
});
