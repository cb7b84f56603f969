import { afterAll, beforeAll, expect, it } from 'vitest';
import { syncLedger } from '#features/books/ledger-sync.ts';
import { connectPayouts, payAt, sessionOf, tapDoor, tapPay, tipToOpen } from '#tests/support/money/selling.ts';
import { must, readRows } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { settleOpen } from '../reconcile.ts';

let app: TestApp;
let shared: SharedAlbum;
let slug: string;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  shared = await shareAlbum(app, { count: 1 });
  await connectPayouts(app, shared.creator);
  ({ slug } = await shared.makeLink(tipToOpen(1000)));
});
afterAll(() => app.close());

async function sellOne(): Promise<void> {
  const buyer = newBrowser();
  await tapDoor(app, slug, buyer);
  await payAt(app, sessionOf((await tapPay(app, slug, buyer)).body.url));
  await settleOpen(app.engines, 0);
  await syncLedger(app.engines);
}
const balances = async () => {
  const { balance } = await must(app, 'money.earnings', {}, shared.creator.browser);
  const { available } = await must(app, 'money.payouts', {}, shared.creator.browser);
  return { available: balance.available, pending: balance.pending, payouts: available };
};

it('a sale that is refunded before it settles leaves nothing short', async () => {
  await sellOne();
  await sellOne();
  expect(await balances()).toEqual({ available: 0, pending: 1800, payouts: 0 });
  const [order] = await readRows<{ id: string }>(app, "select id from checkout_orders where state = 'paid' limit 1");
  await must(app, 'money.refund', { orderId: order?.id }, shared.creator.browser);
  await syncLedger(app.engines);
  expect(await balances()).toEqual({ available: 0, pending: 900, payouts: 0 });
});

it('the numbers of receipts do not count how much is sold', async () => {
  const numbers = (await readRows<{ number: number }>(app, 'select number from receipts order by at')).map(
    ({ number }) => Number(number),
  );
  expect(numbers).toHaveLength(2);
  for (const number of numbers) expect(String(number)).toMatch(/^\d{10}$/);
  expect(Math.abs((numbers[0] ?? 0) - (numbers[1] ?? 0))).toBeGreaterThan(1);
});
