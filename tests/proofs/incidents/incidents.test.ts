import { existsSync, rmSync } from 'node:fs';
import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { openDatabase } from '#engines/database/database.ts';
import { Reason } from '#features/access/contract.ts';
import { newId } from '#kit/ids.ts';
import { countRows } from '#tests/support/database/tables.ts';
import { previewAgents } from '#tests/support/media/preview-agents.ts';
import { giveReadableSlug } from '#tests/support/money/credits.ts';
import { readRows } from '#tests/support/people.ts';
import { makeDataDir } from '#tests/support/servers/server-process.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { type Browser, headersOf, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { bitsOf } from '#tests/support/viewer-api.ts';
import { guards } from '../counts.ts';
import { openLiveApp } from '../headers/listener.ts';
import { gates, neverTold, openWatched } from '../viewers/closing-gates.ts';
import { readLock } from '../viewers/supply-search.ts';

guards('src/app/**', 'src/wire/**', 'src/features/viewing/**', 'package-lock.json');

let app: TestApp;
let shared: SharedAlbum;
beforeAll(async () => {
  app = await openTestApp({ workJobs: false });
  shared = await shareAlbum(app, { count: 2 });
});
afterAll(() => app.close());

const mediaOf = () => shared.photos.map(({ mediaId }) => mediaId);
const wanted = () => mediaOf().map((mediaId) => ({ mediaId, rendition: 'p2048' }));

test('immich#29599: there is a gate for every reason that is told at the door', () => {
  const reported = new Set([...Object.values(gates).map(({ says }) => says), ...neverTold]);
  expect(Reason.options.filter((reason) => !reported.has(reason))).toEqual([]);
});

test.each(Object.entries(gates))(
  'immich#29599: a gate that is closed (%s) closes every path to a byte, each asked directly',
  async (_, gate) => {
    const world = { app, shared };
    const watched = await openWatched(world, shared.albumId);
    const { visitId, slug } = watched;
    onTestFinished(async () => void (await gate.reopen?.(world, watched)));
    await gate.close(world, watched);
    const { browser, body } = gate.asker?.(watched) ?? { browser: watched.browser, body: {} };
    for (const more of [{}, { with: 'keys' }]) {
      const items = wanted().map((item) => ({ ...item, ...more }));
      const leased = await shared.viewerApi.lease(visitId, items, browser);
      expect(['leases', leased.pictures.length, leased.head]).toEqual(['leases', 0, undefined]);
    }
    const video = { visitId, mediaId: mediaOf()[0], tracks: [{ track: 'v720', from: 0, count: 1 }] };
    expect((await app.call('viewing.videoKeys', video, browser)).status).toBe(410);
    const news = await fetch(`${shared.viewerApi.url}/api/live/view?visit=${visitId}`, {
      headers: headersOf(browser) as Record<string, string>,
      signal: AbortSignal.timeout(5000),
    });
    expect(['news', news.status]).toEqual(['news', 404]);
    for (const mediaId of mediaOf())
      expect((await shared.viewerApi.fetch(`/api/media/${mediaId}/original`, undefined, browser)).status).toBe(401);
    const renewed = await app.call('viewing.renew', { visitId, samples: [], idleMs: 0 }, browser);
    expect(['renewal', renewed.status]).toEqual(['renewal', 410]);
    const opened = await shared.viewerApi.tap(slug, body, browser);
    expect(['open', opened.pictures.length, opened.head]).toEqual(['open', 0, undefined]);
    expect(opened.refusal?.reason).toBe(gate.says);
  },
);

test("immich#12835: a viewer learns neither the owner's address nor a file's name, path or time", async () => {
  const { creator, albumId, makeLink } = shared;
  await readRows(app, "update media set original_name = 'IMG_SECRET_4711.HEIC' where creator_id = $1", [
    creator.userId,
  ]);
  const { slug } = await makeLink();
  const viewer = newBrowser();
  const opened = await shared.viewerApi.tap(slug, {}, viewer);
  const leased = await shared.viewerApi.lease(opened.head.visitId, wanted(), viewer);
  const said = JSON.stringify([opened.head, leased.head, [...opened.headers]]);
  expect(opened.pictures.length).toBe(2);
  for (const secret of [creator.email, creator.userId, 'IMG_SECRET', '.HEIC', 'media/', 'takenAt', 'exif', albumId])
    expect([secret, said.includes(secret)]).toEqual([secret, false]);
});

