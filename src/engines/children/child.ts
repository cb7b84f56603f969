import { type ChildProcess, spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import type { ChildReply, ChildTask } from './child-host.ts';
import { cpuSeconds, residentBytes } from './process-tree.ts';
import type { WorkFolder } from './work-folder.ts';

/** One process behind a wall. */
export interface Child {
  /** Where its files go in and out; removed when it ends. */
  folder: WorkFolder;
  /** The user that its input files must be lent to. */
  userId: number | undefined;
  /** Gives it one task; the reply, or undefined when it ended without one. */
  ask(task: ChildTask<unknown>): Promise<ChildReply | undefined>;
  /** What it holds now, where the system tells. */
  residentBytes(): number | undefined;
  /** Processor time that it has used since it began, where the system tells. */
  cpuSeconds(): number | undefined;
  /** Ends it at once with everything that it started; settles when it is gone. */
  kill(): Promise<void>;
  isAlive(): boolean;
  /** The end of what it wrote to its error output. */
  lastWords(): string;
}

/** What a child finds around it. */
export interface ChildSetting {
  folder: WorkFolder;
  userId: number | undefined;
  environment: Record<string, string>;
}

/** Where programs are looked for; a child never sees our own environment. */
export const programFolders = ['/usr/local/bin', '/usr/bin', '/bin', '/usr/sbin', '/sbin', '/opt/homebrew/bin'];

/** Whether processes have groups here. */
export const isPosix = process.platform !== 'win32';

/**
 * Where Linux shares the processor among sessions first (sched(7), autogroup), niceness counts within a session only, and every
 * child is a session of its own: so the session stands back as well. Without CAP_SYS_ADMIN one in a tenth of a second may.
 */
const lowered = `group=/proc/self/autogroup
for try in 1 2 3 4 5; do [ ! -w $group ] || echo "$0" 2>/dev/null >$group && break; sleep 0.1; done
exec nice -n "$0" "$@"`;

/**
 * Before a command, so that the server has the processor first. A process of Linux that lowers itself lowers one of its threads
 * alone; what starts lowered has all of them so.
 * @param niceness how far it stands back behind the server, 0 to 19
 */
export const standBack = (niceness: number): string[] => (isPosix ? ['sh', '-c', lowered, String(niceness)] : []);

/**
 * Starts a process with an IPC channel, in a process group of its own.
 * @param command the whole command line, wall included
 */
export function startChild(command: readonly string[], setting: ChildSetting): Child {
  const { folder, userId, environment } = setting;
  const [program = '', ...rest] = command;
  const own = spawn(program, rest, {
    cwd: folder.outputs,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: { PATH: programFolders.join(':'), ...environment },
    detached: isPosix,
    windowsHide: true,
  });
  let words = '';
  let isAlive = true;
  own.stderr?.setEncoding('utf8').on('data', (text: string) => {
    words = (words + text).slice(-4000);
  });
  own.on('error', (error) => {
    words += error.message;
  });
  const over = new Promise<void>((resolve) => own.once('close', resolve)).then(() => {
    isAlive = false;
    // What cannot be removed now is removed by the sweep of the next start.
    return rm(folder.path, { recursive: true, force: true }).catch(() => {});
  });
  return {
    folder,
    userId,
    ask: (task) => Promise.race([over.then(() => undefined), replyOf(own, task)]),
    residentBytes: () => (own.pid === undefined ? undefined : residentBytes(own.pid)),
    cpuSeconds: () => (own.pid === undefined ? undefined : cpuSeconds(own.pid)),
    kill: () => {
      if (isAlive) killGroup(own);
      return over;
    },
    isAlive: () => isAlive,
    lastWords: () => words.trim(),
  };
}

function replyOf(own: ChildProcess, task: ChildTask<unknown>): Promise<ChildReply | undefined> {
  return new Promise((resolve) => {
    own.once('message', (reply) => resolve(reply as ChildReply));
    own.send(task, (error) => error && resolve(undefined));
  });
}

/** Ends a process with everything that it started: a wall is a process as well, and what stands behind it dies with the group. */
export function killGroup(own: ChildProcess): void {
  if (own.pid === undefined) return;
  if (!isPosix) own.kill('SIGKILL');
  else
    try {
      process.kill(-own.pid, 'SIGKILL');
    } catch (error) {
      // ESRCH: it ended in this moment.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
}
