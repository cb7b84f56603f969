import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Figure, percentile } from './support/figures.ts';
import { type BenchOptions, say } from './support/options.ts';
import { readCpuSeconds } from './support/process-tree.ts';
import { bootProduct, type Demo, makeDataFolder, type Product } from './support/product.ts';
import { enterStudio, type Studio } from './support/studio.ts';

const root = path.resolve(import.meta.dirname, '..');
const callCount = 50;
/** What a call may take at rest. */
const restMs = 50;

/** One call of a screen. */
interface Call {
  procedure: string;
  input: object;
  /** What is special about it. */
  what?: string;
}

/** Every call that the studio's screens make by themselves, and those of a person who searches, filters and goes on. */
async function listCalls(studio: Studio): Promise<Call[]> {
  const { albums } = await studio.call('albums.list');
  const { links, nextCursor } = await studio.call('links.list');
  const [albumId, linkId] = [albums[0]?.id, links[0]?.id];
  const visits = await studio.call('insights.visits', { days: 365 });
  const viewers = await studio.call('insights.viewers', { days: 365 });
  const list: Call[] = [
    { procedure: 'accounts.me', input: {} },
    { procedure: 'dashboard.progress', input: {} },
    { procedure: 'albums.list', input: {} },
    { procedure: 'albums.list', input: { search: 'umm', sort: 'name' }, what: 'search' },
    { procedure: 'links.list', input: {} },
    { procedure: 'links.list', input: { limit: 5 }, what: 'of the home page' },
    { procedure: 'links.list', input: { search: 'Marta' }, what: 'search' },
    { procedure: 'links.list', input: { search: 'nobody at all' }, what: 'search without a find' },
    { procedure: 'links.list', input: { filter: 'never_opened' }, what: 'never opened' },
    { procedure: 'insights.lookingNow', input: {} },
    ...[7, 30, 90, 365].map((days) => ({ procedure: 'insights.overview', input: { days }, what: `${days} days` })),
    ...[30, 365].flatMap((days) =>
      ['viewers', 'visits', 'notCounted'].map((name) => ({
        procedure: `insights.${name}`,
        input: { days },
        what: `${days} days`,
      })),
    ),
  ];
  if (visits.nextCursor)
    list.push({ procedure: 'insights.visits', input: { days: 365, cursor: visits.nextCursor }, what: 'page 2' });
  if (viewers.nextCursor)
    list.push({ procedure: 'insights.viewers', input: { days: 365, cursor: viewers.nextCursor }, what: 'page 2' });
  if (nextCursor) list.push({ procedure: 'links.list', input: { cursor: nextCursor }, what: 'page 2' });
  if (albumId)
    list.push(
      { procedure: 'albums.one', input: { albumId } },
      { procedure: 'albums.openUploads', input: { albumId } },
      { procedure: 'links.list', input: { albumId }, what: 'of an album' },
    );
  if (linkId)
    list.push({ procedure: 'links.one', input: { linkId } }, { procedure: 'insights.visitsOfLink', input: { linkId } });
  return list;
}

interface Cost {
  call: Call;
  /** CPU of one call, of the product and of the database. */
  appMs: number;
  databaseMs: number;
  p95Ms: number;
}

const nameOf = ({ procedure, what }: Call) => (what === undefined ? procedure : `${procedure} (${what})`);

/**
 * Makes a call until it is answered: on a busy machine it may be refused for a moment, which costs next to nothing.
 * @returns milliseconds of the try that was answered
 */
async function time(studio: Studio, { procedure, input }: Call): Promise<number> {
  for (let tries = 1; ; tries++) {
    const began = performance.now();
    try {
      await studio.call(procedure, input);
      return performance.now() - began;
    } catch (error) {
      if (tries === 60 || !String(error).includes(': 503 ')) throw error;
      await wait(1000);
    }
  }
}

/** Makes every call 50 times, one after the other. */
export async function measureCalls({ url, pid }: Pick<Product, 'url' | 'pid'>, who: Demo): Promise<Cost[]> {
  const studio = await enterStudio({ url } as Product, who);
  const costs: Cost[] = [];
  for (const call of await listCalls(studio)) {
    for (let n = 0; n < 8; n++) await time(studio, call);
    const [before, times] = [readCpuSeconds(pid), [] as number[]];
    for (let n = 0; n < callCount; n++) times.push(await time(studio, call));
    const after = readCpuSeconds(pid);
    const perCallMs = (from: number, to: number) => ((to - from) * 1000) / callCount;
    costs.push({
      call,
      appMs: perCallMs(before.app, after.app),
      databaseMs: perCallMs(before.database, after.database),
      p95Ms: percentile(times, 0.95),
    });
  }
  studio.close();
  return costs;
}

/** Signs somebody up who has what the scenario says. */
function seed(dataDir: string, scenario: string): Demo {
  const env = { PATH: process.env.PATH, DATA_DIR: dataDir, LOG_LEVEL: 'warn' };
  const said = execFileSync(process.execPath, ['db/seed.ts', scenario], { cwd: root, env, encoding: 'utf8' });
  const [, email = '', password = ''] = /sign in +(\S+) +(\S+)/.exec(said) ?? [];
  return { email, password };
}

/** What every call of the studio costs a creator with 200 photos, 500 links and 100,000 visits; a new one has nothing. */
export async function measure({ isProfiled }: BenchOptions): Promise<Figure[]> {
  const dataDir = makeDataFolder();
  say('a year of a busy creator is made: some minutes');
  const [newcomer, busy] = [seed(dataDir, 'fresh-creator'), seed(dataDir, 'busy-creator')];
  const product = await bootProduct({ dataDir, isProfiled });
  try {
    const empty = new Map(
      (await measureCalls(product, newcomer)).map(({ call, ...cost }) => [nameOf(call), cost] as const),
    );
    return (await measureCalls(product, busy)).map(({ call, appMs, databaseMs, p95Ms }) => {
      const least = empty.get(nameOf(call));
      return {
        part: 'studio',
        figure: 'P12',
        what: nameOf(call),
        unit: 'CPU-ms',
        ours: appMs + databaseMs,
        comparator: { name: 'a new creator', value: least && least.appMs + least.databaseMs },
        bound: { gate: restMs, goal: 20, better: 'less', of: 'value', sets: 'print' },
        note: `database ${databaseMs.toFixed(1)}, p95 ${p95Ms.toFixed(0)} ms`,
      };
    });
  } finally {
    await product.remove();
  }
}
