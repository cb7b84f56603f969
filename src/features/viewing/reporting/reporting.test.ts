import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { LiveEvent } from '#engines/database/work.ts';
import { ClientEventType } from '#features/security/contract.ts';
import { forgetOldEvents } from '#features/security/jobs.ts';
import { advance, must, readRows, signUpCreator } from '#tests/support/people.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { type Browser, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
let shared: SharedAlbum;
const received: LiveEvent[] = [];
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  shared = await shareAlbum(app);
  app.live.watch(
    (event) => received.push(event),
    () => undefined,
  );
});
afterAll(() => app.close());
beforeEach(() => app.setNow('2026-11-21T12:00:00Z'));

interface Look {
  id: string;
  browser: Browser;
  visitId: string;
}
const look = async (rules: object = {}): Promise<Look> => {
  const { id, slug } = await shared.makeLink(rules);
  const browser = newBrowser();
  return { id, browser, visitId: (await shared.viewerApi.tap(slug, {}, browser)).head.visitId };
};
type Event = { type: string; count?: number };
const report = ({ visitId, browser }: Look, events: Event[], more: object = {}) =>
  app.call(
    'viewing.reportEvents',
    { visitId, events: events.map((event) => ({ count: 1, ...event })), ...more },
    browser,
  );
const rowsOf = ({ id }: Pick<Look, 'id'>) =>
  readRows(
    app,
    'select event_type as type, risk, source, count, is_rest, session_id, viewer_id, device_info from security_events where magic_link_id = $1 order by timestamp, id',
    [id],
  );
const sumOf = async (link: Look, type: string) =>
  (await rowsOf(link)).filter((row) => row.type === type).reduce((sum, { count }) => sum + Number(count), 0);

const risks = {
  high: ['screenshot_attempt', 'devtools_attempt', 'save_attempt', 'copy_attempt'],
  medium: ['context_menu_attempt', 'view_source_attempt', 'select_all_attempt'],
  low: [
    ...['tab_switch_attempt', 'drag_attempt', 'text_selection_attempt', 'clipboard_attempt'],
    ...['focus_change', 'window_resize', 'tab_return'],
  ],
};

describe('a report of an open screen', () => {
  it('is written once for each of the 14 types, with its risk and the device', async () => {
    expect(Object.values(risks).flat().sort()).toEqual(ClientEventType.options.toSorted());
    const visit = await look();
    const events = ClientEventType.options.map((type) => ({ type }));
    const answer = await report(visit, events, { screen: '390x844@3' });
    expect([answer.status, answer.body]).toEqual([200, {}]);
    const rows = await rowsOf(visit);
    expect(rows).toHaveLength(14);
    for (const [risk, types] of Object.entries(risks))
      expect(rows.filter((row) => row.risk === risk).map(({ type }) => type)).toEqual(expect.arrayContaining(types));
    for (const row of rows)
      expect(row).toMatchObject({ source: 'client', count: 1, is_rest: false, session_id: visit.visitId });
    expect(rows[0]?.device_info).toMatchObject({ screen: '390x844' });
  });
  it('is heard by the creator at once, and names no link to the screens of its viewers', async () => {
    const visit = await look();
    received.length = 0;
    await report(visit, [{ type: 'copy_attempt' }]);
    await expect
      .poll(() => received.filter(({ kind }) => kind === 'security.event'))
      .toEqual([{ kind: 'security.event', creatorId: shared.creator.userId }]);
  });
  it('counts the same within ten seconds into one row, and begins another after that', async () => {
    const visit = await look();
    await report(visit, [{ type: 'copy_attempt' }]);
    advance(app, 9_999);
    await report(visit, [{ type: 'copy_attempt', count: 6 }]);
    expect((await rowsOf(visit)).map(({ count }) => count)).toEqual([7]);
    advance(app, 1);
    await report(visit, [{ type: 'copy_attempt' }]);
    expect((await rowsOf(visit)).map(({ count }) => count)).toEqual([7, 1]);
  });
  it('sent twice at the same moment is one row that counts both', async () => {
    const visit = await look();
    await Promise.all([1, 2, 3].map(() => report(visit, [{ type: 'save_attempt' }, { type: 'drag_attempt' }])));
    expect((await rowsOf(visit)).map(({ type, count }) => [type, count])).toEqual(
      expect.arrayContaining([
        ['save_attempt', 3],
        ['drag_attempt', 3],
      ]),
    );
    expect(await rowsOf(visit)).toHaveLength(2);
  });
});

describe('a report that comes once more, because its answer was lost', () => {
  it('counts once, also at the same moment, and the next one counts again', async () => {
    const visit = await look();
    const send = (reportId: string) => report(visit, [{ type: 'copy_attempt' }], { reportId });
    await Promise.all([send('one'), send('one'), send('one')]);
    await send('one');
    await send('two');
    expect(await sumOf(visit, 'copy_attempt')).toBe(2);
  });
});

