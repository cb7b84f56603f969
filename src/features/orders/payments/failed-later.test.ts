import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import type { Checkout } from '#engines/payments/payments.ts';
import { settleOpen } from '#features/money/reconcile.ts';
import { connectPayouts, payToOpen, sessionOf, tapDoor, tapPay } from '#tests/support/money/selling.ts';
import { listTemplates, must, readRow, readRows } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { syncSession } from '../sync-orders.ts';

let app: TestApp;
let shared: SharedAlbum;

beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  shared = await shareAlbum(app, { count: 1 });
  await connectPayouts(app, shared.creator);
});
afterAll(() => app.close());
afterEach(() => vi.restoreAllMocks());

/** The bank is asked once the payer has left, and says so later: the sandbox has no such way to pay. */
function bankSays(state: 'processing' | 'failed') {
  const { payments } = app.engines;
  const find = payments.findCheckout.bind(payments);
  return vi.spyOn(payments, 'findCheckout').mockImplementation(async (id): Promise<Checkout> => {
    const checkout = await find(id);
    return { ...checkout, state, url: undefined, email: 'Late@example.com', paymentId: 'pi_late' };
  });
}

it('a payment that its bank refuses later has failed, says so, and gives its place back', async () => {
  const { slug, id } = await shared.makeLink({ ...payToOpen(1500), maxViewers: 1 });
  const buyer = newBrowser();
  await tapDoor(app, slug, buyer);
  const sessionId = sessionOf((await tapPay(app, slug, buyer, 1500, { offerId: 'pay' })).body.url);
  const status = async () => (await must(app, 'viewing.checkoutStatus', { sessionId }, buyer)).state;
  const places = () => readRows(app, 'select from place_reservations where link_id = $1', [id]);
  bankSays('processing');
  await syncSession(app.engines, sessionId);
  expect([await status(), (await places()).length]).toEqual(['processing', 1]);
  vi.restoreAllMocks();
  const asked = bankSays('failed');
  await syncSession(app.engines, sessionId);
  expect([await status(), (await places()).length]).toEqual(['failed', 0]);
  expect(await readRow(app, 'select state from checkout_orders where session_id = $1', [sessionId])).toEqual({
    state: 'failed',
  });
  expect((await listTemplates(app, 'late@example.com')).filter((one) => one === 'payment_failed')).toHaveLength(1);
  asked.mockClear();
  await settleOpen(app.engines, 0);
  expect(asked, 'it is over').not.toHaveBeenCalled();
  expect((await tapPay(app, slug, buyer, 1500, { offerId: 'pay' })).body.url).not.toContain(sessionId);
});
