import { Readable } from 'node:stream';
import { openWorkbench, type Workbench } from '#engines/children/workbench.ts';
import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { JobRequeued } from '#engines/jobs/jobs.ts';
import { patternSize, storyboardOf } from '#engines/video/plan.ts';
import { type Probe, type VideoEngine, VideoRefused } from '#engines/video/video.ts';
import { settingsOf } from '#features/settings/settings.ts';
import { monthOf } from '#kit/time.ts';
import type { Decoders } from '../decoding/decoders.ts';
import type { MadePhoto, PhotoDecoder } from '../decoding/photo-decoder.ts';
import type { Rendition } from '../decoding/photo-job.ts';
import { freeTimeLeft } from '../rules.ts';
import { failMedium, type PackRow } from '../store.ts';
import {
  describeVideoFailure,
  mostSecondsOf,
  NoVideoEngine,
  NoVideoTime,
  refuseFile,
  refuseVideo,
  takenSecondsOf,
  type VideoLimits,
  type VideoRefusal,
} from '../video-limits.ts';
import { findVideoTime, hasTakenTime, takeVideoTime } from '../video-time-store.ts';
import { notePatterns, refuseUnmarked, VideoUnmarked } from '../watermark/video-marks.ts';
import { drawVideoPatterns } from '../watermark/video-pattern.ts';
import { type Attempt, openOriginal, packRowOf, removeLeftovers, tryOnce } from './attempts.ts';
import { factsOf } from './process-photo.ts';
import { retryLater } from './retry-later.ts';
import { storeVideo } from './video-files.ts';
import { VideoSuperseded, type VideoWatch, watchVideo } from './video-progress.ts';
import { findAttempt, makeVideoReady, noteDeath, noteVideo } from './video-store.ts';

/** The way of a video from its encrypted original to its segments. */
export interface VideoWork {
  /**
   * Makes one video ready, its poster first, or says why it cannot be; `also` runs in the transaction that makes it ready.
   * Safe to repeat.
   */
  make(mediaId: string, signal: AbortSignal, also: (tx: Tx) => Promise<void>): Promise<void>;
  /** Ends what runs; it is begun again at the next start. */
  close(): Promise<void>;
}

const posterRenditions: readonly Rendition[] = [
  { track: 'posterthumb', sidePx: 512 },
  { track: 'poster', sidePx: 2048 },
];
/** Of a video that is longer than the time that is left, so much is made as shows that it is. */
const cutAfterSeconds = 2;
const storyboardRenditions: readonly Rendition[] = [{ track: 'storyboard', sidePx: 2048 }];

/** Opens the work; walls and engine come with the first video. @param findLimits what videos may be; default: the settings in force */
export function openVideoWork(engines: Engines, decoders: Decoders, findLimits = findVideoLimits): VideoWork {
  const closing = new AbortController();
  const running = new Set<Promise<void>>();
  const makeOnce = async (attempt: Attempt, signal: AbortSignal, also: (tx: Tx) => Promise<void>) => {
    const { mediaId } = attempt;
    const limits = await findLimits(engines);
    const watch = watchVideo(engines, attempt, AbortSignal.any([signal, closing.signal]));
    try {
      await makeVideo(engines, decoders, attempt, limits, watch, also);
    } catch (error) {
      if (await isLastAttempt(engines, attempt)) await removeLeftovers(engines, mediaId, attempt.originalPath);
      if (!isRefusal(error)) throw error;
      if (hasDied(error)) await endDied(engines, attempt);
      await endRefused(engines, attempt, error, limits);
    } finally {
      watch.end();
    }
  };
  return {
    async make(mediaId, signal, also) {
      closing.signal.throwIfAborted(); // the queue may hand out one more while it stops
      const isNoFault = (error: unknown) => error instanceof JobRequeued || error instanceof VideoSuperseded;
      const work = tryOnce(engines, mediaId, isNoFault, (attempt) => makeOnce(attempt, signal, also));
      running.add(work);
      try {
        await work;
      } catch (error) {
        // It was deleted, or another process has taken it over: that ends the job as well as being ready would.
        if (!(error instanceof VideoSuperseded)) throw error;
      } finally {
        running.delete(work);
      }
    },
    async close() {
      closing.abort(new JobRequeued());
      await Promise.allSettled(running);
    },
  };
}

const refusals = [VideoRefused, VideoUnmarked, NoVideoTime];
const isRefusal = (error: unknown): error is VideoRefusal => refusals.some((kind) => error instanceof kind);

