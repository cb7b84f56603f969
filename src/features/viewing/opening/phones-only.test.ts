import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectPayouts, payToOpen, post } from '#tests/support/money/selling.ts';
import { must, readRows } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
let shared: SharedAlbum;
beforeAll(async () => {
  app = await openTestApp();
  shared = await shareAlbum(app, { count: 1 });
  await connectPayouts(app, shared.creator);
});
afterAll(() => app.close());

const mozilla = (system: string, rest = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36') =>
  `Mozilla/5.0 (${system}) ${rest}`;
const handhelds = {
  iPhone: mozilla('iPhone; CPU iPhone OS 18_1 like Mac OS X', 'AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148'),
  iPad: mozilla('iPad; CPU OS 16_1 like Mac OS X', 'AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148'),
  'an Android phone': mozilla('Linux; Android 15; Pixel 9'),
  'an Android tablet': mozilla('Linux; Android 14; SM-X910'),
  Instagram: `${mozilla('iPhone; CPU iPhone OS 18_1 like Mac OS X')} Instagram 300.0`,
};
const computers = {
  Windows: mozilla('Windows NT 10.0; Win64; x64'),
  'a Mac, or an iPad that says so': mozilla('Macintosh; Intel Mac OS X 10_15_7'),
  Linux: mozilla('X11; Linux x86_64'),
  'a Chromebook': mozilla('X11; CrOS x86_64 14541.0.0'),
  'something unknown': 'Mozilla/5.0 (SomethingNew) Engine/1.0',
};
const browserOf = (userAgent: string) => newBrowser({ 'user-agent': userAgent });
const desk = () => browserOf(computers.Windows);
const phone = () => browserOf(handhelds.iPhone);
const phonesOnly = { desktopAllowed: false };
const tap = (slug: string, browser = desk()) => shared.viewerApi.tap(slug, {}, browser);

describe('a link for phones and tablets', () => {
  it.each(Object.entries(handhelds))('opens on %s', async (_what, userAgent) => {
    const { slug } = await shared.makeLink(phonesOnly);
    expect((await tap(slug, browserOf(userAgent))).head?.visitId).toBeDefined();
  });

  it.each(Object.entries(computers))(
    'says on %s where to open it, before it asks anything',
    async (_what, userAgent) => {
      const { slug } = await shared.makeLink({ ...phonesOnly, ageGate: true });
      const { status, refusal } = await tap(slug, browserOf(userAgent));
      expect([status, refusal]).toEqual([
        200,
        {
          code: 'LINK',
          reason: 'NEED_PHONE',
          title: 'Open this on your phone',
          text: 'This link opens on phones and tablets only. Copy its address and open it there.',
          host: expect.objectContaining({ name: expect.any(String) }),
        },
      ]);
    },
  );

  it('lends nothing to a computer that comes with the cookie of a phone', async () => {
    const { slug } = await shared.makeLink(phonesOnly);
    const browser = phone();
    const { head } = await tap(slug, browser);
    const renewal = { visitId: head.visitId, samples: [], idleMs: 0 };
    expect((await app.call('viewing.renew', renewal, browser)).status).toBe(200);
    browser.headers = { 'user-agent': computers.Linux };
    const { status, body } = await app.call('viewing.renew', renewal, browser);
    expect([status, body.data.reason]).toEqual([410, 'NEED_PHONE']);
    expect((await shared.viewerApi.lease(head.visitId, [], browser)).status).not.toBe(200);
  });

  it('is not sold to somebody whom it would not let in', async () => {
    const { slug, id } = await shared.makeLink({ ...phonesOnly, ...payToOpen(900) });
    const browser = phone();
    expect((await tap(slug, browser)).refusal?.reason).toBe('NEED_OFFER');
    browser.headers = { 'user-agent': computers.Windows };
    const params = { offerId: 'pay', amountCents: 900 };
    expect((await post(app, `/api/view/${slug}/checkout`, params, browser)).body).toMatchObject({
      reason: 'NEED_PHONE',
    });
    expect(await readRows(app, 'select 1 from checkout_orders where link_id = $1', [id])).toEqual([]);
  });

  it('is a rule that can be taken back, and whose change is told', async () => {
    const { slug, id } = await shared.makeLink(phonesOnly);
    const { browser } = shared.creator;
    expect((await tap(slug)).refusal?.reason).toBe('NEED_PHONE');
    await must(app, 'links.update', { linkId: id, rules: { ageGate: false, desktopAllowed: true } }, browser);
    expect((await tap(slug)).head?.visitId).toBeDefined();
    const { versions } = await must(app, 'links.history', { linkId: id }, browser);
    expect(versions.map((one: { policy: object }) => one.policy)).toMatchObject([
      { desktopAllowed: true },
      { desktopAllowed: false },
    ]);
  });
});

describe('a link from before the rule', () => {
  it('opens on a computer as it did', async () => {
    const { slug, id } = await shared.makeLink();
    await readRows(app, "update magic_links set policy = policy - 'desktopAllowed' where id = $1", [id]);
    expect((await tap(slug)).head?.visitId).toBeDefined();
    const link = await must(app, 'links.one', { linkId: id }, shared.creator.browser);
    expect(link.policy.desktopAllowed).toBe(true);
  });
});
