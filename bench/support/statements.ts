import type { AddressInfo } from 'node:net';
import path from 'node:path';
import pg from 'pg';
import { readConfig } from '#app/config.ts';
import { openCaller } from '#app/dev/caller.ts';
import { openEngines } from '#app/engines.ts';
import { openLog } from '#app/log.ts';
import { createServer } from '#app/server/server.ts';
import { createLive } from '#wire/live.ts';
import type { Demo } from './product.ts';
import { lendFull, openLink, phoneAgent, type Viewer } from './viewer.ts';

/** One statement as the product sent it. */
export interface Recorded {
  name: string | undefined;
  text: string;
  values: unknown[];
}

/** The product inside this process, attached to the database of a copy that runs beside it. */
export interface AttachedApp {
  url: string;
  connection: pg.PoolConfig;
  statementCount(): number;
  /** Statements of the demo creator's dashboard. */
  countDashboard(): Promise<number>;
}

const root = path.resolve(import.meta.dirname, '../..');

/** Opens engines and server on the data folder of a running copy: its statements can be counted and read here. */
export async function attachApp(dataDir: string, demo: Demo): Promise<AttachedApp> {
  const engines = await openEngines(readConfig({ DATA_DIR: dataDir, PF_ROLE: 'web' }), openLog('warn'), root);
  const app = await createServer(engines, createLive(engines.clock), {
    trustedProxies: undefined,
    patience: { loopMs: 0, poolMs: 0 },
  });
  await engines.jobs.start(false);
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { statementCount, connection } = engines.database;
  return {
    url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`,
    connection,
    statementCount,
    async countDashboard() {
      const caller = openCaller(engines);
      await caller.accounts.signIn(demo);
      await caller.insights.overview({ days: 30 });
      const before = statementCount();
      await caller.insights.overview({ days: 30 });
      return statementCount() - before;
    },
  };
}

async function openAgain({ url }: AttachedApp, slug: string, { cookie }: Viewer): Promise<void> {
  const headers = { 'content-type': 'application/json', 'x-csrf-token': 'orpc', 'user-agent': phoneAgent, cookie };
  const body = JSON.stringify({ firstScreen: 0 });
  await (await fetch(`${url}/api/view/${slug}/open`, { method: 'POST', headers, body })).arrayBuffer();
}

/** P17: how many statements the first open of a viewer, a lease, a renewal and a dashboard need. */
export async function statementCounts(app: AttachedApp, slug: string) {
  const { url } = app;
  const counted = async <T>(run: () => Promise<T>) => {
    const before = app.statementCount();
    const result = await run();
    return { result, count: app.statementCount() - before };
  };
  await openLink(url, slug, 12);
  const open = await counted(() => openLink(url, slug, 12));
  const { cookie, opened } = open.result;
  const photos = opened.items.slice(0, 3).map(({ mediaId }) => mediaId);
  const lease = await counted(() => lendFull(url, open.result, photos));
  const renewal = await counted(async () => {
    const headers = { 'content-type': 'application/json', 'x-csrf-token': 'orpc', 'user-agent': phoneAgent, cookie };
    const body = JSON.stringify({ visitId: opened.visitId, samples: [], idleMs: 0 });
    const answer = await fetch(`${url}/api/v1/view/renew`, { method: 'POST', headers, body });
    if (!answer.ok) throw new Error(`The renewal was refused: ${await answer.text()}`);
  });
  return { open: open.count, lease: lease.count, renewal: renewal.count, dashboard: await app.countDashboard() };
}

/** The statements of an open by viewers who come back, with their values, in the order they were sent. */
export async function recordOpens(app: AttachedApp, slug: string, viewers: number): Promise<Recorded[][]> {
  const opens: Recorded[][] = [];
  for (let n = 0; n < viewers; n++) {
    const viewer = await openLink(app.url, slug, 0);
    await openAgain(app, slug, viewer);
    opens.push(await record(() => openAgain(app, slug, viewer)));
  }
  return opens;
}

/** The name by which a connection is known to the database. */
const readName = (client: pg.Client): string | undefined =>
  (client as unknown as { connectionParameters: { application_name?: string } }).connectionParameters.application_name;

let heard: Recorded[] | undefined;
const { query } = pg.Client.prototype;
// Before the first connection is made: the app wraps the method of each of its connections.
pg.Client.prototype.query = function (this: pg.Client, ...words: unknown[]) {
  const [first, values] = words as [string | Partial<Recorded>, unknown[] | undefined];
  // The store of jobs looks after itself once a minute, which no call has asked for.
  if (readName(this) === 'jobs') return Reflect.apply(query, this, words);
  if (typeof first === 'string') heard?.push({ name: undefined, text: first, values: values ?? [] });
  else heard?.push({ name: first.name, text: first.text ?? '', values: first.values ?? [] });
  return Reflect.apply(query, this, words);
} as typeof query;

/** The statements of anything that the app does, in the order they were sent. */
export async function record(run: () => Promise<unknown>): Promise<Recorded[]> {
  const statements: Recorded[] = [];
  heard = statements;
  try {
    await run();
  } finally {
    heard = undefined;
  }
  return statements;
}
