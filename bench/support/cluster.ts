import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Returns how to reach the embedded database of a running copy: what the server itself wrote down (postmaster.pid, lines 4 and 5). */
export function findCluster(dataDir: string): { host: string; port: number; user: string; database: string } {
  const lines = readFileSync(path.join(dataDir, 'pg', 'pgdata', 'postmaster.pid'), 'utf8').split('\n');
  return { host: lines[4] ?? '', port: Number(lines[3]), user: 'pf', database: 'pf' };
}
