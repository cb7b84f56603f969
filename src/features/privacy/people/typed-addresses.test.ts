import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { settleOpen } from '#features/money/reconcile.ts';
import { dayMs } from '#kit/time.ts';
import { openDataPeople } from '#tests/support/data-people.ts';
import { connectPayouts, payAt, sessionOf, tapDoor, tapPay, tipToOpen } from '#tests/support/money/selling.ts';
import { advance, must } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { eraseDuePeople } from './erasing.ts';

let app: TestApp;
let shared: SharedAlbum;
let { open, buy, look, codeFor, mine } = {} as ReturnType<typeof openDataPeople>;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  app.setNow('2026-11-21T12:00:00Z');
  app.engines.sandbox?.deliverTo(undefined);
  shared = await shareAlbum(app, { count: 1 });
  await connectPayouts(app, shared.creator);
  ({ open, buy, look, codeFor, mine } = openDataPeople(app, shared));
});
afterAll(() => app.close());

describe('an address that somebody has only typed where they paid', () => {
  it('tells them nothing of whoever has it, before the code of an email', async () => {
    const owner = await buy();
    const other = await buy(owner.email);
    expect((await mine(other.browser)).effects).toMatchObject({
      purchases: 1,
      visits: 1,
      payments: 1,
      isAccount: false,
    });
    await must(app, 'privacy.eraseMine', { code: await codeFor('erase', owner) }, owner.browser);
    expect(await mine(other.browser)).toMatchObject({ eraseAt: null });
    expect((await app.call('privacy.exportMine', { code: '123456' }, other.browser)).status).toBe(410);
    const code = await codeFor('export', other);
    const file = JSON.parse((await must(app, 'privacy.exportMine', { code }, other.browser)).text);
    expect(file.payments).toHaveLength(2);
  });
});

describe('an erasure', () => {
  it('that was asked for before an address was known is seen and called off once one is', async () => {
    const { slug, browser } = await look();
    await must(app, 'privacy.eraseMine', {}, browser);
    const tip = await shared.makeLink(tipToOpen(1000), { expiry: { kind: 'never' } });
    const email = 'late-buyer@example.com';
    await tapDoor(app, tip.slug, browser);
    await payAt(app, sessionOf((await tapPay(app, tip.slug, browser)).body.url), { email });
    await settleOpen(app.engines, 0);
    expect((await mine(browser)).eraseAt).not.toBeNull();
    const code = await codeFor('erase', { browser, email });
    expect((await app.call('privacy.eraseMine', { code }, browser)).status).toBe(409);
    await must(app, 'privacy.keepMine', { code: await codeFor('keep', { browser, email }) }, browser);
    advance(app, 14 * dayMs);
    await eraseDuePeople(app.engines);
    expect((await open(slug, browser)).status).toBe(200);
  });
});
