import { execFileSync } from 'node:child_process';
import path from 'node:path';
import pg from 'pg';
import { findCluster } from './support/cluster.ts';
import { type Figure, median } from './support/figures.ts';
import { grow, growthOf, type Pair } from './support/grown.ts';
import { countDifferences, sumUp } from './support/grown-sums.ts';
import type { Growth } from './support/grown-visits.ts';
import {
  type Asker,
  connectAsSystem,
  listInsightCalls,
  listLinkCalls,
  nameOf,
  openAsker,
  type Taken,
  timeCall,
  timeStatements,
} from './support/insight-calls.ts';
import { keepGrown, takeKept } from './support/kept-grown.ts';
import { compareOpens, inviteMany } from './support/many-links.ts';
import { type BenchOptions, say } from './support/options.ts';
import { bootProduct, type Demo, makeDataFolder, type Product } from './support/product.ts';
import { attachApp } from './support/statements.ts';
import { shareDemo } from './support/studio.ts';
import { measureIntake } from './support/watching.ts';

const root = path.resolve(import.meta.dirname, '..');
const part = 'insights';
const wholeSize = 10_000_000;
const fewGrowth: Growth = { events: 5000, creators: 20, links: 1000 };
/** A demo that may grow: its creator becomes the biggest of all, beside a usual one; `slug` is a link whose rules all others get. */
interface Seed {
  dataDir: string;
  big: Demo;
  usual: Demo;
  slug: string;
}

/** One installation that has grown, and a connection that may do anything. */
interface Grown extends Seed {
  product: Product;
  growth: Growth;
  client: pg.Client;
  creatorIds: string[];
}

/** Everything that stays the same for more than one figure. */
const common = { part, figure: 'P12a' };

async function findUserId(client: pg.Client, email: string): Promise<string> {
  const { rows } = await client.query<{ id: string }>('select id from users where email = $1', [email]);
  return rows[0]?.id ?? '';
}

/** Signs somebody up beside the demo's creator. */
function seedUsual(dataDir: string): Demo {
  const env = { PATH: process.env.PATH, DATA_DIR: dataDir, LOG_LEVEL: 'warn' };
  const said = execFileSync(process.execPath, ['db/seed.ts', 'fresh-creator'], { cwd: root, env, encoding: 'utf8' });
  const [, email = '', password = ''] = /sign in +(\S+) +(\S+)/.exec(said) ?? [];
  return { email, password };
}

const connectAsSuperuser = async (dataDir: string): Promise<pg.Client> => {
  const client = new pg.Client({ ...findCluster(dataDir), user: 'postgres' });
  await client.connect();
  return client;
};

/** Boots the demo on a new folder, and ends it again. */
async function seed(): Promise<Seed> {
  const product = await bootProduct();
  const { dataDir } = product;
  try {
    const [big, slug, usual] = [await product.demo(), await shareDemo(product), seedUsual(dataDir)];
    return { dataDir, big, usual, slug };
  } finally {
    await product.stop();
  }
}

/** The same demo on a folder of its own, with what belongs to the database's account. */
function copySeed(seeded: Seed): Seed {
  const dataDir = makeDataFolder();
  execFileSync('cp', ['-a', `${seeded.dataDir}/.`, dataDir]);
  return { ...seeded, dataDir };
}

/** What is known of an installation that has grown. */
type Known = Omit<Seed, 'dataDir'> & Pick<Grown, 'creatorIds'>;

async function bootGrown(dataDir: string, known: Known, growth: Growth, isProfiled = false): Promise<Grown> {
  const booted = await bootProduct({ dataDir, isProfiled });
  const product = { ...booted, demo: async () => known.big };
  return { ...known, dataDir, product, growth, client: await connectAsSuperuser(dataDir) };
}

/** Boots a demo and lets it grow. */
async function growProduct({ dataDir, ...seeded }: Seed, growth: Growth): Promise<Grown> {
  const grown = await bootGrown(dataDir, { ...seeded, creatorIds: [] }, growth);
  const { client } = grown;
  const pair: Pair = {
    bigId: await findUserId(client, seeded.big.email),
    usualId: await findUserId(client, seeded.usual.email),
    slug: seeded.slug,
  };
  const began = performance.now();
  const creatorIds = await grow(client, growth, pair);
  await sumUp(dataDir, client, creatorIds);
  say(`${growth.events.toLocaleString('en-US')} events in ${((performance.now() - began) / 60_000).toFixed(1)} min`);
  return { ...grown, creatorIds };
}

