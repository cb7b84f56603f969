import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { forgetOldViewers } from '#features/viewing/forgetting-store.ts';
import { pseudonymOf } from '#tests/support/database/viewer-rows.ts';
import { connectPayouts, payAt, sessionOf, tapDoor, tapPay, tipToOpen } from '#tests/support/money/selling.ts';
import { advance, must, readRow, readRows, signUpCreator } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { type Browser, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
let shared: SharedAlbum;
let people = 0;
const minute = 60_000;
const day = 1440 * minute;

beforeAll(async () => {
  app = await openTestApp();
  shared = await shareAlbum(app);
  await connectPayouts(app, shared.creator);
});
afterAll(() => app.close());

const newEmail = () => `payer-${people++}@example.com`;

interface Bought {
  id: string;
  slug: string;
  browser: Browser;
  email: string;
}

/** Somebody who has paid for a link of their own, and knows its order. */
async function buy(email = newEmail(), browser = newBrowser()): Promise<Bought & { orderId: string }> {
  const { id, slug } = await shared.makeLink(tipToOpen(1000));
  await tapDoor(app, slug, browser);
  const sessionId = sessionOf((await tapPay(app, slug, browser)).body.url);
  await payAt(app, sessionId, { email });
  await must(app, 'viewing.checkoutStatus', { sessionId }, browser);
  await advance(app, 1000);
  const { id: orderId } = await readRow<{ id: string }>(app, 'select id from checkout_orders where link_id = $1', [id]);
  return { id, slug, browser, email, orderId };
}

const mailsTo = (email: string) =>
  readRows<{ template: string; body_text: string; subject: string }>(
    app,
    'select template, subject, body_text from mail_outbox where recipient = $1 order by created_at, id',
    [email],
  );

/** Asks for a link and reads it from the email. */
async function askLink(email: string): Promise<string> {
  await must(app, 'viewing.findPurchases', { email }, newBrowser());
  const mails = (await mailsTo(email.toLowerCase())).filter(({ template }) => template === 'purchases');
  const [, token = ''] = /find-my-purchases#(\w{43})/.exec(mails.at(-1)?.body_text ?? '') ?? [];
  return token;
}

const claim = (token: string, browser: Browser) => app.call('viewing.claimPurchases', { token }, browser);
const mine = async (browser: Browser) => (await must(app, 'viewing.purchases', {}, browser)).rows;
const openBought = (orderId: string, browser: Browser) => app.call('viewing.openPurchase', { orderId }, browser);
const isOpen = async (slug: string, browser: Browser) => (await tapDoor(app, slug, browser)).body === undefined;
const viewerOf = (orderId: string) =>
  readRow<{ viewer_id: string }>(app, 'select viewer_id from checkout_orders where id = $1', [orderId]);

describe('a link by email', () => {
  it('is answered alike whether or not anybody paid with the address, and goes only to who did', async () => {
    const { email } = await buy();
    const [known, unknown] = await Promise.all(
      [email.toUpperCase(), newEmail()].map((each) => app.call('viewing.findPurchases', { email: each })),
    );
    expect(known).toEqual({ ...unknown, headers: known?.headers });
    expect(known?.body).toEqual({ resendAfterMs: 30_000 });
    expect((await mailsTo(email)).map(({ subject }) => subject).toSorted()).toEqual([
      'The link you asked for',
      'Your receipt',
    ]);
    expect(
      await readRows(app, `select from mail_outbox where recipient like 'payer-%' and template = 'purchases'`),
    ).toHaveLength(1);
  });

  it('comes once in 30 seconds, for a known and an unknown address alike', async () => {
    const { email } = await buy();
    for (const each of [email, newEmail()]) {
      await must(app, 'viewing.findPurchases', { email: each }, newBrowser());
      expect((await app.call('viewing.findPurchases', { email: each })).body).toMatchObject({ code: 'RATE_LIMITED' });
    }
    await advance(app, 31_000);
    expect(await askLink(email)).not.toBe('');
    expect((await mailsTo(email)).filter(({ template }) => template === 'purchases')).toHaveLength(2);
  });

  it('opens what was paid for in another browser, as one more device of the viewer who paid', async () => {
    const { slug, email, orderId } = await buy();
    const other = newBrowser();
    expect(await isOpen(slug, newBrowser())).toBe(false);
    expect((await claim(await askLink(email), other)).status).toBe(200);
    expect(await mine(other)).toMatchObject([{ orderId, kind: 'tip', amountCents: 1000, state: 'open' }]);
    expect(await isOpen(slug, other)).toBe(true);
    expect((await openBought(orderId, other)).body).toEqual({ viewPath: `/view/${slug}` });
    const { viewer_id } = await viewerOf(orderId);
    expect(await readRows(app, 'select from viewer_devices where viewer_id = $1', [viewer_id])).toHaveLength(2);
  });

  it('works once, for half an hour, and only as it was sent', async () => {
    const { email } = await buy();
    const token = await askLink(email);
    const together = await Promise.all([newBrowser(), newBrowser()].map((browser) => claim(token, browser)));
    expect(together.map(({ status }) => status).toSorted()).toEqual([200, 410]);
    const late = newBrowser();
    expect((await claim(token, late)).status).toBe(410);
    expect((await claim('A'.repeat(43), late)).status).toBe(410);
    await advance(app, minute);
    const second = await askLink(email);
    await advance(app, 30 * minute);
    expect((await claim(second, late)).status).toBe(410);
    expect(await mine(late)).toEqual([]);
    expect(
      await readRows(app, 'select from buyer_recovery_tokens where encode(token_hash, $1) like $2', [
        'escape',
        `%${token}%`,
      ]),
    ).toEqual([]);
  });

  it('shows and opens nothing of anybody else', async () => {
    const theirs = await buy();
    const own = await buy();
    const other = newBrowser();
    await claim(await askLink(own.email), other);
    expect((await mine(other)).map(({ orderId }: { orderId: string }) => orderId)).toEqual([own.orderId]);
    for (const browser of [other, own.browser, newBrowser()]) {
      expect((await openBought(theirs.orderId, browser)).status).toBe(404);
      expect(await isOpen(theirs.slug, browser)).toBe(false);
    }
  });

  it('is needed: whoever only knows the address and asks for it sees nothing', async () => {
    const { slug, email, orderId } = await buy();
    const stranger = newBrowser();
    await tapDoor(app, slug, stranger);
    await must(app, 'viewing.findPurchases', { email }, stranger);
    expect(await mine(stranger)).toEqual([]);
    expect((await openBought(orderId, stranger)).status).toBe(404);
    expect(await isOpen(slug, stranger)).toBe(false);
  });
});

describe('what was bought in several browsers with one address', () => {
  it('is listed together, and each opens as the viewer who paid for it', async () => {
    const email = newEmail();
    const [first, second] = [await buy(email), await buy(email)];
    await claim(await askLink(email), first.browser);
    expect(await mine(first.browser)).toMatchObject([{ orderId: second.orderId }, { orderId: first.orderId }]);
    expect(await isOpen(first.slug, first.browser), 'it stays who it was').toBe(true);
    expect(await isOpen(second.slug, first.browser)).toBe(false);
    expect((await openBought(second.orderId, first.browser)).status).toBe(200);
    expect(await isOpen(second.slug, first.browser)).toBe(true);
    expect(await mine(first.browser)).toHaveLength(2);
    expect((await openBought(first.orderId, first.browser)).status).toBe(200);
    expect(await isOpen(first.slug, first.browser)).toBe(true);
    const { viewer_id: one } = await viewerOf(first.orderId);
    expect((await viewerOf(second.orderId)).viewer_id).not.toBe(one);
  });

  it('does not show what the same viewer paid for with another address', async () => {
    const first = await buy();
    const second = await buy(newEmail(), first.browser);
    expect(await mine(first.browser)).toHaveLength(2);
    const other = newBrowser();
    await claim(await askLink(first.email), other);
    expect(await mine(other)).toMatchObject([{ orderId: first.orderId }]);
    expect((await openBought(second.orderId, other)).status).toBe(404);
  });
});

describe('a purchase that opens nothing any more', () => {
  it('is listed as refunded and opens in no browser', async () => {
    const { slug, email, orderId } = await buy();
    await must(app, 'money.refund', { orderId }, shared.creator.browser);
    const other = newBrowser();
    await claim(await askLink(email), other);
    expect(await mine(other)).toMatchObject([{ orderId, state: 'returned', refundedCents: 1000 }]);
    expect((await openBought(orderId, other)).status).toBe(404);
    expect(await isOpen(slug, other)).toBe(false);
  });

  it('is ended when its link is revoked', async () => {
    const { id, slug, email, orderId } = await buy();
    await must(app, 'links.revoke', { linkIds: [id] }, shared.creator.browser);
    const other = newBrowser();
    await claim(await askLink(email), other);
    expect(await mine(other)).toMatchObject([{ orderId, state: 'ended' }]);
    expect((await openBought(orderId, other)).status).toBe(404);
    expect(await isOpen(slug, other)).toBe(false);
  });

  it('stays closed to a viewer who was blocked, also where that viewer turned out to be another one', async () => {
    const { slug, email, orderId, browser } = await buy();
    const { viewer_id: viewerId } = await viewerOf(orderId);
    const twin = await buy();
    const { viewer_id: twinId } = await viewerOf(twin.orderId);
    expect(await isOpen(slug, browser)).toBe(true);
    expect(await isOpen(twin.slug, twin.browser)).toBe(true);
    await must(app, 'tracing.blockViewer', { viewerId: await pseudonymOf(app, viewerId) }, shared.creator.browser);
    await readRows(app, 'update viewers set merged_into = $1 where id = $2', [viewerId, twinId]);
    for (const [bought, each] of [
      [{ slug, email, orderId, browser }, newBrowser()],
      [twin, newBrowser()],
    ] as const) {
      await claim(await askLink(bought.email), each);
      expect(await mine(each)).toMatchObject([{ orderId: bought.orderId, state: 'ended' }]);
      expect((await openBought(bought.orderId, each)).status).toBe(404);
      expect(await isOpen(bought.slug, each)).toBe(false);
      expect(await isOpen(bought.slug, bought.browser)).toBe(false);
    }
  });
});

describe('a receipt', () => {
  it('leads back to what was paid for, and is sent again by its creator alone', async () => {
    const { email, orderId } = await buy();
    const [receipt] = await mailsTo(email);
    expect(receipt?.body_text).toContain('http://localhost:3000/find-my-purchases');
    const stranger = await signUpCreator(app);
    expect((await app.call('money.sendReceipt', { orderId }, stranger.browser)).status).toBe(404);
    expect(await must(app, 'money.sendReceipt', { orderId }, shared.creator.browser)).toEqual({});
    expect((await mailsTo(email)).map(({ body_text }) => body_text)).toEqual([receipt?.body_text, receipt?.body_text]);
    expect((await app.call('money.sendReceipt', { orderId }, shared.creator.browser)).status).toBe(429);
    await must(app, 'money.refund', { orderId }, shared.creator.browser);
    await advance(app, 2 * minute);
    expect((await app.call('money.sendReceipt', { orderId }, shared.creator.browser)).status).toBe(404);
  });
});

describe('what is kept of it', () => {
  it('is the viewer who paid, so that a purchase that was never opened still opens when its browser is forgotten', async () => {
    const { slug, email, orderId } = await buy();
    await advance(app, 500 * day);
    while ((await forgetOldViewers(app.engines.database, new Date(app.engines.clock() - 400 * day))) > 0);
    const { viewer_id: viewerId } = await viewerOf(orderId);
    expect(await readRows(app, 'select from viewer_devices where viewer_id = $1', [viewerId])).toEqual([]);
    const other = newBrowser();
    await claim(await askLink(email), other);
    expect((await openBought(orderId, other)).status).toBe(200);
    expect(await isOpen(slug, other)).toBe(true);
  });
});
