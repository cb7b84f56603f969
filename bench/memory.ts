import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { type Figure, median } from './support/figures.ts';
import { type BenchOptions, say } from './support/options.ts';
import { findPhotos } from './support/photos.ts';
import { type Apart, readPssMegabytes } from './support/process-tree.ts';
import { bootProduct, makeDataFolder, type Product } from './support/product.ts';
import { enterStudio } from './support/studio.ts';

const restMs = 30_000;
const atOnce = 8;

/** A Node process that only waits. */
async function measureBare(): Promise<number> {
  const child = spawn(process.execPath, ['-e', "console.log('up'); setInterval(() => {}, 1e6)"], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  const { app } = readPssMegabytes(child.pid ?? 0);
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
  return app;
}

/** Looks every half second while something runs. @returns the most of it */
async function watchPeak(pid: number, run: () => Promise<void>): Promise<Apart> {
  const peak = { app: 0, database: 0 };
  const look = setInterval(() => {
    const { app, database } = readPssMegabytes(pid);
    peak.app = Math.max(peak.app, app);
    peak.database = Math.max(peak.database, database);
  }, 500);
  try {
    await run();
  } finally {
    clearInterval(look);
  }
  return peak;
}

async function ingest(product: Product, files: readonly string[]): Promise<void> {
  const studio = await enterStudio(product, await product.demo());
  const albumId = await studio.makeAlbum('Bench');
  const waiting = [...files];
  const work = async () => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
      const { mediaId } = await studio.upload(albumId, file);
      await studio.untilReady(mediaId);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  studio.close();
}

interface Round {
  bare: number;
  idle: Apart;
  peak: Apart;
  after: Apart;
}

/** P15: what the product holds in memory when nothing happens, while photos come in, and afterwards. */
export async function measure({ rounds, photos, photoCount, isProfiled }: BenchOptions): Promise<Figure[]> {
  const files = await findPhotos(photos, photoCount);
  const made: Round[] = [];
  for (let round = 0; round < rounds; round++) {
    const dataDir = makeDataFolder();
    const first = await bootProduct({ dataDir });
    const demo = await first.demo();
    // What the demo leaves to do, its first payout among it, is done here: measured is a server to which nothing happens.
    await wait(restMs);
    await first.stop();
    const product = await bootProduct({ dataDir, isProfiled });
    try {
      await wait(restMs);
      const [bare, idle] = [await measureBare(), readPssMegabytes(product.pid)];
      const peak = await watchPeak(product.pid, () => ingest({ ...product, demo: async () => demo }, files));
      await wait(restMs);
      made.push({ bare, idle, peak, after: readPssMegabytes(product.pid) });
      const words = (['idle', 'peak', 'after'] as const).map((when) => `${when} ${made.at(-1)?.[when].app.toFixed(0)}`);
      say(`round ${round + 1}, MB without the database: ${words.join(', ')}`);
    } finally {
      await product.remove();
    }
  }
  return figuresOf(made, files.length);
}

function figuresOf(made: readonly Round[], count: number): Figure[] {
  const common = { part: 'memory', unit: 'MB' };
  const comparator = { name: 'bare node process', value: median(made.map(({ bare }) => bare)) };
  const bound = { better: 'less', of: 'value', sets: 'exit' } as const;
  const app = (when: 'idle' | 'peak' | 'after') => median(made.map((round) => round[when].app));
  const whole = (when: 'idle' | 'peak' | 'after') =>
    median(made.map((round) => round[when].app + round[when].database));
  const withDatabase = (when: 'peak' | 'after') => `${whole(when).toFixed(0)} with the database`;
  return [
    {
      ...common,
      figure: 'P15',
      what: 'PSS 30 s after the start, without the database',
      ours: app('idle'),
      comparator,
      bound: { ...bound, gate: 180, goal: 120 },
    },
    {
      ...common,
      figure: 'P15',
      what: 'PSS 30 s after the start, with the database',
      ours: whole('idle'),
      comparator,
      bound: { ...bound, gate: 260, goal: 200 },
    },
    {
      ...common,
      figure: 'P15b',
      what: `PSS 30 s after ${count} photos came in, without the database`,
      ours: app('after'),
      comparator,
      bound: { ...bound, gate: 350, goal: 300 },
      note: withDatabase('after'),
    },
    {
      ...common,
      figure: 'P15b',
      what: `most PSS while ${count} photos come in, without the database`,
      ours: app('peak'),
      comparator,
      bound: { ...bound, gate: 600, goal: 450 },
      note: withDatabase('peak'),
    },
  ];
}
