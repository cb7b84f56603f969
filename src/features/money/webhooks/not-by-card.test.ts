import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Take, takeEvents, tell, untilQuiet } from '#tests/support/money/published-events.ts';
import { connectPayouts, payAt, sessionOf, tapDoor, tapPay, tipToOpen } from '#tests/support/money/selling.ts';
import { readRow } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { findDrift } from '../reconcile.ts';

let app: TestApp;
let shared: SharedAlbum;

beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  shared = await shareAlbum(app, { count: 1 });
  await connectPayouts(app, shared.creator);
  app.engines.sandbox?.deliverTo(undefined);
});
afterAll(() => app.close());

/** Tells only what is about the charge or the refund itself: nothing else names what was paid. */
async function describeOf(names: RegExp): Promise<string[]> {
  const reported: string[] = [];
  const take: Take = (event) => tell(app, event);
  for (const event of await takeEvents(app)) {
    const id = event.body.data?.object.id ?? '';
    if (!names.test(id)) continue;
    reported.push(event.body.type);
    await take(event);
  }
  await untilQuiet(app);
  return reported;
}

it('what was paid by Link and is paid back in the dashboard of the provider closes what it had opened', async () => {
  const { slug } = await shared.makeLink(tipToOpen(1000));
  const browser = newBrowser();
  await tapDoor(app, slug, browser);
  const sessionId = sessionOf((await tapPay(app, slug, browser)).body.url);
  await payAt(app, sessionId, { card: 'link' });
  const order = () =>
    readRow<{ state: string; refunded: number; charge: string; payment: string }>(
      app,
      `select state, refunded_cents::int as refunded, charge_id as charge, payment_id as payment from checkout_orders where session_id = $1`,
      [sessionId],
    );
  expect(await describeOf(/^(cs|py)_/)).toContain('charge.succeeded');
  const { charge, payment } = await order();
  expect([charge.slice(0, 3), (await order()).state]).toEqual(['py_', 'paid']);
  const back = { orderId: 'nobody', paymentId: payment, reason: 'requested_by_customer' } as const;
  await app.engines.payments.refund({ ...back, refundId: 'dashboard-1', amountCents: 400 });
  expect(await describeOf(/^pyr_/)).toEqual(['refund.created']);
  expect(await order()).toMatchObject({ state: 'partially_refunded', refunded: 400 });
  await app.engines.payments.refund({ ...back, refundId: 'dashboard-2', amountCents: 600 });
  expect(await describeOf(/^py_/)).toEqual(['charge.refunded']);
  expect(await order()).toMatchObject({ state: 'refunded', refunded: 1000 });
  expect(await findDrift(app.engines)).toEqual([]);
});
