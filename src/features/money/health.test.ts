import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { describeHealth } from '#app/health/health-command.ts';
import { PaymentsAway } from '#engines/payments/payments.ts';
import { dayMs } from '#kit/time.ts';
import { askAtLink, payFor, takeRequests } from '#tests/support/money/requests.ts';
import { connectPayouts, payAt, sessionOf, tapDoor, tapPay, tipToOpen } from '#tests/support/money/selling.ts';
import { advance, must } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { checkOwnSchedule, lookAtCover } from './health.ts';
import { reconcile } from './reconcile.ts';

const warn = vi.fn();
let app: TestApp;
let shared: SharedAlbum;

beforeAll(async () => {
  app = await openTestApp({ workJobs: false, log: { info: () => undefined, warn, error: () => undefined } });
  app.engines.sandbox?.deliverTo(undefined);
  shared = await shareAlbum(app, { count: 1 });
  await connectPayouts(app, shared.creator);
  await takeRequests(app, shared.creator);
});
beforeEach(() => warn.mockClear());
afterAll(() => app.close());

/** Sells until the platform's own part covers what a card costs. */
async function sellTips(count: number): Promise<void> {
  const { slug } = await shared.makeLink(tipToOpen(10_000));
  for (let n = 0; n < count; n++) {
    const browser = newBrowser();
    await tapDoor(app, slug, browser);
    await payAt(app, sessionOf((await tapPay(app, slug, browser, 10_000)).body.url));
  }
}

it('what is held stands beside what is available, and less is told as missing', async () => {
  const asked = await askAtLink(app, shared);
  await must(app, 'requests.accept', { requestId: asked.id, days: 7 }, shared.creator.browser);
  await payFor(app, asked);
  await reconcile(app.engines);
  expect(await lookAtCover(app.engines)).toEqual({
    isShort: false,
    lines: [
      'held for custom work $40.00 ($40.00 of it not yet available), owed $0.00, available at the provider $0.00',
    ],
  });
  advance(app, 3 * dayMs);
  // The card has cost 1.46 of it.
  expect(await lookAtCover(app.engines)).toEqual({
    isShort: true,
    lines: ['held for custom work $40.00, owed $0.00, available at the provider $38.54: $1.46 is missing'],
  });
  await sellTips(1);
  advance(app, 3 * dayMs);
  await reconcile(app.engines);
  const [line = ''] = (await lookAtCover(app.engines)).lines;
  expect(line).toMatch(/^held for custom work \$40\.00, owed \$0\.00, available at the provider \$4\d\.\d\d$/);
});

it('health fails while the platform is paid out by itself, which takes what is held along', async () => {
  const { sandbox } = app.engines;
  await checkOwnSchedule(app.engines);
  expect(warn).not.toHaveBeenCalled();
  const before = process.exitCode;
  await sandbox?.setOwnSchedule(true);
  await checkOwnSchedule(app.engines);
  expect(warn.mock.calls).toEqual([[{ area: 'money' }, expect.stringContaining('(daily)')]]);
  await sandbox?.deliverDue();
  const reported = await describeHealth(app.engines);
  const { exitCode } = process;
  process.exitCode = before;
  expect(exitCode).toBe(1);
  expect(reported).toContain('available at the provider $0.00: $40.00 is missing');
  expect(reported).toContain('set payouts of your own account to manual');
  await sandbox?.setOwnSchedule(false);
  await reconcile(app.engines);
  expect((await lookAtCover(app.engines)).isShort, 'it does not come back').toBe(true);
});

it('a provider that is away is told, fails nothing and keeps nobody waiting', async () => {
  const own = app.engines.payments;
  const away = () => Promise.reject(new PaymentsAway('a test'));
  app.engines.payments = { ...own, findOwnSchedule: away, balance: away };
  await checkOwnSchedule(app.engines);
  expect(warn.mock.calls).toMatchObject([
    [{ area: 'money' }, 'nobody could see whether the platform is paid out by itself'],
  ]);
  const { lines, isShort } = await lookAtCover(app.engines);
  expect([isShort, lines]).toEqual([false, [expect.stringContaining('could not be compared')]]);
  app.engines.payments = own;
});
