import type { Engines } from '#engines/engines.ts';
import { photoTracks } from '#features/media/formats/photo-shapes.ts';
import { findMediaKey } from '#features/media/keys-store.ts';
import type { ClipReader } from '../clips/clip-reader.ts';
import type { Candidate, Fingerprint, ReadLeak, TraceProgress } from '../findings.ts';
import type { Tracer } from '../photos/tracer.ts';
import { MatchCheckpoint } from '../progress/match-checkpoint.ts';
import { type Stretch, shareOf } from '../progress/progress.ts';
import {
  type CandidateRow,
  keepPlace,
  listCandidates,
  moveTrace,
  notePreview,
  type TracedRow,
} from '../progress/progress-store.ts';
import { putTraceFile, type TraceFiles } from '../progress/trace-files.ts';

const system = { kind: 'system' } as const;
/** Progress is written down no more often. */
const notifyEveryMs = 300;

/** One copy at work. */
export interface TraceContext {
  engines: Engines;
  tracer: Tracer;
  clipReader: ClipReader;
  row: TracedRow;
  files: TraceFiles;
  signal: AbortSignal;
  /** When others go first. */
  turnEndsAt: number;
}

/** Its turn is over, and it waits for the next one. */
export class TurnEnded extends Error {}

/** It cannot be read with the time that there is now. */
export class OutOfTime extends Error {}

/** What a copy is, and everything that it gave away. */
export interface ReadCopy {
  print: Pick<Fingerprint, 'mime' | 'width' | 'height'>;
  read: ReadLeak;
}

/** From now on a browser may show how the copy looks. */
export async function showCopy(
  { engines: { database, storage }, row, files }: TraceContext,
  preview: Buffer,
): Promise<void> {
  await putTraceFile(storage, files, 'preview', preview, preview.length);
  await database.work(system, (tx) => notePreview(tx, row.id, row.creator_id));
}

/** Where the comparing goes on, and who hears how far it is on this stretch of the way. */
export const wayOf = (context: TraceContext, stretch: Stretch) => ({
  onProgress: describeProgress(context, stretch),
  onPlace: notePlace(context),
  place: context.row.place === null ? undefined : MatchCheckpoint.parse(context.row.place),
});

/** @throws Error when the item is no more */
export async function keyOf({ database, keys }: Engines, mediaId: string): Promise<Buffer> {
  const key = await database.work(system, (tx) => findMediaKey(tx, keys, mediaId));
  if (key === undefined) throw new Error('An item was destroyed while a copy was compared with it.');
  return key;
}

/** Stills out of a video are looked for in its storyboard. */
const formsOf: Record<CandidateRow['kind'], Candidate['forms']> = {
  photo: [photoTracks],
  video: [['poster', 'posterthumb'], ['storyboard']],
};

/** Everything of theirs that a picture may be a copy of. */
export const candidatesOf = async (engines: Engines, row: TracedRow): Promise<Candidate[]> =>
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

/** Keeps the place, and stops there when the turn is over. @throws TurnEnded */
function notePlace({
  engines: { database, clock },
  row,
  turnEndsAt,
}: TraceContext): (place: MatchCheckpoint) => Promise<void> {
  return async (place) => {
    await database.work(system, (tx) => keepPlace(tx, row.id, place, new Date(clock())));
    if (performance.now() >= turnEndsAt) throw new TurnEnded();
  };
}

/** Writes down how far a trace is, a few times a second at most; each step's beginning always. */
function describeProgress(
  { engines: { database, clock }, row }: TraceContext,
  stretch: Stretch,
): (progress: TraceProgress) => void {
  let [last, lastStep] = [0, ''];
  return (progress) => {
    if (progress.step === lastStep && clock() - last < notifyEveryMs) return;
    [last, lastStep] = [clock(), progress.step];
    // How far it is helps nobody when it cannot be written: the work itself meets the database's absence.
    const moved = { ...progress, share: shareOf(stretch, progress) };
    void database.work(system, (tx) => moveTrace(tx, row.id, moved)).catch(() => undefined);
  };
}
