import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { writeSetting } from '#features/settings/store.ts';
import { readRows } from '#tests/support/people.ts';
import { type Line, openLine } from '#tests/support/servers/line.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { type Browser, newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { countOf, guards, isFull, printProof } from '../counts.ts';
import { listen } from '../viewers/open-screens.ts';

guards('src/engines/database/**', 'src/app/server/health.ts', 'src/features/viewing/**');

/** The line to PostgreSQL is cut, refused or silent. No key without a decision, and all is well as soon as it is back. */
const folder = mkdtempSync(path.join(tmpdir(), 'pf-line-'));
let line: Line;
let app: TestApp;
let shared: SharedAlbum;
let requests = 0;
const counts = { cuts: 0, keysWithoutDecision: 0, lost: 0 };
const patience = { timeout: countOf(120_000, 3_600_000) };

beforeAll(async () => {
  app = await openTestApp({
    workJobs: false,
    async databaseUrl(socketFolder, name) {
      line = await openLine(folder, socketFolder);
      return `postgres://pf@/${name}?host=${encodeURIComponent(folder)}`;
    },
  });
  shared = await shareAlbum(app, { count: 1 });
  // More albums than anybody has are begun here.
  const change = { key: 'limits.albums', value: 1000, by: null, now: new Date() } as const;
  await app.engines.database.work({ kind: 'system' }, (tx) => writeSetting(tx, change));
});
afterEach(() => {
  setLine('open');
  // The job store says that its line was cut, when that reaches it before the test is over; nothing else may be said.
  const said = vi.spyOn(console, 'error');
  expect(said.mock.calls.filter(([about]) => about.area !== 'jobs')).toEqual([]);
  said.mockClear();
});
afterAll(async () => {
  printProof('database', requests, counts);
  await app.close();
  line.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A silent line keeps its connections and says nothing; every other change cuts them. */
function setLine(state: Line['state']): void {
  if (line.state === 'silent' || state === 'refused') cut();
  line.state = state;
}
function cut(): void {
  counts.cuts++;
  line.cut();
}

interface Screen {
  viewer: Browser;
  visitId: string;
  wanted: object[];
  slug: string;
  linkId: string;
}
async function openScreen(): Promise<Screen> {
  const link = await shared.makeLink();
  const viewer = newBrowser();
  const { head } = await shared.viewerApi.tap(link.slug, { firstScreen: 1 }, viewer);
  const wanted = [{ mediaId: head.items[0].mediaId, rendition: 'thumb512' }];
  return { viewer, visitId: head.visitId, wanted, slug: link.slug, linkId: link.id };
}
/** What a screen gets when it asks for everything there is. */
async function askAll({ viewer, visitId, wanted, slug }: Screen) {
  requests += 3;
  const lease = await shared.viewerApi.lease(visitId, wanted, viewer);
  const opened = await shared.viewerApi.tap(slug, { firstScreen: 1 }, viewer);
  const renewed = await app.call('viewing.renew', { visitId, samples: [], idleMs: 0 }, viewer);
  return {
    statuses: [lease.status, opened.status, renewed.status],
    keys: lease.pictures.length + opened.pictures.length,
  };
}
const well = { statuses: [200, 200, 200], keys: 2 };
const refusedNow = { statuses: [503, 503, 503], keys: 0 };
/** A screen gets nothing while nobody can decide. */
async function expectRefused(screen: Screen): Promise<void> {
  const got = await askAll(screen);
  counts.keysWithoutDecision += got.keys;
  expect(got).toEqual(refusedNow);
}

test(
  'while the database is away no key is given, what needs none is served, and it goes on by itself',
  patience,
  async () => {
    for (let n = 0; n < countOf(2, 20); n++) {
      const screen = await openScreen();
      expect(await askAll(screen)).toEqual(well);
      const pack = await findPack(screen);
      setLine('refused');
      await expectRefused(screen);
      const { browser } = shared.creator;
      const failed = await app.call('links.revoke', { linkIds: [screen.linkId] }, browser);
      expect([failed.status, failed.body.code, failed.headers['retry-after']]).toEqual([503, 'UNAVAILABLE', '1']);
      expect((await app.fastify.inject('/healthz')).statusCode).toBe(200);
      expect((await app.fastify.inject('/api/health')).statusCode).toBe(503);
      // Ciphertext is public to whom holds a lease; without the database it is still there.
      expect((await fetchPack(screen, pack)).status).toBe(200);
      setLine('open');
      await expect.poll(() => askAll(screen), { interval: 50 }).toEqual(well);
      expect((await app.call('links.revoke', { linkIds: [screen.linkId] }, browser)).status).toBe(200);
      expect((await askAll(screen)).keys).toBe(0);
    }
  },
);

interface Pack {
  url: string;
  token: string;
}
async function findPack({ viewer, visitId, wanted }: Screen): Promise<Pack> {
  const { head } = await shared.viewerApi.lease(visitId, wanted, viewer);
  const [{ url, token }] = head.leases;
  expect((await fetchPack({ viewer }, { url, token })).status).toBe(200);
  return { url, token };
}
const fetchPack = ({ viewer }: Pick<Screen, 'viewer'>, { url, token }: Pack) =>
  shared.viewerApi.fetch(url, { headers: { 'pf-lease': token } }, viewer);

/** Albums whose name begins with a word, against those that were acknowledged and asked for. */
async function account(word: string, acknowledged: readonly string[], asked: readonly string[]) {
  const rows = await readRows(app, `select name from albums where name like $1 || ' %'`, [word]);
  const kept = rows.map(({ name }) => String(name));
  return {
    lost: acknowledged.filter((name) => !kept.includes(name)),
    strange: kept.filter((name) => !asked.includes(name)),
    doubled: kept.filter((name, n) => kept.indexOf(name) !== n),
  };
}
const nothingWrong = { lost: [], strange: [], doubled: [] };

test(
  'a line that is cut in the middle loses no acknowledged write and leaves nothing half done',
  patience,
  async () => {
    const { browser } = shared.creator;
    const acknowledged: string[] = [];
    const asked: string[] = [];
    for (let n = 0; n < countOf(40, 400); n++) {
      const name = `Cut ${n}`;
      asked.push(name);
      const creating = app.call('albums.create', { name, peopleConsent: 'only_me' }, browser);
      if (n % 3 === 0) {
        await new Promise((done) => setTimeout(done, n % 7));
        cut();
      }
      const { status } = await creating;
      requests++;
      expect([200, 503]).toContain(status);
      if (status === 200) acknowledged.push(name);
    }
    await expect.poll(async () => (await app.call('albums.list', {}, browser)).status).toBe(200);
    const found = await account('Cut', acknowledged, asked);
    counts.lost += found.lost.length;
    expect(found).toEqual(nothingWrong);
    expect(acknowledged.length).toBeGreaterThan(asked.length / 3);
  },
);

test('planted: keys over a line that was not really cut, and writes that are gone, doubled or of nobody, are found', async () => {
  const screen = await openScreen();
  // Only who comes new is turned away; the app keeps the connections that it has.
  line.state = 'refused';
  expect((await askAll(screen)).keys).toBeGreaterThan(0);
  setLine('open');
  for (const name of ['Planted 1', 'Planted 2', 'Planted 2', 'Planted 4'])
    expect((await app.call('albums.create', { name, peopleConsent: 'only_me' }, shared.creator.browser)).status).toBe(
      200,
    );
  const names = ['Planted 1', 'Planted 2', 'Planted 3'];
  expect(await account('Planted', names, names)).toEqual({
    lost: ['Planted 3'],
    strange: ['Planted 4'],
    doubled: ['Planted 2'],
  });
});

test.skipIf(!isFull)(
  'away for a minute, no key is given in all that time, and three seconds after it is back all is well',
  patience,
  async () => {
    const screen = await openScreen();
    const { browser } = shared.creator;
    setLine('refused');
    for (const end = performance.now() + 60_000; performance.now() < end; await wait(1000)) {
      await expectRefused(screen);
      expect((await app.call('links.revoke', { linkIds: [screen.linkId] }, browser)).status).toBe(503);
    }
    setLine('open');
    const backAt = performance.now();
    await expect.poll(() => askAll(screen), { interval: 50 }).toEqual(well);
    expect(performance.now() - backAt).toBeLessThanOrEqual(3000);
  },
);

test(
  'a link that was taken back while the line was being cut gives nothing as soon as the line is back',
  patience,
  async () => {
    const screen = await openScreen();
    cut();
    const { browser } = shared.creator;
    const revoke = () => app.call('links.revoke', { linkIds: [screen.linkId] }, browser);
    await expect.poll(async () => (await revoke()).status).toBe(200);
    const got = await askAll(screen);
    expect([got.keys, got.statuses[0]]).toEqual([0, 410]);
  },
);

test('a line that says nothing just as it is opened again is given up, and screens hear that they missed something', async () => {
  const { viewer, visitId } = await openScreen();
  const news = await listen(shared.viewerApi, visitId, viewer);
  line.state = 'silent';
  cut();
  await wait(1000);
  // Nobody will ever answer what was asked in that second.
  line.state = 'open';
  await news.next(({ kind }) => kind === 'refetch');
  news.close();
});

test('what the job store asked over a line that says nothing is given up, and it asks on', patience, async () => {
  const { jobs } = app.engines;
  line.state = 'silent';
  const asked = Promise.allSettled(Array.from({ length: 5 }, () => jobs.counts()));
  await wait(500);
  line.state = 'open';
  expect(await jobs.counts()).toBeInstanceOf(Array);
  expect((await asked).map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => 'rejected'));
});

test(
  'a transaction that is left standing is ended by the server, and its connection is not used again',
  patience,
  async () => {
    const { work } = app.engines.database;
    const first = await work({ kind: 'system' }, async ({ client }) => {
      await client.query(`set local idle_in_transaction_session_timeout = 50`);
      const { rows } = await client.query('select pg_backend_pid() as pid');
      await new Promise((done) => setTimeout(done, 400));
      await client.query('select 1').catch(() => undefined);
      return rows[0].pid;
    }).catch((error: Error) => error.name);
    expect(first).toBe('DatabaseAway');
    const alive = await Promise.all(
      Array.from({ length: 20 }, () =>
        work({ kind: 'system' }, async ({ client }) => (await client.query('select 1 as n')).rows[0].n),
      ),
    );
    expect(alive).toEqual(Array.from({ length: 20 }, () => 1));
  },
);

test.skipIf(!isFull)(
  'a line that says nothing any more is given up, and what waits for it is told',
  patience,
  async () => {
    const screen = await openScreen();
    line.state = 'silent';
    await expectRefused(screen);
    setLine('open');
    await expect.poll(() => askAll(screen), { interval: 100 }).toEqual(well);
  },
);
