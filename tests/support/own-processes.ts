import { readdirSync, readFileSync } from 'node:fs';

/** What the system tells of a process; empty when it has ended. */
function tellProcess(pid: string, what: 'cmdline' | 'stat'): string {
  try {
    return readFileSync(`/proc/${pid}/${what}`, 'latin1');
  } catch {
    return '';
  }
}

/** Whether this process started it, itself or by one of its children. */
function isOwn(pid: string): boolean {
  const parent = /\) \S (\d+)/.exec(tellProcess(pid, 'stat'))?.[1];
  return parent === String(process.pid) || (parent !== undefined && parent !== '0' && isOwn(parent));
}

/** Processes of this test, and of nobody else's, in whose command line this stands. */
export const listOwnProcesses = (words: string): string[] =>
  readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && tellProcess(pid, 'cmdline').includes(words) && isOwn(pid));
