import { afterAll, beforeAll, expect, it } from 'vitest';
import { foldAllViews } from '#tests/support/database/fold-views.ts';
import { addPhotos } from '#tests/support/looks.ts';
import { type Person, readRows, signUpCreator } from '#tests/support/people.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { findParts, type PartsRow } from './reading/overview-store.ts';

let app: TestApp;
let mia: Person;
const end = Date.parse('2026-12-31T12:00:00Z');
const day = 86_400_000;
const zone = 'Pacific/Auckland';

beforeAll(async () => {
  app = await openTestApp({ now: new Date(end).toISOString(), workJobs: false });
  mia = await signUpCreator(app);
  await readRows(app, `update users set time_zone = $2 where id = $1`, [mia.userId, zone]);
  const { albumId, mediaIds } = await addPhotos(app, mia.userId, 6);
  const links: string[] = [];
  for (const linkName of ['One', 'Two', 'Three'])
    links.push((await app.call('links.create', { albumIds: [albumId], linkName }, mia.browser)).body.id);
  const kinds = ['look', 'open', 'look', 'view', 'look'] as const;
  const events = Array.from({ length: 2400 }, (_, n) => {
    const kind = kinds[n % 5] ?? 'look';
    return {
      kind,
      creator_id: mia.userId,
      link_id: links[(n * 7) % 3] ?? '',
      visit_id: albumId,
      viewer_id: albumId,
      ...(kind === 'look' && { album_id: albumId, media_id: mediaIds[(n * 11) % 6] ?? '', ms_visible: 1000 + n }),
      country: n % 4 === 0 ? 'DE' : 'NZ',
      at: new Date(end - (n * 400 * day) / 2400),
    };
  }).reverse();
  const write = (from: number, to: number) =>
    app.engines.database.work({ kind: 'system' }, async ({ db }) => {
      for (const event of events.slice(from, to)) await db.insertInto('view_events').values(event).execute();
    });
  // Folded in two parts that meet within a month; the last looks are in no sum yet.
  await write(0, 1000);
  await foldAllViews(app.engines);
  await write(1000, 2390);
  await foldAllViews(app.engines);
  await write(2390, 2400);
});
afterAll(() => app.close());

const partsOf = (now: Date, days: number) =>
  app.engines.database.work({ kind: 'user', userId: mia.userId }, (tx) =>
    findParts(tx, { creatorId: mia.userId, now, days }),
  );

/** The same by the simple definition: every event of these days, added up. */
async function addUp(now: Date, days: number, by: string, also = 'true') {
  const rows = await readRows(
    app,
    `select ${by} as key, count(*) filter (where kind = 'open')::int as opens, count(*) filter (where kind = 'view')::int as views,
      count(*) filter (where kind = 'look')::int as looks, sum(ms_visible)::bigint as "watchMs" from view_events, 
      (select ($2::timestamptz at time zone $4)::date as today) t
    where creator_id = $1 and (at at time zone $4)::date between today - ($3::int - 1) and today and ${also} group by 1`,
    [mia.userId, now, days, zone],
  );
  return new Map(rows.map(({ key, ...sums }) => [key, sums]));
}

type Row = Record<string, unknown>;
const byKey = (rows: readonly object[] | null | undefined, key: string, sums: readonly string[]) =>
  new Map(
    (rows as Row[] | undefined)?.map((row) => [row[key], Object.fromEntries(sums.map((name) => [name, row[name]]))]),
  );
const only = (found: Map<unknown, Row>, sums: readonly string[]) =>
  new Map([...found].map(([key, row]) => [key, Object.fromEntries(sums.map((name) => [name, row[name]]))]));

async function expectSimple(parts: PartsRow | undefined, now: Date, days: number): Promise<void> {
  const [visits, looks] = [
    ['opens', 'views', 'watchMs'],
    ['looks', 'watchMs'],
  ];
  const said = `${days} days until ${now.toISOString()}`;
  expect(byKey(parts?.links, 'linkId', visits), said).toEqual(only(await addUp(now, days, 'link_id'), visits));
  expect(byKey(parts?.countries, 'name', visits), said).toEqual(only(await addUp(now, days, 'country'), visits));
  const isLook = `kind = 'look'`;
  expect(byKey(parts?.items, 'mediaId', looks), said).toEqual(only(await addUp(now, days, 'media_id', isLook), looks));
  expect(byKey(parts?.albums, 'albumId', looks), said).toEqual(only(await addUp(now, days, 'album_id', isLook), looks));
}

it('a span says what the events of its days say, wherever it begins and ends in a month', async () => {
  const nows = [
    '2026-12-31T12:00',
    '2026-12-31T10:30',
    '2026-12-01T12:00',
    '2026-11-30T12:00',
    '2026-03-01T03:00',
    '2026-02-28T09:00',
  ];
  for (const now of nows.map((text) => new Date(`${text}:00Z`)))
    for (const days of [1, 7, 28, 30, 31, 32, 59, 61, 90, 365]) await expectSimple(await partsOf(now, days), now, days);
});

it('every month is the sum of its days', async () => {
  for (const [name, sum] of [
    ['link', 'opens + views'],
    ['album', 'looks'],
    ['item', 'looks'],
    ['audience', 'opens + views'],
  ]) {
    const months = await readRows(
      app,
      `select month, sum(${sum})::int as count, sum(watch_ms)::bigint as ms from ${name}_months group by 1 order by 1`,
    );
    expect(months.length).toBeGreaterThan(12);
    expect(months).toEqual(
      await readRows(
        app,
        `select date_trunc('month', day::timestamp)::date as month, sum(${sum})::int as count, sum(watch_ms)::bigint as ms
          from ${name}_days group by 1 order by 1`,
      ),
    );
  }
});

it('no server compiles the statement before it runs it', async () => {
  const jit = await app.engines.database.work({ kind: 'user', userId: mia.userId }, async (tx) => {
    await findParts(tx, { creatorId: mia.userId, now: new Date(end), days: 365 });
    return (await tx.client.query('show jit')).rows;
  });
  expect(jit).toEqual([{ jit: 'off' }]);
});
