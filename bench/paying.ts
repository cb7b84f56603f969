import { subscribe } from 'node:diagnostics_channel';
import { rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { type Bought, buyOnce } from './support/buyers.ts';
import { type Running, startComparator } from './support/comparator.ts';
import { type Bound, type Figure, median, quantile } from './support/figures.ts';
import { type BenchOptions, say } from './support/options.ts';
import { costOf } from './support/process-tree.ts';
import { makeDataFolder } from './support/product.ts';
import { openShop } from './support/selling.ts';

const buyersAtOnce = 20;
const payments = 200;
const lookMs = 50;
/** Events that are not done by then never will be. */
const mostSeconds = 600;

/** What the product has asked for so far. */
interface Counts {
  statements: number;
  providerCalls: number;
  /** How often the provider's books were read. */
  readings: number;
  /** Events that have come, and those of them that still wait. */
  events: number;
  open: number;
}

export const comparators = {
  /** The product, listening, with the sandbox in it. */
  async shop({ dataDir }: { dataDir: string }) {
    const counts = countAsked();
    const { engines, fastify, slug } = await openShop(dataDir);
    await fastify.listen({ port: 0, host: '127.0.0.1' });
    const { port } = fastify.server.address() as AddressInfo;
    const watching = new pg.Client(engines.database.connection as pg.ClientConfig);
    await watching.connect();
    await watching.query('set role app_system');
    return {
      says: { url: `http://127.0.0.1:${port}`, slug },
      async work(): Promise<Counts> {
        const { rows } = await watching.query(
          'select count(*)::int as events, (count(*) filter (where processed_at is null))::int as open from webhook_inbox',
        );
        return { ...counts, ...rows[0] };
      },
    };
  },
};

/** Counts what leaves this process for the database and for the provider. */
function countAsked() {
  const counts = { statements: 0, providerCalls: 0, readings: 0 };
  const send = pg.Client.prototype.query as (...args: unknown[]) => unknown;
  pg.Client.prototype.query = function query(this: pg.Client, ...args: unknown[]) {
    counts.statements++;
    return send.apply(this, args);
  } as typeof pg.Client.prototype.query;
  subscribe('http.client.request.start', (message) => {
    const { path } = (message as { request: { path: string } }).request;
    counts.providerCalls++;
    if (path.startsWith('/v1/balance_transactions')) counts.readings++;
  });
  return counts;
}

interface Bustle {
  bought: Bought;
  /** From the last answer to the moment at which every event is done. */
  untilEmptySeconds: number;
  seconds: number;
}

/** Some buyers at once, each of whom pays one time after the other under a new name. */
async function bustle({ says: { url, slug }, ask }: Running, count: number): Promise<Bustle> {
  const bought: Bought = { timesMs: [], shed: 0 };
  const began = performance.now();
  let next = 0;
  const buy = async () => {
    for (let n = next++; n < count; n = next++) await buyOnce(url, slug, `buyer-${began.toFixed()}-${n}`, bought);
  };
  await Promise.all(Array.from({ length: Math.min(count, buyersAtOnce) }, buy));
  const paid = performance.now();
  while ((await ask({})).open > 0) {
    if (performance.now() - paid > mostSeconds * 1000) throw new Error('The events are not done after ten minutes.');
    await wait(lookMs);
  }
  return { bought, untilEmptySeconds: (performance.now() - paid) / 1000, seconds: (paid - began) / 1000 };
}

/** Payments the whole way, from the first opening to the last event: what they cost, and how long anybody waits. */
export async function measure({ rounds }: BenchOptions): Promise<Figure[]> {
  const dataDir = makeDataFolder();
  const shop = await startComparator('paying', 'shop', { dataDir });
  try {
    await bustle(shop, buyersAtOnce);
    const made: Measured[] = [];
    for (let round = 0; round < rounds; round++) made.push(await measureOnce(shop));
    return figuresOf(made);
  } finally {
    await shop.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Of one payment, unless it says otherwise. */
interface Measured {
  cpuSeconds: number;
  ofDatabase: number;
  statements: number;
  providerCalls: number;
  readings: number;
  events: number;
  /** Of all payments. */
  slowestSeconds: number;
  untilEmptySeconds: number;
  seconds: number;
  shed: number;
}

async function measureOnce(shop: Running): Promise<Measured> {
  const before: Counts = await shop.ask({});
  const { cost, result } = await costOf(shop.pid, () => bustle(shop, payments));
  const after: Counts = await shop.ask({});
  const { bought, untilEmptySeconds, seconds } = result;
  const perPayment = (key: keyof Counts) => (after[key] - before[key]) / payments;
  const measured = {
    cpuSeconds: (cost.app + cost.database) / payments,
    ofDatabase: cost.database / payments,
    statements: perPayment('statements'),
    providerCalls: perPayment('providerCalls'),
    readings: perPayment('readings'),
    events: perPayment('events'),
    slowestSeconds: quantile(bought.timesMs, 1) / 1000,
    untilEmptySeconds,
    seconds,
    shed: bought.shed,
  };
  say(
    Object.entries(measured)
      .map(([name, value]) => `${name} ${value.toPrecision(3)}`)
      .join(', '),
  );
  return measured;
}

function figuresOf(made: readonly Measured[]): Figure[] {
  const of = (key: keyof Measured) => median(made.map((one) => one[key]));
  const most = (gate: number, sets: Bound['sets']): Bound => ({ gate, goal: gate, better: 'less', of: 'value', sets });
  const common = { part: 'paying', figure: '' };
  const way = `a payment, from the first opening to the last of its ${Math.round(of('events'))} events`;
  return [
    {
      ...common,
      what: way,
      unit: 'CPU-s',
      ours: of('cpuSeconds'),
      bound: most(0.06, 'print'),
      note: `database ${of('ofDatabase').toPrecision(2)}`,
    },
    {
      ...common,
      what: 'SQL statements of a payment, the sandbox’s own among them',
      unit: 'count',
      ours: of('statements'),
      bound: most(130, 'exit'),
    },
    {
      ...common,
      what: 'calls of the provider for a payment',
      unit: 'count',
      ours: of('providerCalls'),
      bound: most(4, 'exit'),
    },
    {
      ...common,
      what: 'readings of the provider’s books for a payment',
      unit: 'count',
      ours: of('readings'),
      bound: most(0.5, 'exit'),
    },
    {
      ...common,
      what: `${payments} payments of ${buyersAtOnce} buyers at once`,
      unit: 's',
      ours: of('seconds'),
      note: `${of('shed')} shed`,
    },
    { ...common, what: 'the slowest call of theirs', unit: 's', ours: of('slowestSeconds'), bound: most(2, 'print') },
    {
      ...common,
      what: 'until every event is done, after the last answer',
      unit: 's',
      ours: of('untilEmptySeconds'),
      bound: most(5, 'print'),
    },
  ];
}
