import { readFileSync } from 'node:fs';

/**
 * Memory that a process and everything below it really hold, or undefined where the system does not tell (no /proc).
 * A walled child is the grandchild of the wall that was started, so the whole tree counts.
 */
export const residentBytes = (processId: number): number | undefined => sumOverTree(processId, readResidentBytes);

/**
 * Processor time that a process and everything below it have used, children included that have ended, or undefined where the
 * system does not tell.
 */
export const cpuSeconds = (processId: number): number | undefined => sumOverTree(processId, readCpuSeconds);

function sumOverTree(processId: number, read: (processId: number) => number | undefined): number | undefined {
  const own = read(processId);
  if (own === undefined) return;
  return childrenOf(processId).reduce((sum, child) => sum + (sumOverTree(child, read) ?? 0), own);
}

function readResidentBytes(processId: number): number | undefined {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readProc(`${processId}/status`))?.[1];
  return kilobytes === undefined ? undefined : 1024 * Number(kilobytes);
}

/** The unit in which Linux tells programs of time, on every architecture that Node runs on (proc(5), USER_HZ). */
const ticksPerSecond = 100;

/** utime, stime, cutime and cstime of proc(5): the second field is the program's name, which may hold spaces and brackets. */
function readCpuSeconds(processId: number): number | undefined {
  const stat = readProc(`${processId}/stat`);
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = fields.slice(11, 15).map(Number);
  return ticks.length < 4 ? undefined : ticks.reduce((sum, each) => sum + each, 0) / ticksPerSecond;
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
