import { afterAll, beforeAll, expect, it } from 'vitest';
import { settleOpen } from '#features/money/reconcile.ts';
import { connectPayouts, payAt, sessionOf, tapDoor, tapPay, tipToOpen } from '#tests/support/money/selling.ts';
import { shareAlbum } from '#tests/support/shared-link.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { runData } from '../commands.ts';

const email = 'buyer@example.com';
let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  const shared = await shareAlbum(app, { count: 1 });
  await connectPayouts(app, shared.creator);
  const { slug } = await shared.makeLink(tipToOpen(1000));
  const browser = newBrowser();
  await tapDoor(app, slug, browser);
  await payAt(app, sessionOf((await tapPay(app, slug, browser)).body.url), { email });
  await settleOpen(app.engines, 0);
});
afterAll(() => app.close());

it('the operator does the same for who asks by letter', async () => {
  await expect(runData(app.engines, ['erase', '--address', 'nobody@example.com'])).rejects.toThrow('Nobody');
  expect(await runData(app.engines, ['show', '--address', email])).toContain("won't open any more");
  expect(JSON.parse(await runData(app.engines, ['export', '--address', email])).address).toBe(email);
  expect(await runData(app.engines, ['erase', '--address', email.toUpperCase()])).toContain('is erased after');
  await expect(runData(app.engines, ['erase', '--address', email])).rejects.toThrow('already');
  expect(await runData(app.engines, ['keep', '--address', email])).toContain('stays');
  await expect(runData(app.engines, ['keep', '--address', email])).rejects.toThrow('not about');
});
