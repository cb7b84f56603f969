import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { readRows } from '#tests/support/people.ts';
import { countViewerRows, type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { type Browser, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
let shared: SharedAlbum;
beforeAll(async () => {
  app = await openTestApp();
  shared = await shareAlbum(app, { count: 1 });
});
afterAll(() => app.close());

const openOnce = (slug: string, browser: Browser, body: object = {}) => shared.viewerApi.open(slug, body, browser);

const placesTaken = async (id: string) =>
  (await readRows<{ places_taken: number }>(app, 'select places_taken from magic_links where id = $1', [id]))[0]
    ?.places_taken;

describe('a right that is used up', () => {
  it('is spent by the call that brings the cookie back: the first gives neither a key nor a row', async () => {
    const rules: object[] = [{ bindFirstViewer: true }, { maxViewers: 1 }, { maxVisits: 1 }];
    for (const rule of rules) {
      const { id, slug } = await shared.makeLink(rule);
      const browser = newBrowser();
      const before = await countViewerRows(app);
      const first = await openOnce(slug, browser);
      expect([first.status, first.refusal?.reason, first.head]).toEqual([200, 'NEED_COOKIE', undefined]);
      expect(browser.cookies.has('pf_first')).toBe(true);
      expect([await countViewerRows(app), await placesTaken(id)]).toEqual([before, 0]);
      const second = await openOnce(slug, browser);
      expect([second.head?.items.length, await placesTaken(id)]).toEqual([1, 1]);
      expect(second.headers.getSetCookie()).toEqual([
        expect.stringMatching(/^pf_viewer=[\w-]{43}; Path=\/; Max-Age=34560000; HttpOnly; SameSite=Lax$/),
        expect.stringMatching(/^pf_first=; Path=\/; Max-Age=0;/),
      ]);
      expect((await openOnce(slug, browser)).headers.getSetCookie()).toEqual([]);
    }
  });

  it('comes with the first answer where nothing is used up', async () => {
    const { slug } = await shared.makeLink({ openForMs: 3_600_000 });
    expect((await openOnce(slug, newBrowser())).head?.items).toHaveLength(1);
  });

  it('costs no place to a browser that blocks cookies, which is told so, and leaves the link to the next person', async () => {
    const { id, slug } = await shared.makeLink({ bindFirstViewer: true, ageGate: true }, { password: 'blue orchard' });
    const before = await countViewerRows(app);
    const said = { isAdult: true, password: 'blue orchard' };
    for (let n = 0; n < 3; n++)
      expect((await openOnce(slug, { cookies: new Map() }, said)).refusal).toMatchObject({
        reason: 'NEED_COOKIE',
        title: 'Cookies are blocked',
        text: 'Your browser blocks cookies for this site. Allow them, or open the link in another browser.',
      });
    expect([await countViewerRows(app), await placesTaken(id)]).toEqual([before, 0]);
    const browser = newBrowser();
    expect((await shared.viewerApi.tap(slug, said, browser)).head?.visitId).toBeDefined();
  });

  it('can be asked for again when the answer was lost, the first one and the one that spent it', async () => {
    const { id, slug } = await shared.makeLink({ bindFirstViewer: true, maxVisits: 1 });
    await openOnce(slug, newBrowser()); // never came: the cookie is as unknown to its browser as to us
    const browser = newBrowser();
    await openOnce(slug, browser);
    const lost = await openOnce(slug, browser);
    const again = await openOnce(slug, browser);
    expect(lost.head?.visitId).toBeDefined();
    expect(again.head?.visitId).toBe(lost.head.visitId);
    expect(await placesTaken(id)).toBe(1);
  });

  it('asks for the cookie before it looks at a code, which makes this browser a device', async () => {
    const { slug } = await shared.makeLink({ bindFirstViewer: true });
    const { head } = await shared.viewerApi.tap(slug);
    const { resumeCode } = head;
    const before = await countViewerRows(app);
    const [here, nowhere] = [newBrowser(), newBrowser()];
    const first = await openOnce(slug, here, { resumeCode });
    const unknown = await openOnce('nobody-has-this-slug', nowhere, { resumeCode });
    expect([first.refusal?.reason, unknown.text]).toEqual(['NEED_COOKIE', first.text]);
    expect(await countViewerRows(app)).toEqual(before);
    expect((await openOnce(slug, here, { resumeCode })).head?.visitId).toBeDefined();
  });
});

describe('a program', () => {
  const headless =
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/130.0.0.0 Safari/537.36';
  const words: [string, Browser, object][] = [
    ['by its name', newBrowser({ 'user-agent': headless }), {}],
    ['by WebDriver', newBrowser(), { isDriven: true }],
  ];

  it.each(words)(
    'takes no place of a person and gets no keys, and stands on the page as what it is: %s',
    async (...of) => {
      const [, program, word] = of;
      const { id, slug } = await shared.makeLink({ bindFirstViewer: true, ageGate: true });
      const before = await countViewerRows(app);
      const { status, refusal, head } = await shared.viewerApi.tap(slug, { ...word, isAdult: true }, program);
      expect([status, refusal?.reason, head]).toEqual([200, 'NEED_BROWSER', undefined]);
      expect(refusal?.title).toBe('Please open this in your own browser');
      expect([await countViewerRows(app), await placesTaken(id)]).toEqual([before, 0]);
      const refused = async () =>
        (await app.call('insights.visitsOfLink', { linkId: id }, shared.creator.browser)).body.refused;
      await vi.waitFor(async () => expect(await refused()).toMatchObject([{ kind: 'program', times: 1 }]));
      expect((await shared.viewerApi.tap(slug, { isAdult: true })).head?.visitId).toBeDefined();
    },
  );

  it('that is in when places become few loses its screen', async () => {
    const { id, slug } = await shared.makeLink();
    const program = newBrowser();
    const { head } = await shared.viewerApi.tap(slug, { isDriven: true }, program);
    const renew = () => app.call('viewing.renew', { visitId: head.visitId, samples: [], idleMs: 0 }, program);
    expect((await renew()).status).toBe(200);
    const rules = { ageGate: false, maxViewers: 5 };
    await app.call('links.update', { linkId: id, rules }, shared.creator.browser);
    expect((await renew()).body.data?.reason).toBe('NEED_BROWSER');
  });

  it('is told no more of a full link than a person is', async () => {
    const { slug } = await shared.makeLink({ maxViewers: 1 });
    await shared.viewerApi.tap(slug);
    const [program, person] = [
      await shared.viewerApi.tap(slug, { isDriven: true }, newBrowser()),
      await shared.viewerApi.tap(slug, {}, newBrowser()),
    ];
    expect([program.status, program.text]).toEqual([person.status, person.text]);
  });
});
