import { afterAll, beforeAll, expect, it } from 'vitest';
import { reconcile } from '#features/money/reconcile.ts';
import { insertRefund } from '#features/orders/refunds-store.ts';
import { syncSession } from '#features/orders/sync-orders.ts';
import { newId } from '#kit/ids.ts';
import { openExchangeCheck } from '#tests/support/money/exchange-check.ts';
import { type FanStage, fansToOpen, makeTier, openFanStage } from '#tests/support/money/fans.ts';
import { actRequest } from '#tests/support/money/request-steps.ts';
import { payAt, payToOpen, post, sessionOf, tapDoor, tapPay, tipToOpen } from '#tests/support/money/selling.ts';
import { must, readRow } from '#tests/support/people.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { writeSettings } from '#tests/support/write-settings.ts';
import { runRefunds } from '../refunding.ts';

const check = openExchangeCheck();
let app: TestApp;
let stage: FanStage;
const percent = 'money.commissionPercent';

beforeAll(async () => {
  app = await openTestApp({ workJobs: false, onExchange: check.receive });
  stage = await openFanStage(app);
});
afterAll(async () => {
  expect(check.faults).toEqual([]);
  await app.close();
});

/** What our row keeps of a payment, and what the provider has kept of it. */
async function feesOf(sessionId: string): Promise<{ ours: number; theirs: number }> {
  const order = await syncSession(app.engines, sessionId);
  const { chargeId } = await app.engines.payments.findCheckout(sessionId);
  const { fee } = await readRow<{ fee: number }>(
    app,
    `select coalesce(sum((body->>'amount')::int), 0)::int as fee from sandbox_objects where type = 'application_fee' and body->>'originating_transaction' = $1`,
    [chargeId],
  );
  return { ours: order?.feeCents ?? -1, theirs: fee };
}

async function tip(amountCents: number): Promise<string> {
  const { slug } = await stage.makeLink(tipToOpen(500));
  const browser = newBrowser();
  await tapDoor(app, slug, browser);
  const sessionId = sessionOf((await tapPay(app, slug, browser, amountCents)).body.url);
  await payAt(app, sessionId);
  return sessionId;
}

async function buy(amountCents: number): Promise<string> {
  const { slug } = await stage.makeLink(payToOpen(amountCents));
  const browser = newBrowser();
  await tapDoor(app, slug, browser);
  const { body } = await post(app, `/api/view/${slug}/checkout`, { offerId: 'pay', amountCents }, browser);
  await payAt(app, sessionOf(body.url));
  return sessionOf(body.url);
}

it('everything that is ordered is divided by the commission in force, here and at the provider', async () => {
  await writeSettings(app, { [percent]: 20 });
  expect(await feesOf(await tip(1007))).toEqual({ ours: 201, theirs: 201 });
  expect(await feesOf(await buy(1500))).toEqual({ ours: 300, theirs: 300 });
  const about = { creatorId: stage.creator.userId, albumId: stage.shared.albumId, isOnce: true };
  const { requestId } = await actRequest(app, about, { cents: 4000, end: 'released' });
  const released = 'select amount_cents as share, fee_cents as fee from held_releases where request_id = $1';
  expect(await readRow(app, released, [requestId])).toEqual({ share: 3200, fee: 800 });
  expect(await must(app, 'requests.one', { requestId }, stage.creator.browser)).toMatchObject({ shareCents: 3200 });
  expect(await reconcile(app.engines)).toEqual([]);
});

it('a subscription keeps the commission that it began with', async () => {
  await writeSettings(app, { [percent]: 20 });
  const tier = await makeTier(app, stage.creator, { name: 'Kept', priceCents: 1005 });
  const fan = await stage.makeFan({ tier, amountCents: 1005, rules: fansToOpen([tier]) });
  await writeSettings(app, { [percent]: 30 });
  await stage.wait(32);
  expect((await stage.monthsOf(fan)).map(({ fee_cents }) => fee_cents)).toEqual([201, 201]);
  const { tiers } = await must(app, 'fans.tiers', {}, stage.creator.browser);
  expect(tiers.find(({ id }: { id: string }) => id === tier)).toMatchObject({ monthlyCents: 804 });
  expect(await reconcile(app.engines)).toEqual([]);
});

it('without a commission everything is the creator’s, and goes back without a fee', async () => {
  await writeSettings(app, { [percent]: 0 });
  const sessionId = await tip(1000);
  expect(await feesOf(sessionId)).toEqual({ ours: 0, theirs: 0 });
  const now = new Date(app.engines.linkClock());
  const { id: orderId } = await readRow<{ id: string }>(app, 'select id from checkout_orders where session_id = $1', [
    sessionId,
  ]);
  await app.engines.database.work({ kind: 'system' }, (tx) =>
    insertRefund(tx, {
      id: newId<'refund'>(now.getTime()),
      orderId,
      reason: 'customer_request',
      note: '',
      by: { kind: 'system' },
      now,
    }),
  );
  await runRefunds(app.engines);
  expect((await syncSession(app.engines, sessionId))?.state).toBe('refunded');
  expect(await reconcile(app.engines)).toEqual([]);
});
