import { readdirSync, readFileSync } from 'node:fs';

/** Returns what the system tells of a process or of a thread of it; empty when it has ended. */
function describeProcess(about: string): string {
  try {
    return readFileSync(`/proc/${about}`, 'latin1');
  } catch {
    return '';
  }
}

function threadsOf(pid: string): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return []; // it has ended
  }
}

/** Everybody whom a process started, itself or by its children. */
export function listBelow(pid: string): string[] {
  const children = threadsOf(pid).flatMap((thread) => describeProcess(`${pid}/task/${thread}/children`).split(' '));
  return children.filter(Boolean).flatMap((child) => [child, ...listBelow(child)]);
}

/** The command line of a process; empty when it has ended. */
export const readCommand = (pid: string): string => describeProcess(`${pid}/cmdline`).replaceAll('\0', ' ').trim();

/** Processes of this test, and of nobody else's, in whose command line this stands. */
export const listOwnProcesses = (words: string): string[] =>
  listBelow(String(process.pid)).filter((pid) => describeProcess(`${pid}/cmdline`).includes(words));
