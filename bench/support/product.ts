import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { serverStart } from '#tests/support/servers/server-start.ts';
import { resultsFolder } from './figures.ts';
import { freePort } from './free-port.ts';
import { findBelow } from './process-tree.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** A folder for one copy of the product, which the database's own account may enter. */
export function makeDataFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'pf-bench-'));
  chmodSync(folder, 0o755);
  return folder;
}

/** A running copy of the product. */
export interface Product {
  url: string;
  pid: number;
  dataDir: string;
  /** From the start of the process to its first 200, and the moment of that. */
  startSeconds: number;
  /** Waits until the first start's demo is whole, the week that goes by in it included, and tells how to come in; later starts say nothing. */
  demo(): Promise<Demo>;
  /** Waits until the children that drew the demo's pictures have gone. */
  untilIdle(): Promise<void>;
  /** Ends it; its folder stays. */
  stop(): Promise<void>;
  /** Ends it and removes its folder. */
  remove(): Promise<void>;
}

export interface Demo {
  email: string;
  password: string;
}

/**
 * Boots a copy of the product on a free port, as `npm start` does once everything is built.
 * @param isProfiled its CPU profile is written to the results when it ends
 * @param preloaded modules that are loaded into it before anything else
 */
export async function bootProduct({
  dataDir = makeDataFolder(),
  isProfiled = false,
  preloaded = [] as string[],
} = {}): Promise<Product> {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const flags = [...serverStart.flags];
  if (isProfiled) flags.push('--cpu-prof', `--cpu-prof-dir=${path.join(resultsFolder, 'profiles')}`);
  for (const file of preloaded) flags.push(`--import=${file}`);
  const began = performance.now();
  const child = spawn(process.execPath, [...flags, serverStart.entry], {
    cwd: root,
    env: {
      ...serverStart.environment,
      PATH: process.env.PATH,
      PORT: String(port),
      DATA_DIR: dataDir,
      PUBLIC_URL: url,
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const kill = () => child.kill('SIGTERM');
  // Only when the bench itself is ended: otherwise whoever booted it stops it and removes its folder.
  const abandon = () => {
    kill();
    rmSync(dataDir, { recursive: true, force: true });
  };
  process.once('exit', abandon);
  let said = '';
  child.stdout.on('data', (words: Buffer) => {
    said += words.toString();
  });
  await untilUp(url, child, () => said);
  const startSeconds = (performance.now() - began) / 1000;
  const stop = async () => {
    process.off('exit', abandon);
    if (child.exitCode !== null) return;
    const gone = once(child, 'exit');
    kill();
    await gone;
  };
  return {
    url,
    pid: child.pid ?? 0,
    dataDir,
    startSeconds,
    demo: () => readDemo(child, dataDir, () => said),
    untilIdle: async () => {
      while (findBelow(child.pid ?? 0, (line) => line.includes('photo-child')).length > 0) await wait(250);
    },
    stop,
    async remove() {
      await stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function untilUp(url: string, child: ChildProcess, said: () => string): Promise<void> {
  for (let tries = 0; tries < 12_000; tries++) {
    if (child.exitCode !== null) throw new Error(`The product ended: ${said()}`);
    const isUp = await fetch(`${url}/healthz`).then(
      ({ status }) => status === 200,
      () => false,
    );
    if (isUp) return;
    await wait(10);
  }
  throw new Error('The product did not answer within two minutes.');
}

async function readDemo(child: ChildProcess, dataDir: string, said: () => string): Promise<Demo> {
  const unfinished = path.join(dataDir, 'demo-unfinished');
  for (let tries = 0; tries < 3000; tries++) {
    const [, email, password] = /^ {2}creator +(\S+) +(\S+)$/m.exec(said()) ?? [];
    // What is measured beside a demo that is still being made would carry its work.
    if (email !== undefined && password !== undefined && !existsSync(unfinished)) return { email, password };
    if (child.exitCode !== null) break;
    await wait(100);
  }
  throw new Error(`The demo was not made: ${said()}`);
}