/** A program may die of the machine's distress; that it dies twice over one video is the video's fault. */
const hasDied = ({ code, message }: VideoRefusal): boolean => code === 'CORRUPT' && message === '';

/** Counts a death; running out of time before is none. @throws when it was the first, so that the video is tried again */
async function endDied({ database }: Engines, attempt: Attempt): Promise<void> {
  const deaths = await database.work({ kind: 'system' }, (tx) => noteDeath(tx, attempt));
  if (deaths === undefined) throw new VideoSuperseded();
  if (deaths === 1) throw new Error('a program died over a video');
}

/** Has a video that ran out of time made later; fails every other one, in words for its creator. */
async function endRefused(engines: Engines, attempt: Attempt, error: VideoRefusal, limits: VideoLimits): Promise<void> {
  const { database, log, clock } = engines;
  const { mediaId } = attempt;
  const { code, message: words } = error;
  if (code === 'TIMEOUT') return retryLater(engines, { ...attempt, words });
  log.info({ mediaId, code, words }, 'a video was refused');
  const [text, now] = [describeVideoFailure(error, limits), new Date(clock())];
  await database.work({ kind: 'system' }, (tx) => failMedium(tx, mediaId, { code, text, now }));
}

/** Files that no row names are ours only as long as no other try has begun. */
const isLastAttempt = async ({ database }: Engines, attempt: Attempt): Promise<boolean> =>
  (await findAttempt(database, attempt)) !== 'overtaken';

/** What videos may be, and how much processor time they may take, by the settings in force. */
export async function findVideoLimits(engines: Engines): Promise<VideoLimits> {
  const settings = await settingsOf(engines);
  return {
    fileBytes: settings['limits.videoBytes'],
    minutes: settings['limits.videoMinutes'],
    sidePx: settings['limits.videoSidePx'],
    fps: settings['limits.videoFps'],
    jobSeconds: settings['limits.videoJobSeconds'],
    jobSecondsPerSecond: settings['limits.videoJobSecondsPerSecond'],
  };
}

/** What a video is made with. */
interface Tools {
  engines: Engines;
  attempt: Attempt;
  limits: VideoLimits;
  decoder: PhotoDecoder;
  engine: VideoEngine;
  bench: Workbench;
  watch: VideoWatch;
}

/** @throws VideoRefused, VideoUnmarked, VideoSuperseded, or what went wrong outside of the file */
async function makeVideo(
  engines: Engines,
  decoders: Decoders,
  attempt: Attempt,
  limits: VideoLimits,
  watch: VideoWatch,
  also: (tx: Tx) => Promise<void>,
): Promise<void> {
  refuseFile(attempt.sizeBytes, limits);
  const { walls, engine } = await decoders.videos();
  if (engine === undefined) throw new NoVideoEngine();
  const decoder = await decoders.photos();
  const bench = await openWorkbench(walls, await openOriginal(engines, attempt), watch.signal);
  const tools = { engines, attempt, limits, decoder, engine, bench, watch };
  try {
    const probe = await engine.probe(bench, watch.signal);
    refuseVideo(probe, limits);
    await showPoster(tools, probe);
    const leftSeconds = await findTimeLeft(tools, probe);
    const sheet = await storePicture(
      tools,
      await engine.drawStoryboard(bench, probe, watch.signal),
      storyboardRenditions,
    );
    const video = await transcode(tools, probe, leftSeconds);
    const made = { ...video, pictures: sheet.packs };
    const freeSeconds = await findFreeSeconds(engines);
    const isReady = await engines.database.work({ kind: 'system' }, async (tx) => {
      if (!(await makeVideoReady(tx, attempt, made, new Date(engines.clock())))) return false;
      await takeTime(tx, tools, { seconds: video.seconds, freeSeconds });
      await also(tx);
      return true;
    });
    if (!isReady) throw new VideoSuperseded();
  } finally {
    await bench.close();
  }
}

/** Makes the poster, and shows it to the video's creator while the rest is made. */
async function showPoster(tools: Tools, probe: Probe): Promise<void> {
  const { engines, attempt, engine, bench, watch } = tools;
  const { photo, packs } = await storePicture(
    tools,
    await engine.drawPoster(bench, probe, watch.signal),
    posterRenditions,
  );
  const facts = {
    ...factsOf(photo),
    width: probe.width,
    height: probe.height,
    removed: probe.personal,
    fps: probe.fps,
    hdr: probe.hdr !== undefined,
    hasAudio: probe.audioStream !== undefined,
    durationMs: Math.round(1000 * probe.seconds),
    cellSeconds: storyboardOf(probe).cellSeconds,
  };
  const isWanted = await engines.database.work({ kind: 'system' }, (tx) =>
    noteVideo(tx, attempt, facts, packs, new Date(engines.clock())),
  );
  if (!isWanted) throw new VideoSuperseded();
  await removeLeftovers(engines, attempt.mediaId, attempt.originalPath); // files of packs that these have replaced
}

