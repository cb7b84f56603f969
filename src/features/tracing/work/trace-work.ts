import { setTimeout as wait } from 'node:timers/promises';
import { DatabaseAway } from '#engines/database/away.ts';
import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { StorageAway } from '#engines/storage/storage.ts';
import { photoQueue } from '#features/media/queues.ts';
import { retryPauseOf } from '#features/media/rules.ts';
import {
  beginTrace,
  failTrace,
  forgetTraceAttempt,
  postponeTrace,
  type TracedRow,
} from '../progress/progress-store.ts';
import { putTraceFile, removeTraceFile, removeTraceFiles, writeReadings } from '../progress/trace-files.ts';
import { findTraceKey, listKnownTraces } from '../store.ts';
import { queueTrace } from './queue.ts';
import { readCopy } from './read-copy.ts';
import { addOthers, writeAnswer } from './trace-answer.ts';
import { OutOfTime, type TraceContext, TurnEnded } from './trace-context.ts';
import { openTraceTools } from './trace-tools.ts';

const system = { kind: 'system' } as const;
/** How often one copy is begun at one place before it counts as out of time: the server died over it each time. */
const mostAttempts = 5;
/** How soon a trace that somebody deleted stops. */
const lookMs = 500;
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

/** How copies are worked on. */
interface TraceWorkOptions {
  /** They wait while photos wait; default: yes. */
  arePhotosFirst?: boolean;
  turnMs?: number;
  /** One that runs out of time is tried again later; default: yes. */
  isRetried?: boolean;
  /** First file of the child that reads copies; default: our own. */
  entry?: string;
}

/** Opens the work; the walls come with the first copy, and each copy has a child of its own. */
export function openTraceWork(
  engines: Engines,
  { arePhotosFirst = true, turnMs = usualTurnMs, isRetried = true, entry }: TraceWorkOptions = {},
): TraceWork {
  const { database } = engines;
  const tools = openTraceTools(engines, entry);
  return {
    async run(traceId, signal) {
      const begun = await database.work(system, async (tx) => {
        const row = await beginTrace(tx, traceId);
        return row && { row, key: await findTraceKey(tx, engines.keys, traceId) };
      });
      if (begun === undefined) return;
      const { row, key } = begun;
      if (key === undefined) throw new Error('A trace without its key.');
      if (row.attempts > mostAttempts)
        return endOutOfTime(engines, row, 'the server ended over it too often', isRetried);
      const watch = watchDeletion(engines, traceId);
      const both = AbortSignal.any([signal, watch.signal]);
      try {
        if (arePhotosFirst) await yieldToPhotos(engines, both);
        const files = { traceId, key };
        const turnEndsAt = performance.now() + turnMs;
        await tools.lend((lent) => trace({ ...lent, engines, row, files, signal: both, turnEndsAt }));
      } catch (error) {
        await endTurn(engines, row, error, isRetried);
      } finally {
        watch.end();
      }
    },
    close: tools.close,
  };
}

/** Has a copy read later whose turn is over, or that ran out of time. @throws whatever else stopped it */
async function endTurn(engines: Engines, row: TracedRow, error: unknown, isRetried: boolean): Promise<void> {
  if (error instanceof TurnEnded) return nextTurn(engines, row);
  if (error instanceof OutOfTime) return endOutOfTime(engines, row, error.message, isRetried);
  await giveUp(engines, row.id, error);
}

const nextTurn = ({ database, jobs }: Engines, { id, creator_id: creatorId }: TracedRow): Promise<void> =>
  database.work(system, (tx) => queueTrace(tx, jobs, { traceId: id, creatorId }));

/** Has a copy that ran out of time read later, by itself, with growing pauses, and fails it once that has been in vain. */
async function endOutOfTime(engines: Engines, row: TracedRow, words: string, isRetried: boolean): Promise<void> {
  const { database, storage, jobs, clock, log } = engines;
  const { id: traceId, creator_id: creatorId } = row;
  const pauseSeconds = isRetried ? retryPauseOf(row.timeouts) : undefined;
  const about = { traceId, timeouts: row.timeouts + 1, retrySeconds: pauseSeconds ?? null, words };
  log.warn(about, 'a leaked copy ran out of time');
  if (pauseSeconds === undefined) {
    await database.work(system, (tx) => failTrace(tx, traceId, 'TIMEOUT', new Date(clock())));
    return removeTraceFile(storage, traceId, 'leak');
  }
  const retryAt = new Date(clock() + 1000 * pauseSeconds);
  await database.work(system, async (tx) => {
    if (await postponeTrace(tx, traceId, retryAt)) await queueTrace(tx, jobs, { traceId, creatorId }, pauseSeconds);
  });
}

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

async function trace(context: TraceContext): Promise<void> {
  const { engines, row, files, signal } = context;
  const { database, storage, log } = engines;
  const copy = await readCopy(context);
  if (copy.outcome === 'failed') {
    const { code, words } = copy;
    if (code === 'TIMEOUT') throw new OutOfTime(words);
    log.info({ traceId: row.id, code, words }, 'a leaked copy was refused');
    return endInVain(context, (tx, now) => failTrace(tx, row.id, code, now));
  }
  const { print, read } = copy.result;
  const whole = { ...read, ...(await addOthers(engines, row, read)) };
  const stored = Buffer.from(JSON.stringify(writeReadings(whole.readings)));
  if (whole.readings.length > 0) await putTraceFile(storage, files, 'readings', stored, stored.length);
  signal.throwIfAborted();
  const answer = (tx: Tx) => writeAnswer(tx, engines, { row, print, read: whole });
  if (whole.items.length === 0) return endInVain(context, answer);
  await database.work(system, answer);
}

/** Ends a trace of which nothing will ever be checked: its copy is not kept, only how it looks. */
async function endInVain(
  { engines: { database, storage, clock }, row }: TraceContext,
  end: (tx: Tx, now: Date) => Promise<void>,
): Promise<void> {
  await database.work(system, (tx) => end(tx, new Date(clock())));
  await removeTraceFile(storage, row.id, 'leak');
}
