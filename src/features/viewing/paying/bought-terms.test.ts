import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { settleOpen } from '#features/money/reconcile.ts';
import { connectPayouts, payAt, post, sessionOf, tapDoor, tapPay, tipToOpen } from '#tests/support/money/selling.ts';
import { advance, must, readRow } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { type Browser, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
let shared: SharedAlbum;
const hour = 3_600_000;

beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  shared = await shareAlbum(app, { count: 1 });
  await connectPayouts(app, shared.creator);
});
afterAll(() => app.close());

const price = tipToOpen(1000);
const change = (linkId: string, rules: object, more: object = {}) =>
  must(app, 'links.update', { linkId, rules: { ageGate: false, ...rules }, ...more }, shared.creator.browser);

/** What a tap comes to: open, or why not. */
async function tap(slug: string, browser: Browser, body: object = {}): Promise<string> {
  const answer = await post(app, `/api/view/${slug}/open`, body, browser);
  return answer.body === undefined ? 'open' : (answer.body.reason ?? answer.body.code);
}

/** Somebody who has paid and not come back yet. */
async function payFor(slug: string, browser = newBrowser(), body: object = {}): Promise<Browser> {
  await tapDoor(app, slug, browser);
  expect(await tap(slug, browser, body)).toBe('NEED_OFFER');
  await payAt(app, sessionOf((await tapPay(app, slug, browser)).body.url));
  await settleOpen(app.engines, 0);
  return browser;
}

describe('whoever pays begins again', () => {
  /** Somebody has looked for nothing, as often and as long as they may, before the link got a price. */
  async function spendAll(limit: object): Promise<{ slug: string; id: string; browser: Browser }> {
    const { slug, id } = await shared.makeLink(limit);
    const browser = newBrowser();
    await tapDoor(app, slug, browser);
    advance(app, 3 * hour);
    return { slug, id, browser };
  }

  it('with the time since the first look, which begins with the first look after paying', async () => {
    const { slug, id, browser } = await spendAll({ openForMs: hour });
    expect(await tap(slug, browser)).toBe('TIMED_OUT');
    await change(id, { openForMs: hour, ...price });
    await payFor(slug, browser);
    advance(app, 5 * hour);
    expect(await tap(slug, browser)).toBe('open');
    advance(app, hour - 1);
    expect(await tap(slug, browser)).toBe('open');
    advance(app, 1);
    expect(await tap(slug, browser)).toBe('TIMED_OUT');
  });

  it('with the visits, of which no more are given than were bought', async () => {
    const { slug, id, browser } = await spendAll({ maxVisits: 1 });
    expect(await tap(slug, browser)).toBe('VISITS_USED');
    await change(id, { maxVisits: 2, ...price });
    await payFor(slug, browser);
    for (const said of ['open', 'open', 'VISITS_USED']) {
      expect(await tap(slug, browser)).toBe(said);
      advance(app, hour);
    }
  });

  it('with the viewing time, watched and lent', async () => {
    const { slug, id, browser } = await spendAll({ viewBudgetMs: 60_000 });
    const used = 'update link_viewers set watched_ms = 70000, lent_ms = 80000 where link_id = $1 returning id';
    await readRow(app, used, [id]);
    expect(await tap(slug, browser)).toBe('TIME_USED');
    await change(id, { viewBudgetMs: 60_000, ...price });
    await payFor(slug, browser);
    expect(await tap(slug, browser)).toBe('open');
    const { photos, viewerApi } = shared;
    const { head } = await viewerApi.tap(slug, {}, browser);
    const items = photos.map(({ mediaId }) => ({ mediaId, rendition: 'p2048' }));
    const lent = await viewerApi.lease(head.visitId, items, browser);
    expect([lent.refusal, lent.pictures]).toEqual([undefined, [expect.anything()]]);
    await readRow(app, 'update link_viewers set watched_ms = watched_ms + 60000 where link_id = $1 returning id', [id]);
    expect(await tap(slug, browser)).toBe('TIME_USED');
  });
});

describe('what was paid for is opened by the terms that were shown', () => {
  it('though the link has been given fewer places, before its first look', async () => {
    const { slug, id } = await shared.makeLink(price);
    const [first, second] = [await payFor(slug), await payFor(slug)];
    expect(await tap(slug, first)).toBe('open');
    await change(id, { maxViewers: 1, ...price });
    expect(await tap(slug, second)).toBe('open');
    expect(await tap(slug, await newcomer(slug))).toBe('NOT_FOUND');
  });

  it('though fewer visits and fewer screens are given by now', async () => {
    const { slug, id } = await shared.makeLink(price);
    const browser = await payFor(slug);
    expect(await tap(slug, browser)).toBe('open');
    await change(id, { maxVisits: 1, maxConcurrent: 1, ...price });
    for (let n = 0; n < 3; n++) {
      advance(app, hour);
      expect(await tap(slug, browser)).toBe('open');
    }
  });

  it('though its password was changed, and though it has none any more', async () => {
    const { slug, id } = await shared.makeLink(price, { password: 'blue orchard' });
    const browser = await payFor(slug, newBrowser(), { password: 'blue orchard' });
    await change(id, price, { password: 'green orchard' });
    expect(await tap(slug, browser)).toBe('open');
    const { title } = (await post(app, `/api/view/${slug}/open`, {}, await newcomer(slug))).body;
    expect(title).toBe('This album has a password');
    await change(id, price, { password: null });
    expect(await tap(slug, browser)).toBe('open');
  });
});

async function newcomer(slug: string): Promise<Browser> {
  const browser = newBrowser();
  await tapDoor(app, slug, browser);
  return browser;
}
