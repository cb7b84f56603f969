import { Readable } from 'node:stream';
import { openWorkbench, type Workbench } from '#engines/children/workbench.ts';
import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { PutBack } from '#engines/jobs/jobs.ts';
import { patternSize, storyboardOf } from '#engines/video/plan.ts';
import { type Probe, type VideoEngine, VideoRefused } from '#engines/video/video.ts';
import { settingsOf } from '#features/settings/settings.ts';
import type { Studios } from '../decoding/decoders.ts';
import type { MadePhoto, PhotoStudio } from '../decoding/photo-decoder.ts';
import type { Rendition } from '../decoding/photo-job.ts';
import { failMedium, type PackRow } from '../store.ts';
import {
  type FilmLimits,
  mostSecondsOf,
  NoVideoEngine,
  refuseFile,
  refuseFilm,
  tellFilmFailure,
} from '../video-limits.ts';
import { drawFilmPatterns } from '../watermark/video-pattern.ts';
import { type Attempt, openOriginal, packRowOf, removeLeftovers, tryOnce } from './attempts.ts';
import { factsOf } from './process-photo.ts';
import { storeFilm } from './video-files.ts';
import { type FilmWatch, NobodyWants, watchFilm } from './video-progress.ts';
import { findStanding, makeFilmReady, noteFilm } from './video-store.ts';

/** The way of a film from its encrypted original to its segments. */
export interface FilmWork {
  /**
   * Makes one film ready, its poster first, or says why it cannot be; `also` runs in the transaction that makes it ready.
   * Safe to repeat.
   */
  make(mediaId: string, signal: AbortSignal, also: (tx: Tx) => Promise<void>): Promise<void>;
  /** Ends what runs; it is begun anew at the next start. */
  close(): Promise<void>;
}

const posterRenditions: readonly Rendition[] = [
  { track: 'posterthumb', sidePx: 512 },
  { track: 'poster', sidePx: 2048 },
];
const storyboardRenditions: readonly Rendition[] = [{ track: 'storyboard', sidePx: 2048 }];

/** Opens the work; walls and engine come with the first film. @param findLimits what films may be; default: the settings in force */
export function openFilmWork(engines: Engines, studios: Studios, findLimits = findFilmLimits): FilmWork {
  const closing = new AbortController();
  const running = new Set<Promise<void>>();
  const makeOnce = async (attempt: Attempt, signal: AbortSignal, also: (tx: Tx) => Promise<void>) => {
    const { mediaId } = attempt;
    const limits = await findLimits(engines);
    const watch = watchFilm(engines, attempt, AbortSignal.any([signal, closing.signal]));
    try {
      await makeFilm(engines, studios, attempt, limits, watch, also);
    } catch (error) {
      if (await isLastAttempt(engines, attempt)) await removeLeftovers(engines, mediaId, attempt.originalPath);
      if (!(error instanceof VideoRefused)) throw error;
      if (hasDied(error) && attempt.number === 1) throw new Error('a program died over a film');
      const { code, message } = error;
      engines.log.info({ mediaId, code, words: message }, 'a film was refused');
      await engines.database.work({ kind: 'system' }, (tx) =>
        failMedium(tx, mediaId, code, tellFilmFailure(error, limits)),
      );
    } finally {
      watch.end();
    }
  };
  return {
    async make(mediaId, signal, also) {
      closing.signal.throwIfAborted(); // the queue may hand out one more while it stops
      const isNoFault = (error: unknown) => error instanceof PutBack || error instanceof NobodyWants;
      const work = tryOnce(engines, mediaId, isNoFault, (attempt) => makeOnce(attempt, signal, also));
      running.add(work);
      try {
        await work;
      } catch (error) {
        // It was deleted, or another process has taken it over: that ends the job as well as being ready would.
        if (!(error instanceof NobodyWants)) throw error;
      } finally {
        running.delete(work);
      }
    },
    async close() {
      closing.abort(new PutBack());
      await Promise.allSettled(running);
    },
  };
}

/** A program may die of the machine's distress; that it dies twice over one film is the film's fault. */
const hasDied = ({ code, message }: VideoRefused): boolean => code === 'CORRUPT' && message === '';

