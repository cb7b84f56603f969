import { afterAll, beforeAll, expect, it } from 'vitest';
import { syncSession } from '#features/orders/sync-orders.ts';
import { connectPayouts, payAt, sessionOf, tapDoor, tapPay, tipToOpen } from '#tests/support/money/selling.ts';
import { readRows } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { writeSettings } from '#tests/support/write-settings.ts';

let app: TestApp;
let shared: SharedAlbum;

beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  shared = await shareAlbum(app, { count: 1 });
  await connectPayouts(app, shared.creator);
});
afterAll(() => app.close());

async function sell(amountCents: number): Promise<string> {
  const { slug } = await shared.makeLink(tipToOpen(500));
  const buyer = newBrowser();
  await tapDoor(app, slug, buyer);
  const sessionId = sessionOf((await tapPay(app, slug, buyer, amountCents)).body.url);
  await payAt(app, sessionId);
  return (await syncSession(app.engines, sessionId))?.id ?? '';
}
const refund = (orderId: string) => app.call('money.refund', { orderId }, shared.creator.browser);
/** As if so much had been paid out. */
const takeOut = (cents: number) =>
  readRows(
    app,
    `update ledger_days set held_cents = held_cents - $2 where ctid = (select ctid from ledger_days where owner_user_id = $1 limit 1)`,
    [shared.creator.userId, cents],
  );

it('a creator may refund down to −$200, and not a cent further by herself', async () => {
  const orders: string[] = [];
  for (let n = 0; n < 3; n++) orders.push(await sell(10_000));
  await takeOut(3 * 9000);
  expect((await refund(orders[0] ?? '')).body).toMatchObject({ state: 'refunded' });
  expect((await refund(orders[1] ?? '')).body).toMatchObject({ state: 'refunded' });
  const { status, body } = await refund(orders[2] ?? '');
  expect([status, body.message]).toEqual([
    409,
    expect.stringContaining('This refund would take your balance below −$200.00.'),
  ]);
  expect(await readRows(app, 'select from refunds where order_id = $1', [orders[2]])).toEqual([]);
  await takeOut(-7000);
  expect((await refund(orders[2] ?? '')).body, 'to the very limit').toMatchObject({ state: 'refunded' });
});

it('an operator may let it be less', async () => {
  await writeSettings(app, { 'money.mostDebtCents': 10_000 });
  await takeOut(9000);
  const { status, body } = await refund(await sell(10_000));
  expect([status, body.message]).toEqual([409, expect.stringContaining('below −$100.00.')]);
});
