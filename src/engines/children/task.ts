import type { Readable } from 'node:stream';
import type { WalledProgram } from './walls.ts';

/** How many children there are, and when one has to go. */
export interface PoolOptions extends WalledProgram {
  children: number;
  /** A child is replaced after so many tasks, or when it holds more than `restBytes` after one. */
  tasksPerChild: number;
  restBytes: number;
  /** A child that holds more than this while it works is ended. */
  peakBytes: number;
  /** Processor time of one task. */
  taskSeconds: number;
  /** An idle child ends after this, so that a quiet server holds no decoder's memory. */
  idleSeconds: number;
}

/** One thing for a child to do. */
export interface PoolTask {
  /** Sent as JSON. */
  job: unknown;
  /** Opens the input once a child is free, and again for a second try. */
  openInput(): Readable | Promise<Readable>;
  /** Names of the files that may come back; none of them longer than `outputBytes`. */
  outputs: readonly string[];
  outputBytes: number;
  /** Instead of the pool's. */
  taskSeconds?: number | undefined;
  peakBytes?: number | undefined;
  /** Ends the child and rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
}

/** A child reported an error that nobody expected: a slip of ours, or of a library. */
export class ChildFailed extends Error {
  constructor(words: string) {
    super(`a child failed: ${words}`);
    this.name = 'ChildFailed';
  }
}

/** How a task ended. What was answered comes from a process that foreign bytes may have taken over: check it. */
export type TaskOutcome =
  | { ended: 'answered'; answer: unknown; files: Map<string, Buffer> }
  | { ended: 'overtime' | 'overweight' | 'died'; words: string };