/** The installation that is measured: one that was kept, or one that grows now. */
async function openGrown(seeded: Seed, growth: Growth, { kept, isProfiled }: BenchOptions): Promise<Grown> {
  const taken = takeKept<Known>(kept, growth.events);
  if (taken !== undefined) return bootGrown(taken.dataDir, taken.facts, growth, isProfiled);
  const { product, client, creatorIds, big, usual, slug } = await growProduct(seeded, growth);
  const known = { creatorIds, big, usual, slug };
  await client.end();
  await product.stop();
  if (kept !== undefined) keepGrown(kept, seeded.dataDir, { events: growth.events, facts: known });
  return bootGrown(seeded.dataDir, known, growth, isProfiled);
}

/** Returns how much there is, and that its sums are what the product's own recount finds in the stream. */
async function lifeFigures({ client, growth, dataDir, creatorIds, big }: Grown): Promise<Figure[]> {
  const { rows } = await client.query<Record<'events' | 'bigEvents' | 'links' | 'creators' | 'visits', number>>(
    `select (select count(*) from view_events)::int as events, (select count(*) from view_events where creator_id = $1)::int as "bigEvents",
      (select count(*) from magic_links)::int as links, (select count(distinct creator_id) from creator_days)::int as creators,
      (select count(*) from viewer_sessions)::int as visits`,
    [await findUserId(client, big.email)],
  );
  const has = rows[0];
  const more = (what: string, ours: number | undefined, gate: number): Figure => ({
    ...common,
    what,
    unit: 'count',
    ours,
    bound: { gate, goal: gate, better: 'more', of: 'value', sets: 'exit' },
  });
  return [
    more('events of 13 months', has?.events, growth.events),
    more('of these the big creator’s', has?.bigEvents, 0.095 * growth.events),
    more('links', has?.links, growth.links),
    {
      ...common,
      what: 'creators',
      unit: 'count',
      ours: has?.creators,
      note: `${has?.visits.toLocaleString('en-US')} visits`,
    },
    {
      ...common,
      what: 'sums that the recount finds wrong, of 20 creators',
      unit: 'count',
      ours: await countDifferences(dataDir, creatorIds),
      bound: { gate: 0, goal: 0, better: 'less', of: 'value', sets: 'exit' },
    },
  ];
}

/** P12c: what one row of the stream takes, as it grew, with all of its indexes. */
async function byteFigures({ client }: Grown): Promise<Figure[]> {
  const { rows } = await client.query<{ name: string; each: number }>(
    `with stream as (select count(*) as n from view_events)
    select 'rows' as name, pg_table_size('view_events') / n::float8 as each from stream
    union all select i.indexrelname, pg_relation_size(i.indexrelid) / n::float8 from pg_stat_user_indexes i, stream where i.relname = 'view_events'`,
  );
  const note = rows.map(({ name, each }) => `${name.replace('view_events_', '')} ${each.toFixed(1)}`).join(', ');
  return [
    {
      part,
      figure: 'P12c',
      what: 'an event on disk with all indexes',
      unit: 'bytes',
      note,
      ours: rows.reduce((sum, { each }) => sum + each, 0),
      bound: { gate: 200, goal: 180, better: 'less', of: 'value', sets: 'exit' },
    },
  ];
}

interface Measured {
  sqlMs: number;
  taken: Taken;
}

