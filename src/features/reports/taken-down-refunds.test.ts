import { afterAll, beforeAll, expect, it } from 'vitest';
import { settleOpen } from '#features/money/reconcile.ts';
import { refundOwed } from '#features/returns/refunding.ts';
import { connectPayouts, payAt, payToOpen, post, sessionOf, tapDoor, tapPay } from '#tests/support/money/selling.ts';
import { advance, readRows } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { runReports } from './commands.ts';

let app: TestApp;
let shared: SharedAlbum;
const day = 86_400_000;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  shared = await shareAlbum(app, { count: 1 });
  app.engines.sandbox?.deliverTo(undefined);
  await connectPayouts(app, shared.creator);
});
afterAll(() => app.close());

/** Somebody pays and looks. */
async function sell(slug: string): Promise<void> {
  const browser = newBrowser();
  await tapDoor(app, slug, browser);
  await payAt(app, sessionOf((await tapPay(app, slug, browser, 1000, { offerId: 'pay' })).body.url));
  await settleOpen(app.engines, 0);
  await post(app, `/api/view/${slug}/open`, {}, browser);
}
const statesOf = async () =>
  (await readRows(app, 'select state from checkout_orders order by paid_at')).map(({ state }) => state);

it('what was sold in the 90 days before it is taken down is paid back once, by whichever link it was opened', async () => {
  const old = await shared.makeLink(payToOpen(1000));
  await sell(old.slug);
  // Nobody's link or session lives for so long.
  await readRows(app, "update checkout_orders set paid_at = paid_at - interval '91 days'");
  advance(app, 1000);
  await sell(old.slug);
  advance(app, 1000);
  const other = await shared.makeLink(payToOpen(1000));
  await sell(other.slug);
  advance(app, 8 * day);
  const { number } = (
    await app.call(
      'reports.send',
      {
        kind: 'intimate',
        target: `http://localhost:3000/view/${old.slug}`,
        onBehalf: 'self',
        isInGoodFaith: true,
        details: 'The second photo shows me, and I never agreed.',
        name: 'Ana',
        email: 'ana@example.com',
      },
      newBrowser(),
    )
  ).body;
  await refundOwed(app.engines);
  expect(await statesOf(), 'it is hidden, and not decided').toEqual(['paid', 'paid', 'paid']);
  await runReports(app.engines, {
    verb: 'remove',
    number: String(number),
    reason: 'No consent.',
    by: 'Desk',
  });
  await refundOwed(app.engines);
  await refundOwed(app.engines);
  expect(await statesOf()).toEqual(['paid', 'refunded', 'refunded']);
  expect(await readRows(app, 'select reason, by_kind, note from refunds')).toEqual(
    Array(2).fill({
      reason: 'platform_decision',
      by_kind: 'system',
      note: 'What was paid for was taken down.',
    }),
  );
});
