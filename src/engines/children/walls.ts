import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Child, programFolders, standBack, startChild } from './child.ts';
import { cpuSeconds } from './process-tree.ts';
import { type ProgramOrder, type ProgramOutcome, runProgram } from './program.ts';
import { limitTime } from './time-limit.ts';
import { bubblewrap, type Limits, limited, type Room, unshared, unwalled, type Wall } from './wall.ts';
import { makeWorkFolder, sweepWorkFolders, type WorkFolder } from './work-folder.ts';

/** Starts children behind the strongest wall that works on this machine. */
export interface Walls {
  wall: Wall;
  /** Starts Node on a file of ours. */
  start(program: WalledProgram): Child;
  /** A folder for programs that work on one file, one after another; its caller removes it. */
  makeFolder(): WorkFolder;
  /** Runs a program of the system, or Node, in such a folder. @throws the signal's reason */
  run(folder: WorkFolder, order: ProgramOrder): Promise<ProgramOutcome>;
}

/** What a child runs, and how much of the machine it may take. */
export interface WalledProgram {
  /** Path of the child's first file. */
  entry: string;
  limits: Limits;
  /** How far it stands back behind the server, 0 to 19. */
  niceness: number;
  environment: Record<string, string>;
}

/** Where walls are to stand. */
export interface WallSite {
  /** Folders that no child may ever see: the data folder with its keys, files and sockets. */
  hidden: readonly string[];
  /** Folder for the children's work; the system's own without it. */
  tempFolder?: string;
  /** What children may read besides our code and packages. */
  readable?: readonly string[];
  /** Processor time that the trial of a wall may take. */
  trialSeconds?: number;
}

const root = fileURLToPath(new URL('../../..', import.meta.url)).replace(/[/\\]$/, '');

/**
 * A user that no row of a system's list names: not root, not the database's, not even `nobody`, which other services share.
 * A number needs no entry to own a process.
 */
const strangerId = 65_533;

/**
 * Tries the walls with a real child, the strongest first, and keeps the first that holds one.
 * @param candidates other walls than those of this system, for their own test
 */
export async function openWalls(site: WallSite, candidates: readonly Wall[] = wallsHere()): Promise<Walls> {
  const { hidden, tempFolder = tmpdir(), readable = [], trialSeconds = 10 } = site;
  sweepWorkFolders(tempFolder);
  const code = ['package.json', 'src', 'node_modules'].map((name) => join(root, name));
  const common = { hidden, readable: withNode([...code, ...readable]) };
  const limit = hasProgram('prlimit') ? limited : () => [];
  const roomOf = (folder: WorkFolder): Room => ({
    ...common,
    readable: [...common.readable, folder.inputs],
    writable: folder.outputs,
  });
  const wall = await firstThatHolds(candidates, { tempFolder, roomOf, trialSeconds });
  return {
    wall,
    start({ entry, limits, niceness, environment }) {
      const folder = makeWorkFolder(tempFolder, wall.userId);
      const command = [...standBack(niceness), ...limit(limits), ...wall.wrap(roomOf(folder)), process.execPath, entry];
      return startChild(command, { folder, userId: wall.userId, environment });
    },
    makeFolder: () => makeWorkFolder(tempFolder, wall.userId),
    run: (folder, order) =>
      runProgram([...limit(order.limits), ...wall.wrap(roomOf(folder)), ...order.command], folder, order),
  };
}

/** Every wall that this system's programs allow, the strongest first. */
export function wallsHere(): Wall[] {
  if (process.platform !== 'linux') return [unwalled(undefined)];
  const isRoot = process.getuid?.() === 0;
  const users = isRoot && hasProgram('setpriv') ? [strangerId, undefined] : [undefined];
  const mappings = isRoot ? [true, false] : [true];
  return [
    ...(hasProgram('bwrap') ? users.map(bubblewrap) : []),
    ...(hasProgram('unshare') ? users.flatMap((user) => mappings.map((isMapped) => unshared(isMapped, user))) : []),
    ...users.map(unwalled),
  ];
}

/** Where a wall is tried, and how long. */
interface Trial {
  tempFolder: string;
  roomOf: (folder: WorkFolder) => Room;
  trialSeconds: number;
}

async function firstThatHolds(candidates: readonly Wall[], trial: Trial): Promise<Wall> {
  for (const wall of candidates) if (await holds(wall, trial)) return wall;
  return unwalled(undefined);
}

/** Returns whether a child behind this wall starts, reads our code and writes its folder. */
async function holds(wall: Wall, { tempFolder, roomOf, trialSeconds }: Trial): Promise<boolean> {
  const folder = makeWorkFolder(tempFolder, wall.userId);
  const code = JSON.stringify(join(root, 'package.json'));
  const trial = `const fs = require('node:fs'); fs.readFileSync(${code}); fs.writeFileSync('trial', '');`;
  const [program = '', ...rest] = [...wall.wrap(roomOf(folder)), process.execPath, '-e', trial];
  const status = await new Promise<number | null>((resolve) => {
    const env = { PATH: programFolders.join(':') };
    const own = spawn(program, rest, { cwd: folder.outputs, env, stdio: 'ignore' });
    const used = () => (own.pid === undefined ? undefined : cpuSeconds(own.pid));
    const stopClock = limitTime(trialSeconds, used, () => own.kill('SIGKILL'));
    const settle = (status: number | null) => {
      stopClock();
      resolve(status);
    };
    own.once('error', () => settle(null)).once('close', settle);
  });
  const wrote = existsSync(join(folder.outputs, 'trial'));
  await rm(folder.path, { recursive: true, force: true });
  return status === 0 && wrote;
}

/** Node lies in our packages, in /usr, or anywhere: then its file is a part of the room. */
function withNode(readable: readonly string[]): string[] {
  const isThere = ['/usr', ...readable].some((path) => process.execPath.startsWith(`${path}/`));
  return isThere ? [...readable] : [...readable, process.execPath];
}

function hasProgram(name: string): boolean {
  return findProgram(name) !== undefined;
}

/** Where a program of the system lies, if it is here. */
export function findProgram(name: string): string | undefined {
  return programFolders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}
