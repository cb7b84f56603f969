import { afterAll, beforeAll, expect, it } from 'vitest';
import { reconcile } from '#features/money/reconcile.ts';
import { syncSession } from '#features/orders/sync-orders.ts';
import { connectPayouts, payAt, sessionOf, tapDoor, tapPay, tipToOpen } from '#tests/support/money/selling.ts';
import { must, readRow } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
let shared: SharedAlbum;

beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  shared = await shareAlbum(app, { count: 1 });
  await connectPayouts(app, shared.creator);
});
afterAll(() => app.close());

it('what a link has earned is what the books say, to the cent, after each of several partial refunds', async () => {
  const { slug, id } = await shared.makeLink(tipToOpen(500));
  const sessions: string[] = [];
  for (const cents of [505, 999]) {
    const browser = newBrowser();
    await tapDoor(app, slug, browser);
    sessions.push(sessionOf((await tapPay(app, slug, browser, cents)).body.url));
    await payAt(app, sessions.at(-1) ?? '');
  }
  const found: unknown[] = [];
  for (const [n, amountCents] of [0, 5, 6, 4, 490].entries()) {
    for (const [at, sessionId] of sessions.entries()) {
      const { paymentId = '' } = await app.engines.payments.findCheckout(sessionId);
      const refund = {
        refundId: `part-${n}-${at}`,
        orderId: 'o',
        paymentId,
        amountCents,
        reason: 'duplicate',
      } as const;
      if (amountCents > 0) await app.engines.payments.refund(refund);
      await syncSession(app.engines, sessionId);
    }
    expect(await reconcile(app.engines)).toEqual([]);
    const { rows } = await must(app, 'money.listEarnings', {}, shared.creator.browser);
    const inBooks = rows.reduce((sum: number, { amountCents: cents }: { amountCents: number }) => sum + cents, 0);
    const { earnings_cents } = await readRow(app, 'select earnings_cents from magic_links where id = $1', [id]);
    found.push([earnings_cents, inBooks]);
  }
  expect(found).toEqual([1355, 1345, 1335, 1327, 445].map((cents) => [cents, cents]));
});
