import { Readable } from 'node:stream';
import type { Engines } from '#engines/engines.ts';
import type { FilmLimits } from '#features/media/film-limits.ts';
import { findMediaKey } from '#features/media/keys-store.ts';
import { photoTracks } from '#features/media/photo-job.ts';
import { photoLimitsOf } from '#features/media/photo-limits.ts';
import { sniffVideoHead } from '#features/media/sniff.ts';
import { settingsOf } from '#features/settings/settings.ts';
import type { ClipDesk } from './clip-desk.ts';
import { type LaidClip, readSmallFrames, readStills } from './clip-frames.ts';
import type { Candidate, Fingerprint, Leak, ReadLeak, Traced, TraceProgress } from './evidence.ts';
import { openFilm } from './film-candidates.ts';
import { listFilms } from './films-store.ts';
import { MatchPlace } from './match-place.ts';
import {
  type CandidateRow,
  keepPlace,
  listCandidates,
  moveTrace,
  notePreview,
  type TracedRow,
} from './progress-store.ts';
import { readClip } from './read-clip.ts';
import { chooseStills } from './stills.ts';
import { openTraceFile, putTraceFile, type TraceFiles } from './trace-files.ts';
import { LeakRefused } from './trace-task.ts';
import type { Tracer } from './tracer.ts';

const system = { kind: 'system' } as const;
/** Progress is written down no more often. */
const tellMs = 300;

/** One copy at work. */
export interface Doing {
  engines: Engines;
  tracer: Tracer;
  desk: ClipDesk;
  row: TracedRow;
  files: TraceFiles;
  signal: AbortSignal;
  /** When others go first. */
  turnEndsAt: number;
}

/** Its turn is over, and it waits for the next one. */
export class TurnOver extends Error {}

/** What a copy is, and everything that it gave away. */
export interface ReadCopy {
  print: Pick<Fingerprint, 'mime' | 'width' | 'height'>;
  read: ReadLeak;
}

/** Reads a copy as what its first bytes say that it is, whatever it was called: a clip, or else a picture. */
export async function readCopy(doing: Doing): Promise<Traced<ReadCopy>> {
  const { engines, row, files } = doing;
  const open = () => openTraceFile(engines.storage, files, 'leak');
  const mime = await sniffClip(await open());
  if (mime === undefined) {
    const limits = photoLimitsOf(await settingsOf(engines));
    return readPicture(doing, { sizeBytes: row.bytes, open, limits });
  }
  const clip = { sizeBytes: row.bytes, open, limits: await clipLimitsOf(engines), signal: doing.signal };
  return doing.desk.withClip(clip, (laid) => readMovingCopy(doing, laid, mime));
}

/** The type of a copy that says of itself that it is a film. */
async function sniffClip(stream: Readable): Promise<string | undefined> {
  try {
    for await (const part of stream) return await sniffVideoHead(part as Buffer);
    return undefined;
  } finally {
    stream.destroy();
  }
}

async function readPicture(doing: Doing, leak: Leak): Promise<Traced<ReadCopy>> {
  const { engines, tracer, row, signal } = doing;
  const print = await tracer.fingerprint(leak, signal);
  if (print.outcome === 'failed') return print;
  await showCopy(doing, print.result.preview);
  const candidates = await candidatesOf(engines, row);
  const read = await tracer.read(leak, print.result.blockhash, candidates, { ...wayOf(doing), signal });
  return read.outcome === 'failed' ? read : { outcome: 'read', result: { print: print.result, read: read.result } };
}

async function readMovingCopy(doing: Doing, clip: LaidClip, mime: string): Promise<ReadCopy> {
  const { tracer, signal } = doing;
  const poster = leakOf(await clip.engine.drawPoster(clip.bench, clip.probe, signal));
  const picture = await tracer.fingerprint(poster, signal);
  if (picture.outcome === 'read') await showCopy(doing, picture.result.preview);
  const frames = await readSmallFrames(clip);
  const { width, height } = clip.probe;
  const print = { mime, width, height };
  const ofFilms = await readFilms(doing, clip, frames);
  if (ofFilms.items.length > 0) return { print, read: ofFilms };
  const ofStills = await readStillsOf(doing, clip, frames);
  return { print, read: { ...ofStills, compared: ofFilms.compared + ofStills.compared } };
}

const leakOf = (png: Buffer): Leak => ({ sizeBytes: png.length, open: () => Readable.from([png]) });

/** Reads the films that a clip shows. */
async function readFilms(doing: Doing, clip: LaidClip, frames: Buffer): Promise<ReadLeak> {
  const { engines, desk, row, files } = doing;
  const { database, storage } = engines;
  const rows = await database.work(system, (tx) => listFilms(tx, row));
  const way = wayOf(doing);
  if (way.place?.isOfStills) return { items: [], compared: rows.length };
  const films = rows.map((film) => openFilm(storage, film, () => keyOf(engines, film.mediaId)));
  const { pictures, ...read } = await readClip(desk, clip, frames, films, way);
  if (pictures) {
    await putTraceFile(storage, files, 'preview', pictures.clip, pictures.clip.length);
    await putTraceFile(storage, files, 'original', pictures.film, pictures.film.length);
  }
  return { ...read, hasOriginal: pictures !== undefined };
}

