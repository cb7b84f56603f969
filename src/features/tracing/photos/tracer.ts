import { fileURLToPath } from 'node:url';
import { openChildPool } from '#engines/children/child-pool.ts';
import type { PoolOptions } from '#engines/children/task.ts';
import type { Walls } from '#engines/children/walls.ts';
import type { Candidate, Fingerprint, Leak, ReadLeak, ReadOptions, Traced } from '../findings.ts';
import type { CheckpointOptions } from '../progress/match-checkpoint.ts';
import { readLeak } from './read-leak.ts';
import { askChild, LeakRefused, MalformedAnswer } from './trace-task.ts';

/**
 * Reads the mark out of leaked copies, in walled children. It knows no codeword, no link and no viewer: whom a reading points at
 * is said by `judge`. Its child holds what it decoded last, so whoever traces for several people opens one for each trace.
 */
export interface Tracer {
  /** @throws Error when the leak cannot be opened, the signal fires or the tracer closes: nothing is decided then */
  fingerprint(leak: Leak, signal?: AbortSignal): Promise<Traced<Fingerprint>>;
  /**
   * Looks for the candidates in the leak, those of a similar blockhash first, and reads the mark of those that are in it.
   * @throws Error as `fingerprint`, when a pack or key cannot be read, and whatever `onPlace` throws
   */
  read(
    leak: Leak,
    blockhash: string,
    candidates: readonly Candidate[],
    options?: ReadOptions & CheckpointOptions,
  ): Promise<Traced<ReadLeak>>;
  close(): Promise<void>;
}

const megabyte = 1e6;

const childOptions: PoolOptions = {
  // One: it holds the leak between its tasks, and a trace is never urgent.
  children: 1,
  entry: fileURLToPath(new URL('./trace-child.ts', import.meta.url)),
  limits: { dataBytes: 2500 * megabyte, fileBytes: 80 * megabyte, cpuSeconds: 3600 },
  niceness: 10,
  environment: { VIPS_DISC_THRESHOLD: '4g', MALLOC_ARENA_MAX: '2' },
  tasksPerChild: 100,
  restBytes: 700 * megabyte,
  peakBytes: 1000 * megabyte,
  // Of a machine on which much else goes on: a photo takes a few seconds of it.
  taskSeconds: 240,
  idleSeconds: 15,
};

/** Opens the tracer; its child starts with the first leak and goes when there are no more. */
export function openTracer(walls: Walls, changes: Partial<PoolOptions> = {}): Tracer {
  const pool = openChildPool(walls, { ...childOptions, ...changes });
  return {
    fingerprint: (leak, signal) =>
      traced(async () => {
        const { answer, preview } = await askChild({ pool, leak, signal }, 'fingerprint', []);
        if (answer.outcome !== 'fingerprint' || !preview) throw new MalformedAnswer(answer.outcome);
        const { mime, width, height, blockhash } = answer;
        return { mime, width, height, blockhash, preview };
      }),
    read: (leak, blockhash, candidates, options = {}) =>
      traced(() => readLeak({ pool, leak, ...options }, blockhash, candidates)),
    close: () => pool.close(),
  };
}

/** A file that is refused is an answer; everything else that is thrown is a bug or the machine's. */
async function traced<T>(work: () => Promise<T>): Promise<Traced<T>> {
  try {
    return { outcome: 'read', result: await work() };
  } catch (error) {
    if (error instanceof LeakRefused) return { outcome: 'failed', code: error.code, words: error.message };
    throw error;
  }
}
