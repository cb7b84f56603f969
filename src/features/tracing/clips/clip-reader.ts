import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { type ChildPool, openChildPool } from '#engines/children/child-pool.ts';
import type { PoolOptions } from '#engines/children/task.ts';
import type { Walls } from '#engines/children/walls.ts';
import { openWorkbench } from '#engines/children/workbench.ts';
import { type VideoEngine, VideoRefused } from '#engines/video/video.ts';
import { sizeOfPlainWebp } from '#features/media/formats/plain-webp.ts';
import { runDecoder } from '#features/media/run-decoder.ts';
import { NoVideoEngine, refuseVideo, type VideoLimits } from '#features/media/video-limits.ts';
import type { Leak, Traced, TraceFailure } from '../findings.ts';
import { checkAnswer, LeakRefused, MalformedAnswer } from '../photos/trace-task.ts';
import { type LaidClip, readingSize } from './clip-frames.ts';
import { type ClipAnswer, type ClipJob, clipAnswerShape, pictureSide } from './clip-job.ts';
import { sheetOf, sizeOfPng } from './sheet.ts';

/** The child that looks at frames; clips and videos are decoded by the video engine, behind the same walls. */
export interface ClipReader {
  /** Lays a clip on its bench for as long as `work` takes. A clip that cannot be read is an answer. */
  withClip<T>(leak: FoundClip, work: (clip: LaidClip) => Promise<T>): Promise<Traced<T>>;
  /** @throws LeakRefused when its child cannot cope with what the clip shows */
  ask(job: ClipJob, frames: readonly Buffer[], signal?: AbortSignal): Promise<AskedChild>;
  /** Lays frames of a clip side by side. @returns a PNG of the size of their sheet @throws LeakRefused as `ask` */
  drawSheet(clip: Pick<LaidClip, 'size' | 'signal'>, stills: readonly Buffer[]): Promise<Buffer>;
  close(): Promise<void>;
}

/** A copy that says of itself that it is a video. */
export interface FoundClip extends Pick<Leak, 'sizeBytes' | 'open'> {
  limits: VideoLimits;
  signal?: AbortSignal | undefined;
}

export interface AskedChild {
  answer: ClipAnswer;
  /** The clip and the video as they were laid upon each other. */
  pictures: { clip: Buffer; video: Buffer } | undefined;
}

const megabyte = 1e6;

const childOptions = {
  children: 1,
  entry: fileURLToPath(new URL('./clip-child.ts', import.meta.url)),
  limits: { dataBytes: 2500 * megabyte, fileBytes: 80 * megabyte, cpuSeconds: 7200 },
  niceness: 10,
  environment: { VIPS_DISC_THRESHOLD: '4g', MALLOC_ARENA_MAX: '2' },
  tasksPerChild: 1000,
  restBytes: 700 * megabyte,
  peakBytes: 1200 * megabyte,
  // Of a machine on which much else goes on: twelve seconds of video take a few seconds of it.
  taskSeconds: 300,
  idleSeconds: 15,
};
const mostPictureBytes = 1e6;
/** Frames of `readingSize` side by side, hardly compressed. */
const mostSheetBytes = 3e7;

/** Opens it; its child starts with the first frames. @param engine undefined where nothing here can read videos */
export function openClipReader(
  walls: Walls,
  engine: VideoEngine | undefined,
  changes: Partial<PoolOptions> = {},
): ClipReader {
  const pool = openChildPool(walls, { ...childOptions, ...changes });
  return {
    async withClip(leak, work) {
      try {
        return { outcome: 'read', result: await layClip(walls, engine, leak, work) };
      } catch (error) {
        if (error instanceof VideoRefused) return { outcome: 'failed', code: codeOf(error), words: error.message };
        if (error instanceof LeakRefused) return { outcome: 'failed', code: error.code, words: error.message };
        throw error;
      }
    },
    ask: (job, frames, signal) => askChild(pool, job, frames, signal),
    async drawSheet({ size, signal }, stills) {
      const job = { kind: 'sheet', clip: size, stills: stills.length } as const satisfies ClipJob;
      const order = {
        job,
        openInput: () => Readable.from(stills),
        outputs: ['sheet'],
        outputBytes: mostSheetBytes,
        signal,
      };
      const task = await runDecoder(pool, order);
      if (task.ended === 'failed') throw new LeakRefused(task.code, task.words);
      const { outcome } = checkAnswer(clipAnswerShape, task.answer);
      const sheet = task.files.get('sheet');
      if (outcome !== 'drawn' || !sheet || !isSheet(sheet, job)) throw new MalformedAnswer('no sheet');
      return sheet;
    },
    close: () => pool.close(),
  };
}

/** A copy fails for fewer reasons than a video. */
function codeOf(refused: VideoRefused): TraceFailure {
  const { code } = refused;
  if (refused instanceof NoVideoEngine) return 'NO_ENGINE';
  if (code === 'NO_VIDEO_TRACK') return 'UNSUPPORTED';
  return code === 'TOO_LONG' ? 'TOO_BIG' : code;
}

async function layClip<T>(
  walls: Walls,
  engine: VideoEngine | undefined,
  { sizeBytes, open, limits, signal }: FoundClip,
  work: (clip: LaidClip) => Promise<T>,
): Promise<T> {
  if (sizeBytes > limits.fileBytes) throw new VideoRefused('TOO_BIG', 'the file');
  if (engine === undefined) throw new NoVideoEngine();
  const bench = await openWorkbench(walls, await open(), signal);
  try {
    const probe = await engine.probe(bench, signal);
    refuseVideo(probe, limits);
    return await work({ walls, engine, bench, probe, size: readingSize(probe), signal });
  } finally {
    await bench.close();
  }
}

async function askChild(
  pool: ChildPool,
  job: ClipJob,
  frames: readonly Buffer[],
  signal?: AbortSignal,
): Promise<AskedChild> {
  const task = await runDecoder(pool, {
    job,
    openInput: () => Readable.from(frames),
    outputs: job.kind === 'draw' ? ['clip', 'video'] : [],
    outputBytes: mostPictureBytes,
    signal,
  });
  if (task.ended === 'failed') throw new LeakRefused(task.code, task.words);
  const answer = checkAnswer(clipAnswerShape, task.answer);
  const [clip, video] = [task.files.get('clip'), task.files.get('video')];
  if (answer.outcome !== 'drawn') return { answer, pictures: undefined };
  if (!clip || !video || !isPicture(clip) || !isPicture(video)) throw new MalformedAnswer('no picture');
  return { answer, pictures: { clip, video } };
}

/** Every place on it is told as a share of its size. */
function isSheet(bytes: Buffer, { clip, stills }: Extract<ClipJob, { kind: 'sheet' }>): boolean {
  const [wanted, found] = [sheetOf(clip, stills), sizeOfPng(bytes)];
  return found?.width === wanted.width && found.height === wanted.height;
}

/** A browser will be given it: it must be one small picture without anything else. */
function isPicture(bytes: Buffer): boolean {
  const { width = 0, height = 0 } = sizeOfPlainWebp(bytes) ?? {};
  return Math.min(width, height) > 0 && Math.max(width, height) <= pictureSide;
}
