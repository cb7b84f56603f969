import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { syncSession } from '#features/orders/sync-orders.ts';
import { newId } from '#kit/ids.ts';
import { hourMs } from '#kit/time.ts';
import { goodCard, sessionOf, tapDoor, tapPay } from '#tests/support/money/selling.ts';
import { newBrowser } from '#tests/support/test-app.ts';
import { type Running, startComparator } from './support/comparator.ts';
import { type Figure, median, quantile } from './support/figures.ts';
import { type BenchOptions, say } from './support/options.ts';
import { readCpuSeconds } from './support/process-tree.ts';
import { bootProduct, type Demo, makeDataFolder, type Product } from './support/product.ts';
import { openShop } from './support/selling.ts';
import { enterStudio, type Studio } from './support/studio.ts';

const root = path.resolve(import.meta.dirname, '..');
const callCount = 50;
const checkoutsAtOnce = 20;

/** What is done, and the call of the provider's library that alone would do the same at the provider. */
const deeds = ['checkout', 'sdkCheckout', 'projection', 'sdkProjection'] as const;
type Deed = (typeof deeds)[number];

export const comparators = {
  /** The product inside a process of its own, with the sandbox in it: both count, for the product as for the library. */
  async payments({ dataDir }: { dataDir: string }) {
    const { engines, fastify, slug, accountId } = await openShop(dataDir, { loopMs: 0, poolMs: 0 });
    const visit = async () => {
      const browser = newBrowser();
      await tapDoor({ fastify }, slug, browser);
      return browser;
    };
    const order = () => ({
      orderId: newId(engines.clock()),
      kind: 'tip',
      productName: 'Tip',
      amountCents: 1000,
      feeCents: 100,
      currency: 'usd',
      accountId,
      successUrl: 'http://localhost/a',
      cancelUrl: 'http://localhost/b',
      expiresAt: new Date(engines.clock() + hourMs),
    });
    const pay = async () => {
      const sessionId = sessionOf((await tapPay({ fastify }, slug, await visit())).body?.url);
      await engines.sandbox?.pay(sessionId, { email: 'bench@example.com', card: goodCard });
      return sessionId;
    };
    const ready: { [Name in Deed]: () => Promise<() => Promise<unknown>> } = {
      async checkout() {
        const browser = await visit();
        return () => tapPay({ fastify }, slug, browser);
      },
      sdkCheckout: async () => () => engines.payments.openCheckout(order()),
      async projection() {
        const sessionId = await pay();
        return () => syncSession(engines, sessionId);
      },
      async sdkProjection() {
        const sessionId = await pay();
        return () => engines.payments.findCheckout(sessionId);
      },
    };
    // Told events would be worked on beside what is measured.
    engines.sandbox?.deliverTo(undefined);
    return {
      async work({ deed, count }: { deed: Deed; count: number }) {
        const prepared: (() => Promise<unknown>)[] = [];
        for (let n = 0; n < count; n++) prepared.push(await ready[deed]());
        const before = process.cpuUsage();
        for (const run of prepared) await run();
        const { user, system } = process.cpuUsage(before);
        return { perCpuSecond: count / ((user + system) / 1e6) };
      },
    };
  },
};

/** Returns how many a second of CPU, beside the provider's library alone. */
async function measurePayments(dataDir: string, rounds: number): Promise<Figure[]> {
  const payments: Running = await startComparator('money', 'payments', { dataDir });
  const made = new Map<Deed, number[]>(deeds.map((deed) => [deed, []]));
  try {
    for (const deed of deeds) await payments.ask({ deed, count: 5 });
    for (let round = 0; round < rounds; round++)
      for (const deed of deeds)
        made.get(deed)?.push((await payments.ask({ deed, count: checkoutsAtOnce })).perCpuSecond);
  } finally {
    await payments.close();
  }
  const rate = (deed: Deed) => median(made.get(deed) ?? []);
  const common = { part: 'money', figure: '', unit: 'per CPU-s' };
  const beside = (deed: Deed) => ({ name: "the library's call alone", value: rate(deed) });
  return [
    { ...common, what: 'checkouts opened', ours: rate('checkout'), comparator: beside('sdkCheckout') },
    { ...common, what: 'payments written down', ours: rate('projection'), comparator: beside('sdkProjection') },
  ];
}

