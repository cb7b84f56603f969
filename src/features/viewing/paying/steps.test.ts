import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Condition } from '#features/links/policy.ts';
import { settleOpen } from '#features/money/reconcile.ts';
import { connectPayouts, payAt, post, sessionOf, tapDoor, tapPay } from '#tests/support/money/selling.ts';
import { must, readRows } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { type Browser, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
let shared: SharedAlbum;
beforeAll(async () => {
  app = await openTestApp();
  shared = await shareAlbum(app, { count: 1 });
  await connectPayouts(app, shared.creator);
});
afterAll(() => app.close());

const yes: Condition = { kind: 'approval' };
const price: Condition = { kind: 'pay', priceCents: 1500 };
const tip: Condition = { kind: 'tip', minCents: 700 };
const linkOf = (...offers: Condition[][]) =>
  shared.makeLink({ offers: offers.map((all, at) => ({ id: `offer-${at}`, all })) });

const accessRequest = { name: 'Bob', message: '' };
const tell = async (slug: string, browser: Browser, body: object = {}) =>
  (await post(app, `/api/view/${slug}/open`, body, browser)).body;
const isOpen = async (slug: string, browser: Browser) => (await tell(slug, browser)) === undefined;

async function pay(slug: string, browser: Browser, amountCents: number, offerId = 'offer-0'): Promise<void> {
  const { status, body } = await tapPay(app, slug, browser, amountCents, { offerId });
  expect([status, body]).toEqual([200, { url: expect.any(String) }]);
  await payAt(app, sessionOf(body.url), { email: 'buyer@example.com' });
  await settleOpen(app.engines, 0);
}

async function answer(decision: 'approve' | 'deny', more: object = {}): Promise<void> {
  const { requests } = await must(app, 'access.requests', { status: 'pending' }, shared.creator.browser);
  await must(app, `access.${decision}`, { requestId: requests[0].id, ...more }, shared.creator.browser);
}

describe('a yes and a price together', () => {
  it('are asked for one after the other: nothing is paid before the yes', async () => {
    const { slug } = await linkOf([yes, price]);
    const browser = newBrowser();
    expect((await tapDoor(app, slug, browser)).body).toMatchObject({
      reason: 'NEED_OFFER',
      asking: 'open',
      text: 'After a yes, it opens for $15.',
    });
    expect((await tapPay(app, slug, browser, 1500, { offerId: 'offer-0' })).body).toMatchObject({ code: 'VALIDATION' });
    expect(await tell(slug, browser, { accessRequest })).toMatchObject({
      asking: 'pending',
      title: 'Waiting for approval',
    });
    await answer('approve');
    expect(await tell(slug, browser)).toMatchObject({
      title: '$15',
      sale: { offers: [{ id: 'offer-0', kind: 'pay', priceCents: 1500 }] },
    });
    expect((await tell(slug, browser)).asking).toBeUndefined();
    expect(await isOpen(slug, browser)).toBe(false);
    await pay(slug, browser, 1500);
    expect(await isOpen(slug, browser)).toBe(true);
  });

  it('end with a no: it is said, and nothing can be paid', async () => {
    const { slug } = await linkOf([yes, price]);
    const browser = newBrowser();
    await tapDoor(app, slug, browser);
    await tell(slug, browser, { accessRequest });
    await answer('deny', { text: 'Sorry.' });
    const refusal = await tell(slug, browser);
    expect(refusal).toMatchObject({ reason: 'NEED_OFFER', title: 'Your request was declined.' });
    expect(refusal.text).toContain('Sorry.');
    expect(refusal.asking).toBeUndefined();
    expect((await tapPay(app, slug, browser, 1500, { offerId: 'offer-0' })).body).toMatchObject({ code: 'VALIDATION' });
  });
});

describe('a price or a yes', () => {
  it('opens by either, also for whoever has asked and not been answered', async () => {
    const { slug } = await linkOf([price], [yes]);
    const [buyer, asker] = [newBrowser(), newBrowser()];
    for (const browser of [buyer, asker]) {
      expect((await tapDoor(app, slug, browser)).body).toMatchObject({ title: '$15', asking: 'open' });
      expect(await tell(slug, browser, { accessRequest })).toMatchObject({ title: '$15', asking: 'pending' });
    }
    await pay(slug, buyer, 1500);
    expect(await isOpen(slug, buyer)).toBe(true);
    expect(await isOpen(slug, asker)).toBe(false);
  });
});

describe('a tip and a price together', () => {
  it('are paid one after the other, the price last, and each says what follows', async () => {
    const { slug, id } = await linkOf([price, tip]);
    const browser = newBrowser();
    expect((await tapDoor(app, slug, browser)).body).toMatchObject({
      title: '$7 or more as a tip, then $15',
      text: 'Together they open 1 photo. View only – no download.',
      sale: { offers: [{ kind: 'tip', minCents: 700, afterwards: '$15' }] },
    });
    expect((await tapPay(app, slug, browser, 1500, { offerId: 'offer-0' })).body.url).toBeDefined();
    await pay(slug, browser, 700);
    expect(await tell(slug, browser)).toMatchObject({ title: '$15', sale: { offers: [{ kind: 'pay' }] } });
    await pay(slug, browser, 1500);
    expect(await isOpen(slug, browser)).toBe(true);
    const orders = await readRows(
      app,
      `select kind, terms from checkout_orders where link_id = $1 and state = 'paid' order by created_at`,
      [id],
    );
    expect(orders.map(({ kind, terms }) => [kind, (terms as { opens?: boolean }).opens === true])).toEqual([
      ['tip', false],
      ['album', true],
    ]);
  });

  it('open nothing while one of them is missing, and the tip goes back when the link is revoked', async () => {
    const { slug, id } = await linkOf([price, tip]);
    const browser = newBrowser();
    await tapDoor(app, slug, browser);
    await pay(slug, browser, 700);
    expect(await isOpen(slug, browser)).toBe(false);
    const cost = await must(app, 'links.revokeCost', { linkIds: [id] }, shared.creator.browser);
    expect(cost).toMatchObject({ people: 1, cents: 700 });
  });

  it('take one place of a link for few people: whoever paid the first part pays the second', async () => {
    const { slug } = await shared.makeLink({
      maxViewers: 1,
      offers: [{ id: 'offer-0', all: [tip, price] }],
    });
    const browser = newBrowser();
    await tapDoor(app, slug, browser);
    await pay(slug, browser, 700);
    await pay(slug, browser, 1500);
    expect(await isOpen(slug, browser)).toBe(true);
    expect(await isOpen(slug, newBrowser())).toBe(false);
  });

  it('are not sold in parts where the rest cannot be had', async () => {
    const { id: tierId } = await must(
      app,
      'fans.createTier',
      { name: 'Gold', priceCents: 999, albumIds: [shared.albumId] },
      shared.creator.browser,
    );
    const { slug } = await linkOf([tip, { kind: 'fan_sub', tierIds: [tierId] }]);
    const browser = newBrowser();
    expect((await tapDoor(app, slug, browser)).body.sale.offers).toMatchObject([{ kind: 'tip' }]);
    await must(app, 'fans.stopTier', { tierId }, shared.creator.browser);
    expect((await tell(slug, browser)).sale).toBeUndefined();
    expect((await tapPay(app, slug, browser, 700, { offerId: 'offer-0' })).body.code).toBe('VALIDATION');
  });
});

describe('a tip that was paid as a step', () => {
  const changeTo = (linkId: string, ...offers: Condition[][]) =>
    must(
      app,
      'links.update',
      { linkId, rules: { ageGate: false, offers: offers.map((all, at) => ({ id: `offer-${at}`, all })) } },
      shared.creator.browser,
    );
  /** Somebody who has tipped $7 of "$7 as a tip, then $15". */
  async function tipped(...more: Condition[][]) {
    const link = await linkOf([tip, price], ...more);
    const browser = newBrowser();
    await tapDoor(app, link.slug, browser);
    await pay(link.slug, browser, 700);
    return { ...link, browser };
  }

  it('counts when the offer asks for more since: what is left costs what it cost, and opens', async () => {
    for (const dearer of [
      [{ ...tip, minCents: 2000 }, price],
      [tip, { ...price, priceCents: 9000 }],
      [yes, tip, price],
      [{ ...price, priceCents: 9000 }],
      [yes],
    ] as Condition[][]) {
      const { slug, id, browser } = await tipped();
      await changeTo(id, dearer);
      expect(await tell(slug, browser)).toMatchObject({
        title: '$15',
        sale: { offers: [{ id: 'offer-0', kind: 'pay', priceCents: 1500 }] },
      });
      expect((await tell(slug, newBrowser())).title, 'to everybody else').not.toBe('$15');
      await pay(slug, browser, 1500);
      expect(await isOpen(slug, browser)).toBe(true);
    }
  });

  it('counts for an offer that asks for less since, which is then the only one', async () => {
    const { slug, id, browser } = await tipped();
    await changeTo(id, [tip, { ...price, priceCents: 1000 }]);
    expect(await tell(slug, browser)).toMatchObject({ title: '$10', sale: { offers: [{ priceCents: 1000 }] } });
    await changeTo(id, [{ kind: 'free' }]);
    expect(await isOpen(slug, browser)).toBe(true);
  });

  it('stands beside other offers of the link, old and new', async () => {
    const { slug, id, browser } = await tipped();
    await changeTo(id, [{ ...tip, minCents: 5000 }, price], [{ ...price, priceCents: 4000 }]);
    const { sale } = await tell(slug, browser);
    expect(
      sale.offers.map(({ id: offerId, priceCents }: { id: string; priceCents: number }) => [offerId, priceCents]),
    ).toEqual([
      ['offer-1', 4000],
      ['offer-0', 1500],
    ]);
  });

  it('goes back when the link is revoked, after whatever change', async () => {
    const { id } = await tipped();
    await changeTo(id, [yes]);
    const cost = await must(app, 'links.revokeCost', { linkIds: [id] }, shared.creator.browser);
    expect(cost).toMatchObject({ people: 1, cents: 700 });
  });

  it('counts no more once it was given back, nor while a bank has it', async () => {
    const { slug, id, browser } = await tipped();
    await changeTo(id, [{ ...price, priceCents: 9000 }]);
    for (const state of ['refunded', 'disputed', 'charged_back']) {
      await readRows(app, 'update checkout_orders set state = $2 where link_id = $1', [id, state]);
      expect([state, (await tell(slug, browser)).title]).toEqual([state, '$90']);
    }
  });
});
