import { readdirSync, readFileSync } from 'node:fs';

/** The kernel counts CPU time in ticks of a hundredth of a second for every program (USER_HZ). */
const ticksPerSecond = 100;

interface Process {
  pid: number;
  parent: number;
  name: string;
  /** User and system time of it and of its children that have ended. */
  ticks: number;
  /** Of it alone. */
  ownTicks: number;
}

/** Of the product itself and its children, and of the database server below it. */
export interface Apart {
  app: number;
  database: number;
}

function readProcess(pid: number): Process | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name stands in brackets and may hold anything.
    const nameEnd = stat.lastIndexOf(')');
    const fields = stat.slice(nameEnd + 2).split(' ');
    const number = (at: number) => Number(fields[at]);
    const ownTicks = number(11) + number(12);
    const ticks = ownTicks + number(13) + number(14);
    return { pid, parent: number(1), name: stat.slice(stat.indexOf('(') + 1, nameEnd), ticks, ownTicks };
  } catch {
    return undefined; // it ended meanwhile
  }
}

/** A process and everything below it. */
function readTree(root: number): Process[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readProcess(Number(name)) ?? []);
  const tree = all.filter(({ pid }) => pid === root);
  for (let at = 0; at < tree.length; at++) tree.push(...all.filter(({ parent }) => parent === tree[at]?.pid));
  return tree;
}

/** Numbers of the processes below one whose command line says so. */
export function findBelow(root: number, isWanted: (commandLine: string) => boolean): number[] {
  return readTree(root).flatMap(({ pid }) => {
    try {
      return isWanted(readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ')) ? [pid] : [];
    } catch {
      return [];
    }
  });
}

function sum(root: number, amountOf: (process: Process) => number): Apart {
  const sums = { app: 0, database: 0 };
  for (const process of readTree(root)) sums[process.name === 'postgres' ? 'database' : 'app'] += amountOf(process);
  return sums;
}

/** CPU-seconds that a process tree has spent so far. */
export function readCpuSeconds(root: number): Apart {
  const { app, database } = sum(root, ({ ticks }) => ticks);
  return { app: app / ticksPerSecond, database: database / ticksPerSecond };
}

/** Memory of a process tree in MB, shared pages counted by their share (PSS). */
export function readPssMegabytes(root: number): Apart {
  return sum(root, ({ pid }) => {
    try {
      const [, kilobytes = '0'] = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1')) ?? [];
      return (Number(kilobytes) * 1024) / 1e6;
    } catch {
      return 0;
    }
  });
}

/** Who is there, without the database's own processes, whose time their parent takes over when they end. */
const namesOf = (root: number) =>
  readTree(root)
    .filter(({ name }) => name !== 'postgres')
    .map(({ pid }) => pid);

/**
 * What a piece of work costs a process tree. `isWhole` is false when one of its processes ended meanwhile: walled children take their
 * time with them, and then the sum is short.
 */
export async function costOf<T>(
  root: number,
  run: () => Promise<T>,
): Promise<{ cost: Apart; result: T; isWhole: boolean }> {
  const [present, before] = [namesOf(root), readCpuSeconds(root)];
  const result = await run();
  const after = readCpuSeconds(root);
  const left = new Set(namesOf(root));
  const cost = { app: after.app - before.app, database: after.database - before.database };
  return { cost, result, isWhole: present.every((pid) => left.has(pid)) };
}

const lookEveryMs = 50;

/**
 * The same for work whose processes come and go: each is looked at twenty times a second, so what one spends after the last
 * look is missing. The database is left out.
 */
export async function costOfComingAndGoing<T>(
  root: number,
  run: () => Promise<T>,
): Promise<{ cpuSeconds: number; result: T }> {
  const ticks = (): [number, number][] =>
    readTree(root)
      .filter(({ name }) => name !== 'postgres')
      .map(({ pid, ownTicks }) => [pid, ownTicks]);
  const before = new Map(ticks());
  const latest = new Map(before);
  const look = () => {
    for (const [pid, spent] of ticks()) latest.set(pid, spent);
  };
  const timer = setInterval(look, lookEveryMs);
  try {
    const result = await run();
    look();
    const spent = [...latest].reduce((total, [pid, until]) => total + until - (before.get(pid) ?? 0), 0);
    return { cpuSeconds: spent / ticksPerSecond, result };
  } finally {
    clearInterval(timer);
  }
}
