import { randomInt } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listBelow, readCommand } from '#tests/support/database/own-processes.ts';
import { findFreePort, makeDataDir, type ServerProcess, spawnServer } from '#tests/support/servers/server-process.ts';
import { drawNoise, type Visitor, visit } from '#tests/support/servers/visitor.ts';
import { type Browser, newBrowser } from '#tests/support/test-app.ts';
import { countOf, guards, isFull, printProof } from '../counts.ts';

guards('src/engines/database/**');

/**
 * The embedded database, or a part of it, killed by SIGKILL below the server while it is written to. The server lives on, and
 * boots it again where it does not come back by itself.
 */
const dataDir = makeDataDir('pf-kill-database-');
let server: ServerProcess;
let visitor: Visitor;
let creator: Browser;
let sharedId: string;
const scribes: Scribe[] = [];
const kills = { postmaster: 0, backend: 0, all: 0 };
const waits: number[] = [];

beforeAll(async () => {
  const port = await findFreePort();
  // The first start without a worker: nobody draws the demo, whose pictures would only be in the way here.
  server = spawnServer({ port, dataDir, environment: { PF_ROLE: 'web' } });
  await server.untilUp();
  visitor = visit(server);
  creator = await visitor.signUp('database@example.com');
  for (let n = 0; n < 3; n++) scribes.push(await newScribe(`Scribe ${n}`));
  sharedId = (await visitor.must('albums.create', { name: 'Shared', peopleConsent: 'only_me' }, creator)).id;
  await server.end('SIGTERM');
  server = spawnServer({ port, dataDir });
  await server.untilUp();
  const photo = await drawNoise(600, 400);
  await visitor.sendFrom(creator, await visitor.beginUpload(creator, sharedId, photo), photo, 0);
  await visitor.untilSettled(creator, sharedId);
});
afterAll(async () => {
  const acknowledged = scribes.reduce((sum, scribe) => sum + scribe.acknowledged, 0);
  printProof('kill-database', acknowledged, { ...kills, slowestBackMs: Math.round(Math.max(0, ...waits)) });
  await server.end('SIGTERM');
  rmSync(dataDir, { recursive: true, force: true });
});

const databasePid = () => readFileSync(path.join(dataDir, 'pg/pgdata/postmaster.pid'), 'utf8').split('\n', 1)[0] ?? '';

/** What is killed: who holds the database together, one of those who answer the server, or everybody at once. */
const victims: Record<keyof typeof kills, () => string[]> = {
  postmaster: () => [databasePid()],
  backend() {
    const all = listBackends();
    return all.slice(randomInt(Math.max(1, all.length))).slice(0, 1);
  },
  all: () => [databasePid(), ...listBelow(databasePid())],
};
const kinds = Object.keys(victims) as (keyof typeof kills)[];

/** Those who answer the server. */
function listBackends(): string[] {
  return listBelow(databasePid()).filter((pid) => /^postgres: .*\[local\]/.test(readCommand(pid)));
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    // It has gone with those before it.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function kill(kind: keyof typeof kills): void {
  const pids = victims[kind]();
  expect([kind, pids.length > (kind === 'all' ? 3 : 0)]).toEqual([kind, true]);
  for (const pid of pids) end(Number(pid));
  kills[kind]++;
}

/** Counts in the name of an album of its own. */
interface Scribe {
  albumId: string;
  acknowledged: number;
  /** Goes on until it is told that the round is over. @throws when the album holds less than was acknowledged, or what nobody asked for */
  write(isOver: () => boolean): Promise<void>;
}

async function newScribe(title: string): Promise<Scribe> {
  const { id: albumId } = await visitor.must(
    'albums.create',
    { name: `${title}: 0`, peopleConsent: 'only_me' },
    creator,
  );
  const read = async () => Number((await visitor.must('albums.one', { albumId }, creator)).album.name.split(': ')[1]);
  let asked = 0;
  const scribe: Scribe = {
    albumId,
    acknowledged: 0,
    async write(isOver) {
      while (!isOver()) {
        asked++;
        const { status, body } = await visitor.call('albums.update', { albumId, name: `${title}: ${asked}` }, creator);
        if (status === 200) {
          scribe.acknowledged = asked;
          continue;
        }
        if (status !== 503) throw new Error(`${status} ${JSON.stringify(body)}`);
        const kept = await read();
        // What was under way is there or not; everything before it is.
        expect([scribe.acknowledged, asked]).toContain(kept);
        asked = kept;
        scribe.acknowledged = kept;
      }
      expect(await read()).toBe(scribe.acknowledged);
    },
  };
  return scribe;
}

/** Asks until the server answers as ever. @returns milliseconds */
async function untilBack(): Promise<number> {
  const began = performance.now();
  const isWell = async () => (await visitor.call('albums.list', {}, creator)).status === 200;
  while (!(await isWell())) {
    if (performance.now() - began > 60_000) throw new Error('The database did not come back within a minute.');
    await wait(20);
  }
  return performance.now() - began;
}

const count = () => scribes.reduce((sum, { acknowledged }) => sum + acknowledged, 0);
const untilMore = (than: number) => expect.poll(count, { interval: 5 }).toBeGreaterThan(than);

test('a database that is killed while it is written to loses nothing that was acknowledged, and comes back by itself', {
  timeout: countOf(180_000, 3_600_000),
}, async () => {
  const rules = { albumIds: [sharedId], rules: { ageGate: false }, isLaxConfirmed: true };
  for (let round = 0; round < countOf(3, 30, 200); round++) {
    const [taken, kept] = [
      await visitor.must('links.create', rules, creator),
      await visitor.must('links.create', rules, creator),
    ];
    let isOver = false;
    const writing = Promise.all(scribes.map((scribe) => scribe.write(() => isOver)));
    await untilMore(count() + 5 + round);
    expect((await visitor.call('links.revoke', { linkIds: [taken.id] }, creator)).status).toBe(200);
    kill(kinds[round % kinds.length] ?? 'all');
    waits.push(await untilBack());
    await untilMore(count());
    isOver = true;
    await writing;
    const opened = [taken, kept].map(({ slug }) => visitor.viewerApi.tap(slug, { firstScreen: 1 }, newBrowser()));
    expect((await Promise.all(opened)).map(({ status }) => status)).toEqual([410, 200]);
    await visitor.must('links.revoke', { linkIds: [kept.id] }, creator);
  }
  expect(process.kill(server.pid, 0)).toBe(true);
  // Ready within 5 seconds.
  if (isFull) expect(Math.max(...waits)).toBeLessThanOrEqual(5000);
});

test('planted: a database that lost what it had acknowledged, or has what nobody wrote, is found', async () => {
  const [scribe] = scribes;
  await scribe?.write(() => true);
  for (const name of ['Scribe 0: 0', 'Scribe 0: 1000000']) {
    await visitor.must('albums.update', { albumId: scribe?.albumId, name }, creator);
    await expect(scribe?.write(() => true)).rejects.toThrow('to be');
  }
});
