import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, expect } from 'vitest';
import { findFreePort, makeDataDir } from './server-process.ts';
import { visit } from './visitor.ts';

const folders: string[] = [];
const started = new Set<ChildProcess>();

/** Takes away what a failed test has left: each start leads a group of its own. For the top of a test file. */
export function clearStarts(): void {
  afterEach(() => {
    for (const child of started) if (child.pid && !hasEnded(child)) process.kill(-child.pid, 'SIGKILL');
    started.clear();
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  });
}

/** A data folder that goes with its test, and a port that nobody has. */
export async function makePlace(name = 'pf-stop-'): Promise<{ dataDir: string; port: number }> {
  const dataDir = makeDataDir(name);
  folders.push(dataDir);
  return { dataDir, port: await findFreePort() };
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null;
/** Whether this machine can make a terminal. */
export const hasTerminal = spawnSync('script', ['-qefc', 'true', '/dev/null']).status === 0;

/** One `npm start` under way. */
export interface Start {
  child: ChildProcess;
  url: string;
  dataDir: string;
  said(): string;
  untilUp(): Promise<void>;
}

const quiet: Record<string, string> = { LOG_LEVEL: 'error' };

/** `npm start` as the first of a group of processes, as a shell starts it; with a terminal before it when one is asked for. */
export function npmStart(dataDir: string, port: number, inTerminal: boolean, more = quiet): Start {
  const [program, words] = inTerminal ? ['script', ['-qefc', 'npm start', '/dev/null']] : ['npm', ['start']];
  const { PATH, HOME } = process.env;
  const child = spawn(program, words, {
    env: { PATH, HOME, PORT: String(port), DATA_DIR: dataDir, TMPDIR: dataDir, ...more },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  });
  started.add(child);
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (words: Buffer) => {
      said += words.toString();
    });
  const url = `http://localhost:${port}`;
  return {
    child,
    url,
    dataDir,
    said: () => said,
    async untilUp() {
      const isUp = () =>
        fetch(`${url}/api/health`).then(
          ({ ok }) => ok,
          () => false,
        );
      while (!(await isUp())) {
        if (hasEnded(child)) throw new Error(`The product ended: ${said}`);
        await wait(100);
      }
    },
  };
}

interface Process {
  pid: number;
  parent: number;
  command: string;
}

/** Every process of this machine. */
const listProcesses = (): Process[] =>
  execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .split('\n')
    .flatMap((line) => {
      const [, pid, parent, command] = /^\s*(\d+)\s+(\d+) (.*)$/.exec(line) ?? [];
      return command === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), command }];
    });

/** A process and all that came from it, as far as they still belong to each other. */
function familyOf(pid: number): Process[] {
  const all = listProcesses();
  const family = all.filter((one) => one.pid === pid);
  // What is pushed while it is walked through is walked through too.
  for (const { pid: parent } of family) family.push(...all.filter((one) => one.parent === parent));
  return family;
}

/** Processes that were told of a folder: by their arguments, their environment or where they stand. */
function listWorkingIn(folder: string): string[] {
  const reported = ({ pid, command }: Process) => {
    if (command.includes(folder)) return true;
    try {
      return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(folder);
    } catch {
      return false; // no such place on this system, or gone meanwhile
    }
  };
  return listProcesses()
    .filter(({ pid }) => pid !== process.pid)
    .filter(reported)
    .map(({ command }) => command);
}

/** Returns what is there of a family, by its members' own ids and names. */
const survivorsOf = (family: readonly Process[]) =>
  listProcesses()
    .filter(({ pid, command }) => family.some((one) => one.pid === pid && one.command === command))
    .map(({ command }) => command);

/** Ends it, and waits until nothing of it is left. */
export async function expectGone({ child, said }: Start, dataDir: string, end: (child: ChildProcess) => void) {
  const family = familyOf(child.pid ?? 0);
  const gone = hasEnded(child) ? undefined : once(child, 'exit');
  end(child);
  await gone;
  await expect.poll(() => [...survivorsOf(family), ...listWorkingIn(dataDir)]).toEqual([]);
  const wrong = said()
    .split('\n')
    .filter((line) => /error|refused|crash/i.test(line));
  expect(wrong, 'nothing goes wrong on the way down').toEqual([]);
  return family;
}

/** Sends a signal to all that a start has begun. */
export const endGroup =
  (signal: NodeJS.Signals) =>
  ({ pid = 0 }: ChildProcess) =>
    process.kill(-pid, signal);

/** Starts the product, ends it in one way while it works, and starts it again. */
export async function expectCalmEnd(inTerminal: boolean, end: (child: ChildProcess) => void): Promise<void> {
  const { dataDir, port } = await makePlace();
  const first = npmStart(dataDir, port, inTerminal);
  await first.untilUp();
  const mia = await visit(first).signUp('mia@example.com');
  await visit(first.url).must('albums.create', { name: 'Golden hour', peopleConsent: 'only_me' }, mia);
  // The demo is being drawn at this moment, in children behind walls.
  const family = await expectGone(first, dataDir, end);
  expect(family.map(({ command }) => command).join('\n')).toMatch(/src\/main\.ts(.|\n)*postgres/);
  expect(
    readdirSync(path.join(dataDir, 'pg'), { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('postmaster.pid'),
    ),
    'the database was shut down, not cut off',
  ).toEqual([]);

  const second = npmStart(dataDir, port, false);
  await second.untilUp();
  const { albums } = await visit(second.url).must('albums.list', {}, mia);
  expect(albums.map(({ name }: { name: string }) => name)).toContain('Golden hour');
  await expectGone(second, dataDir, endGroup('SIGINT'));
}
