import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { askTeller } from '#tests/support/planted/teller.ts';
import type { Arrivals } from '../../../bench/support/open-loop.ts';
import { readPssMegabytes } from '../../../bench/support/process-tree.ts';

/** What must not grow while an installation is used for long. */
export interface Sample {
  atSeconds: number;
  /** PSS of the product and its children, without the database: with all that V8 and malloc keep for later. */
  megabytes: number;
  /** Open files and sockets of the product; not those whose other end is a client who is still there. */
  descriptors: number;
  /** Files that are there for a moment only: staging, unfinished objects, folders of children. */
  tempFiles: number;
  /** Transactions in which nothing happens for five seconds. */
  idleTransactions: number;
}

export type Figure = Exclude<keyof Sample, 'atSeconds'>;

/** What the product holds when all garbage is collected, while only the one creator at work goes on. */
export interface Held {
  atSeconds: number;
  /** Everything but code. */
  heldMegabytes: number;
  /** What V8 has compiled, and compiled better: a program has only so much of it. */
  codeMegabytes: number;
}

/** Loaded into a server, it lets `readHeldMegabytes` ask. */
export const heldTeller = path.join(import.meta.dirname, '../../support/planted/held-teller.ts');

/** Asks a server with the teller three times in a row. @returns the least: what is still under way only adds to it */
export async function readHeld(server: { pid: number; dataDir: string }): Promise<Omit<Held, 'atSeconds'>> {
  const [held, code]: [number[], number[]] = [[], []];
  for (let n = 0; n < 3; n++) {
    await wait(1000);
    const { heldBytes, codeBytes } = await askTeller<{ heldBytes: number; codeBytes: number }>(server);
    held.push(heldBytes / 1e6);
    code.push(codeBytes / 1e6);
  }
  return { heldMegabytes: Math.min(...held), codeMegabytes: Math.min(...code) };
}

/**
 * Looks at a running server once.
 * @param owner a connection as the database's owner, who alone may see what the product's sessions do
 */
export async function takeSample(
  { pid, port, dataDir, owner }: { pid: number; port: number; dataDir: string; owner: pg.Client },
  atSeconds: number,
): Promise<Sample> {
  const { rows } = await owner.query<{ idle: number }>(`select count(*)::int as idle from pg_stat_activity
    where datname = current_database() and state like 'idle in transaction%' and state_change < now() - interval '5 s'`);
  return {
    atSeconds,
    megabytes: readPssMegabytes(pid).app,
    descriptors: countIn(`/proc/${pid}/fd`) - countClients(port),
    tempFiles:
      countIn(path.join(dataDir, 'staging')) +
      countIn(path.join(dataDir, 'files', '.unfinished')) +
      countIn(tmpdir(), `privatefans-child-${pid}-`),
    idleTransactions: rows[0]?.idle ?? 0,
  };
}

/** Returns how many connections to a port of this machine stand; a client may keep as many as it likes. */
function countClients(port: number): number {
  const local = new RegExp(`^ *\\d+: [0-9A-F]+:${port.toString(16).toUpperCase().padStart(4, '0')} [0-9A-F:]+ 01 `);
  return ['/proc/net/tcp', '/proc/net/tcp6']
    .flatMap((file) => (existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []))
    .filter((line) => local.test(line)).length;
}

function countIn(folder: string, prefix = ''): number {
  try {
    return readdirSync(folder).filter((name) => name.startsWith(prefix)).length;
  } catch {
    return 0; // it is made when it is needed first
  }
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [low, high] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]];
  return ((low ?? 0) + (high ?? 0)) / 2;
}

/**
 * Returns how much a figure grows in an hour: the median of the slopes between any two of its values (Theil and Sen), which a
 * garbage collection or an upload that is under way does not move.
 */
export function slopePerHour<Name extends string>(samples: readonly Series<Name>[], figure: Name): number {
  const slopes = samples.flatMap((from, n) =>
    samples.slice(n + 1).map((to) => ((to[figure] - from[figure]) / (to.atSeconds - from.atSeconds)) * 3600),
  );
  return median(slopes);
}
type Series<Name extends string> = { atSeconds: number } & Record<Name, number>;

