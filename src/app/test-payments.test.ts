import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import type { Realm } from '#engines/payments/payments.ts';
import { reconcile } from '#features/money/reconcile.ts';
import { refuseOtherMoney, retireTestPayments } from '#features/orders/commands.ts';
import { receiptCode } from '#features/orders/receipts.ts';
import { connectPayouts, payAt, post, sessionOf, tapDoor, tapPay, tipToOpen } from '#tests/support/money/selling.ts';
import { must, readRow, readRows } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { type Browser, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { readConfig } from './config.ts';
import { openEngines } from './engines.ts';
import { openLog } from './log.ts';

const live = { provider: 'stripe', livemode: true } as const;
const testMode = { provider: 'stripe', livemode: false } as const;
let app: TestApp;
let shared: SharedAlbum;
let buyer: Browser;
let slug: string;
let id: string;

beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  shared = await shareAlbum(app, { count: 1 });
  await connectPayouts(app, shared.creator);
  ({ slug, id } = await shared.makeLink({ ...tipToOpen(1000), maxViewers: 3 }));
  buyer = newBrowser();
  await payFor(buyer);
});
afterAll(() => app.close());

async function payFor(browser: Browser): Promise<void> {
  await tapDoor(app, slug, browser);
  await payAt(app, sessionOf((await tapPay(app, slug, browser)).body.url));
}
const isOpen = async (browser: Browser) => (await post(app, `/api/view/${slug}/open`, {}, browser)).body === undefined;
const payments = () => app.engines.payments;
const start = (realm: Realm, isOff = false) =>
  refuseOtherMoney({ ...app.engines, payments: { ...payments(), realm, isOff } });

it('what a test card paid for is closed where money is real, before anything was retired', async () => {
  expect(await isOpen(buyer)).toBe(true);
  // The books of the payment are written behind it.
  await reconcile(app.engines);
  const own = payments();
  app.engines.payments = { ...own, realm: live };
  try {
    expect(await isOpen(buyer)).toBe(false);
  } finally {
    app.engines.payments = own;
  }
  expect(await isOpen(buyer)).toBe(true);
});

it('the receipt of a test card is none where money is real, and nobody asks for that money or mails it', async () => {
  const order = await readRow<{ id: string }>(app, "select id from checkout_orders where state = 'paid'");
  const code = receiptCode(app.engines, order.id);
  const ask = { code, reason: 'satisfaction', text: 'It was a test.' };
  expect(await must(app, 'money.receipt', { code }, buyer)).toMatchObject({ isSandbox: true });
  const own = payments();
  app.engines.payments = { ...own, realm: live };
  try {
    expect((await app.call('money.receipt', { code }, buyer)).status).toBe(404);
    expect((await app.call('refunds.ask', ask, buyer)).status).toBe(404);
    for (const call of ['money.refund', 'money.sendReceipt'])
      expect((await app.call(call, { orderId: order.id }, shared.creator.browser)).status).toBe(404);
  } finally {
    app.engines.payments = own;
  }
});

it.runIf(inject('outside') === null)(
  'an installation does not start with keys of Stripe on test payments',
  async () => {
    const { host, port, user, database } = app.engines.database.connection;
    const dataDir = mkdtempSync(path.join(tmpdir(), 'pf-realms-'));
    const config = readConfig({
      DATA_DIR: dataDir,
      DATABASE_URL: `postgres://${user}@localhost/${database}?host=${encodeURIComponent(String(host))}&port=${port}`,
      PF_SECRET: Buffer.alloc(32, 7).toString('base64'),
      PF_KEYS: `first:${Buffer.alloc(32, 7).toString('base64')}`,
      STRIPE_SECRET_KEY: 'sk_test_1',
      STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
    });
    const root = path.resolve(import.meta.dirname, '../..');
    await expect(openEngines(config, openLog('silent'), root)).rejects.toThrow('pf -- retire-test-payments');
    rmSync(dataDir, { recursive: true });
  },
);

it('test payments are retired by the operator: their links close, nothing is earned and no place is kept', async () => {
  await expect(start(live)).rejects.toThrow('retire-test-payments');
  await expect(start(testMode)).rejects.toThrow('retire-test-payments');
  await start(live, true);
  const waiting = newBrowser();
  await tapDoor(app, slug, waiting);
  await tapPay(app, slug, waiting);
  const about = 'select earnings_cents, places_taken from magic_links where id = $1';
  expect(await readRow(app, about, [id])).toEqual({ earnings_cents: 900, places_taken: 2 });
  expect(await retireTestPayments(app.engines)).toMatch(/^2 test payments retired/);
  expect(await retireTestPayments(app.engines)).toBe('There are no test payments.');
  expect(await readRow(app, about, [id])).toEqual({ earnings_cents: 0, places_taken: 1 });
  expect(await isOpen(buyer)).toBe(false);
  await start(live);
  await start(testMode);
  expect(await readRows(app, 'select distinct state from checkout_orders order by 1')).toEqual([
    { state: 'canceled' },
    { state: 'paid' },
  ]);
});

it('where real money was paid, keys of a test do not start', async () => {
  await readRows(
    app,
    `update checkout_orders set provider = 'stripe', livemode = true, retired_at = null where state = 'paid'`,
  );
  await start(live);
  await expect(start(testMode)).rejects.toThrow('real money');
});
