import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { foldAllViews } from '#tests/support/database/fold-views.ts';
import { pseudonymOf } from '#tests/support/database/viewer-rows.ts';
import { addPhotos, type Came, comeBy, type VisitInTest } from '#tests/support/looks.ts';
import { type Person, readRows, signUpCreator } from '#tests/support/people.ts';
import { headersOf, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
let mia: Person;
let eve: Person;
let photos: string[];
let albumId: string;
let bob: string;
let lena: string;
const noon = '2026-11-21T12:00:00Z';
const minute = 60_000;
const day = 86_400_000;
const ago = (ms: number) => new Date(Date.parse(noon) - ms);

beforeAll(async () => {
  app = await openTestApp({ now: noon, workJobs: false });
  [mia, eve] = [await signUpCreator(app), await signUpCreator(app)];
  ({ albumId, mediaIds: photos } = await addPhotos(app, mia.userId, 3));
  bob = await link('Golden hour', 'Bob');
  lena = await link('For the weekend', 'Lena');
});
afterAll(() => app.close());

const ask = (procedure: string, input: object = {}, { browser } = mia) =>
  app.call(`insights.${procedure}`, input, browser);
async function link(linkName: string, recipientName: string): Promise<string> {
  const input = { albumIds: [albumId], linkName, recipientName, isLaxConfirmed: true };
  return (await app.call('links.create', input, mia.browser)).body.id;
}
const come = (visit: Omit<VisitInTest, 'creatorId'>) => comeBy(app, { creatorId: mia.userId, ...visit });
const photo = (n: number) => photos[n] ?? '';

describe('before anybody came', () => {
  it('everything is zero, and there is a day for every day', async () => {
    const { status, body } = await ask('overview', { days: 7 });
    expect(status).toBe(200);
    expect(body.figures).toEqual({ opens: 0, views: 0, watchMs: 0, uniqueViewers: 0, newViewers: 0, screensClosed: 0 });
    expect(body.days.map((one: { day: string }) => one.day)).toEqual([
      '2026-11-15',
      '2026-11-16',
      '2026-11-17',
      '2026-11-18',
      '2026-11-19',
      '2026-11-20',
      '2026-11-21',
    ]);
    expect(body).toMatchObject({
      hasBegun: false,
      links: [],
      albums: [],
      items: [],
      countries: [],
      devices: [],
      apps: [],
    });
  });
});

describe('what people looked at', () => {
  let bobCame: Came;
  let stranger: Came;
  beforeAll(async () => {
    bobCame = await come({
      linkId: bob,
      at: ago(3 * day),
      end: 'left',
      country: 'DE',
      app: 'instagram',
      looks: [
        { mediaId: photo(0), ms: 5000 },
        { mediaId: photo(1), ms: 3000 },
      ],
    });
    await come({
      linkId: bob,
      viewer: bobCame.viewer,
      at: ago(day),
      end: 'revoked',
      country: 'DE',
      isCountryEstimated: true,
      looks: [{ mediaId: photo(0), ms: 7000 }],
    });
    stranger = await come({
      linkId: bob,
      at: ago(10 * minute),
      end: 'left',
      system: 'Android',
      looks: [{ mediaId: photo(2), ms: 1500 }],
    });
    await come({ linkId: lena, at: ago(40 * day), end: 'left', looks: [{ mediaId: photo(1), ms: 60_000 }] });
    await come({
      linkId: bob,
      at: ago(5 * minute),
      end: 'left',
      suspect: 'own',
      looks: [{ mediaId: photo(0), ms: 9000 }],
    });
    await come({ linkId: bob, at: ago(4 * minute), end: 'left', suspect: 'automation' });
  });

  const expected = { opens: 3, views: 2, watchMs: 16_500, uniqueViewers: 1, newViewers: 1, screensClosed: 1 };
  const expectWeek = async () => {
    const { body } = await ask('overview', { days: 7 });
    expect(body.figures).toEqual(expected);
    expect(body.days.slice(3)).toEqual([
      { day: '2026-11-18', opens: 1, views: 1, watchMs: 8000 },
      { day: '2026-11-19', opens: 0, views: 0, watchMs: 0 },
      { day: '2026-11-20', opens: 1, views: 1, watchMs: 7000 },
      { day: '2026-11-21', opens: 1, views: 0, watchMs: 1500 },
    ]);
    expect(body.links).toEqual([
      {
        linkId: bob,
        linkName: 'Golden hour',
        recipientName: 'Bob',
        opens: 3,
        views: 2,
        watchMs: 16_500,
      },
    ]);
    expect(body.albums).toEqual([{ albumId, name: 'Golden hour', looks: 4, watchMs: 16_500 }]);
    expect(body.items.map(({ mediaId, looks, watchMs }: Record<string, unknown>) => [mediaId, looks, watchMs])).toEqual(
      [
        [photo(0), 2, 12_000],
        [photo(1), 1, 3000],
        [photo(2), 1, 1500],
      ],
    );
    expect(body.countries).toEqual([
      { name: 'DE', opens: 2, views: 2, watchMs: 15_000, estimatedOpens: 1 },
      { name: '', opens: 1, views: 0, watchMs: 1500, estimatedOpens: 0 },
    ]);
    // One in the afternoon in Berlin on a Wednesday and a Friday, noon on a Saturday.
    const opened = body.hours.flatMap((opens: number, at: number) => (opens > 0 ? [[at, opens]] : []));
    expect(opened).toEqual([2 * 24 + 13, 4 * 24 + 13, 5 * 24 + 12].map((at) => [at, 1]));
    expect(body.timeZone).toBe('Europe/Berlin');
    expect(body.devices).toEqual([
      { name: 'iPhone', opens: 2, views: 2, watchMs: 15_000 },
      { name: 'Android', opens: 1, views: 0, watchMs: 1500 },
    ]);
    expect(body.apps.map(({ name, views }: Record<string, unknown>) => [name, views])).toEqual([
      ['', 1],
      ['instagram', 1],
    ]);
  };

  it('is told at once, before any sum holds it', expectWeek);
  it('is told alike when the sums hold a part of it, and when they hold all', async () => {
    await foldAllViews(app.engines);
    await expectWeek();
    expect(await readRows(app, `select sum(views)::int as views from creator_days`)).toEqual([{ views: 3 }]);
  });
  it('adds up to what every longer span says of it', async () => {
    const { body } = await ask('overview', { days: 90 });
    expect(body.hasBegun).toBe(true);
    expect(body.figures).toMatchObject({ opens: 4, views: 3, watchMs: 76_500, uniqueViewers: 2, newViewers: 2 });
    expect(body.days).toHaveLength(90);
  });
  it("is nobody else's business", async () => {
    expect((await ask('overview', { days: 90 }, eve)).body.figures).toMatchObject({
      opens: 0,
      views: 0,
      uniqueViewers: 0,
    });
    expect((await ask('viewers', { days: 90 }, eve)).body.viewers).toEqual([]);
    expect((await ask('visits', { days: 90 }, eve)).body.visits).toEqual([]);
    expect((await ask('notCounted', { days: 90 }, eve)).body.visits).toEqual([]);
    expect((await ask('visitsOfLink', { linkId: bob }, eve)).status).toBe(404);
  });

  it('lists visits newest first, page by page, with where, on what and how they ended', async () => {
    const first = (await ask('visits', { days: 30, limit: 2 })).body;
    expect(first.visits).toMatchObject([
      {
        viewerName: expect.stringMatching(/^Viewer [0-9A-F]{4}$/),
        watchMs: 1500,
        notCounted: 'short',
        device: 'Android',
        country: null,
      },
      {
        viewerName: 'Bob',
        watchMs: 7000,
        isCounted: true,
        notCounted: null,
        country: 'DE',
        isCountryEstimated: true,
        endReason: 'revoked',
      },
    ]);
    const second = (await ask('visits', { days: 30, limit: 2, cursor: first.nextCursor })).body;
    expect(second).toMatchObject({ visits: [{ viewerName: 'Bob', itemsSeen: 2, app: 'instagram' }], nextCursor: null });
  });
  it('lists what was not counted, each with its reason', async () => {
    const { body } = await ask('notCounted', { days: 30 });
    expect(body.visits.map(({ notCounted, viewerName }: Record<string, string>) => [notCounted, viewerName])).toEqual([
      ['automation', expect.stringMatching(/^Viewer/)],
      ['own', 'You'],
      ['short', expect.stringMatching(/^Viewer/)],
    ]);
  });
  it('lists every visit of one link, counted or not', async () => {
    expect((await ask('visitsOfLink', { linkId: bob })).body.visits).toHaveLength(5);
    expect((await ask('visitsOfLink', { linkId: lena })).body.visits).toHaveLength(1);
  });
  it('refuses a cursor that it did not give', async () => {
    expect((await ask('visits', { cursor: 'x|y' })).status).toBe(422);
  });

  it("lists viewers by name, the last one first, and takes the creator's own names for them", async () => {
    const { body } = await ask('viewers', { days: 30 });
    const viewerId = await pseudonymOf(app, stranger.viewer.viewerId);
    expect(body.viewers).toMatchObject([
      { viewerId, isRenamed: false, visits: 1, views: 0 },
      {
        viewerId: await pseudonymOf(app, bobCame.viewer.viewerId),
        name: 'Bob',
        visits: 2,
        views: 2,
        watchMs: 15_000,
        links: [{ linkName: 'Golden hour' }],
      },
    ]);
    expect((await ask('renameViewer', { viewerId, name: "Bob's friend" })).status).toBe(200);
    expect((await ask('viewers', { days: 30 })).body.viewers[0]).toMatchObject({
      name: "Bob's friend",
      isRenamed: true,
    });
    expect((await ask('visits', { days: 30 })).body.visits[0].viewerName).toBe("Bob's friend");
    expect((await ask('renameViewer', { viewerId, name: '' })).status).toBe(200);
    expect((await ask('viewers', { days: 30 })).body.viewers[0]).toMatchObject({ isRenamed: false });
  });
  it('takes no name for somebody who never came to this creator', async () => {
    const viewerId = await pseudonymOf(app, stranger.viewer.viewerId);
    expect((await ask('renameViewer', { viewerId, name: 'x' }, eve)).status).toBe(404);
    expect((await ask('renameViewer', { viewerId, name: '' }, eve)).status).toBe(404);
  });

  it('costs at most 6 statements a call, and one more that looks at what is listed', async () => {
    for (const procedure of ['overview', 'viewers', 'visits', 'notCounted', 'lookingNow']) {
      const before = app.engines.database.statementCount();
      await ask(procedure, procedure === 'lookingNow' ? {} : { days: 365 });
      expect([procedure, app.engines.database.statementCount() - before <= 7]).toEqual([procedure, true]);
    }
  });
});

describe('the table of visits', () => {
  const download = (browser = mia.browser, days = '30') =>
    app.fastify.inject({ url: `/api/insights/visits.csv?days=${days}`, headers: headersOf(browser) });

  it('has a name that says nothing, a line for every visit, and no formula in it', async () => {
    await ask('renameViewer', {
      viewerId: (await ask('viewers', { days: 30 })).body.viewers[0].viewerId,
      name: '=HYPERLINK("http://evil"),1',
    });
    const { statusCode, headers, body } = await download();
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="visits-2026-11-21.csv"',
      'cache-control': 'no-store',
    });
    expect(body.startsWith('\uFEFFStarted'), 'a spreadsheet takes it for UTF-8').toBe(true);
    const lines = body.trim().split('\r\n');
    expect(lines).toHaveLength(6);
    expect(lines[0]).toMatch(/^Started \(UTC\),Ended \(UTC\),Viewer,/);
    expect(body).toContain(`"'=HYPERLINK(""http://evil""),1"`);
    expect(lines.filter((line) => line.includes('automation'))).toHaveLength(1);
  });
  it('is for signed-in people and for the spans that there are', async () => {
    expect((await download(newBrowser())).statusCode).toBe(401);
    expect((await download(mia.browser, '8')).statusCode).toBe(422);
    expect((await download(eve.browser)).body.trim().split('\r\n')).toHaveLength(1);
  });
  it('is refused to whom every other insight is: an account without a plan', async () => {
    const spare = await signUpCreator(app);
    await readRows(app, `update users set subscription_status = 'canceled', trial_ends_at = null where id = $1`, [
      spare.userId,
    ]);
    const refused = (await ask('overview', { days: 30 }, spare)).status;
    expect(refused).toBe(403);
    expect((await download(spare.browser)).statusCode).toBe(refused);
  });
});
