import type { ChildPool } from '#engines/children/child-pool.ts';
import type { PoolTask, TaskOutcome } from '#engines/children/task.ts';

/** What came of decoding a stranger's file: an answer to be checked, or why there is none. */
export type Decoded =
  | Extract<TaskOutcome, { ended: 'answered' }>
  | { ended: 'failed'; code: 'TIMEOUT' | 'TOO_BIG' | 'CORRUPT'; words: string };

const codes = { overtime: 'TIMEOUT', overweight: 'TOO_BIG', died: 'CORRUPT' } as const;

/**
 * Has a child decode a file. It may die of the machine's distress; that it dies twice over one file is the file's fault.
 * @throws Error as the pool does
 */
export async function runDecoder(pool: ChildPool, task: PoolTask): Promise<Decoded> {
  const first = weigh(await pool.run(task));
  const last = first.ended === 'died' ? weigh(await pool.run(task)) : first;
  if (last.ended === 'answered') return last;
  return { ended: 'failed', code: codes[last.ended], words: `${last.ended}: ${last.words}` };
}

/** A library that may not have the memory it asks for ends the whole process; that is weight, not damage. */
function weigh(task: TaskOutcome): TaskOutcome {
  const isOverweight = task.ended === 'died' && /failed to allocate|out of memory|bad_alloc/i.test(task.words);
  return isOverweight ? { ...task, ended: 'overweight' } : task;
}