/** Measures the calls of two creators, who take turns in each round. @returns by the name of a call, one after the other */
async function measureCalls({ product }: Grown, pool: pg.PoolConfig, askers: readonly Asker[], rounds: number) {
  const client = await connectAsSystem(pool);
  const measured = askers.map(() => new Map<string, Measured[]>());
  for (let round = 0; round < rounds; round++)
    for (const [n, { studio, calls }] of askers.entries())
      for (const { call, statements } of calls) {
        const name = nameOf(call);
        const next = { sqlMs: await timeStatements(client, statements), taken: await timeCall(product, studio, call) };
        measured[n]?.set(name, [...(measured[n]?.get(name) ?? []), next]);
        say(`${name}: SQL p95 ${next.sqlMs.toFixed(1)} ms, over HTTP ${next.taken.p95Ms.toFixed(1)} ms`);
      }
  await client.end();
  return measured;
}

const middle = (measured: readonly Measured[] | undefined, of: (one: Measured) => number) =>
  measured && median(measured.map(of));

/** P12a: the screens of insights, and the page of links of somebody who has two thousand. */
async function screenFigures(grown: Grown, rounds: number): Promise<Figure[]> {
  const { product, big, usual } = grown;
  const app = await attachApp(product.dataDir, big);
  const askers = [
    await openAsker(product, app, big, listInsightCalls),
    await openAsker(product, app, usual, listInsightCalls),
  ];
  const [ours = new Map<string, Measured[]>(), theirs] = await measureCalls(grown, app.connection, askers, rounds);
  const lists = await openAsker(product, app, big, listLinkCalls);
  const [ofLinks = new Map<string, Measured[]>()] = await measureCalls(grown, app.connection, [lists], rounds);
  for (const { studio } of [...askers, lists]) studio.close();
  const name = 'a usual creator';
  const sql = (one: Measured) => one.sqlMs;
  const http = (one: Measured) => one.taken.p95Ms;
  const noteOf = (made: readonly Measured[]) =>
    `${middle(made, ({ taken }) => taken.appMs + taken.databaseMs)?.toFixed(1)} CPU-ms, database ${middle(made, ({ taken }) => taken.databaseMs)?.toFixed(1)}`;
  const bound = { better: 'less', of: 'value', sets: 'print' } as const;
  const linkCount = lists.calls.length > 0 ? Math.min(2000, grown.growth.links / 2) : 0;
  return [
    ...[...ours].flatMap(([what, made]): Figure[] => [
      {
        ...common,
        what: `${what}, SQL, p95`,
        unit: 'ms',
        ours: middle(made, sql),
        comparator: { name, value: middle(theirs?.get(what), sql) },
        bound: { ...bound, gate: 100, goal: 50 },
      },
      {
        ...common,
        what: `${what}, over HTTP, p95`,
        unit: 'ms',
        ours: middle(made, http),
        note: noteOf(made),
        comparator: { name, value: middle(theirs?.get(what), http) },
        bound: { ...bound, gate: 250, goal: 120 },
      },
    ]),
    ...[...ofLinks].map(
      ([what, made]): Figure => ({
        ...common,
        figure: 'P12',
        what: `${what} of ${linkCount.toLocaleString('en-US')}, over HTTP, p95`,
        unit: 'ms',
        ours: middle(made, http),
        note: noteOf(made),
        bound: { ...bound, gate: 200, goal: 100 },
      }),
    ),
  ];
}

/** P12a to P12c: one installation of 13 months and many creators, and links by the million. */
export async function measure(options: BenchOptions): Promise<Figure[]> {
  const { rounds, events = wholeSize } = options;
  const growth = growthOf(events);
  const seeded = await seed();
  const few = await growProduct(copySeed(seeded), fewGrowth);
  try {
    const grown = await openGrown(seeded, growth, options);
    try {
      const crowds = [await inviteMany(grown.product), await inviteMany(few.product)] as const;
      const bytes = await byteFigures(grown);
      say(`${bytes[0]?.ours?.toFixed(0)} bytes an event: ${bytes[0]?.note}`);
      const screens = await screenFigures(grown, rounds);
      const opens = await compareOpens(...crowds, { many: growth.links, few: fewGrowth.links }, rounds);
      const intake = await measureIntake(grown, await findUserId(grown.client, grown.big.email), rounds);
      return [...(await lifeFigures(grown)), ...screens, ...bytes, ...opens, ...intake];
    } finally {
      await grown.client.end();
      await grown.product.remove();
    }
  } finally {
    await few.client.end();
    await few.product.remove();
  }
}