const calls = [
  { procedure: 'money.earnings', input: {} },
  { procedure: 'money.listEarnings', input: {} },
  { procedure: 'money.listEarnings', input: { filter: 'refunds' }, what: 'refunds' },
  ...['30d', '90d', '12m'].map((span) => ({ procedure: 'money.chart', input: { span }, what: span })),
  { procedure: 'money.payouts', input: {} },
];
/** What each answer of the page may take at rest. */
const bound = { gate: 100, goal: 100, better: 'less', of: 'value', sets: 'print' } as const;

async function time(studio: Studio, procedure: string, input: object): Promise<number> {
  for (let n = 0; n < 8; n++) await studio.call(procedure, input);
  const times: number[] = [];
  for (let n = 0; n < callCount; n++) {
    const began = performance.now();
    await studio.call(procedure, input);
    times.push(performance.now() - began);
  }
  return quantile(times, 0.95);
}

/** What /earnings asks, of somebody with 100,000 orders and of somebody new. */
async function measureEarnings(product: Product, busy: Demo, newcomer: Demo): Promise<Figure[]> {
  const [hers, others] = [await enterStudio(product, busy), await enterStudio(product, newcomer)];
  const figures: Figure[] = [];
  for (const { procedure, input, ...more } of calls)
    figures.push({
      part: 'money',
      figure: '',
      unit: 'ms',
      bound,
      what: `${procedure}${'what' in more ? ` (${more.what})` : ''} at 100,000 orders, p95`,
      ours: await time(hers, procedure, input),
      comparator: { name: 'a new creator', value: await time(others, procedure, input) },
    });
  const statement = await measureStatements(product, hers);
  for (const studio of [hers, others]) studio.close();
  return [...figures, ...statement];
}

/** The statements of thirteen months, which hold everything that they have sold. */
async function measureStatements({ url, pid }: Product, studio: Studio): Promise<Figure[]> {
  const [now, before, began] = [new Date(), readCpuSeconds(pid), performance.now()];
  let lines = 0;
  for (let back = 12; back >= 0; back--) {
    const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1)).toISOString().slice(0, 7);
    const answer = await fetch(`${url}/api/money/statement.csv?period=${month}`, {
      headers: { cookie: studio.cookie() },
    });
    if (!answer.ok) throw new Error(`The statement of ${month}: ${answer.status}`);
    lines += (await answer.text()).trim().split('\r\n').length - 3;
  }
  const [after, seconds] = [readCpuSeconds(pid), (performance.now() - began) / 1000];
  const note = `CPU ${(after.app - before.app).toFixed(1)} s, of the database ${(after.database - before.database).toFixed(1)} s`;
  const what = `statements of ${lines.toLocaleString('en-US')} lines as a table`;
  return [{ part: 'money', figure: '', what, unit: 's', ours: seconds, note }];
}

/** Signs somebody up who has what the scenario says. */
function seed(dataDir: string, name: string): Demo {
  const env = { PATH: process.env.PATH, DATA_DIR: dataDir, LOG_LEVEL: 'warn' };
  const said = execFileSync(process.execPath, ['db/seed.ts', name], { cwd: root, env, encoding: 'utf8' });
  const [, email = '', password = ''] = /sign in +(\S+) +(\S+)/.exec(said) ?? [];
  return { email, password };
}

/** Payments beside the provider's library, and the pages of a creator who has sold for a year. */
export async function measure({ rounds, isProfiled }: BenchOptions): Promise<Figure[]> {
  const [dataDir, ofPayments] = [makeDataFolder(), makeDataFolder()];
  try {
    const payments = await measurePayments(ofPayments, rounds);
    say('a year of 100,000 orders is made: some minutes');
    const [newcomer, busy] = [seed(dataDir, 'fresh-creator'), seed(dataDir, 'busy-seller')];
    const product = await bootProduct({ dataDir, isProfiled });
    try {
      return [...payments, ...(await measureEarnings(product, busy, newcomer))];
    } finally {
      await product.remove();
    }
  } finally {
    for (const folder of [dataDir, ofPayments]) rmSync(folder, { recursive: true, force: true });
  }
}
