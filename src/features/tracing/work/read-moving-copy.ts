import { Readable } from 'node:stream';
import { ChildFailed } from '#engines/children/task.ts';
import { type LaidClip, readSmallFrames, readStills } from '../clips/clip-frames.ts';
import type { AskedChild } from '../clips/clip-reader.ts';
import { readClip } from '../clips/read-clip.ts';
import { chooseStills } from '../clips/stills.ts';
import { openVideo } from '../clips/video-candidates.ts';
import { listVideos } from '../clips/videos-store.ts';
import type { Candidate, Fingerprint, Leak, ReadLeak } from '../findings.ts';
import { LeakRefused, MalformedAnswer } from '../photos/trace-task.ts';
import type { MatchCheckpoint } from '../progress/match-checkpoint.ts';
import { stretches } from '../progress/progress.ts';
import { putTraceFile } from '../progress/trace-files.ts';
import { candidatesOf, keyOf, type ReadCopy, showCopy, type TraceContext, wayOf } from './trace-context.ts';

const system = { kind: 'system' } as const;
/** So many seconds of videos name their link by themselves, so that nothing else needs to be looked for in a clip. */
const enoughSeconds = 60;

/**
 * Reads the videos that a clip shows; one that shows none, or little of them, may be a recording of a screen with photos: then
 * what stands longest in it is read as one picture, and both are told together.
 */
export async function readMovingCopy(context: TraceContext, clip: LaidClip, mime: string): Promise<ReadCopy> {
  const { tracer, signal } = context;
  const poster = leakOf(await clip.engine.drawPoster(clip.bench, clip.probe, signal));
  const picture = await tracer.fingerprint(poster, signal);
  if (picture.outcome === 'read') await showCopy(context, picture.result.preview);
  const frames = await readSmallFrames(clip);
  const { width, height } = clip.probe;
  const print = { mime, width, height };
  const { pictures, ...ofVideos } = await readVideos(context, clip, frames);
  const ofStills = secondsRead(ofVideos) < enoughSeconds && (await readStillPictures(context, clip, frames, ofVideos));
  if (!ofStills || ofStills.items.length === 0) {
    const compared = ofVideos.compared + (ofStills ? ofStills.compared : 0);
    return { print, read: { ...ofVideos, compared, hasOriginal: await showMoment(context, pictures) } };
  }
  const items = [...ofVideos.items, ...ofStills.items];
  return { print, read: { ...ofStills, items, compared: ofVideos.compared + ofStills.compared } };
}

const leakOf = (png: Buffer): Leak => ({ sizeBytes: png.length, open: () => Readable.from([png]) });

const secondsRead = ({ items }: ReadLeak): number =>
  items.flatMap(({ readings }) => readings.flatMap(({ visible }) => Array.from(visible))).filter((share) => share > 0)
    .length;

/** Reads the videos; when the stills had their turn already, only those that were found before. */
async function readVideos(context: TraceContext, clip: LaidClip, frames: Buffer) {
  const { engines, clipReader, row } = context;
  const { database, storage } = engines;
  const rows = await database.work(system, (tx) => listVideos(tx, row));
  const way = wayOf(context, stretches.videos);
  const known = way.place?.films;
  const wanted = known === undefined ? rows : rows.filter(({ mediaId }) => known.includes(mediaId));
  const videos = wanted.map((video) => openVideo(storage, video, () => keyOf(engines, video.mediaId)));
  const read = await readClip(
    clipReader,
    clip,
    frames,
    videos,
    known === undefined ? way : { onProgress: way.onProgress },
  );
  return { ...read, compared: rows.length };
}

/** Keeps the surest moment of a video, as both show it. @returns whether there is one */
async function showMoment(
  { engines: { storage }, files }: TraceContext,
  pictures: AskedChild['pictures'],
): Promise<boolean> {
  if (pictures === undefined) return false;
  await putTraceFile(storage, files, 'preview', pictures.clip, pictures.clip.length);
  await putTraceFile(storage, files, 'original', pictures.video, pictures.video.length);
  return true;
}

const nothing: ReadLeak = { items: [], compared: 0 };

/** The pictures that stand in a clip, side by side as one copy. */
interface Sheet {
  leak: Leak;
  picture: Fingerprint;
  seconds: number[];
}

/** What the pictures of a clip say beside its videos, which keep what they said when nothing can be made of the pictures. */
async function readStillPictures(
  context: TraceContext,
  clip: LaidClip,
  frames: Buffer,
  ofVideos: ReadLeak,
): Promise<ReadLeak> {
  const sheet = await orNothing(context, () => laySheet(context, clip, frames));
  if (sheet === undefined) return nothing;
  const videos = ofVideos.items.map(({ mediaId }) => mediaId);
  const candidates = (await candidatesOf(context.engines, context.row)).filter(
    ({ mediaId }) => !videos.includes(mediaId),
  );
  const read = () => readSheet(context, sheet, videos, candidates);
  // Where there is no video either, pictures that could not be compared are no copy of nothing: the trace tells its trouble.
  if (videos.length === 0) return read();
  return (await orNothing(context, read)) ?? { items: [], compared: candidates.length };
}

/** Undefined when a child refused, failed or answered strangely. */
async function orNothing<T>({ engines, row }: TraceContext, act: () => Promise<T>): Promise<T | undefined> {
  try {
    return await act();
  } catch (error) {
    const isOfPictures =
      error instanceof LeakRefused || error instanceof MalformedAnswer || error instanceof ChildFailed;
    if (!isOfPictures) throw error;
    engines.log.warn({ traceId: row.id, words: error.message }, 'the pictures of a clip were not read');
    return undefined;
  }
}

async function laySheet(
  { clipReader, tracer, signal }: TraceContext,
  clip: LaidClip,
  frames: Buffer,
): Promise<Sheet | undefined> {
  const stills = await readStills(clip, chooseStills(frames));
  if (stills.length === 0) return undefined;
  const pictures = stills.map(({ picture }) => picture);
  const leak = leakOf(await clipReader.drawSheet(clip, pictures));
  const print = await tracer.fingerprint(leak, signal);
  if (print.outcome === 'failed') return undefined;
  return { leak, picture: print.result, seconds: stills.map(({ second }) => second) };
}

async function readSheet(
  context: TraceContext,
  { leak, picture, seconds }: Sheet,
  videos: string[],
  candidates: Candidate[],
): Promise<ReadLeak> {
  const { tracer, signal } = context;
  const { place, onPlace, onProgress } = wayOf(context, stretches.stills);
  const way = {
    onProgress,
    onPlace: (reached: MatchCheckpoint) => onPlace({ ...reached, films: videos }),
    place: place?.films === undefined ? undefined : place,
  };
  const read = await tracer.read(leak, picture.blockhash, candidates, { ...way, signal });
  if (read.outcome === 'failed' || read.result.items.length === 0) return { items: [], compared: candidates.length };
  await showCopy(context, picture.preview);
  return { ...read.result, stills: seconds };
}
