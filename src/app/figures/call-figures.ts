import type { Engines } from '#engines/engines.ts';
import { addFigures, type CallFigure, forgetFigures, slotMs } from '#features/admin/figures-store.ts';
import { bucketCount, bucketOf } from '#kit/latency-buckets.ts';
import { dayMs, hourMs } from '#kit/time.ts';
import type { CallCounter } from '#wire/functions.ts';

const flushEveryMs = 60_000;
const keptMs = { slots: 25 * hourMs, days: 31 * dayMs };
/** More names than are declared: what grows by itself would be a fault of ours, and must not take the process along. */
const mostNames = 2000;
const system = { kind: 'system' } as const;

/** Counts calls in memory, and adds them to the table of all processes now and then. */
export interface CallFigures extends CallCounter {
  /** Adds what was counted to the table. What cannot be written is forgotten: no call fails for a figure. */
  flush(): Promise<void>;
  /** Counts jobs too from now on, and flushes every minute. */
  begin(): void;
  end(): Promise<void>;
}

/** Opens the counts of this process; nothing is written before it begins. */
export function openCallFigures({ database, clock, jobs }: Pick<Engines, 'database' | 'clock' | 'jobs'>): CallFigures {
  let counted = new Map<string, CallFigure>();
  let timer: NodeJS.Timeout | undefined;
  const note: CallCounter['note'] = (kind, name, ms, hasFailed) => {
    const key = `${kind} ${name}`;
    let figure = counted.get(key);
    if (figure === undefined) {
      if (counted.size >= mostNames) return;
      figure = { kind, name, calls: 0, errors: 0, buckets: Array.from({ length: bucketCount }, () => 0) };
      counted.set(key, figure);
    }
    figure.calls += 1;
    if (hasFailed) figure.errors += 1;
    if (ms === null) return;
    const bucket = bucketOf(ms);
    figure.buckets[bucket] = (figure.buckets[bucket] ?? 0) + 1;
  };
  const flush = async () => {
    if (counted.size === 0) return;
    const figures = [...counted.values()];
    counted = new Map();
    const now = clock();
    const slot = new Date(now - (now % slotMs));
    const writing = database.work(system, async (tx) => {
      await addFigures(tx, slot, figures);
      await forgetFigures(tx, { slots: new Date(now - keptMs.slots), days: new Date(now - keptMs.days) });
    });
    await writing.catch(() => undefined);
  };
  return {
    note,
    flush,
    begin() {
      jobs.listen(({ queue, ms, hasFailed }) => note('job', queue, ms, hasFailed));
      timer = setInterval(() => void flush(), flushEveryMs).unref();
    },
    async end() {
      clearInterval(timer);
      await flush();
    },
  };
}
