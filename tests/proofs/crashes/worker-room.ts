import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import pg from 'pg';
import {
  makeOutsideDatabase,
  makeOutsideOwner,
  openOutsidePostgres,
} from '#tests/support/database/outside-postgres.ts';
import { findFreePort, makeDataDir, type ServerProcess, spawnServer } from '#tests/support/servers/server-process.ts';
import { findUntidy, type KillRoom, readAsSystem } from './kill-room.ts';

/** A web process and workers of their own on a PostgreSQL that is not ours: when a worker is killed, all else lives on. */
export interface WorkerRoom extends Pick<KillRoom, 'dataDir' | 'workDir' | 'rowsOf' | 'close'> {
  url: string;
  /** Those that live, the oldest first. */
  readonly workers: readonly ServerProcess[];
  /** Starts one more and waits until it works. */
  startWorker(): Promise<void>;
  /** Kills the oldest worker. @returns when, by the database's clock */
  killWorker(): Promise<Date>;
  /** Stops the oldest worker as an operator does. */
  stopWorker(): Promise<void>;
  /** As in the other kill rooms, and what a killed worker started and that lives on. */
  findUntidy(): Promise<string[]>;
}

/** What ends what was started, the last one first. */
type Closing = (() => Promise<unknown>)[];

/**
 * Starts the web process; nobody works yet.
 * @returns undefined when there is no PostgreSQL but the embedded one
 */
export async function openWorkerRoom(): Promise<WorkerRoom | undefined> {
  const [folder, dataDir, workDir] = [makeDataDir('pf-outside-'), makeDataDir('pf-kill-'), makeDataDir('pf-work-')];
  const closing: Closing = [];
  const close = async () => {
    for (const end of closing.splice(0).reverse()) await end();
    for (const one of [folder, dataDir, workDir]) rmSync(one, { recursive: true, force: true });
  };
  try {
    const databaseUrl = await openDatabaseIn(folder, closing);
    if (databaseUrl !== undefined) return { ...(await startApp(databaseUrl, dataDir, workDir, closing)), close };
  } catch (error) {
    await close();
    throw error;
  }
  await close();
  return undefined;
}

async function openDatabaseIn(folder: string, closing: Closing): Promise<string | undefined> {
  const postgres = await openOutsidePostgres(folder);
  if (postgres === undefined) return undefined;
  closing.push(postgres.close);
  const owner = await makeOutsideOwner(postgres.url);
  closing.push(owner.remove);
  return makeOutsideDatabase(owner.url, `pf_${randomBytes(6).toString('hex')}`);
}

async function startApp(databaseUrl: string, dataDir: string, workDir: string, closing: Closing) {
  const environment = {
    DATABASE_URL: databaseUrl,
    PF_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    PF_SECRET: randomBytes(32).toString('base64'),
    TMPDIR: workDir,
  };
  const port = await findFreePort();
  const start = (role: 'web' | 'worker') => {
    const started = spawnServer({ port, dataDir, environment: { ...environment, PF_ROLE: role } });
    closing.push(() => started.end('SIGTERM'));
    return started;
  };
  const web = start('web');
  await web.untilUp();
  const workers: ServerProcess[] = [];
  const dead: number[] = [];
  const oldest = () => {
    const worker = workers.shift();
    if (worker === undefined) throw new Error('Nobody works here.');
    return worker;
  };
  const rowsOf: KillRoom['rowsOf'] = async (text, values = []) => {
    const client = new pg.Client(databaseUrl);
    await client.connect();
    return readAsSystem(client, text, values);
  };
  return {
    dataDir,
    workDir,
    url: web.url,
    workers,
    rowsOf,
    async startWorker() {
      const worker = start('worker');
      await worker.untilGreeting();
      workers.push(worker);
    },
    stopWorker: async () => void (await oldest().end('SIGTERM')),
    async killWorker() {
      const worker = oldest();
      const [now] = await rowsOf<{ at: Date }>('select clock_timestamp() as at');
      await worker.end('SIGKILL');
      dead.push(worker.pid);
      return now?.at ?? new Date(Number.NaN);
    },
    async findUntidy() {
      const living = [web, ...workers].map(({ pid }) => pid);
      return [...(await findUntidy({ dataDir, workDir, rowsOf }, living)), ...listChildrenOf(dead)];
    },
  };
}

/** Decoders that have outlived the worker in whose folder they work. */
function listChildrenOf(dead: readonly number[]): string[] {
  const lines = execFileSync('ps', ['-eo', 'args='], { encoding: 'utf8' }).split('\n');
  return dead
    .filter((pid) => lines.some((line) => line.includes(`privatefans-child-${pid}-`)))
    .map((pid) => `a child of ${pid} has outlived it`);
}