/** A clip without a film of hers may be a recording of a screen with photos: what it shows longest is read as one picture. */
async function readStillsOf(doing: Doing, clip: LaidClip, frames: Buffer): Promise<ReadLeak> {
  const { engines, desk, tracer, row, signal } = doing;
  const stills = await readStills(clip, chooseStills(frames));
  if (stills.length === 0) return { items: [], compared: 0 };
  const sheet = leakOf(await desk.drawSheet(clip, stills));
  const print = await tracer.fingerprint(sheet, signal);
  if (print.outcome === 'failed') throw new LeakRefused(print.code, print.words);
  const { preview, blockhash } = print.result;
  const { place, onPlace, onProgress } = wayOf(doing);
  const options = {
    ...{ onProgress, signal },
    onPlace: (reached: MatchPlace) => onPlace({ ...reached, isOfStills: true }),
    place: place?.isOfStills ? place : undefined,
  };
  const read = await tracer.read(sheet, blockhash, await candidatesOf(engines, row), options);
  if (read.outcome === 'failed') throw new LeakRefused(read.code, read.words);
  if (read.result.items.length === 0) return read.result;
  await showCopy(doing, preview);
  return { ...read.result, stills: stills.length };
}

/** From now on a browser may show how the copy looks. */
async function showCopy({ engines: { database, storage }, row, files }: Doing, preview: Buffer): Promise<void> {
  await putTraceFile(storage, files, 'preview', preview, preview.length);
  await database.work(system, (tx) => notePreview(tx, row.id, row.creator_id));
}

/** Where the comparing goes on, and who hears how far it is. */
const wayOf = (doing: Doing) => ({
  onProgress: tellProgress(doing),
  onPlace: notePlace(doing),
  place: doing.row.place === null ? undefined : MatchPlace.parse(doing.row.place),
});

async function keyOf({ database, keys }: Engines, mediaId: string): Promise<Buffer> {
  const key = await database.work(system, (tx) => findMediaKey(tx, keys, mediaId));
  if (key === undefined) throw new Error('An item was destroyed while a copy was compared with it.');
  return key;
}

async function clipLimitsOf(engines: Engines): Promise<FilmLimits> {
  const settings = await settingsOf(engines);
  return {
    fileBytes: settings['limits.clipBytes'],
    minutes: settings['limits.clipMinutes'],
    sidePx: settings['limits.videoSidePx'],
    fps: settings['limits.videoFps'],
    jobSeconds: settings['limits.videoJobSeconds'],
    jobSecondsPerSecond: settings['limits.videoJobSecondsPerSecond'],
  };
}

/** Stills out of a film are looked for in its storyboard. */
const formsOf: Record<CandidateRow['kind'], Candidate['forms']> = {
  photo: [photoTracks],
  video: [['poster', 'posterthumb'], ['storyboard']],
};

const candidatesOf = async (engines: Engines, row: TracedRow): Promise<Candidate[]> =>
  (await engines.database.work(system, (tx) => listCandidates(tx, row))).map((found) => openCandidate(engines, found));

function openCandidate(engines: Engines, row: CandidateRow): Candidate {
  const { mediaId, kind, blockhash, mirroredBlockhash, packs } = row;
  return {
    mediaId,
    blockhash,
    mirroredBlockhash,
    forms: formsOf[kind],
    mediaKey: () => keyOf(engines, mediaId),
    pack: (track) => engines.storage.read(packs.find((pack) => pack.track === track)?.path ?? ''),
  };
}

/** Keeps the place, and stops there when the turn is over. @throws TurnOver */
function notePlace({ engines: { database, clock }, row, turnEndsAt }: Doing): (place: MatchPlace) => Promise<void> {
  return async (place) => {
    await database.work(system, (tx) => keepPlace(tx, row.id, place, new Date(clock())));
    if (performance.now() >= turnEndsAt) throw new TurnOver();
  };
}

/** Writes down how far a trace is, a few times a second at most; each step's beginning always. */
function tellProgress({ engines: { database, clock }, row }: Doing): (progress: TraceProgress) => void {
  let [last, lastStep] = [0, ''];
  return (progress) => {
    if (progress.step === lastStep && clock() - last < tellMs) return;
    [last, lastStep] = [clock(), progress.step];
    // How far it is helps nobody when it cannot be written: the work itself meets the database's absence.
    void database.work(system, (tx) => moveTrace(tx, row.id, progress)).catch(() => undefined);
  };
}