test('immich#20528, #20819, #21443: however a viewer came in, every picture of the link opens', async () => {
  const plain = await shared.makeLink();
  const readable = await giveReadableSlug(app, shared.creator, (await shared.makeLink()).id);
  const locked = await shared.makeLink({}, { password: 'blue orchard' });
  const ways: [string, Browser, string, object][] = [
    ['a slug', newBrowser(), plain.slug, {}],
    ['a readable slug', newBrowser(), readable, {}],
    ['a password', newBrowser(), locked.slug, { password: 'blue orchard' }],
  ];
  const { head } = await shared.viewerApi.tap(plain.slug, {}, newBrowser());
  ways.push(['a resume code', newBrowser(), plain.slug, { resumeCode: head.resumeCode }]);
  for (const [way, browser, slug, body] of ways) {
    for (const again of [false, true]) {
      const opened = await shared.viewerApi.tap(slug, again ? {} : body, browser);
      expect([way, again, opened.pictures.length]).toEqual([way, again, 2]);
      const { visitId, leases } = opened.head;
      const leased = await shared.viewerApi.lease(visitId, wanted(), browser);
      expect([way, again, leased.pictures.length]).toEqual([way, again, 2]);
      for (const { url, token } of [...leases, ...leased.head.leases]) {
        const bytes = await shared.viewerApi.fetch(url, { headers: { 'pf-lease': token } }, browser);
        expect([way, again, bytes.status]).toEqual([way, again, 200]);
        await bytes.arrayBuffer();
      }
      const renewed = await app.call('viewing.renew', { visitId, samples: [], idleMs: 0 }, browser);
      expect([way, again, renewed.status]).toEqual([way, again, 200]);
    }
  }
});

const injections = [
  "name'; drop table users; --",
  'newest, (select token from auth_sessions limit 1)',
  "1) or (select 1 from pg_sleep(5))::text = '1",
  "case when (select count(*) from users) > 0 then 'a' else 'b' end",
  "' union select password from auth_accounts --",
  '$1',
  "\\'; select 1; --",
];

test('CVE-2026-26980, CVE-2026-22596: words in orders, filters, searches, cursors and slugs are words', async () => {
  const { browser } = shared.creator;
  const before = await countRows(app);
  for (const evil of injections) {
    const asks: [string, object][] = [
      ['albums.list', { sort: evil }],
      ['albums.list', { sort: 'name', cursor: `${evil.slice(0, 60)}|${newId(app.engines.clock())}` }],
      ['albums.list', { search: evil.slice(0, 80) }],
      ['albums.one', { albumId: shared.albumId, sort: evil }],
      ['links.list', { filter: evil }],
      ['links.list', { search: evil.slice(0, 80) }],
      ['links.list', { cursor: evil }],
      ['insights.visits', { cursor: evil }],
      ['insights.viewers', { cursor: evil }],
      ['accounts.checkHandle', { handle: evil.slice(0, 60) }],
    ];
    for (const [procedure, input] of asks) {
      const began = performance.now();
      const { status, body } = await app.call(procedure, input, browser);
      expect([procedure, input, status < 500, performance.now() - began < 5000]).toEqual([
        procedure,
        input,
        true,
        true,
      ]);
      expect(JSON.stringify(body)).not.toMatch(/argon2id|\$argon|syntax error/);
    }
    const tapped = await shared.viewerApi.tap(encodeURIComponent(evil));
    expect([evil, tapped.status]).toEqual([evil, 410]);
  }
  expect(await countRows(app)).toEqual(before);
  // Who reads the database has no session yet: a token there is nothing without our signature.
  const [session] = await readRows(app, 'select token from auth_sessions limit 1');
  const me = await app.fastify.inject({ url: '/api/me', headers: { cookie: `pf.session_token=${session?.token}` } });
  expect(me.json().user).toBeNull();
});

test('PrivateBin#982, PrivateBin#921, YOURLS#3967: 12 preview agents write no row and spend no use, by GET and HEAD', async () => {
  const agents = [...previewAgents, 'Signal-Android/7.0 WhatsApp/2'];
  expect(agents).toHaveLength(12);
  const link = await shared.makeLink({ maxVisits: 1, bindFirstViewer: true });
  const live = await openLiveApp(app);
  try {
    const before = await countRows(app);
    const seen = new Set<string>();
    for (const agent of agents)
      for (const method of ['GET', 'HEAD', 'GET']) {
        const answer = await fetch(`${live.url}/view/${link.slug}`, { method, headers: { 'user-agent': agent } });
        expect([agent, answer.status, answer.headers.has('set-cookie')]).toEqual([agent, 200, false]);
        const text = await answer.text();
        if (method === 'GET') seen.add(text);
      }
    expect(await countRows(app)).toEqual(before);
    expect(seen.size).toBe(1);
    const [card = ''] = seen;
    expect(card).not.toContain(link.slug);
  } finally {
    await live.app.close();
  }
  // The one place and the one visit are still there for the person.
  expect((await shared.viewerApi.tap(link.slug, {}, newBrowser())).pictures.length).toBe(2);
});

