import { writeFile } from 'node:fs/promises';
import { type ChildTask, serveTasks } from '#engines/children/child-host.ts';
import { openPhotoDecoder, PhotoRefused, PhotoTooBig } from '../decode-photo.ts';
import { makeMarkedPack } from '../packs/marked-pack.ts';
import { startStopwatch } from '../packs/stopwatch.ts';
import { openWebpEncoder } from '../packs/webp.ts';
import { openWebpDecoder } from '../webp-decoder.ts';
import { makePhotoDerivatives, shrinkFrame } from './photo-derivatives.ts';
import type { PhotoAnswer, PhotoJob } from './photo-job.ts';

/** The process in which foreign bytes become pixels, and pixels finished ciphertext. Nothing of it is loaded by the server. */
const decode = openPhotoDecoder();
const codec = { encode: await openWebpEncoder(), decode: await openWebpDecoder() };

serveTasks<PhotoJob>(async (task) => {
  try {
    return await makePhoto(task);
  } catch (error) {
    if (!(error instanceof PhotoRefused)) throw error;
    const words = String((error.cause as Error | undefined)?.message ?? error.code).slice(0, 500);
    const limit = error instanceof PhotoTooBig ? { limit: error.limit } : {};
    return { outcome: 'refused', code: error.code, words, ...limit } satisfies PhotoAnswer;
  }
});

async function makePhoto({ job, input, output }: ChildTask<PhotoJob>): Promise<PhotoAnswer> {
  const laps: Record<string, number> = {};
  const lap = startStopwatch(laps);
  const mediaKey = Buffer.from(job.mediaKey, 'base64');
  const { frame, mime, width, height, removed } = await decode(input, job.limits);
  lap('decode');
  const thumb = await shrinkFrame(frame, 512);
  const { teaser, thumbhash, blockhash, mirroredBlockhash } = await makePhotoDerivatives(thumb);
  lap('small');
  const markedTiles: number[] = [];
  for (const { track, sidePx } of job.renditions) {
    const picture = await shrinkFrame(sidePx > 512 ? frame : thumb, sidePx);
    const pack = makeMarkedPack(picture, track, mediaKey, codec, lap);
    markedTiles.push(pack.markedTiles);
    await writeFile(`${output}.${track}`, pack.bytes);
  }
  lap('write');
  return {
    outcome: 'made',
    mime,
    width,
    height,
    teaser: teaser.toString('base64'),
    thumbhash: thumbhash.toString('base64'),
    blockhash,
    mirroredBlockhash,
    removed,
    markedTiles: Math.max(0, ...markedTiles),
    laps,
  };
}
