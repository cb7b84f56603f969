import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach } from 'vitest';
import { type ChildPool, openChildPool } from '#engines/children/child-pool.ts';
import type { PoolOptions } from '#engines/children/task.ts';
import type { WallSite, Walls } from '#engines/children/walls.ts';
import type { PlantedJob } from './planted-child.ts';

const entry = fileURLToPath(new URL('./planted-child.ts', import.meta.url));

/** How the planted child is run unless a test says otherwise. */
export const plantedOptions: PoolOptions = {
  entry,
  limits: { dataBytes: 2e9, fileBytes: 1e6, cpuSeconds: 60 },
  niceness: 0,
  environment: { VIPS_DISC_THRESHOLD: '1g' },
  children: 1,
  tasksPerChild: 100,
  restBytes: 400e6,
  peakBytes: 600e6,
  taskSeconds: 20,
  idleSeconds: 30,
};

/** An installation of its own for one test file: a data folder to be kept from children, and a folder where they work. */
export function openPlantedApp() {
  const home = mkdtempSync(join(tmpdir(), 'pf-walls-'));
  chmodSync(home, 0o755);
  mkdirSync(join(home, 'temp'));
  mkdirSync(join(home, 'data'), { mode: 0o700 });
  const site: WallSite & { tempFolder: string } = {
    hidden: [join(home, 'data')],
    readable: [entry],
    tempFolder: join(home, 'temp'),
  };
  const pools: ChildPool[] = [];
  afterEach(async () => {
    for (const pool of pools.splice(0)) await pool.close();
  });
  afterAll(() => rmSync(home, { recursive: true }));
  return {
    home,
    site,
    /** A pool that is closed after the test. */
    openPool(walls: Walls, changes: Partial<PoolOptions> = {}): ChildPool {
      const pool = openChildPool(walls, { ...plantedOptions, ...changes });
      pools.push(pool);
      return pool;
    },
    /** Children that are there, by their folders. */
    workFolders: () => readdirSync(site.tempFolder),
  };
}

/** A task of the planted child. */
export function plantedTask(job: PlantedJob, signal?: AbortSignal) {
  const openInput = () => Readable.from([Buffer.from('a picture')]);
  return { job, openInput, outputs: ['copy'], outputBytes: 1000, signal };
}

/** Runs a task that must be answered. */
export async function answerOf(pool: ChildPool, job: PlantedJob) {
  const outcome = await pool.run(plantedTask(job));
  if (outcome.ended !== 'answered') throw new Error(`${outcome.ended}: ${outcome.words}`);
  return outcome;
}