/** Files that no row names are ours only as long as no other try has begun. */
const isLastAttempt = async ({ database }: Engines, attempt: Attempt): Promise<boolean> =>
  (await findStanding(database, attempt)) !== 'overtaken';

/** What films may be, and how long they may be worked on, by the settings in force. */
export async function findFilmLimits(engines: Engines): Promise<FilmLimits> {
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

/** What a film is made with. */
interface Tools {
  engines: Engines;
  attempt: Attempt;
  limits: FilmLimits;
  studio: PhotoStudio;
  engine: VideoEngine;
  bench: Workbench;
  watch: FilmWatch;
}

/** @throws VideoRefused, NobodyWants, or what went wrong outside of the file */
async function makeFilm(
  engines: Engines,
  studios: Studios,
  attempt: Attempt,
  limits: FilmLimits,
  watch: FilmWatch,
  also: (tx: Tx) => Promise<void>,
): Promise<void> {
  refuseFile(attempt.sizeBytes, limits);
  const { walls, engine } = await studios.films();
  if (engine === undefined) throw new NoVideoEngine();
  const studio = await studios.photos();
  const bench = await openWorkbench(walls, await openOriginal(engines, attempt), watch.signal);
  const tools = { engines, attempt, limits, studio, engine, bench, watch };
  try {
    const probe = await engine.probe(bench, watch.signal);
    refuseFilm(probe, limits);
    await showPoster(tools, probe);
    const sheet = await storePicture(
      tools,
      await engine.drawStoryboard(bench, probe, watch.signal),
      storyboardRenditions,
    );
    const film = await transcode(tools, probe);
    const made = { ...film, pictures: sheet.packs };
    const isReady = await engines.database.work({ kind: 'system' }, async (tx) => {
      if (!(await makeFilmReady(tx, attempt, made, new Date(engines.clock())))) return false;
      await also(tx);
      return true;
    });
    if (!isReady) throw new NobodyWants();
  } finally {
    await bench.close();
  }
}

/** Makes the poster, and shows it to the film's creator while the rest is made. */
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
    noteFilm(tx, attempt, facts, packs, new Date(engines.clock())),
  );
  if (!isWanted) throw new NobodyWants();
  await removeLeftovers(engines, attempt.mediaId, attempt.originalPath); // files of packs that these have replaced
}

/** A picture of a film is made like a photo: marked, in packs, by the same children. */
async function storePicture(
  { engines, attempt, studio, watch }: Tools,
  png: Buffer,
  renditions: readonly Rendition[],
): Promise<{ photo: MadePhoto; packs: PackRow[] }> {
  const { mediaId, mediaKey } = attempt;
  const openPicture = () => Readable.from([png]);
  const order = { mediaKey, sizeBytes: png.length, openOriginal: openPicture, renditions, signal: watch.signal };
  const made = await studio.ingest(order);
  if (made.outcome === 'failed') throw new VideoRefused(made.code, `a picture of the film: ${made.words}`);
  const packs = made.photo.packs.map((pack) => packRowOf(mediaId, pack));
  await Promise.all(made.photo.packs.map(({ bytes }, n) => engines.storage.put(packs[n]?.path ?? '', bytes)));
  return { photo: made.photo, packs };
}

/** Makes, encrypts and stores the film itself. */
async function transcode({ engines, attempt, limits, engine, bench, watch }: Tools, probe: Probe) {
  const { signal } = watch;
  const seconds = limits.jobSeconds + limits.jobSecondsPerSecond * probe.seconds;
  const job = { probe, patterns: drawFilmPatterns(patternSize(probe)), seconds, mostSeconds: mostSecondsOf(limits) };
  const film = await engine.transcode(bench, job, watch.hear, signal);
  refuseFilm({ ...probe, seconds: film.seconds }, limits);
  const { mediaId, mediaKey } = attempt;
  const tracks = await storeFilm(engines.storage, bench, film, { mediaId, mediaKey, signal });
  return { durationMs: Math.round(1000 * film.seconds), tracks };
}