test("PiGallery2 3.6, Ghost 6.65: no address leads a viewer to an original, and none is guessed from a picture's", async () => {
  const { slug } = await shared.makeLink();
  const viewer = newBrowser();
  const { head, pictures } = await shared.viewerApi.tap(slug, {}, viewer);
  const [lease] = head.leases;
  const [mediaId] = mediaOf();
  const around = ['', '_o', '-original', '.jpg', '_o.jpg', '?original=1', '/original', '?size=full'].map(
    (end) => `${lease.url}${end}`,
  );
  const guesses = [
    ...around,
    `/api/media/${mediaId}/original`,
    `/m/o/${mediaId}`,
    `/m/c/${mediaId}/${lease.url.split('/').at(-1)}`,
    `/files/${mediaId}`,
    `/media/${mediaId}/original`,
    `/data/files/media/${mediaId}`,
  ];
  for (const guess of guesses) {
    const answer = await shared.viewerApi.fetch(guess, { headers: { 'pf-lease': lease.token } }, viewer);
    const bytes = Buffer.from(await answer.arrayBuffer());
    const isOwnPack = answer.status === 200 && bytes.equals(pictures[0]?.pack ?? Buffer.alloc(0));
    expect([guess, isOwnPack || answer.status >= 400]).toEqual([guess, true]);
  }
  const stored = shared.photos.find((photo) => photo.mediaId === lease.mediaId)?.packs.thumb512.bytes;
  expect(bitsOf(pictures[0]?.pack ?? Buffer.alloc(0), stored ?? Buffer.alloc(0)).length).toBeGreaterThan(10);
});

test('UNITRONIX/BetterDesk#377, polytope-labs/hyperbridge#1105, chandra447/pi-hermes-memory#205, pglite#1107, #1106, #892: neither better-sqlite3 nor PGlite is in the app', () => {
  const names = new Set(readLock().map(({ name }) => name));
  for (const name of ['better-sqlite3', '@electric-sql/pglite', 'drizzle-orm', 'graphile-worker'])
    expect([name, names.has(name)]).toEqual([name, false]);
  expect(existsSync('node_modules/better-sqlite3')).toBe(false);
});

const durable = ['fsync', 'full_page_writes', 'synchronous_commit'] as const;

/** What of it is off, as a server says itself. */
async function listLoose(ask: (text: string) => Promise<Record<string, unknown>[]>): Promise<string[]> {
  const loose: string[] = [];
  for (const name of durable) {
    const [row] = await ask(`show ${name}`);
    if (row?.[name] !== 'on') loose.push(`${name} is ${row?.[name]}`);
  }
  return loose;
}

test('pglite#1107, #1106, #892: an acknowledged write is on the disk', async () => {
  const dataDir = makeDataDir('pf-durable-');
  const database = await openDatabase({ dataDir, migrations: null, log: () => undefined });
  const { host, port } = database.connection;
  const own = new pg.Client(database.connection);
  const postgres = new pg.Client({ host, port, user: 'postgres', database: 'postgres' });
  try {
    await own.connect();
    await postgres.connect();
    const ask = async (text: string) => (await own.query(text)).rows;
    expect(await listLoose(ask)).toEqual([]);
    // Nor does the app itself ask for less on one of its own connections; the cluster of the tests waives the rest.
    for (const who of [{ kind: 'system' }, { kind: 'user', userId: shared.creator.userId }] as const)
      await app.engines.database.work(who, async ({ client }) =>
        expect((await client.query('show synchronous_commit')).rows).toEqual([{ synchronous_commit: 'on' }]),
      );
    // Planted: each of them off in a server that runs.
    for (const name of durable) {
      await postgres.query(`alter system set ${name} = off`);
      await postgres.query('select pg_reload_conf()');
      await vi.waitFor(async () => expect(await listLoose(ask)).toEqual([`${name} is off`]), 10_000);
      await postgres.query(`alter system reset ${name}`);
      await postgres.query('select pg_reload_conf()');
      await vi.waitFor(async () => expect(await listLoose(ask)).toEqual([]), 10_000);
    }
  } finally {
    for (const line of [own, postgres]) await line.end();
    await database.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
});
