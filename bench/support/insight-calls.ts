import pg from 'pg';
import { quantile } from './figures.ts';
import { costOf } from './process-tree.ts';
import type { Demo, Product } from './product.ts';
import { type AttachedApp, type Recorded, record } from './statements.ts';
import { enterStudio, type Studio } from './studio.ts';

/** One call of a screen, with what is special about it. */
export interface Call {
  procedure: string;
  input: object;
  what?: string;
}

export const nameOf = ({ procedure, what }: Call) => (what === undefined ? procedure : `${procedure} (${what})`);

const callsAtOnce = 20;
const warmUps = 8;

const ofSpans = (procedure: string, spans: readonly number[], more: object = {}): Call[] =>
  spans.map((days) => ({ procedure: `insights.${procedure}`, input: { days, ...more }, what: `${days} days` }));

/** What the screens of insights ask: the analytics, a link's own page, an album's sales. */
export async function listInsightCalls(studio: Studio): Promise<Call[]> {
  const days = 365;
  const { links } = await studio.call('insights.overview', { days });
  const { albums } = await studio.call('albums.list');
  const { videos } = await studio.call('insights.videos', { days });
  const [linkId, albumId, mediaId] = [links[0]?.linkId, albums[0]?.id, videos[0]?.mediaId];
  const pages = await Promise.all(
    ['visits', 'viewers', 'notCounted'].map(async (name): Promise<Call[]> => {
      const { nextCursor: cursor } = await studio.call(`insights.${name}`, { days });
      return cursor ? [{ procedure: `insights.${name}`, input: { days, cursor }, what: 'page 2' }] : [];
    }),
  );
  return [
    ...ofSpans('overview', [7, 30, 90, 365]),
    ...['funnel', 'viewers', 'visits', 'notCounted', 'videos'].flatMap((name) => ofSpans(name, [30, 365])),
    ...pages.flat(),
    ...ofSpans('retention', mediaId ? [30, 365] : [], { mediaId }),
    { procedure: 'insights.lookingNow', input: {} },
    { procedure: 'insights.funnel', input: { linkId, days }, what: 'of a link' },
    { procedure: 'insights.timeline', input: { linkId } },
    { procedure: 'insights.visitsOfLink', input: { linkId } },
    { procedure: 'insights.albumSales', input: { albumId } },
  ];
}

/** What the page of links asks of somebody who has two thousand. */
export async function listLinkCalls(studio: Studio): Promise<Call[]> {
  const { nextCursor: cursor } = await studio.call('links.list');
  const ask = (what: string, input: object): Call => ({ procedure: 'links.list', input, what });
  return [
    ask('all', {}),
    ...(cursor ? [ask('page 2', { cursor })] : []),
    ...['active', 'never_opened', 'expired', 'revoked'].map((filter) => ask(filter, { filter })),
    ask('search', { search: 'Marta' }),
    ask('search without a find', { search: 'nobody at all' }),
    ask('search in what has expired', { search: 'bob 1', filter: 'expired' }),
  ];
}

/** What a call took by the clock, and of the processors' time of product and database. */
export interface Taken {
  p95Ms: number;
  appMs: number;
  databaseMs: number;
}

/** Makes a call over HTTP again and again, one after the other. */
export async function timeCall({ pid }: Pick<Product, 'pid'>, studio: Studio, call: Call): Promise<Taken> {
  const ask = () => studio.call(call.procedure, call.input);
  for (let n = 0; n < warmUps; n++) await ask();
  const times: number[] = [];
  const { cost } = await costOf(pid, async () => {
    for (let n = 0; n < callsAtOnce; n++) times.push(await timed(ask));
  });
  const perCall = (seconds: number) => (seconds * 1000) / callsAtOnce;
  return { p95Ms: quantile(times, 0.95), appMs: perCall(cost.app), databaseMs: perCall(cost.database) };
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await run();
  return performance.now() - began;
}

/** The very statements of a call, from its beginning to its commit, as the product sends them. */
export async function recordCall(app: AttachedApp, studio: Studio, { procedure, input }: Call): Promise<Recorded[]> {
  const ask = async () => {
    const answer = await fetch(`${app.url}/rpc/${procedure.replace('.', '/')}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-csrf-token': 'orpc', cookie: studio.cookie() },
      body: JSON.stringify({ json: input }),
    });
    if (!answer.ok) throw new Error(`${procedure}: ${answer.status} ${await answer.text()}`);
    await answer.arrayBuffer();
  };
  await ask();
  return record(ask);
}

/** Sends a call's statements to the database and nothing around them. @returns the 95th percentile of all of them together, in ms */
export async function timeStatements(client: pg.Client, statements: readonly Recorded[]): Promise<number> {
  const replay = async () => {
    for (const { name, text, values } of statements)
      await client.query(name === undefined ? { text, values } : { name, text, values });
  };
  for (let n = 0; n < warmUps; n++) await replay();
  const times: number[] = [];
  for (let n = 0; n < callsAtOnce; n++) times.push(await timed(replay));
  return quantile(times, 0.95);
}

/** One creator's calls with their statements, and all that is needed to make them. */
export interface Asker {
  studio: Studio;
  calls: { call: Call; statements: Recorded[] }[];
}

/** Signs a creator in and notes what their screens ask. */
export async function openAsker(
  product: Product,
  app: AttachedApp,
  who: Demo,
  listCalls: (studio: Studio) => Promise<Call[]>,
): Promise<Asker> {
  const studio = await enterStudio(product, who);
  const calls: Asker['calls'] = [];
  for (const call of await listCalls(studio)) calls.push({ call, statements: await recordCall(app, studio, call) });
  return { studio, calls };
}

/** A connection as the product's pool has them. */
export async function connectAsSystem(connection: pg.PoolConfig): Promise<pg.Client> {
  const client = new pg.Client({ ...(connection as pg.ClientConfig), options: '-c role=app_system' });
  // Its server ends with the product; of what failed before, that alone is told.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
