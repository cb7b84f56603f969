import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { findBelow } from './process-tree.ts';

/** Keeps process trees, and whatever they start from now on, to the first core. @returns how to give them all cores back */
export function keepToOneCore(roots: readonly number[]): () => void {
  keepTo(roots, '0');
  return () => keepTo(roots, `0-${availableParallelism() - 1}`);
}

function keepTo(roots: readonly number[], cores: string): void {
  for (const root of roots)
    for (const pid of findBelow(root, () => true)) {
      const { error } = spawnSync('taskset', ['-acp', cores, String(pid)], { stdio: 'ignore' });
      if (error) throw error; // there is no taskset; a process that ended meanwhile is none
    }
}
