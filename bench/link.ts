import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { startComparator } from './support/comparator.ts';
import { type Figure, median } from './support/figures.ts';
import { measureRate, type Rate, type Shot, warmUp } from './support/load.ts';
import { type BenchOptions, say } from './support/options.ts';
import { bootProduct, type Demo, type Product } from './support/product.ts';
import { attachApp, type Recorded, recordOpens, statementCounts } from './support/statements.ts';
import { shareDemo } from './support/studio.ts';
import { openLink, openShot, phoneAgent, type Viewer } from './support/viewer.ts';

const rawCpuSeconds = 1.5;
const renewalBytes = 4096;

export const comparators = {
  /** Answers of a fixed size out of memory. */
  async node({ sizeBytes }: { sizeBytes: number }) {
    const bytes = Buffer.alloc(sizeBytes, 'a');
    const server = createServer((request, response) => {
      request.resume().on('end', () => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': bytes.length });
        response.end(bytes);
      });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return { says: { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` } };
  },
  /** The very statements of an open by a viewer who comes back, and nothing around them; a connection for each of 8 viewers. */
  async postgres({ dataDir, slug, demo }: { dataDir: string; slug: string; demo: Demo }) {
    const app = await attachApp(dataDir, demo);
    const counts = await statementCounts(app, slug);
    const opens = await recordOpens(app, slug, 8);
    const clients = await Promise.all(
      opens.map(async () => {
        const client = new pg.Client({ ...app.connection, options: '-c role=app_system' });
        await client.connect();
        return client;
      }),
    );
    const replay = async (client: pg.Client | undefined, statements: readonly Recorded[]) => {
      for (const { name, text, values } of statements)
        await client?.query(name === undefined ? { text, values } : { name, text, values });
    };
    return {
      says: counts,
      async work({ cpuSeconds }: { cpuSeconds: number }) {
        const before = process.cpuUsage();
        const spentSeconds = () => {
          const { user, system } = process.cpuUsage(before);
          return (user + system) / 1e6;
        };
        let opened = 0;
        const run = async (client: pg.Client, n: number) => {
          for (; spentSeconds() < cpuSeconds; opened++) await replay(client, opens[n] ?? []);
        };
        await Promise.all(clients.map(run));
        return { perCpuSecond: opened / spentSeconds() };
      },
    };
  },
};

const json = { 'content-type': 'application/json', 'user-agent': phoneAgent };

/** Returns what an open screen says every few seconds: the same photo was looked at all the time. */
const renewShot =
  (url: string, viewers: readonly Viewer[]) =>
  (connection: number): Shot => {
    const { cookie = '', opened } = viewers[connection] ?? {};
    const lookingAt = opened?.items[0]?.mediaId ?? '';
    const samples = [{ mediaId: lookingAt, visibleMs: 10_000 }];
    return {
      url: `${url}/api/v1/view/renew`,
      method: 'POST',
      headers: { ...json, 'x-csrf-token': 'orpc', cookie },
      body: JSON.stringify({ visitId: opened?.visitId, samples, lookingAt, idleMs: 0, leaving: false }),
    };
  };

const crowd = (url: string, slug: string, firstScreen: number) =>
  Promise.all(Array.from({ length: 16 }, () => openLink(url, slug, firstScreen)));

interface Round {
  shell: Rate;
  shellNode: Rate;
  open: Rate;
  openRaw: number;
  openWithPacks: Rate;
  renew: Rate;
  renewNode: Rate;
}

/** P4: the shell, the tap and the renewal. P17: statements of each. */
export async function measure({ rounds, isProfiled }: BenchOptions): Promise<Figure[]> {
  const product = await bootProduct({ isProfiled });
  try {
    const slug = await shareDemo(product);
    return await measureLink(product, slug, rounds);
  } finally {
    await product.remove();
  }
}

async function measureLink(product: Product, slug: string, rounds: number): Promise<Figure[]> {
  const { url, pid, dataDir } = product;
  const near = url.replace('localhost', '127.0.0.1');
  const shell: Shot = { url: `${near}/view/${slug}`, headers: { 'accept-encoding': 'br' } };
  const { sizeBytes } = await measureRate(pid, () => shell);
  const [viewers, watchers] = [await crowd(near, slug, 0), await crowd(near, slug, 12)];
  const shellNode = await startComparator('link', 'node', { sizeBytes });
  const renewNode = await startComparator('link', 'node', { sizeBytes: renewalBytes });
  const postgres = await startComparator('link', 'postgres', { dataDir, slug, demo: await product.demo() });
  const made: Round[] = [];
  try {
    for (const shotOf of [
      openShot(near, slug, viewers, 0),
      openShot(near, slug, viewers, 12),
      renewShot(near, watchers),
    ])
      await warmUp(pid, shotOf);
    await postgres.ask({ cpuSeconds: rawCpuSeconds });
    for (let round = 0; round < rounds; round++) {
      const next = {
        shell: await measureRate(pid, () => shell),
        shellNode: await measureRate(shellNode.pid, () => shellNode.says),
        open: await measureRate(pid, openShot(near, slug, viewers, 0)),
        openRaw: (await postgres.ask({ cpuSeconds: rawCpuSeconds })).perCpuSecond,
        openWithPacks: await measureRate(pid, openShot(near, slug, viewers, 12)),
        renew: await measureRate(pid, renewShot(near, watchers)),
        renewNode: await measureRate(renewNode.pid, () => ({
          ...renewShot(near, watchers)(0),
          url: renewNode.says.url,
        })),
      };
      made.push(next);
      const words = (['shell', 'open', 'renew'] as const).map(
        (name) => `${name} ${Math.round(next[name].perCpuSecond)} (p99 ${next[name].p99Ms.toFixed(0)} ms)`,
      );
      say(`round ${round + 1}, per CPU-s: ${words.join(', ')}`);
    }
  } finally {
    for (const comparator of [shellNode, renewNode, postgres]) await comparator.close();
  }
  return [...rateFigures(made, sizeBytes), ...countFigures(postgres.says)];
}

function rateFigures(made: readonly Round[], sizeBytes: number): Figure[] {
  const rate = (name: Exclude<keyof Round, 'openRaw'>) => median(made.map((round) => round[name].perCpuSecond));
  const noteOf = (name: Exclude<keyof Round, 'openRaw'>) => {
    const shed = made.reduce((sum, round) => sum + round[name].shed, 0);
    const withDatabase = Math.round(median(made.map((round) => round[name].perCpuSecondWithDatabase)));
    return `${withDatabase} with the database's CPU${shed > 0 ? `; ${shed} shed` : ''}`;
  };
  const common = { part: 'link', unit: 'req/CPU-s' };
  const bound = { better: 'more', of: 'value', sets: 'print' } as const;
  const raw = { name: 'raw pg, same statements', value: median(made.map(({ openRaw }) => openRaw)) };
  return [
    {
      ...common,
      figure: 'P4a',
      what: `GET /view/:slug, ${(sizeBytes / 1000).toFixed(1)} KB`,
      ours: rate('shell'),
      comparator: { name: 'raw node:http, same size', value: rate('shellNode') },
      bound: { ...bound, gate: 5000, goal: 10_000 },
    },
    {
      ...common,
      figure: 'P4b',
      what: 'POST open, empty first screen, the viewer is known',
      ours: rate('open'),
      comparator: raw,
      bound: { ...bound, gate: 600, goal: 1000 },
      note: noteOf('open'),
    },
    {
      ...common,
      figure: 'P4b',
      what: 'POST open with 12 packs',
      ours: rate('openWithPacks'),
      comparator: raw,
      note: noteOf('openWithPacks'),
    },
    {
      ...common,
      figure: 'P4c',
      what: 'lease renewal of a screen with 12 thumbnails',
      ours: rate('renew'),
      comparator: { name: 'raw node:http, 4 KB', value: rate('renewNode') },
      bound: { ...bound, gate: 1500, goal: 2500 },
      note: noteOf('renew'),
    },
  ];
}

function countFigures(counts: { open: number; lease: number; renewal: number; dashboard: number }): Figure[] {
  const gates = { open: 8, lease: 3, renewal: 3, dashboard: 6 };
  return (['open', 'lease', 'renewal', 'dashboard'] as const).map((name) => ({
    part: 'link',
    figure: 'P17',
    what: `SQL statements, ${name}`,
    unit: 'count',
    ours: counts[name],
    bound: { gate: gates[name], goal: gates[name] - 1, better: 'less', of: 'value', sets: 'exit' },
  }));
}
