import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { startComparator } from './support/comparator.ts';
import { type Figure, median, quantile } from './support/figures.ts';
import { measureRate, type Rate, type Shot, warmUp } from './support/load.ts';
import { type Arrivals, fireAtRate } from './support/open-loop.ts';
import { type BenchOptions, say } from './support/options.ts';
import { bootProduct, type Demo } from './support/product.ts';
import { attachApp, type Recorded, record } from './support/statements.ts';
import { enterStudio } from './support/studio.ts';

/** What the studio's page of links asks. */
const procedure = 'links/list';
const body = JSON.stringify({ json: {} });
const seconds = 8;

const shotAt = (url: string, cookie: string): Shot => ({
  url: `${url}/rpc/${procedure}`,
  method: 'POST',
  headers: { 'content-type': 'application/json', 'x-csrf-token': 'orpc', cookie },
  body,
});

export const comparators = {
  /** The very statements of the call on as many connections as the product has, and their rows as JSON. */
  async raw({ dataDir, demo, cookie }: { dataDir: string; demo: Demo; cookie: string }) {
    const app = await attachApp(dataDir, demo);
    const { url, headers, method } = shotAt(app.url, cookie);
    const ask = async () => {
      const answer = await fetch(url, { ...(method && { method }), ...(headers && { headers }), body });
      if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
      await answer.arrayBuffer();
    };
    await ask();
    const statements = await record(ask);
    const pool = new pg.Pool({ ...app.connection, options: '-c role=app_system', max: 10 });
    const server = createServer((request, response) => {
      const answer = async () => {
        const client = await pool.connect();
        const rows: object[] = [];
        for (const statement of statements) rows.push(...(await replay(client, statement)));
        client.release();
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(rows));
      };
      request.resume().on('end', () => void answer());
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return { says: { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, count: statements.length } };
  },
};

/** Sends one statement as the product did. @returns its rows; the transaction's begin has two answers, and none */
async function replay(client: pg.PoolClient, { name, text, values }: Recorded): Promise<object[]> {
  if (values.length === 0 && name === undefined) await client.query(text);
  else return (await client.query(name === undefined ? { text, values } : { name, text, values })).rows;
  return [];
}

interface Round {
  ours: Rate;
  raw: Rate;
  half: Arrivals;
  halfRaw: Arrivals;
  full: Arrivals;
}

/** P10: the studio's calls at half of what can be done, and at all of it. */
export async function measure({ rounds, isProfiled }: BenchOptions): Promise<Figure[]> {
  const product = await bootProduct({ isProfiled });
  try {
    const demo = await product.demo();
    const studio = await enterStudio(product, demo);
    const cookie = studio.cookie();
    studio.close();
    await product.untilIdle();
    const raw = await startComparator('api', 'raw', { dataDir: product.dataDir, demo, cookie });
    const shot = shotAt(product.url.replace('localhost', '127.0.0.1'), cookie);
    const rawShot = shotAt(raw.says.url, cookie);
    const made: Round[] = [];
    try {
      await warmUp(product.pid, () => shot);
      await warmUp(raw.pid, () => rawShot);
      for (let round = 0; round < rounds; round++) {
        const ours = await measureRate(product.pid, () => shot);
        const next = {
          ours,
          raw: await measureRate(raw.pid, () => rawShot),
          half: await fireAtRate(ours.perSecond / 2, seconds, () => shot),
          halfRaw: await fireAtRate(ours.perSecond / 2, seconds, () => rawShot),
          full: await fireAtRate(ours.perSecond, seconds, () => shot),
        };
        made.push(next);
        say(`round ${round + 1}: ${Math.round(ours.perSecond)} calls a second at most`);
      }
    } finally {
      await raw.close();
    }
    return figuresOf(made, raw.says.count);
  } finally {
    await product.remove();
  }
}

function figuresOf(made: readonly Round[], statements: number): Figure[] {
  const name = `raw pg, the same ${statements} statements`;
  const at = (which: 'half' | 'halfRaw' | 'full', share: number) =>
    median(made.map((round) => quantile(round[which].timesMs, share)));
  const failures = made.reduce((sum, { half, full }) => sum + half.failed + half.shed + full.failed + full.shed, 0);
  const common = { part: 'api', figure: 'P10' };
  const time = { ...common, unit: 'ms' };
  const bound = { better: 'less', of: 'value', sets: 'print' } as const;
  const half = (share: number, gate: number, goal: number): Figure => ({
    ...time,
    what: `links.list at 50 % of what can be done, p${share * 100}`,
    ours: at('half', share),
    comparator: { name: `${name}, as many`, value: at('halfRaw', share) },
    bound: { ...bound, gate, goal },
  });
  return [
    {
      ...common,
      what: 'links.list over /rpc, signed in',
      unit: 'req/CPU-s',
      ours: median(made.map(({ ours }) => ours.perCpuSecond)),
      comparator: { name, value: median(made.map(({ raw }) => raw.perCpuSecond)) },
    },
    half(0.5, 20, 10),
    half(0.99, 100, 50),
    { ...time, what: 'links.list at 100 %, p99', ours: at('full', 0.99), bound: { ...bound, gate: 300, goal: 150 } },
    {
      ...common,
      what: 'calls that were not answered, at 50 % and 100 %',
      unit: 'count',
      ours: failures,
      bound: { gate: 0, goal: 0, better: 'less', of: 'value', sets: 'exit' },
    },
  ];
}
