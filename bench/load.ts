import { setTimeout as wait } from 'node:timers/promises';
import { type Figure, median } from './support/figures.ts';
import { measureRate, type Shot, warmUp } from './support/load.ts';
import { fireAtRate } from './support/open-loop.ts';
import { type BenchOptions, say } from './support/options.ts';
import { readCpuSeconds } from './support/process-tree.ts';
import { bootProduct, type Product } from './support/product.ts';
import { shareDemo } from './support/studio.ts';
import { openLink, openShot } from './support/viewer.ts';

const viewerCount = 64;
const [overSeconds, usefulMs] = [10, 2000];
const times = [2, 10] as const;

interface Overload {
  /** Useful answers per CPU-second of the server, as a share of the same at capacity. */
  share: number;
  /** The same by the clock, which the generator on this machine makes worse. */
  shareByClock: number;
  shed: number;
  failed: number;
}

async function overload(
  { pid }: Product,
  capacity: { perSecond: number; perCpuSecond: number },
  factor: number,
  shotOf: (n: number) => Shot,
): Promise<Overload> {
  const before = readCpuSeconds(pid).app;
  const { timesMs, shed, failed } = await fireAtRate(capacity.perSecond * factor, overSeconds, shotOf);
  const useful = timesMs.filter((ms) => ms <= usefulMs).length;
  return {
    share: useful / (readCpuSeconds(pid).app - before) / capacity.perCpuSecond,
    shareByClock: useful / overSeconds / capacity.perSecond,
    shed,
    failed,
  };
}

/** P19: how much is still done when far more is asked than can be done. Useful is what is answered within two seconds. */
export async function measure({ rounds, isProfiled }: BenchOptions): Promise<Figure[]> {
  const product = await bootProduct({ isProfiled });
  try {
    const slug = await shareDemo(product);
    const near = product.url.replace('localhost', '127.0.0.1');
    const viewers = await Promise.all(Array.from({ length: viewerCount }, () => openLink(near, slug, 0)));
    const shotOf = openShot(near, slug, viewers, 0);
    await warmUp(product.pid, shotOf);
    const made: { capacity: number; by: Overload[] }[] = [];
    for (let round = 0; round < rounds; round++) {
      const capacity = await measureRate(product.pid, shotOf);
      const by: Overload[] = [];
      for (const factor of times) {
        by.push(await overload(product, capacity, factor, shotOf));
        await wait(3000);
      }
      made.push({ capacity: capacity.perCpuSecond, by });
      const words = by.map(
        ({ share, shareByClock }, n) => `${times[n]}x ${share.toFixed(2)} (${shareByClock.toFixed(2)})`,
      );
      say(`round ${round + 1}: ${Math.round(capacity.perSecond)} opens a second at most; ${words.join(', ')}`);
    }
    return times.map((factor, n) =>
      figureOf(
        factor,
        made.map(({ capacity, by }) => ({ capacity, over: by[n] })),
      ),
    );
  } finally {
    await product.remove();
  }
}

function figureOf(factor: number, rounds: readonly { capacity: number; over: Overload | undefined }[]): Figure {
  const [gate, goal] = factor === 2 ? [0.8, 0.9] : [0.6, 0.8];
  const overs = rounds.flatMap(({ over }) => over ?? []);
  const capacity = median(rounds.map((round) => round.capacity));
  const shed = overs.reduce((sum, over) => sum + over.shed, 0);
  const failed = overs.reduce((sum, over) => sum + over.failed, 0);
  const byClock = median(overs.map((over) => over.shareByClock)).toFixed(2);
  return {
    part: 'load',
    figure: 'P19',
    what: `opens answered within 2 s at ${factor}x of what can be done, open loop`,
    unit: 'req/CPU-s',
    ours: median(overs.map(({ share }) => share)) * capacity,
    comparator: { name: 'itself at 1x', value: capacity },
    bound: { gate, goal, better: 'more', of: 'ratio', sets: 'exit' },
    note: `${byClock} by the clock, the generator on the same cores; ${shed} shed, ${failed} cut`,
  };
}
