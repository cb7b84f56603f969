import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { startComparator } from './support/comparator.ts';
import { type Figure, median } from './support/figures.ts';
import { keepToOneCore } from './support/one-core.ts';
import { type BenchOptions, say } from './support/options.ts';
import { findPhotos } from './support/photos.ts';
import { costOfComingAndGoing, readCpuSeconds } from './support/process-tree.ts';
import { bootProduct, type Product } from './support/product.ts';
import { enterStudio, type Studio } from './support/studio.ts';
import { drawVideo } from './support/video.ts';
import { readFirstFrames } from './support/video-start.ts';

const run = promisify(execFile);
const clipSeconds = 20;

interface Cost {
  cpuSeconds: number;
  seconds: number;
}

export const comparators = {
  /** The same ladder once: two rungs and the sound, with the same encoders, unmarked and in the clear. */
  async ffmpeg() {
    return {
      async work({ file }: { file: string }): Promise<Cost> {
        const folder = mkdtempSync(path.join(tmpdir(), 'pf-bench-'));
        const [before, began] = [readCpuSeconds(process.pid).app, performance.now()];
        await run('ffmpeg', ['-v', 'error', '-threads', '2', '-i', file, ...plainLadder(folder)]);
        const cost = {
          cpuSeconds: readCpuSeconds(process.pid).app - before,
          seconds: (performance.now() - began) / 1000,
        };
        rmSync(folder, { recursive: true });
        return cost;
      },
    };
  },
};

function plainLadder(folder: string): string[] {
  const graph =
    '[0:v]scale=1280:720:flags=bicubic,setsar=1,fps=30,format=yuv420p,split=2[a][s];[s]scale=854:480:flags=bicubic[b]';
  const x264 = ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '23', '-profile:v', 'high', '-g', '30'];
  const picture = [...x264, '-keyint_min', '30', '-sc_threshold', '0', '-bf', '2', '-threads', '1'];
  const sound = ['-c:a', 'aac', '-b:a', '128k', '-ac', '2', '-ar', '48000'];
  const hls = (name: string, seconds: number) => [
    ...['-f', 'hls', '-hls_time', String(seconds), '-hls_playlist_type', 'vod', '-hls_segment_type', 'fmp4'],
    ...['-hls_flags', 'independent_segments+single_file', '-hls_segment_filename', `${folder}/${name}.m4s`],
    `${folder}/${name}.m3u8`,
  ];
  return [
    ...['-filter_complex', graph, '-map', '[a]', ...picture, ...hls('a', 1), '-map', '[b]', ...picture, ...hls('b', 1)],
    ...['-map', '0:a', ...sound, ...hls('s', 4)],
  ];
}

interface Ours extends Cost {
  posterSeconds: number;
}

/** The rounds of one video, ours and the comparator's in turns. */
interface Kept {
  ours: Ours[];
  bare: Cost[];
}

/** One video with nothing else in the queue, from the last byte until all of it can be played. */
async function makeVideo({ pid }: Product, studio: Studio, albumId: string, file: string): Promise<Ours> {
  const { cpuSeconds, result } = await costOfComingAndGoing(pid, async () => {
    const { mediaId, endedAtMs } = await studio.upload(albumId, file);
    const poster = await studio.untilPoster(mediaId);
    const ready = await studio.untilReady(mediaId, 600);
    return { posterSeconds: (poster - endedAtMs) / 1000, seconds: (ready - endedAtMs) / 1000 };
  });
  return { cpuSeconds, ...result };
}

/** P9: what a video costs on its way in, how long that takes where there is one core, and how soon it plays on its way out. */
export async function measure({ rounds, photos, isProfiled }: BenchOptions): Promise<Figure[]> {
  const [photo = ''] = await findPhotos(photos, 1);
  const file = await drawVideo(photo, clipSeconds);
  const product = await bootProduct({ isProfiled });
  const plain = await startComparator('video', 'ffmpeg');
  try {
    const studio = await enterStudio(product, await product.demo());
    const albumId = await studio.makeAlbum('Videos');
    const round = async (kept: Kept, name: string) => {
      const made = await makeVideo(product, studio, albumId, file);
      const compared = (await plain.ask({ file })) as Cost;
      kept.ours.push(made);
      kept.bare.push(compared);
      say(`${name}: ${made.cpuSeconds.toFixed(1)} CPU-s beside ${compared.cpuSeconds.toFixed(1)}`);
    };
    const [all, one]: [Kept, Kept] = [
      { ours: [], bare: [] },
      { ours: [], bare: [] },
    ];
    for (let n = 1; n <= rounds; n++) {
      await round(all, `round ${n}`);
      const release = keepToOneCore([product.pid, plain.pid]);
      await round(one, `round ${n}, one core`);
      release();
    }
    const slug = await studio.makeLink([albumId]);
    studio.close();
    await product.untilIdle();
    return [...figuresOf(all, one), firstFrame(await readFirstFrames(`${product.url}/view/${slug}`))];
  } finally {
    await plain.close();
    await product.remove();
  }
}

/** A line of this machine to itself is the fastest there is. */
const firstFrame = (read: { times: number[] } | { why: string }): Figure => ({
  part: 'video',
  figure: 'P9c',
  what: 'video: tap → first frame, loopback, full speed',
  unit: 'ms',
  ours: 'times' in read ? median(read.times) : undefined,
  bound: { gate: 600, goal: 400, better: 'less', of: 'value', sets: 'print' },
  note: 'times' in read ? `median of ${read.times.length}` : read.why,
});

function figuresOf(all: Kept, one: Kept): Figure[] {
  const comparator = ({ bare }: Kept, of: (cost: Cost) => number) => ({
    name: 'bare ffmpeg, the ladder once',
    value: median(bare.map(of)),
  });
  const cpu = median(all.ours.map(({ cpuSeconds }) => cpuSeconds));
  const common = { part: 'video', unit: 's' };
  return [
    {
      ...common,
      figure: 'P9',
      what: `a video of ${clipSeconds} s, 1080p: both variants of 720p and 480p, sound, poster, storyboard, encrypted`,
      unit: 'CPU-s',
      ours: cpu,
      comparator: comparator(all, ({ cpuSeconds }) => cpuSeconds),
      bound: { gate: 2, goal: 1.7, better: 'less', of: 'ratio', sets: 'exit' },
      note: `${(cpu / clipSeconds).toFixed(2)} CPU-s for a second of video`,
    },
    {
      ...common,
      figure: 'P9b',
      what: 'last byte to poster, on one core',
      ours: median(one.ours.map(({ posterSeconds }) => posterSeconds)),
      bound: { gate: 5, goal: 3, better: 'less', of: 'value', sets: 'print' },
    },
    {
      ...common,
      figure: 'P9b',
      what: 'last byte to everything playable, on one core',
      ours: median(one.ours.map(({ seconds }) => seconds)),
      comparator: comparator(one, ({ seconds }) => seconds),
      bound: { gate: 45, goal: 30, better: 'less', of: 'value', sets: 'print' },
    },
  ];
}