/** What a month has without credits. */
const findFreeSeconds = async (engines: Engines): Promise<number> =>
  3600 * (await settingsOf(engines))['limits.videoHours'];

/**
 * How much of its creator's time a video may take; made again, it has been taken before. What it says of its length is not believed,
 * but need not be exceeded either. @throws NoVideoTime
 */
async function findTimeLeft({ engines, limits, attempt }: Tools, probe: Probe): Promise<number> {
  const { mediaId, creatorId: userId } = attempt;
  const freeSeconds = await findFreeSeconds(engines);
  const month = monthOf(new Date(engines.clock()));
  return engines.database.work({ kind: 'system' }, async (tx) => {
    if (await hasTakenTime(tx, mediaId)) return Number.POSITIVE_INFINITY;
    const time = await findVideoTime(tx, { userId, month });
    const left = freeTimeLeft({ ...time, freeSeconds }) + time.extraSeconds;
    const seconds = takenSecondsOf(probe, limits);
    if (seconds > left) throw new NoVideoTime(seconds, left);
    return left;
  });
}

/** Takes the time of what was made, in the transaction that makes it ready: nothing else costs any. @throws NoVideoTime */
async function takeTime(
  tx: Tx,
  { engines, limits, attempt }: Tools,
  { seconds, freeSeconds }: { seconds: number; freeSeconds: number },
): Promise<void> {
  const { mediaId, creatorId: userId } = attempt;
  const month = monthOf(new Date(engines.clock()));
  const taken = { mediaId, userId, month, seconds: takenSecondsOf({ seconds }, limits), freeSeconds };
  const left = await takeVideoTime(tx, taken);
  if (left !== undefined) throw new NoVideoTime(taken.seconds, freeTimeLeft(left) + left.extraSeconds);
}

/** A picture of a video is made like a photo: marked, in packs, by the same children. */
async function storePicture(
  { engines, attempt, decoder, watch }: Tools,
  png: Buffer,
  renditions: readonly Rendition[],
): Promise<{ photo: MadePhoto; packs: PackRow[] }> {
  const { mediaId, mediaKey } = attempt;
  const openPicture = () => Readable.from([png]);
  const order = { mediaKey, sizeBytes: png.length, openOriginal: openPicture, renditions, signal: watch.signal };
  const made = await decoder.ingest(order);
  if (made.outcome === 'failed') throw new VideoRefused(made.code, `a picture of the video: ${made.words}`);
  const packs = made.photo.packs.map((pack) => packRowOf(mediaId, pack));
  await Promise.all(made.photo.packs.map(({ bytes }, n) => engines.storage.put(packs[n]?.path ?? '', bytes)));
  return { photo: made.photo, packs };
}

/** Makes the video itself, and encrypts and stores it once it is marked throughout. @throws NoVideoTime when it is longer than it said */
async function transcode(tools: Tools, probe: Probe, leftSeconds: number) {
  const { engines, attempt, limits, engine, bench, watch } = tools;
  const { signal } = watch;
  const seconds = limits.jobSeconds + limits.jobSecondsPerSecond * probe.seconds;
  const size = patternSize(probe);
  const noted = notePatterns(drawVideoPatterns(size), size);
  const mostSeconds = Math.min(mostSecondsOf(limits), leftSeconds + cutAfterSeconds);
  const job = { probe, patterns: noted.patterns, seconds, mostSeconds };
  const video = await engine.transcode(bench, job, watch.report, signal);
  refuseVideo({ ...probe, seconds: video.seconds }, limits);
  if (takenSecondsOf(video, limits) > leftSeconds) throw new NoVideoTime(undefined, leftSeconds);
  await refuseUnmarked(bench, engine, video, noted, signal);
  const { mediaId, mediaKey } = attempt;
  const tracks = await storeVideo(engines.storage, bench, video, { mediaId, mediaKey, signal });
  return { seconds: video.seconds, durationMs: Math.round(1000 * video.seconds), tracks };
}
