import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { makeOutsideDatabase, makeOutsideOwner, openOutsidePostgres } from '../database/outside-postgres.ts';
import { type Balancer, openBalancer } from './balancer.ts';
import { openLocalS3 } from './local-s3.ts';
import { findFreePort, makeDataDir, type ServerProcess, spawnServer } from './server-process.ts';

const root = path.resolve(import.meta.dirname, '../../..');

/** The app in the open field: two web processes and a worker on one PostgreSQL and one S3 server that are not ours. */
export interface Field {
  /** The address that people know; each request to it reaches the next web process. */
  url: string;
  balancer: Balancer;
  /** The web processes by their own addresses. */
  webs(): readonly { url: string; port: number }[];
  /** Where unfinished uploads lie, for all processes. */
  dataDir: string;
  /** Everything of the app in PostgreSQL, for a look from outside. */
  databaseUrl: string;
  /** Process ids of the webs and the worker. */
  pids(): readonly number[];
  /** Makes what the first start of a sandbox makes. */
  seed(scenario: string): Promise<string>;
  /** Runs `pf` with these words. @returns what it prints */
  operate(...words: string[]): Promise<string>;
  /** Kills the web process of a port as a power cut would. */
  kill(port: number): Promise<void>;
  /** Starts the process of a port again. */
  revive(port: number): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts it all.
 * @returns undefined when there is no PostgreSQL but the embedded one
 */
export async function openField(): Promise<Field | undefined> {
  const folder = makeDataDir('pf-field-');
  const closing: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
  const close = async () => {
    const failed: unknown[] = [];
    // What cannot be ended keeps nothing else from ending.
    for (const end of closing.splice(0).reverse())
      try {
        await end();
      } catch (error) {
        failed.push(error);
      }
    if (failed.length > 0) throw failed[0];
  };
  try {
    const postgres = await openOutsidePostgres(folder);
    if (postgres === undefined) {
      await close();
      return undefined;
    }
    closing.push(() => postgres.close());
    const owner = await makeOutsideOwner(postgres.url);
    closing.push(() => owner.remove());
    const s3 = await openLocalS3(folder);
    closing.push(() => s3.close());
    const balancer = await openBalancer();
    closing.push(() => balancer.close());
    const databaseUrl = await makeOutsideDatabase(owner.url, `pf_${randomBytes(6).toString('hex')}`);
    const dataDir = makeDataDir('pf-field-data-');
    closing.push(() => rmSync(dataDir, { recursive: true, force: true }));
    const environment = {
      ...s3.environment,
      DATABASE_URL: databaseUrl,
      PUBLIC_URL: balancer.url,
      TRUSTED_PROXIES: '127.0.0.1,::1',
      PF_KEYS: `k1:${randomBytes(32).toString('base64')}`,
      PF_SECRET: randomBytes(32).toString('base64'),
    };
    const processes = await startProcesses(environment, dataDir, balancer);
    closing.push(() => processes.end());
    return { url: balancer.url, balancer, dataDir, databaseUrl, ...processes, close };
  } catch (error) {
    await close().catch(() => undefined); // it is the first error that matters
    throw error;
  }
}

async function startProcesses(environment: Record<string, string>, dataDir: string, balancer: Balancer) {
  const start = (port: number, role: 'web' | 'worker') =>
    spawnServer({ port, dataDir, environment: { ...environment, PF_ROLE: role } });
  const webs = new Map<number, ServerProcess>();
  const workers: ServerProcess[] = [];
  const all = () => [...workers, ...webs.values()];
  const end = async () => void (await Promise.all(all().map((process) => process.end('SIGTERM'))));
  const revive = async (port: number) => {
    const web = start(port, 'web');
    webs.set(port, web);
    await web.untilUp();
    balancer.serve([...webs.keys()]);
  };
  try {
    // The first one migrates.
    await revive(await findFreePort());
    workers.push(start(0, 'worker'));
    await revive(await findFreePort());
  } catch (error) {
    await end();
    throw error;
  }
  const run = async (...words: string[]) => {
    const env = { PATH: process.env.PATH, LOG_LEVEL: 'warn', DATA_DIR: dataDir, ...environment };
    return (await promisify(execFile)(process.execPath, words, { cwd: root, env })).stdout;
  };
  return {
    webs: () => [...webs].map(([port, { url }]) => ({ url, port })),
    pids: () => all().map(({ pid }) => pid),
    seed: (scenario: string) => run('db/seed.ts', scenario),
    operate: (...words: string[]) => run('src/app/pf.ts', ...words),
    async kill(port: number) {
      await webs.get(port)?.end('SIGKILL');
      webs.delete(port);
    },
    revive,
    end,
  };
}
