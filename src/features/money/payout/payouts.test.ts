import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { syncSession } from '#features/orders/sync-orders.ts';
import {
  connectPayouts,
  payAt,
  proveSeller,
  sessionOf,
  tapDoor,
  tapPay,
  tipToOpen,
} from '#tests/support/money/selling.ts';
import { advance, must } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { reconcile } from '../reconcile.ts';

let app: TestApp;
let shared: SharedAlbum;
let accountId: string;
const day = 86_400_000;

beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  shared = await shareAlbum(app, { count: 1 });
  accountId = await connectPayouts(app, shared.creator);
  await proveSeller(app, shared.creator);
});
afterAll(() => app.close());

const ask = (what: string) => must(app, `money.${what}`, {}, shared.creator.browser);

it('what is paid out stands in the books once, and what the bank sends back is there again', async () => {
  const { slug } = await shared.makeLink(tipToOpen(1000));
  const browser = newBrowser();
  await tapDoor(app, slug, browser);
  const sessionId = sessionOf((await tapPay(app, slug, browser)).body.url);
  await payAt(app, sessionId);
  await syncSession(app.engines, sessionId);
  advance(app, 3 * day);
  await app.engines.sandbox?.payOut(accountId, 500);
  expect(await reconcile(app.engines)).toEqual([]);
  expect(await reconcile(app.engines)).toEqual([]);
  const cents = async () => (await ask('payouts')).made.map((payout: { cents: number }) => payout.cents);
  expect([(await ask('payouts')).available, await cents()]).toEqual([400, [500]]);
  advance(app, day);
  await app.engines.sandbox?.payOut(accountId, -500);
  expect(await reconcile(app.engines)).toEqual([]);
  expect([(await ask('payouts')).available, await cents()]).toEqual([900, [-500, 500]]);
  const listed = await must(app, 'money.listEarnings', { filter: 'payouts', limit: 1 }, shared.creator.browser);
  const params = { filter: 'payouts', cursor: listed.nextCursor };
  const rest = await must(app, 'money.listEarnings', params, shared.creator.browser);
  expect([...listed.rows, ...rest.rows]).toMatchObject([
    { kind: 'payout', orderId: null, amountCents: 500, canRefund: false },
    { kind: 'payout', orderId: null, amountCents: -500, canRefund: false },
  ]);
  expect(rest.nextCursor).toBeNull();
  const { earnings } = await ask('earnings');
  expect(earnings.lifetimeEarned, 'paying out is no loss').toBe(900);
});

it('the provider is asked about her account only so often, however often she asks', async () => {
  const asked = vi.spyOn(app.engines.payments, 'findAccount');
  const statuses: number[] = [];
  for (let n = 0; n < 25; n++) statuses.push((await app.call('money.checkAccount', {}, shared.creator.browser)).status);
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(5);
  expect(asked.mock.calls.length).toBeLessThanOrEqual(20);
  advance(app, day);
  expect((await app.call('money.checkAccount', {}, shared.creator.browser)).status).toBe(200);
  asked.mockRestore();
});
