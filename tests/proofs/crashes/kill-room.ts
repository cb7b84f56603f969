import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { expect } from 'vitest';
import { filesBelow } from '#tests/support/database/list-below.ts';
import {
  findFreePort,
  listDatabasesIn,
  makeDataDir,
  type ServerProcess,
  spawnServer,
} from '#tests/support/servers/server-process.ts';
import { median } from '../../../bench/support/figures.ts';

type Role = 'web' | 'all';

/** A data folder and the real server in it, to be killed as a power cut would and started again on the same data. */
export interface KillRoom {
  readonly dataDir: string;
  /** Where the walled children work: pictures in the clear lie there while they are decoded. */
  readonly workDir: string;
  /** The server of now. @throws before the first start */
  readonly server: ServerProcess;
  readonly kills: number;
  /** How long the server took to answer, each time that it was started after a kill. */
  readonly readyMs: readonly number[];
  /** Starts it and does not wait. Without a worker (`web`) nobody draws the demo, whose pictures would be in the way. */
  spawn(role: Role): void;
  /** Starts it and waits for its first answer. */
  start(role: Role): Promise<void>;
  /** Kills the server; its database goes with it. */
  kill(): Promise<void>;
  /** Waits until the database of a server that has ended is gone as well. */
  untilGone(): Promise<void>;
  /** Connects beside the server, as its own database role. */
  connect(): Promise<pg.Client>;
  /** Returns what the database holds, whoever it belongs to. */
  rowsOf<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>;
  /** What has a name in the database and what lies in the store must be the same, and nothing may lie in the clear. */
  findUntidy(): Promise<string[]>;
  /** Ends the server and leaves nothing. */
  close(): Promise<void>;
}

/** Makes a room in which nothing runs yet. */
export async function openKillRoom(): Promise<KillRoom> {
  const [dataDir, workDir, port] = [makeDataDir('pf-kill-'), makeDataDir('pf-work-'), await findFreePort()];
  const clients: pg.Client[] = [];
  let server: ServerProcess | undefined;
  const readyMs: number[] = [];
  let [kills, isKilled] = [0, false];
  const room: KillRoom = {
    dataDir,
    workDir,
    get server() {
      if (server === undefined) throw new Error('No server was started here yet.');
      return server;
    },
    get kills() {
      return kills;
    },
    readyMs,
    spawn(role) {
      server = spawnServer({ port, dataDir, environment: { PF_ROLE: role, TMPDIR: workDir } });
    },
    async start(role) {
      const began = performance.now();
      room.spawn(role);
      await room.server.untilUp();
      if (isKilled) readyMs.push(performance.now() - began);
      isKilled = false;
    },
    async kill() {
      kills++;
      isKilled = true;
      await room.server.end('SIGKILL');
      await room.untilGone();
    },
    async untilGone() {
      await expect.poll(() => listDatabasesIn(path.join(dataDir, 'pg'))).toEqual([]);
    },
    async connect() {
      const client = new pg.Client({ host: path.join(dataDir, 'pg/run'), port: 5432, user: 'pf', database: 'pf' });
      client.on('error', () => undefined); // it goes with the server
      await client.connect();
      clients.push(client);
      return client;
    },
    rowsOf: async (text, values = []) => readAsSystem(await room.connect(), text, values),
    findUntidy: () => findUntidy(room, [room.server.pid]),
    async close() {
      for (const client of clients) await client.end().catch(() => undefined); // it has gone with its server
      await server?.end('SIGTERM');
      for (const folder of [dataDir, workDir]) rmSync(folder, { recursive: true, force: true });
    },
  };
  return room;
}

/** Asks for what the database holds, whoever it belongs to, and ends the connection. */
export async function readAsSystem<Row extends object>(
  client: pg.Client,
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  try {
    await client.query('set role app_system');
    return (await client.query<Row>(text, [...values])).rows;
  } finally {
    await client.end();
  }
}

/** How soon a killed server answers again; once it may meet a busy machine. */
export const mostMedianReadyMs = 5000;

/** How soon the killed servers answered again, as the last line of a proof tells it. */
export const readyFiguresOf = (readyMs: readonly number[]) => ({
  medianReadyMs: Math.round(median(readyMs)),
  slowestReadyMs: Math.round(Math.max(0, ...readyMs)),
});

/**
 * What has a name in the database and what lies in the store that are not the same, and what lies in the clear.
 * @param living processes whose children may be at work
 */
export async function findUntidy(
  { dataDir, workDir, rowsOf }: Pick<KillRoom, 'dataDir' | 'workDir' | 'rowsOf'>,
  living: readonly number[],
): Promise<string[]> {
  const rows = await rowsOf<{ path: string }>(
    `select path from packs union all select path from segment_files
     union all select original_path from media where original_path is not null`,
  );
  const named = new Set(rows.map((row) => row.path));
  // What was submitted to be traced has an order of its own.
  const stored = new Set(filesBelow(path.join(dataDir, 'files')).filter((name) => !name.startsWith('traces/')));
  const ofTheDead = readdirSync(workDir).filter(
    (name) =>
      name.startsWith('privatefans-child-') && !living.some((pid) => name.startsWith(`privatefans-child-${pid}-`)),
  );
  return [
    ...[...stored].filter((file) => !named.has(file)).map((file) => `${file} has no name`),
    ...[...named].filter((file) => !stored.has(file)).map((file) => `${file} is not there`),
    ...readdirSync(path.join(dataDir, 'staging')).map((name) => `${name} lies in staging`),
    ...ofTheDead.map((name) => `${name} has outlived its server`),
  ];
}

/** Asks until there is an answer, as often as it can. @throws when there is none within `minutes` */
export async function until<T>(
  ask: () => Promise<T | undefined> | T | undefined,
  what: string,
  minutes = 1,
): Promise<T> {
  for (const end = performance.now() + 60_000 * minutes; performance.now() < end; await wait(2)) {
    const answer = await ask();
    if (answer !== undefined) return answer;
  }
  throw new Error(`${what} did not come within ${minutes} minutes.`);
}