/** A while in which requests are sent at a fixed rate. */
export interface Stretch {
  arrivals: Pick<Arrivals, 'timesMs' | 'shed' | 'failed'>;
  /** Requests a second that were sent, and what could be done before and after it. */
  perSecond: number;
  before: number;
  after: number;
}

/** At half of what can be done hardly anybody is told to come again. */
export const mostShed = 0.01;

/** Returns whether it was about half: a machine with other work can do far less before a stretch is over. */
export const isAtHalf = ({ perSecond, before, after }: Stretch): boolean => perSecond <= 0.65 * Math.min(before, after);

/** The share of requests that were told to come again, of all that were sent. */
export function shareShed(all: readonly Pick<Stretch, 'arrivals'>[]): number {
  const shed = all.reduce((sum, { arrivals }) => sum + arrivals.shed, 0);
  return shed / Math.max(1, countSent(all));
}
export const countSent = (all: readonly Pick<Stretch, 'arrivals'>[]): number =>
  all.reduce((sum, { arrivals: { timesMs, shed, failed } }) => sum + timesMs.length + shed + failed, 0);

/** What happens before is warming up: code is compiled, pools are filled, packs are cached. At most the first hour. */
const warmUpSeconds = (totalSeconds: number) => Math.min(totalSeconds / 3, 3600);

type Allowed = (usual: number, hours: number) => number;

/** Memory grows by 1 MB an hour at most. It is what is asked of whoever is looked at for so long that it shows. */
const goal = (hours: number) => hours;
const showsAfterHours = 2;

/** Growth in the whole of the time looked at that is no growth: a collection that is still to come, a socket that lingers. */
const allowed: Record<Figure, Allowed> = {
  megabytes: (usual, hours) => (hours < showsAfterHours ? 0.05 * usual : goal(hours)),
  descriptors: () => 5,
  tempFiles: () => 5,
  idleTransactions: () => 0,
};
/** What a soak says of one figure. */
export interface Verdict {
  figure: Figure | keyof Omit<Held, 'atSeconds'>;
  usual: number;
  perHour: number;
  grows: boolean;
}

/** What is remembered up to a bound fills up for long: no goal shows below that. */
const allowedHeld: Allowed = (_usual, hours) => Math.max(goal(showsAfterHours), goal(hours));

/** What is called ever so often is compiled better and better, the rare things last; code that is made again all the time is far more. */
const allowedCode: Allowed = (usual, hours) => (hours < showsAfterHours ? 0.2 * usual : goal(hours));

/** Judges every figure by its samples after the warm-up. */
export const judge = (all: readonly Sample[]): Verdict[] =>
  (Object.keys(allowed) as Figure[]).map((figure) => judgeOne(all, figure, allowed[figure]));

/** Judges what is held. */
export const judgeHeld = (all: readonly Held[]): [held: Verdict, code: Verdict] => [
  judgeOne(all, 'heldMegabytes', allowedHeld),
  judgeOne(all, 'codeMegabytes', allowedCode),
];

function judgeOne<Name extends Verdict['figure']>(
  all: readonly Series<Name>[],
  figure: Name,
  isAllowed: Allowed,
): Verdict {
  const [first = 0, last = 0] = [all[0]?.atSeconds, all.at(-1)?.atSeconds];
  const samples = all.filter(({ atSeconds }) => atSeconds >= first + warmUpSeconds(last - first));
  const hours = (last - (samples[0]?.atSeconds ?? last)) / 3600;
  const usual = median(samples.map((sample) => sample[figure]));
  const perHour = slopePerHour(samples, figure);
  // A transaction that is stuck does not grow, and yet it must not be; one that is stuck at the end has only just begun to be.
  const isStuck = usual > 0 || samples.slice(-3).every((sample) => sample[figure] > 0);
  const stays = figure === 'idleTransactions' && isStuck;
  return { figure, usual, perHour, grows: stays || perHour * hours > isAllowed(usual, hours) };
}
