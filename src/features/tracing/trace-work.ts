import { setTimeout as wait } from 'node:timers/promises';
import { openWalls, type Walls } from '#engines/children/walls.ts';
import { DatabaseAway } from '#engines/database/away.ts';
import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { StorageAway } from '#engines/storage/storage.ts';
import { findMediaKey } from '#features/media/keys-store.ts';
import type { PhotoLimits } from '#features/media/photo-job.ts';
import { photoQueue } from '#features/media/queues.ts';
import { settingsOf } from '#features/settings/settings.ts';
import type { Candidate, Leak, TraceProgress } from './evidence.ts';
import { MatchPlace } from './match-place.ts';
import {
  beginTrace,
  type CandidateRow,
  failTrace,
  forgetTraceAttempt,
  keepPlace,
  listCandidates,
  moveTrace,
  notePreview,
  type TracedRow,
} from './progress-store.ts';
import { queueTrace } from './queue.ts';
import { findTraceKey, listKnownTraces } from './store.ts';
import { addOthers, writeAnswer } from './trace-answer.ts';
import {
  openTraceFile,
  putTraceFile,
  removeTraceFile,
  removeTraceFiles,
  type TraceFiles,
  writeReadings,
} from './trace-files.ts';
import { openTracer, type Tracer } from './tracer.ts';

const system = { kind: 'system' } as const;
/** How often one copy is begun at one place before it counts as failed: the server died over it each time. */
const mostAttempts = 5;
/** How soon a trace that somebody deleted stops. */
const lookMs = 500;
/** Progress is written down no more often. */
const tellMs = 300;
/** Photos are made ready first, but nobody waits for their answer for ever because somebody uploads all day. */
const [photosLookMs, mostYieldMs] = [1000, 120_000];
/** A copy that is compared with a large library lets others go first after this time. */
const usualTurnMs = 300_000;

