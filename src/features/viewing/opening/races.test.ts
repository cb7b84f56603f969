import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countViewerRows, type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { type Browser, copyOf, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
let shared: SharedAlbum;
beforeAll(async () => {
  app = await openTestApp();
  shared = await shareAlbum(app, { count: 1 });
});
afterAll(() => app.close());

const many = 200;
const tapAll = async (slug: string, browsers: readonly Browser[]) => {
  const answers = await Promise.all(browsers.map((browser) => shared.viewerApi.tap(slug, { firstScreen: 0 }, browser)));
  return {
    opened: answers.filter(({ head }) => head !== undefined),
    refused: answers.filter(({ refusal }) => refusal !== undefined).map(({ refusal }) => refusal?.reason),
    /** A machine that is too busy refuses to work, which lets nobody in either. */
    shed: answers.filter(({ status }) => status === 503),
  };
};
const strangers = (count: number) => Array.from({ length: count }, () => newBrowser());

describe('two first openings of one browser', () => {
  /** What each tab is told, when the other's answers arrive in between. */
  it('let it in once, and what the second one is told never takes that back', async () => {
    const { slug } = await shared.makeLink({ bindFirstViewer: true });
    const jar = newBrowser();
    const tap = (browser: Browser) => shared.viewerApi.open(slug, { firstScreen: 0 }, browser);
    const [first, second] = [copyOf(jar), copyOf(jar)];
    expect([(await tap(first)).refusal?.reason, (await tap(second)).refusal?.reason]).toEqual([
      'NEED_COOKIE',
      'NEED_COOKIE',
    ]);
    keepAll(jar, first);
    const { head } = await tap(jar);
    expect(head?.visitId).toBeDefined();
    // The second tab's first answer was slow, and comes only now; so does its second question, which had left before.
    keepAll(jar, second);
    const late = copyOf(second);
    expect((await tap(late)).refusal?.reason).toBe('NOT_FOUND');
    keepAll(jar, late);
    expect((await tap(jar)).head?.visitId).toBe(head.visitId);
    const renewed = await app.call('viewing.renew', { visitId: head.visitId, samples: [], idleMs: 0 }, jar);
    expect(renewed.status).toBe(200);
  });

  it('is the same where a gate was passed meanwhile', async () => {
    const { slug } = await shared.makeLink({ ageGate: true, bindFirstViewer: true });
    const jar = newBrowser();
    const tap = (browser: Browser, isAdult?: boolean) =>
      shared.viewerApi.open(slug, { firstScreen: 0, ...(isAdult && { isAdult }) }, browser);
    const second = copyOf(jar);
    await tap(jar);
    const { head } = await tap(jar, true);
    expect(head?.visitId).toBeDefined();
    // It says yes to the same question, and comes too late for the one place.
    expect((await tap(second, true)).refusal?.reason).toBe('NOT_FOUND');
    keepAll(jar, second);
    expect((await tap(jar)).head?.visitId).toBe(head.visitId);
  });
});

/** One jar for both tabs: what an answer to one of them sets stands for both. */
function keepAll(jar: Browser, { cookies }: Browser): void {
  for (const [name, value] of cookies) jar.cookies.set(name, value);
}

describe('many at once', () => {
  it('lets exactly one of 200 strangers into a one-person link', async () => {
    const { slug } = await shared.makeLink({ bindFirstViewer: true });
    const { opened, refused, shed } = await tapAll(slug, strangers(many));
    expect([opened.length, refused.length + shed.length]).toEqual([1, many - 1]);
    expect(new Set(refused)).toEqual(new Set(['NOT_FOUND']));
  });

  it('lets exactly as many in as the link has places', async () => {
    const { slug } = await shared.makeLink({ maxViewers: 7 });
    const { opened, refused, shed } = await tapAll(slug, strangers(40));
    expect([opened.length, refused.length + shed.length]).toEqual([7, 33]);
  });

  it('makes one viewer, one grant and one visit of a browser that taps twice', async () => {
    const { slug } = await shared.makeLink({ maxVisits: 1 });
    const browser = newBrowser();
    await shared.viewerApi.tap(slug, { isAdult: false, password: '', firstScreen: 0 }, newBrowser());
    browser.cookies.set('pf_viewer', 'A'.repeat(43));
    const before = await countViewerRows(app);
    const { opened } = await tapAll(slug, Array(10).fill(browser));
    const after = await countViewerRows(app);
    expect(new Set(opened.map(({ head }) => head.visitId)).size).toBe(1);
    for (const table of ['viewers', 'viewer_devices', 'grants', 'link_viewers', 'viewer_sessions'])
      expect([table, (after[table] ?? 0) - (before[table] ?? 0)]).toEqual([table, 1]);
  });

  it('gives a viewer with one visit left exactly one, on however many screens they tap', async () => {
    const { slug } = await shared.makeLink({ maxVisits: 2, maxConcurrent: 1000 });
    const { head } = await shared.viewerApi.tap(slug, { firstScreen: 0 });
    const screens = strangers(20);
    for (const screen of screens) {
      // Each screen becomes a device of the same viewer; the tap itself may be refused.
      app.setNow('2026-11-21T11:00:00Z');
      await shared.viewerApi.tap(slug, { resumeCode: head.resumeCode, takeOver: false, firstScreen: 0 }, screen);
    }
    app.setNow('2026-11-21T12:30:00Z');
    const [row] = await app.engines.database.work(
      { kind: 'system' },
      async ({ client }) =>
        (
          await client.query(
            'select a.id, a.visits from link_viewers a join viewer_sessions s on s.admission_id = a.id where s.id = $1',
            [head.visitId],
          )
        ).rows,
    );
    await app.engines.database.work({ kind: 'system' }, async ({ client }) => {
      await client.query('update link_viewers set visits = 1 where id = $1', [row.id]);
    });
    const { opened, refused } = await tapAll(slug, screens);
    expect([opened.length, new Set(refused)]).toEqual([1, new Set(['VISITS_USED'])]);
    app.setNow('2026-11-21T12:00:00Z');
  });

  it('opens no more screens of one viewer than the link allows, new visits or old ones', async () => {
    const { slug } = await shared.makeLink({ maxConcurrent: 2 });
    const first = newBrowser();
    const { head } = await shared.viewerApi.tap(slug, { firstScreen: 0 }, first);
    const screens = [first, ...strangers(11)];
    await tapAllWithCode(slug, head.resumeCode, screens.slice(1));
    app.setNow('2026-11-21T12:01:00Z');
    const answers = await Promise.all(screens.map((screen) => shared.viewerApi.tap(slug, { firstScreen: 0 }, screen)));
    const isOpen = answers.map(({ head }) => head !== undefined);
    const reasons = answers.flatMap(({ refusal }) => refusal?.reason ?? []);
    expect([isOpen.filter(Boolean).length, reasons]).toEqual([2, Array(10).fill('CONCURRENT')]);
    const outside = screens[isOpen.indexOf(false)] ?? newBrowser();
    const here = await shared.viewerApi.tap(slug, { takeOver: true, firstScreen: 0 }, outside);
    expect(here.head?.visitId).toBeDefined();
    for (const [n, screen] of screens.entries()) {
      if (!isOpen[n]) continue;
      const renewal = { visitId: answers[n]?.head.visitId, samples: [], idleMs: 0 };
      const closed = await app.call('viewing.renew', renewal, screen);
      expect([closed.status, closed.body.data?.reason]).toEqual([410, 'CONCURRENT']);
    }
    app.setNow('2026-11-21T12:00:00Z');
  });
});

const tapAllWithCode = (slug: string, resumeCode: string, screens: readonly Browser[]) =>
  Promise.all(screens.map((screen) => shared.viewerApi.tap(slug, { resumeCode, firstScreen: 0 }, screen)));
