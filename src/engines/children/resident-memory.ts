import { readFileSync } from 'node:fs';

/**
 * Memory that a process and everything below it really hold, or undefined where the system does not tell (no /proc).
 * A walled child is the grandchild of the wall that was started, so the whole tree counts.
 */
export function residentBytes(processId: number): number | undefined {
  const own = readOwn(processId);
  if (own === undefined) return;
  return childrenOf(processId).reduce((sum, child) => sum + (residentBytes(child) ?? 0), own);
}

function readOwn(processId: number): number | undefined {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readProc(`${processId}/status`))?.[1];
  return kilobytes === undefined ? undefined : 1024 * Number(kilobytes);
}

function childrenOf(processId: number): number[] {
  return readProc(`${processId}/task/${processId}/children`).split(' ').filter(Boolean).map(Number);
}

/** Empty when the process has ended meanwhile, or there is no such file system. */
function readProc(path: string): string {
  try {
    return readFileSync(`/proc/${path}`, 'utf8');
  } catch {
    return '';
  }
}