/** The way of a copy from its encrypted file to its answer. */
export interface TraceWork {
  /** Traces one copy. Safe to repeat: it goes on where it was, and its answer is logged once. */
  run(traceId: string, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** One copy at work. */
interface Doing {
  engines: Engines;
  tracer: Tracer;
  row: TracedRow;
  files: TraceFiles;
  signal: AbortSignal;
  /** When others go first. */
  turnEndsAt: number;
}

/** Its turn is over, and it waits for the next one. */
class TurnOver extends Error {}

/** Opens the work; the walls come with the first copy, and each copy has a child of its own. @param arePhotosFirst it waits while photos wait */
export function openTraceWork(engines: Engines, { arePhotosFirst = true, turnMs = usualTurnMs } = {}): TraceWork {
  const { database, house, log } = engines;
  const tracers = new Set<Tracer>();
  let opening: Promise<Walls> | undefined;
  const wallsOf = () => {
    const { dataDir, backupDir } = house;
    opening ??= openWalls({ hidden: backupDir === undefined ? [dataDir] : [dataDir, backupDir] }).then((walls) => {
      log.info({ wall: walls.wall.name }, 'leaked copies are read behind this wall');
      return walls;
    });
    return opening;
  };
  // What was decoded for one creator, and what a file may have done to its decoder, ends with its trace.
  const withTracer = async (run: (tracer: Tracer) => Promise<void>) => {
    const tracer = openTracer(await wallsOf());
    tracers.add(tracer);
    try {
      await run(tracer);
    } finally {
      tracers.delete(tracer);
      await tracer.close();
    }
  };
  return {
    async run(traceId, signal) {
      const begun = await database.work(system, async (tx) => {
        const row = await beginTrace(tx, traceId);
        return row && { row, key: await findTraceKey(tx, engines.keys, traceId) };
      });
      if (begun === undefined) return;
      const { row, key } = begun;
      if (key === undefined) throw new Error('A trace without its key.');
      const now = new Date(engines.clock());
      if (row.attempts > mostAttempts) return database.work(system, (tx) => failTrace(tx, traceId, 'TIMEOUT', now));
      const watch = watchDeletion(engines, traceId);
      const both = AbortSignal.any([signal, watch.signal]);
      try {
        if (arePhotosFirst) await yieldToPhotos(engines, both);
        const files = { traceId, key };
        const turnEndsAt = performance.now() + turnMs;
        await withTracer((tracer) => trace({ engines, tracer, row, files, signal: both, turnEndsAt }));
      } catch (error) {
        if (error instanceof TurnOver) await nextTurn(engines, row);
        else await giveUp(engines, traceId, error);
      } finally {
        watch.end();
      }
    },
    async close() {
      await Promise.all([...tracers].map((tracer) => tracer.close()));
    },
  };
}

const nextTurn = ({ database, jobs }: Engines, { id, creator_id: creatorId }: TracedRow): Promise<void> =>
  database.work(system, (tx) => queueTrace(tx, jobs, { traceId: id, creatorId }));

/** Leaves nothing of a trace that somebody deleted. @throws whatever else stopped it: its job comes again */
async function giveUp(engines: Engines, traceId: string, error: unknown): Promise<void> {
  const { database, storage } = engines;
  const isAway = error instanceof StorageAway || error instanceof DatabaseAway;
  if (isAway) await database.work(system, (tx) => forgetTraceAttempt(tx, traceId)).catch(() => undefined);
  // Its files went before anybody told this work of it.
  const isGone = !isAway && !(await isTraceThere(engines, traceId));
  if (!isGone) throw error;
  await removeTraceFiles(storage, traceId);
}

const isTraceThere = ({ database }: Engines, traceId: string): Promise<boolean> =>
  database.work(system, async (tx) => (await listKnownTraces(tx, [traceId])).has(traceId));

/** A signal that fires when somebody deletes the trace. */
function watchDeletion(engines: Engines, traceId: string): { signal: AbortSignal; end(): void } {
  const gone = new AbortController();
  const look = async () => {
    if (!(await isTraceThere(engines, traceId))) gone.abort();
  };
  // A database that is away is met by the work itself.
  const timer = setInterval(() => void look().catch(() => undefined), lookMs);
  return { signal: gone.signal, end: () => clearInterval(timer) };
}

/** Waits while photos wait. */
async function yieldToPhotos({ jobs }: Engines, signal: AbortSignal): Promise<void> {
  for (let waitedMs = 0; waitedMs < mostYieldMs; waitedMs += photosLookMs) {
    const counts = await jobs.counts();
    if (!counts.some(({ queue, state, count }) => queue === photoQueue && state === 'created' && count > 0)) return;
    await wait(photosLookMs, undefined, { signal });
  }
}

async function trace(doing: Doing): Promise<void> {
  const { engines, tracer, row, files, signal } = doing;
  const { database, storage, log } = engines;
  const leak: Leak = {
    sizeBytes: row.bytes,
    open: () => openTraceFile(storage, files, 'leak'),
    limits: await limitsOf(engines),
  };
  const fail = (code: Parameters<typeof failTrace>[2], words: string) => {
    log.info({ traceId: row.id, code, words }, 'a leaked copy was refused');
    return endInVain(doing, (tx, now) => failTrace(tx, row.id, code, now));
  };
  const print = await tracer.fingerprint(leak, signal);
  if (print.outcome === 'failed') return fail(print.code, print.words);
  const { preview, blockhash } = print.result;
  await putTraceFile(storage, files, 'preview', preview, preview.length);
  const rows = await database.work(system, async (tx) => {
    await notePreview(tx, row.id, row.creator_id);
    return listCandidates(tx, row);
  });
  const candidates = rows.map((candidate) => openCandidate(engines, candidate));
  const place = row.place === null ? undefined : MatchPlace.parse(row.place);
  const options = { onProgress: tellProgress(doing), onPlace: notePlace(doing), place, signal };
  const read = await tracer.read(leak, blockhash, candidates, options);
  if (read.outcome === 'failed') return fail(read.code, read.words);
  const whole = { ...read.result, ...(await addOthers(engines, row, read.result)) };
  const stored = Buffer.from(JSON.stringify(writeReadings(whole.readings)));
  if (whole.readings.length > 0) await putTraceFile(storage, files, 'readings', stored, stored.length);
  signal.throwIfAborted();
  const answer = (tx: Tx) => writeAnswer(tx, engines, { row, print: print.result, read: whole });
  if (whole.items.length === 0) return endInVain(doing, answer);
  await database.work(system, answer);
}

/** Ends a trace of which nothing will ever be checked: its copy is not kept, only how it looks. */
async function endInVain(
  { engines: { database, storage, clock }, row }: Doing,
  end: (tx: Tx, now: Date) => Promise<void>,
): Promise<void> {
  await database.work(system, (tx) => end(tx, new Date(clock())));
  await removeTraceFile(storage, row.id, 'leak');
}

/** Keeps the place, and stops there when the turn is over. @throws TurnOver */
function notePlace({ engines: { database, clock }, row, turnEndsAt }: Doing): (place: MatchPlace) => Promise<void> {
  return async (place) => {
    await database.work(system, (tx) => keepPlace(tx, row.id, place, new Date(clock())));
    if (performance.now() >= turnEndsAt) throw new TurnOver();
  };
}

async function limitsOf(engines: Engines): Promise<PhotoLimits> {
  const settings = await settingsOf(engines);
  return {
    fileBytes: settings['limits.photoBytes'],
    sidePx: settings['limits.photoSidePx'],
    pixels: settings['limits.photoMegapixels'] * 1e6,
    heicPixels: settings['limits.heicMegapixels'] * 1e6,
  };
}

function openCandidate({ database, keys, storage }: Engines, row: CandidateRow): Candidate {
  const { mediaId, blockhash, mirroredBlockhash, packs } = row;
  return {
    mediaId,
    blockhash,
    mirroredBlockhash,
    async mediaKey() {
      const key = await database.work(system, (tx) => findMediaKey(tx, keys, mediaId));
      if (key === undefined) throw new Error('An item was destroyed while a copy was compared with it.');
      return key;
    },
    pack: (track) => storage.read(packs.find((pack) => pack.track === track)?.path ?? ''),
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