describe('a browser that lies', () => {
  it("reports of its own visit alone: another one's, an unknown one's and without a cookie are answered alike", async () => {
    const [bob, eve] = [await look(), await look()];
    const answers = await Promise.all([
      report({ ...bob, browser: eve.browser }, [{ type: 'copy_attempt' }]),
      report({ ...bob, browser: newBrowser() }, [{ type: 'copy_attempt' }]),
      report({ ...bob, visitId: '01234567-89ab-7def-8123-456789abcdef' }, [{ type: 'copy_attempt' }]),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([410, 410, 410]);
    expect(new Set(answers.map(({ body }) => JSON.stringify(body)))).toHaveProperty('size', 1);
    expect(await rowsOf(bob)).toEqual([]);
  });
  it('cannot make up a type, a count, a time or a row', async () => {
    const visit = await look();
    for (const events of [
      [{ type: 'leak_traced' }],
      [{ type: 'copy_attempt', count: 101 }],
      [{ type: 'copy_attempt', count: -1 }],
      [],
      Array.from({ length: 15 }, () => ({ type: 'copy_attempt' })),
    ])
      expect([events, (await report(visit, events)).status]).toEqual([events, 422]);
    await report(visit, [{ type: 'copy_attempt', timestamp: '2020-01-01' } as Event], { screen: '<b>x</b>' });
    const [row] = await rowsOf(visit);
    expect(row?.device_info).not.toHaveProperty('screen');
    expect(await readRows(app, 'select timestamp from security_events where magic_link_id = $1', [visit.id])).toEqual([
      { timestamp: new Date('2026-11-21T12:00:00Z') },
    ]);
  });
  it('hides nothing that matters behind noise, and fills no list: what is more is counted in one row', async () => {
    const visit = await look();
    for (let n = 0; n < 40; n++) {
      advance(app, 11_000 * (n % 5 === 0 ? 1 : 0));
      await report(
        visit,
        risks.low.map((type) => ({ type, count: 100 })),
      );
    }
    const noise = await rowsOf(visit);
    expect(noise.length).toBeLessThanOrEqual(20 + 7);
    expect(await sumOf(visit, 'drag_attempt')).toBe(4000);
    await report(visit, [{ type: 'screenshot_attempt' }]);
    expect((await rowsOf(visit)).filter(({ risk }) => risk === 'high')).toMatchObject([{ count: 1, is_rest: false }]);
  });
  it('gets 30 rows in a minute at most, and no report is lost', async () => {
    const visit = await look();
    // Every row is as if its ten seconds were over.
    const age = () =>
      readRows(app, "update security_events set timestamp = timestamp - interval '20 s' where magic_link_id = $1", [
        visit.id,
      ]);
    for (let n = 0; n < 12; n++) {
      await report(
        visit,
        ClientEventType.options.map((type) => ({ type })),
      );
      await age();
    }
    const rows = await rowsOf(visit);
    expect(rows.filter((row) => !row.is_rest)).toHaveLength(30);
    expect(rows.reduce((sum, { count }) => sum + Number(count), 0)).toBe(12 * 14);
  });
});

describe('nothing is written', () => {
  it("of the creator's own look", async () => {
    const { id, slug } = await shared.makeLink();
    const { head } = await shared.viewerApi.tap(slug, {}, shared.creator.browser);
    const own = { id, browser: shared.creator.browser, visitId: head.visitId };
    expect((await report(own, [{ type: 'copy_attempt' }])).status).toBe(200);
    expect(await rowsOf(own)).toEqual([]);
  });
  it('once access has ended: the answer says so, like a renewal', async () => {
    const visit = await look();
    await must(app, 'links.revoke', { linkIds: [visit.id] }, shared.creator.browser);
    const { status, body } = await report(visit, [{ type: 'copy_attempt' }]);
    expect([status, body.data.reason]).toEqual([410, 'REVOKED']);
    expect(await rowsOf(visit)).toEqual([]);
  });
});

it('is read by the creator of the link and by nobody else, and forgotten after 13 months', async () => {
  const visit = await look();
  await report(visit, [{ type: 'copy_attempt', count: 3 }]);
  const { events, total } = await must(app, 'security.list', { linkId: visit.id }, shared.creator.browser);
  expect([total, events]).toMatchObject([1, [{ eventType: 'copy_attempt', count: 3, link: { id: visit.id } }]]);
  const eve = await signUpCreator(app);
  expect(await must(app, 'security.list', { linkId: visit.id }, eve.browser)).toMatchObject({ events: [], total: 0 });
  app.setNow('2027-12-21T11:59:00Z');
  await forgetOldEvents(app.engines);
  expect(await rowsOf(visit)).toHaveLength(1);
  app.setNow('2027-12-21T12:00:01Z');
  await forgetOldEvents(app.engines);
  expect(await rowsOf(visit)).toEqual([]);
});

it('is told to the creator once an hour for each link, where it matters', async () => {
  const reported = async ({ id }: Look) =>
    (await readRows(app, "select 1 from notices where event = 'security_high' and about ->> 'linkId' = $1", [id]))
      .length;
  const visit = await look();
  await report(visit, [{ type: 'drag_attempt' }]);
  expect(await reported(visit)).toBe(0);
  await report(visit, [{ type: 'copy_attempt' }]);
  advance(app, 60_000);
  await report(visit, [{ type: 'save_attempt' }]);
  expect(await reported(visit)).toBe(1);
  app.setNow('2026-11-21T13:00:00Z');
  const again = await shared.viewerApi.tap(await slugOf(visit), {}, visit.browser);
  await report({ ...visit, visitId: again.head.visitId }, [{ type: 'copy_attempt' }]);
  expect(await reported(visit)).toBe(2);
});
const slugOf = async ({ id }: Look) =>
  String((await readRows(app, 'select slug from magic_links where id = $1', [id]))[0]?.slug);
