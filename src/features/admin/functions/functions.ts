import { quantileOf } from '#kit/latency-buckets.ts';
import { nextRun } from '#kit/next-run.ts';
import { dayMs, hourMs } from '#kit/time.ts';
import type { AdminContext } from '#wire/context.ts';
import { type CallFigure, readFigures } from '../figures-store.ts';
import type { Calls, FailedJobRow, FunctionRow, QueueRow } from '../functions-contract.ts';
import { findEmails } from './functions-store.ts';
import { queueWords, whyNeverPaused } from './queue-rules.ts';

export const mostFailedJobs = 100;
type CallsOf = (kind: CallFigure['kind'], name: string) => { hour: Calls; day: Calls };

/** Shows every procedure and every route, and how its calls went; of what was said to them nothing is known. */
export async function showFunctions(context: AdminContext): Promise<FunctionRow[]> {
  const callsOf = await readCalls(context);
  return context.functions().map(({ kind, name, address, who, scopes }) => ({
    kind,
    name,
    address,
    who: [...who],
    scopes: [...scopes],
    ...callsOf(kind, name),
  }));
}

/** Shows every queue and the jobs that were laid aside. */
export async function showQueues(context: AdminContext): Promise<{ queues: QueueRow[]; failed: FailedJobRow[] }> {
  const { engines, asSystem } = context;
  const now = new Date(engines.clock());
  const [states, failed, callsOf] = await Promise.all([
    engines.jobs.overview(),
    engines.jobs.failed(mostFailedJobs),
    readCalls(context),
  ]);
  const emails = await asSystem((tx) =>
    findEmails(
      tx,
      states.flatMap(({ paused }) => paused?.by ?? []),
    ),
  );
  const queues = states.map(({ lastDoneAt: _, paused, ...state }) => ({
    ...state,
    about: queueWords[state.queue] ?? '',
    nextAt: state.cron === null || paused !== null ? null : nextRun(state.cron, now),
    paused: paused && { at: paused.at, by: paused.by === null ? null : (emails.get(paused.by) ?? null) },
    neverPaused: whyNeverPaused(state.queue),
    ...callsOf('job', state.queue),
  }));
  return { queues, failed };
}

/** Reads the figures of the last hour and day, which are kept in steps of ten minutes. */
async function readCalls({ engines, asSystem }: AdminContext): Promise<CallsOf> {
  const now = engines.clock();
  const [hour, day] = await asSystem(async (tx) => [
    byName(await readFigures(tx, new Date(now - hourMs))),
    byName(await readFigures(tx, new Date(now - dayMs))),
  ]);
  return (kind, name) => ({ hour: summary(hour?.get(`${kind} ${name}`)), day: summary(day?.get(`${kind} ${name}`)) });
}

const byName = (figures: readonly CallFigure[]) =>
  new Map(figures.map((figure) => [`${figure.kind} ${figure.name}`, figure]));

const summary = (
  { calls, errors, buckets }: Pick<CallFigure, 'calls' | 'errors' | 'buckets'> = { calls: 0, errors: 0, buckets: [] },
): Calls => ({
  calls,
  errors,
  p50Ms: quantileOf(buckets, 0.5),
  p95Ms: quantileOf(buckets, 0.95),
});
