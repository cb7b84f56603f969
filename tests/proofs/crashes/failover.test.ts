import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { openDatabase } from '#engines/database/database.ts';
import { openJobs } from '#engines/jobs/pg-boss.ts';
import {
  findDebianPostgres,
  makeOutsideDatabase,
  makeOutsideOwner,
  openPostgresPair,
  type PostgresPair,
} from '#tests/support/database/outside-postgres.ts';
import { readRows } from '#tests/support/people.ts';
import { findFreePort } from '#tests/support/servers/server-process.ts';
import { type SharedAlbum, shareAlbum } from '#tests/support/shared-link.ts';
import { newBrowser, openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { guards, isFull, printProof } from '../counts.ts';

guards('src/engines/database/**');

/** The server that is written to dies in the middle of its work, and its copy takes its place. */
const bin = findDebianPostgres();
if (bin === undefined)
  process.stdout.write('left out: failover, for there is no PostgreSQL under /usr/lib/postgresql\n');
describe.runIf(bin !== undefined)('a database that fails over to its standby', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'pf-failover-'));
  chmodSync(folder, 0o755);
  const joints = new Set<Socket>();
  let toPort = 0;
  let line: Server;
  let pair: PostgresPair;
  let app: TestApp;
  let shared: SharedAlbum;
  let requests = 0;
  const figures: Record<string, number> = {};

  beforeAll(async () => {
    pair = await openPostgresPair(bin ?? '', folder);
    toPort = pair.primary.port;
    line = createServer(join);
    const port = await findFreePort();
    await new Promise<void>((done) => line.listen(port, '127.0.0.1', done));
    const url = await prepareDatabase(port);
    app = await openTestApp({ workJobs: false, databaseUrl: async () => url });
    shared = await shareAlbum(app, { count: 1 });
  });
  let isOver = false;
  afterEach(() => {
    isOver = true;
    // What the line did is told by the job store; nothing else is a bug.
    const said = vi.spyOn(console, 'error');
    expect(said.mock.calls.filter(([about]) => about.area !== 'jobs')).toEqual([]);
    said.mockClear();
  });
  afterAll(async () => {
    printProof('failover', requests, figures);
    await app?.close();
    line?.close();
    await pair?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** An operator's address, which leads to whoever is written to. */
  function join(near: Socket): void {
    const far = connect(toPort, '127.0.0.1');
    for (const [from, onto] of [
      [near, far],
      [far, near],
    ] as const) {
      joints.add(from);
      from.pipe(onto);
      from.on('error', () => undefined); // its end is told by `close`
      from.on('close', () => {
        joints.delete(from);
        onto.destroy();
      });
    }
  }

  /** Migrated, with the tables of the queues. */
  async function prepareDatabase(port: number): Promise<string> {
    const owner = await makeOutsideOwner(pair.primary.url);
    const near = await makeOutsideDatabase(owner.url, 'app');
    const log = () => undefined;
    const database = await openDatabase({ url: near, dataDir: folder, migrations: 'db/migrations', log });
    const jobs = openJobs({ database, log: { info: log, warn: log, error: log } });
    await jobs.start(false);
    await jobs.stop();
    await database.close();
    const url = new URL(near);
    url.port = String(port);
    return url.href;
  }

  async function openScreen() {
    const link = await shared.makeLink();
    const viewer = newBrowser();
    const { head } = await shared.viewerApi.tap(link.slug, { firstScreen: 1 }, viewer);
    const wanted = [{ mediaId: head.items[0].mediaId, rendition: 'thumb512' }];
    const { visitId } = head;
    /** What a screen gets when it asks for everything there is. */
    const ask = async () => {
      requests += 3;
      const lease = await shared.viewerApi.lease(visitId, wanted, viewer);
      const opened = await shared.viewerApi.tap(link.slug, { firstScreen: 1 }, viewer);
      const renewed = await app.call('viewing.renew', { visitId, samples: [], idleMs: 0 }, viewer);
      const statuses = [lease.status, opened.status, renewed.status];
      return { statuses, keys: lease.pictures.length + opened.pictures.length };
    };
    return { linkId: link.id, ask };
  }
  /** What of the albums is not as it was answered, in words. */
  async function findLost(acknowledged: readonly string[], asked: readonly string[]): Promise<string[]> {
    const rows = await readRows(app, `select name from albums where name like 'Failover %'`);
    const kept = rows.map(({ name }) => String(name));
    return [
      ...acknowledged.filter((name) => !kept.includes(name)).map((name) => `${name} is lost`),
      ...kept.filter((name) => !asked.includes(name)).map((name) => `${name} was not asked for`),
      ...kept.filter((name, n) => kept.indexOf(name) !== n).map((name) => `${name} is there twice`),
    ];
  }
  const revoke = (linkId: string) => {
    requests++;
    return app.call('links.revoke', { linkIds: [linkId] }, shared.creator.browser);
  };
  const well = { statuses: [200, 200, 200], keys: 2 };
  const refused = { statuses: [503, 503, 503], keys: 0 };

  test('gives no key by guess, loses nothing acknowledged, and screens go on by themselves', async () => {
    const [staying, revoked] = [await openScreen(), await openScreen()];
    expect([await staying.ask(), await revoked.ask()]).toEqual([well, well]);
    const [asked, acknowledged, strange]: [string[], string[], unknown[]] = [[], [], []];
    const writer = async (of: number) => {
      for (let n = 0; !isOver; n++) {
        const name = `Failover ${of} ${n}`;
        asked.push(name);
        const { status, body } = await app.call(
          'albums.create',
          { name, peopleConsent: 'only_me' },
          shared.creator.browser,
        );
        requests++;
        if (status === 200) acknowledged.push(name);
        else if (status !== 503) strange.push([status, body]);
        if (status === 503) await wait(100);
      }
    };
    const writers = [1, 2, 3].map(writer);
    await expect.poll(() => acknowledged.length).toBeGreaterThan(20);
    expect((await revoke(revoked.linkId)).status).toBe(200);

    await pair.killPrimary();
    const before = acknowledged.length;
    expect(await staying.ask()).toEqual(refused);
    // An address that leads to the standby too early: it can be read, and knows what it knows.
    toPort = pair.standby.port;
    for (let n = 0; n < 5; n++) expect(await staying.ask()).toEqual(refused);
    expect((await revoked.ask()).keys).toBe(0);
    expect((await revoke(staying.linkId)).status).toBe(503);
    expect(acknowledged.length).toBe(before);

    await pair.promote();
    const promotedAt = performance.now();
    await expect.poll(staying.ask, { interval: 50 }).toEqual(well);
    figures.wellAgainMs = Math.round(performance.now() - promotedAt);
    // Three seconds after it is back.
    if (isFull) expect(figures.wellAgainMs).toBeLessThanOrEqual(3000);
    await expect.poll(() => acknowledged.length).toBeGreaterThan(before + 5);
    isOver = true;
    await Promise.all(writers);
    figures.acknowledged = acknowledged.length;
    expect(strange).toEqual([]);
    expect(await findLost(acknowledged, asked)).toEqual([]);
    // Planted: what a standby that had not yet heard of it would have lost, and what nobody asked for.
    const last = acknowledged.at(-1) ?? '';
    await readRows(app, `update albums set name = 'Failover nobody' where name = '${last}' returning id`);
    expect(await findLost(acknowledged, asked)).toEqual([`${last} is lost`, 'Failover nobody was not asked for']);
    const late = await revoked.ask();
    expect([late.keys, late.statuses[0]]).toEqual([0, 410]);
    expect((await revoke(staying.linkId)).status).toBe(200);
    expect((await staying.ask()).keys).toBe(0);
  });
});
