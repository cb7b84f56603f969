import { availableParallelism } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import sharp from 'sharp';
import { startComparator } from './support/comparator.ts';
import { type Figure, median, quantile } from './support/figures.ts';
import { type BenchOptions, say } from './support/options.ts';
import { findPhotos } from './support/photos.ts';
import { costOf } from './support/process-tree.ts';
import { bootProduct, type Product } from './support/product.ts';
import { enterStudio, type Studio } from './support/studio.ts';

const atOnce = 8;

/** What sharp spends on both renditions of a photo, once, unmarked and in the clear. */
async function renderPlain(file: string): Promise<void> {
  const webp = { quality: 82, effort: 2 };
  const full = sharp(file).rotate().resize(2048, 2048, { fit: 'inside', withoutEnlargement: true });
  const { data, info } = await full.raw().toBuffer({ resolveWithObject: true });
  const raw = { width: info.width, height: info.height, channels: info.channels };
  await sharp(data, { raw }).webp(webp).toBuffer();
  await sharp(data, { raw }).resize(512, 512, { fit: 'inside' }).webp(webp).toBuffer();
}

export const comparators = {
  /** Bare sharp, one thread a photo, as many photos at once as there are cores. */
  async sharp() {
    sharp.concurrency(1);
    sharp.cache(false);
    return {
      async work({ files }: { files: string[] }) {
        const [before, began] = [process.cpuUsage(), performance.now()];
        const waiting = [...files];
        const draw = async () => {
          for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) await renderPlain(file);
        };
        await Promise.all(Array.from({ length: availableParallelism() }, draw));
        const { user, system } = process.cpuUsage(before);
        return { cpuSeconds: (user + system) / 1e6, seconds: (performance.now() - began) / 1000 };
      },
    };
  },
};

interface Cost {
  cpuSeconds: number;
  seconds: number;
}

interface OnePhoto {
  /** The CPU is not known when a child ended meanwhile and took its time along. */
  ours: Omit<Cost, 'cpuSeconds'> & { cpuSeconds: number | undefined };
  plain: Cost;
}

/** Photos with nothing else in the queue: from the last byte until the grid can show it. */
async function ingestOne({ pid }: Product, studio: Studio, albumId: string, file: string): Promise<OnePhoto['ours']> {
  const { cost, result, isWhole } = await costOf(pid, async () => {
    const { mediaId, endedAtMs } = await studio.upload(albumId, file);
    const seconds = ((await studio.untilReady(mediaId)) - endedAtMs) / 1000;
    await wait(200); // the last statements and the child's own end of the task belong to this photo
    return seconds;
  });
  return { cpuSeconds: isWhole ? cost.app : undefined, seconds: result };
}

async function ingestMany(studio: Studio, albumId: string, files: readonly string[]): Promise<number> {
  const began = performance.now();
  await Promise.all(
    files.map(async (file) => {
      const { mediaId } = await studio.upload(albumId, file);
      await studio.untilReady(mediaId);
    }),
  );
  return (performance.now() - began) / 1000;
}

/** P7: what a photo costs on its way in. */
export async function measure({ rounds, photos, photoCount, isProfiled }: BenchOptions): Promise<Figure[]> {
  const files = await findPhotos(photos, photoCount);
  const product = await bootProduct({ isProfiled });
  const plain = await startComparator('ingest', 'sharp');
  try {
    const studio = await enterStudio(product, await product.demo());
    const albumId = await studio.makeAlbum('Bench');
    // The children start with the first photo and stay while there is work.
    for (const file of files.slice(0, 2)) await ingestOne(product, studio, albumId, file);
    await plain.ask({ files: files.slice(0, 1) });
    const ones: OnePhoto[] = [];
    for (const file of files) {
      const ours = await ingestOne(product, studio, albumId, file);
      ones.push({ ours, plain: await plain.ask({ files: [file] }) });
      const { cpuSeconds, seconds } = ours;
      say(`photo ${ones.length}: ${cpuSeconds?.toFixed(2) ?? '?'} CPU-s, ready after ${seconds.toFixed(2)} s`);
    }
    const eight = Array.from({ length: atOnce }, (_, n) => files[n % files.length] ?? '');
    const many: { ours: number; plain: number }[] = [];
    for (let round = 0; round < rounds; round++) {
      const ours = await ingestMany(studio, albumId, eight);
      many.push({ ours, plain: (await plain.ask({ files: eight })).seconds });
      say(`round ${round + 1}: 8 photos at once in ${ours.toFixed(1)} s`);
    }
    studio.close();
    return figuresOf(ones, many);
  } finally {
    await plain.close();
    await product.remove();
  }
}

function figuresOf(ones: readonly OnePhoto[], many: readonly { ours: number; plain: number }[]): Figure[] {
  const name = 'bare sharp, same renditions once';
  const known = ones.flatMap(({ ours: { cpuSeconds }, plain }) =>
    cpuSeconds === undefined ? [] : { ours: cpuSeconds, plain: plain.cpuSeconds },
  );
  const ratios = known.map(({ ours, plain }) => ours / plain);
  const ready = ones.map(({ ours }) => ours.seconds);
  const perMinute = (seconds: (round: (typeof many)[number]) => number) =>
    median(many.map((round) => (60 * atOnce) / seconds(round)));
  return [
    {
      part: 'ingest',
      figure: 'P7',
      what: `photo to both renditions, marked twice, encrypted (${known.length} photos)`,
      unit: 'CPU-s',
      ours: median(known.map(({ ours }) => ours)),
      comparator: { name, value: median(known.map(({ plain }) => plain)) },
      bound: { gate: 3.5, goal: 2.5, better: 'less', of: 'ratio', sets: 'exit' },
      note: `median of the photos' ratios ${median(ratios).toFixed(2)}, worst ${Math.max(...ratios).toFixed(2)}`,
    },
    {
      part: 'ingest',
      figure: 'P7b',
      what: 'last byte to grid photo ready, p95, queue empty',
      unit: 's',
      ours: quantile(ready, 0.95),
      comparator: {
        name: `${name}, p95`,
        value: quantile(
          ones.map(({ plain }) => plain.seconds),
          0.95,
        ),
      },
      bound: { gate: 2.5, goal: 1.5, better: 'less', of: 'value', sets: 'print' },
      note: `median ${median(ready).toFixed(2)}`,
    },
    {
      part: 'ingest',
      figure: 'P7c',
      what: `${atOnce} photos at once, upload included`,
      unit: 'photos/min',
      ours: perMinute(({ ours }) => ours),
      comparator: { name: 'bare sharp, all cores', value: perMinute(({ plain }) => plain) },
      bound: { gate: 0.25, goal: 0.375, better: 'more', of: 'ratio', sets: 'exit' },
    },
  ];
}
