import { afterAll, beforeAll, expect, it } from 'vitest';
import { foldAllViews } from '#tests/support/database/fold-views.ts';
import { addPhotos, comeBy, type Guest } from '#tests/support/looks.ts';
import { must, type Person, readRows, signUpCreator } from '#tests/support/people.ts';
import { headersOf, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { compareViews, repairViews } from './recount.ts';

/** One week of three links: whatever page is asked says the same of it. */

let app: TestApp;
let mia: Person;
const links: string[] = [];
const noon = Date.parse('2026-11-21T12:00:00Z');
const [hour, day] = [3_600_000, 86_400_000];
const countries = ['DE', 'PT', undefined];
const apps = ['instagram', undefined, 'whatsapp'];

/** Every sixth is too short for a view. */
const lookMsOf = (n: number) => (n % 6 === 1 ? 1000 : 4000 + 1000 * n);
const isNobody = (n: number) => n % 8 === 3;

/** From where and how the visit of this number comes, and how it ends. */
function visitorOf(n: number) {
  const [country, inApp] = [countries[n % 3], apps[n % 3]];
  return {
    end: n % 5 === 0 ? ('revoked' as const) : ('left' as const),
    ...(country !== undefined && { country, isCountryEstimated: n % 2 === 0 }),
    ...(inApp !== undefined && { app: inApp }),
    ...(isNobody(n) && { suspect: n % 16 === 3 ? ('own' as const) : ('automation' as const) }),
  };
}

beforeAll(async () => {
  app = await openTestApp({ now: new Date(noon).toISOString(), workJobs: false });
  mia = await signUpCreator(app);
  const { albumId, mediaIds } = await addPhotos(app, mia.userId, 4);
  for (const linkName of ['Beach', 'City', 'Hills'])
    links.push(
      (await must(app, 'links.create', { albumIds: [albumId], linkName, isLaxConfirmed: true }, mia.browser)).id,
    );
  const guests: (Guest | undefined)[] = [];
  for (let n = 0; n < 24; n++) {
    const [linkId = '', mediaId = ''] = [links[n % 3], mediaIds[n % 4]];
    const visit = { linkId, creatorId: mia.userId, at: new Date(noon - (n % 7) * day - n * hour - 60_000) };
    const viewer = n >= 12 ? guests[n - 12] : undefined;
    const came = await comeBy(app, {
      ...visit,
      ...visitorOf(n),
      ...(viewer !== undefined && { viewer }),
      looks: [{ mediaId, ms: lookMsOf(n) }],
    });
    guests.push(isNobody(n) ? undefined : came.viewer);
  }
});
afterAll(() => app.close());

type Row = Record<string, never> & { views: number; opens: number; watchMs: number; looks: number; visits: number };
const sum = (rows: readonly Row[], name: keyof Row) => rows.reduce((total, row) => total + Number(row[name]), 0);

/** The visits of the week as the table for a program lists them. */
async function readTable() {
  const answer = await app.fastify.inject({ url: '/api/insights/visits.csv?days=7', headers: headersOf(mia.browser) });
  const [head = '', ...lines] = answer.body.trim().split('\r\n');
  const names = head.replace('\ufeff', '').split(',');
  const cells = lines.map((line) => Object.fromEntries(line.split(',').map((cell, at) => [names[at], cell])));
  const counted = cells.filter((cell) => cell['Counted as a view'] === 'yes');
  const people = cells.filter((cell) => !['own', 'automation'].includes(cell['Not counted because'] ?? ''));
  return {
    views: counted.length,
    opens: people.length,
    seconds: people.reduce((total, cell) => total + Number(cell['Seconds watched']), 0),
  };
}

async function expectAgreement(): Promise<void> {
  const ask = (name: string, input: object = {}) => must(app, name, input, mia.browser);
  const {
    figures,
    days,
    links: byLink,
    albums,
    items,
    countries: places,
    devices,
    apps: sources,
    hours,
  } = await ask('insights.overview', { days: 7 });
  expect(figures.views).toBeGreaterThan(8);
  for (const name of ['views', 'opens', 'watchMs'] as const)
    for (const parts of [days, byLink, places, devices, sources]) expect(sum(parts, name)).toBe(figures[name]);
  for (const parts of [albums, items]) expect(sum(parts, 'watchMs')).toBe(figures.watchMs);
  expect(hours.reduce((total: number, opens: number) => total + opens, 0)).toBe(figures.opens);
  expect(await readTable()).toEqual({
    views: figures.views,
    opens: figures.opens,
    seconds: figures.watchMs / 1000,
  });
  const { links: list } = await ask('links.list');
  for (const linkId of links) {
    const one = await ask('links.one', { linkId });
    const part = byLink.find((link: { linkId: string }) => link.linkId === linkId);
    const { visits } = await ask('insights.visitsOfLink', { linkId, limit: 100 });
    const reported = { views: part.views, watchMs: part.watchMs };
    const inList = list.find(({ id }: { id: string }) => id === linkId);
    for (const { viewsCount: views, watchMs } of [one, inList]) expect({ views, watchMs }).toEqual(reported);
    expect(visits.filter(({ isCounted }: { isCounted: boolean }) => isCounted)).toHaveLength(part.views);
  }
  const { viewers } = await ask('insights.viewers', { days: 7, limit: 100 });
  expect([sum(viewers, 'views'), sum(viewers, 'visits')]).toEqual([figures.views, figures.opens]);
  expect(viewers.filter(({ views }: Row) => views > 0)).toHaveLength(figures.uniqueViewers);
  const { letIn, viewed } = await ask('insights.funnel', { days: 7 });
  const pairs = new Set<string>();
  const { visits } = await ask('insights.visits', { days: 7, limit: 100 });
  for (const { viewerId, linkId } of visits) pairs.add(`${viewerId} ${linkId}`);
  const viewedPairs = visits.filter(({ isCounted }: { isCounted: boolean }) => isCounted);
  expect([letIn, viewed]).toEqual([
    pairs.size,
    new Set(viewedPairs.map(({ viewerId, linkId }: Record<string, string>) => `${viewerId} ${linkId}`)).size,
  ]);
}

it('every page says the same of a week, before it is added up and after', async () => {
  await expectAgreement();
  await foldAllViews(app.engines);
  await expectAgreement();
  expect(await compareViews(app.engines)).toEqual([]);
});

it('a recount finds hours and people that are astray, and makes them what the stream says', async () => {
  await readRows(app, 'update creator_hours set opens = opens + 1');
  await readRows(app, `update link_seen set last_view_at = null where link_id = $1`, [links[0]]);
  await readRows(app, `update creator_viewers set last_view_at = last_view_at - interval '1 hour'`);
  const wrong = (await compareViews(app.engines)).flatMap((each) => ('table' in each ? [each.table] : []));
  expect(wrong.toSorted()).toEqual(['creator_hours', 'creator_viewers', 'link_seen']);
  await repairViews(app.engines);
  expect(await compareViews(app.engines)).toEqual([]);
  await expectAgreement();
});
