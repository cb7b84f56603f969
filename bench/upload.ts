import { readFile } from 'node:fs/promises';
import { type Figure, median } from './support/figures.ts';
import { type BenchOptions, say } from './support/options.ts';
import { findPhotos } from './support/photos.ts';
import { bootProduct } from './support/product.ts';
import { chunkBytes, enterStudio, type Studio } from './support/studio.ts';

const [chunksPerUpload, uploadsPerRound] = [5, 4];
/** More photos than both children finish while the bytes are measured. */
const queueLength = 24;

const megabytes = (chunksPerUpload * uploadsPerRound * chunkBytes) / 1e6;

async function measureThroughput(studio: Studio, albumId: string, begin: Buffer): Promise<number> {
  let seconds = 0;
  for (let n = 0; n < uploadsPerRound; n++) seconds += await studio.uploadOnly(albumId, begin, chunksPerUpload);
  return megabytes / seconds;
}

/** Fills the queue. @returns how many of its photos are ready, whenever it is asked, and the moment when all are */
async function fillQueue(studio: Studio, albumId: string, files: readonly string[]) {
  let ready = 0;
  const all: Promise<void>[] = [];
  for (let n = 0; n < queueLength; n++) {
    const { mediaId } = await studio.upload(albumId, files[n % files.length] ?? '');
    all.push(studio.untilReady(mediaId).then(() => void ready++));
  }
  return { left: () => queueLength - ready, all: Promise.all(all) };
}

/** P8: how fast bytes come in while photos are worked on, against the same without. */
export async function measure({ rounds, photos, photoCount, isProfiled }: BenchOptions): Promise<Figure[]> {
  const files = await findPhotos(photos, photoCount);
  const begin = await readFile(files[0] ?? '');
  const product = await bootProduct({ isProfiled });
  try {
    const studio = await enterStudio(product, await product.demo());
    const albumId = await studio.makeAlbum('Bench');
    await product.untilIdle();
    await measureThroughput(studio, albumId, begin);
    const made: { idle: number; full: number }[] = [];
    while (made.length < rounds) {
      const idle = await measureThroughput(studio, albumId, begin);
      const queue = await fillQueue(studio, albumId, files);
      const full = await measureThroughput(studio, albumId, begin);
      const left = queue.left();
      await queue.all;
      say(`idle ${idle.toFixed(0)} MB/s, with a full queue ${full.toFixed(0)} MB/s, ${left} photos left afterwards`);
      if (left < 2) throw new Error('The queue was empty before the bytes were measured: a longer one is needed.');
      made.push({ idle, full });
    }
    studio.close();
    return [
      {
        part: 'upload',
        figure: 'P8',
        what: `bytes coming in while ${queueLength} photos are worked on`,
        unit: 'MB/s',
        ours: median(made.map(({ full }) => full)),
        comparator: { name: 'the same, idle queue', value: median(made.map(({ idle }) => idle)) },
        bound: { gate: 0.7, goal: 0.8, better: 'more', of: 'ratio', sets: 'exit' },
      },
    ];
  } finally {
    await product.remove();
  }
}
