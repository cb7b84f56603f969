import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { readyCluster } from '#engines/database/cluster.ts';
import { answers, spawnServer as spawnDatabase, stopServer } from '#engines/database/embedded.ts';
import { dayMs } from '#kit/time.ts';
import { findFreePort, makeDataDir, type ServerProcess, spawnServer } from '#tests/support/servers/server-process.ts';
import { findUntidy, type KillRoom, readAsSystem, until } from '../crashes/kill-room.ts';

/** Two builds of one library: PostgreSQL asks for the time in signal handlers, where the one for threads would wait for itself. */
export interface Faketime {
  plain: string;
  threaded: string;
}

/** The library that turns the clock of a process, as Debian's package `faketime` brings it, if it is here. */
export function findFaketime(above = '/usr/lib'): Faketime | undefined {
  const folders = existsSync(above) ? readdirSync(above).map((name) => path.join(above, name, 'faketime')) : [];
  const [found] = folders
    .map((folder) => ({
      plain: path.join(folder, 'libfaketime.so.1'),
      threaded: path.join(folder, 'libfaketimeMT.so.1'),
    }))
    .filter(({ plain, threaded }) => existsSync(plain) && existsSync(threaded));
  return found;
}

/** Why the proof is left out. */
export const noFaketime = 'libfaketime is not installed (Debian: apt-get install faketime)';

/** How the library is told where a clock stands. */
const offsetOf = (days: number) => `${days < 0 ? '' : '+'}${days}d`;

/** It reads the file each time that somebody asks for the time, so that a clock jumps for all processes at once. */
const following = (file: string) => ({ FAKETIME_TIMESTAMP_FILE: file, FAKETIME_NO_CACHE: '1' });

/** So far a clock may be from where it was turned to: somebody has to ask it on a busy machine. */
const asExactMs = 10_000;

/** An installation and its database on a machine whose clock can be turned while both run. */
export interface Machine extends Pick<KillRoom, 'dataDir' | 'workDir' | 'rowsOf' | 'findUntidy' | 'close'> {
  url: string;
  /** Sets the clock to so many days from the real one. @throws when server or database do not follow */
  turn(days: number): Promise<void>;
  /** Starts the server; without a worker (`web`) nobody draws the demo, whose pictures would be in the way. */
  start(role: 'web' | 'all'): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Boots PostgreSQL on a turned clock; no server runs yet. What is turned is the time of day: the monotonic clock and the timers go on.
 * @param days where the clock stands at the start, from the real one
 * @param planted a clock that stays where it was set
 */
export async function openMachine({ plain, threaded }: Faketime, days: number, planted?: 'stays'): Promise<Machine> {
  const [dataDir, workDir, port] = [makeDataDir('pf-clock-'), makeDataDir('pf-work-'), await findFreePort()];
  const file = path.join(dataDir, 'offset');
  const set = (to: number) => writeFileSync(file, offsetOf(to), { mode: 0o644 });
  set(days);
  const turnedBy = (library: string) => ({
    LD_PRELOAD: library,
    ...(planted === undefined ? following(file) : { FAKETIME: offsetOf(days) }),
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  });
  const cluster = readyCluster(dataDir);
  const words: string[] = [];
  const database = spawnDatabase(cluster, (line) => words.push(line), { settings: {}, environment: turnedBy(plain) });
  let server: ServerProcess | undefined;
  const connect = async () => {
    const client = new pg.Client({ host: cluster.socket, port: 5432, user: 'pf', database: 'pf' });
    client.on('error', () => undefined); // it goes with the server
    await client.connect();
    return client;
  };
  const rowsOf: KillRoom['rowsOf'] = async (text, values = []) => readAsSystem(await connect(), text, values);
  const machine: Machine = {
    url: `http://localhost:${port}`,
    dataDir,
    workDir,
    rowsOf,
    async start(role) {
      const environment = { ...turnedBy(threaded), PF_ROLE: role, TMPDIR: workDir };
      server = spawnServer({ port, dataDir, environment });
      await server.untilUp();
    },
    stop: async () => void (await server?.end('SIGTERM')),
    async turn(to) {
      set(to);
      const isTurned = (at: number) => Math.abs(at - Date.now() - to * dayMs) < asExactMs;
      for (let tries = 0; tries < 100; tries++) {
        const clocks = [await askServer(machine.url), await askDatabase(rowsOf)];
        if (clocks.every(isTurned)) return;
        await wait(50);
      }
      throw new Error(`Not every clock has moved to ${to} days from now.`);
    },
    findUntidy: () => findUntidy(machine, server === undefined ? [] : [server.pid]),
    async close() {
      await server?.end('SIGTERM');
      await stopServer(database);
      for (const folder of [dataDir, workDir]) rmSync(folder, { recursive: true, force: true });
    },
  };
  try {
    await until(async () => ((await answers(cluster.socket)) ? true : undefined), `PostgreSQL (${words.join(' ')})`);
  } catch (error) {
    await machine.close();
    throw error;
  }
  return machine;
}

/** What time the server says it is. */
async function askServer(url: string): Promise<number> {
  const answer = await fetch(`${url}/api/health`);
  await answer.arrayBuffer();
  return Date.parse(answer.headers.get('date') ?? '');
}

/** What time PostgreSQL says it is, to a statement and to the rows that it writes. */
async function askDatabase(rowsOf: KillRoom['rowsOf']): Promise<number> {
  const [row] = await rowsOf<{ at: Date }>('select least(now(), clock_timestamp()) as at');
  return row?.at.getTime() ?? Number.NaN;
}
