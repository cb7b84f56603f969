import { type Figure, median } from './figures.ts';
import { measureRate, type Rate, warmUp } from './load.ts';
import { startNginx } from './nginx.ts';
import { type BenchOptions, say } from './options.ts';
import { findPhotos } from './photos.ts';
import type { Product } from './product.ts';
import { enterStudio } from './studio.ts';
import { canDrawVideos, drawVideo } from './video.ts';
import { lendVideo, openLink, type Viewer } from './viewer.ts';

const rangeBytes = 2 ** 20;
/** Long enough for several ranges of that size. */
const videoSeconds = 8;

/** Puts a video into an album and opens a link to it. */
async function shareVideo(product: Product, photos: string | undefined): Promise<{ viewer: Viewer; mediaId: string }> {
  const [photo = ''] = await findPhotos(photos, 1);
  const file = await drawVideo(photo, videoSeconds);
  const studio = await enterStudio(product, await product.demo());
  const albumId = await studio.makeAlbum('Videos by range');
  const { mediaId } = await studio.upload(albumId, file);
  await studio.untilReady(mediaId, 600);
  const slug = await studio.makeLink([albumId]);
  studio.close();
  await product.untilIdle();
  return { viewer: await openLink(product.url, slug, 0), mediaId };
}

/** P6: a megabyte of a video by range, as a player asks for it, beside nginx that sends one out of a file. */
export async function measureVideoRange(product: Product, { rounds, photos }: BenchOptions): Promise<Figure[]> {
  const what = 'a video by range, 1 MiB that was asked for before';
  const bound = { gate: 500, goal: 700, better: 'more', of: 'value', sets: 'print' } as const;
  const common = { part: 'bytes', figure: 'P6', unit: 'MB/CPU-s', bound };
  if (!canDrawVideos()) return [{ ...common, what, ours: Number.NaN, note: 'skipped: ffmpeg not found' }];
  const { viewer, mediaId } = await shareVideo(product, photos);
  const nginx = await startNginx(rangeBytes);
  const [ours, sent, first]: [Rate[], Rate[], number[]] = [[], [], []];
  try {
    for (let round = 0; round < rounds; round++) {
      const { packId, token } = await lendVideo(product.url, viewer, mediaId, 'v720');
      const url = `${product.url.replace('localhost', '127.0.0.1')}/m/s/${packId}/0`;
      const shotOf = (from: number) => ({
        url,
        headers: { 'pf-lease': token, range: `bytes=${from}-${from + rangeBytes - 1}` },
      });
      const began = performance.now();
      const answer = await fetch(url, { headers: shotOf(0).headers });
      await answer.arrayBuffer();
      first.push(performance.now() - began);
      // Connections take turns with two ranges; one that was read is read again, as by many viewers of one video.
      const second = startOfLastRange(answer);
      const shot = (connection: number) => shotOf((connection % 2) * second);
      if (round === 0) await warmUp(product.pid, shot);
      ours.push(await measureRate(product.pid, shot));
      if (nginx) sent.push(await measureRate(nginx.pid, () => nginx));
      say(`round ${round + 1}: ${Math.round(megabytes(ours.at(-1)))} MB per CPU-s by range`);
    }
  } finally {
    await nginx?.close();
  }
  const comparator =
    sent.length === 0 ? undefined : { name: 'nginx sendfile', value: median(sent.map((rate) => megabytes(rate))) };
  return [
    { ...common, what, ours: median(ours.map((rate) => megabytes(rate))), ...(comparator && { comparator }) },
    {
      ...common,
      what: 'its first megabyte, asked for the first time',
      unit: 'ms',
      ours: first[0] ?? Number.NaN,
      bound: { gate: 100, goal: 100, better: 'less', of: 'value', sets: 'print' },
    },
  ];
}

/** Returns where the second range may begin: after the first one, or overlapping it in a video of less than two of them. */
function startOfLastRange(answer: Response): number {
  const [, sizeBytes = '0'] = /\/(\d+)$/.exec(answer.headers.get('content-range') ?? '') ?? [];
  if (Number(sizeBytes) < rangeBytes)
    throw new Error(`The video is too short for this, or its answer told no range: ${sizeBytes} bytes.`);
  return Math.min(rangeBytes, Number(sizeBytes) - rangeBytes);
}

const megabytes = (rate: Rate | undefined): number => ((rate?.perCpuSecond ?? 0) * rangeBytes) / 1e6;
