import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { getPriority } from 'node:os';
import { type ChildTask, serveTasks } from '#engines/children/child-host.ts';

/** What the planted child is told to do: what a captured decoder would, or what a broken one does. */
export type PlantedJob =
  | {
      act:
        | 'copy'
        | 'link'
        | 'folder'
        | 'sleep'
        | 'rest'
        | 'work'
        | 'spin'
        | 'eat'
        | 'fill'
        | 'die'
        | 'throw'
        | 'about'
        | 'nice';
    }
  | { act: 'pry'; secret: string; socket: string; port: number; neighbour: number };

const deeds: { [Act in PlantedJob['act']]: (task: ChildTask<Extract<PlantedJob, { act: Act }>>) => unknown } = {
  copy: ({ input, output }) => writeFileSync(`${output}.copy`, readFileSync(input)),
  link: ({ input, output }) => symlinkSync(input, `${output}.copy`),
  folder: ({ output }) => mkdirSync(`${output}.copy`),
  sleep: () => new Promise(() => setTimeout(() => {}, 60_000)),
  rest: () => new Promise((resolve) => setTimeout(resolve, 2500)),
  work: useProcessor,
  spin: () => {
    for (;;);
  },
  eat: eatMemory,
  fill: fillMemory,
  die: () => process.exit(3),
  throw: () => {
    throw new Error('a slip of ours');
  },
  nice: async ({ input }) => {
    // In the threads that files and decoders have as well.
    await readFile(input);
    return {
      threads: readdirSync('/proc/self/task').map((thread) => getPriority(Number(thread))),
      session: attempt(() => readFileSync('/proc/self/autogroup', 'utf8')),
    };
  },
  about: () => ({ pid: process.pid, user: process.getuid?.(), environment: Object.keys(process.env).sort() }),
  pry: async ({ job: { secret, socket, port, neighbour } }) => ({
    secret: attempt(() => readFileSync(secret, 'utf8')),
    folder: attempt(() => readdirSync(secret.replace(/[^/]+$/, '')).join()),
    neighbour: attempt(() => process.kill(neighbour, 0)),
    planting: attempt(() => writeFileSync(`${secret}.planted`, '')),
    socket: await reach(() => connect(socket)),
    network: await reach(() => connect(port, '127.0.0.1')),
  }),
};

serveTasks<PlantedJob>(async (task) => (deeds[task.job.act] as (task: ChildTask<PlantedJob>) => unknown)(task));

/** Returns what came of it: `undefined` when it was prevented. */
function attempt(deed: () => unknown): string | undefined {
  try {
    return String(deed() ?? 'done');
  } catch {
    return;
  }
}

function reach(open: () => ReturnType<typeof connect>): Promise<string | undefined> {
  return new Promise((resolve) => {
    open()
      .once('connect', () => resolve('connected'))
      .once('error', () => resolve(undefined));
  });
}

/** Uses half a second of processor time. */
function useProcessor(): string {
  const before = process.cpuUsage();
  const usedSeconds = () => Object.values(process.cpuUsage(before)).reduce((sum, each) => sum + each, 0) / 1e6;
  while (usedSeconds() < 0.5);
  return 'done';
}

/** Takes 20 MB at a time and touches it, until somebody stops it. */
function eatMemory(): Promise<never> {
  const eaten: Buffer[] = [];
  return new Promise(() => setInterval(() => eaten.push(Buffer.alloc(20e6, 1)), 5));
}

const kept: Buffer[] = [];

/** Takes 150 MB, holds it long enough to be weighed, and never gives it back. */
function fillMemory(): Promise<number> {
  kept.push(Buffer.alloc(150e6, 1));
  return new Promise((resolve) => setTimeout(resolve, 400, kept.length));
}
