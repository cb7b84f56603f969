import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { AnyContractProcedure } from '@orpc/contract';
import { traverseContractProcedures } from '@orpc/server';
import { router } from '#app/rooms.ts';
import { type BusyLife, busyYear } from '#db/busy-creator.ts';
import type { ProcedureMeta } from '#wire/promise.ts';
import { type Figure, quantile } from './support/figures.ts';
import { type BenchOptions, say } from './support/options.ts';
import { readCpuSeconds } from './support/process-tree.ts';
import { bootProduct, type Demo, makeDataFolder, type Product } from './support/product.ts';
import { enterStudio, type Studio } from './support/studio.ts';

const root = path.resolve(import.meta.dirname, '..');
const callCount = 50;
const scenario = 'busy-creator';
/** What a call may take at rest, and its CPU. */
const bound = { gate: 50, goal: 20, better: 'less', of: 'value', sets: 'print' } as const;

/** One call of a screen. */
interface Call {
  procedure: string;
  input: object;
  /** What is special about it. */
  what?: string;
}

/** Those that need nothing of what the studio holds. */
const usualCalls: readonly Call[] = [
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
  { procedure: 'accounts.listSessions', input: {} },
  { procedure: 'secondFactor.show', input: {} },
  { procedure: 'emailChange.show', input: {} },
  { procedure: 'privacy.showDeletion', input: {} },
  { procedure: 'privacy.showExport', input: {} },
  { procedure: 'privacy.showMine', input: {} },
  { procedure: 'passkeys.list', input: {} },
  { procedure: 'reports.mine', input: {} },
  { procedure: 'accounts.checkHandle', input: { handle: 'somebody-else' } },
  { procedure: 'media.findSame', input: { sha256: '0'.repeat(64) } },
  { procedure: 'marketing.facts', input: {} },
  { procedure: 'assistant.facts', input: {} },
  { procedure: 'notices.settings', input: {} },
  { procedure: 'money.account', input: {} },
  { procedure: 'money.earnings', input: {} },
  { procedure: 'money.listEarnings', input: {} },
  { procedure: 'money.disputes', input: {} },
  { procedure: 'money.tipSettings', input: {} },
  ...['30d', '12m'].map((span) => ({ procedure: 'money.chart', input: { span }, what: span })),
  { procedure: 'money.payouts', input: {} },
  { procedure: 'fans.tiers', input: {} },
  { procedure: 'passes.list', input: {} },
  { procedure: 'presets.list', input: {} },
  { procedure: 'agreements.list', input: {} },
  { procedure: 'access.requests', input: {} },
  { procedure: 'access.requests', input: { status: 'pending', limit: 3 }, what: 'of the home page' },
  { procedure: 'access.grants', input: {} },
  { procedure: 'access.blocked', input: {} },
  { procedure: 'security.list', input: {} },
  { procedure: 'security.list', input: { risk: 'high', limit: 5 }, what: 'of the home page' },
  { procedure: 'refunds.waiting', input: {} },
  { procedure: 'requests.settings', input: {} },
  { procedure: 'requests.list', input: {} },
  { procedure: 'requests.mine', input: {} },
  { procedure: 'billing.plan', input: {} },
  { procedure: 'credits.balance', input: {} },
  { procedure: 'credits.uses', input: {} },
  { procedure: 'affiliates.mine', input: {} },
  { procedure: 'referrals.invitedBy', input: {} },
  { procedure: 'billing.stripeConfig', input: {} },
  { procedure: 'viewing.purchases', input: {} },
  { procedure: 'viewing.accesses', input: {} },
  { procedure: 'viewing.subscriptions', input: {} },
  { procedure: 'tracing.list', input: {} },
  { procedure: 'tracing.byCode', input: { code: '0123ABCD' } },
  ...[30, 365].map((days) => ({ procedure: 'insights.videos', input: { days }, what: `${days} days` })),
  ...[7, 30, 90, 365].map((days) => ({ procedure: 'insights.overview', input: { days }, what: `${days} days` })),
  ...[30, 365].flatMap((days) =>
    ['viewers', 'visits', 'notCounted'].map((name) => ({
      procedure: `insights.${name}`,
      input: { days },
      what: `${days} days`,
    })),
  ),
];

/** Every call that the studio's screens make by themselves, and those of a person who searches, filters and goes on. */
export async function listCalls(studio: Pick<Studio, 'call'>): Promise<Call[]> {
  const { albums } = await studio.call('albums.list');
  const { links, nextCursor } = await studio.call('links.list');
  const [albumId, linkId] = [albums[0]?.id, links[0]?.id];
  const visits = await studio.call('insights.visits', { days: 365 });
  const viewers = await studio.call('insights.viewers', { days: 365 });
  const list = [...usualCalls];
  if (visits.nextCursor)
    list.push({ procedure: 'insights.visits', input: { days: 365, cursor: visits.nextCursor }, what: 'page 2' });
  if (viewers.nextCursor)
    list.push({ procedure: 'insights.viewers', input: { days: 365, cursor: viewers.nextCursor }, what: 'page 2' });
  if (nextCursor) list.push({ procedure: 'links.list', input: { cursor: nextCursor }, what: 'page 2' });
  if (albumId)
    list.push(
      { procedure: 'albums.one', input: { albumId } },
      { procedure: 'albums.openUploads', input: { albumId } },
      { procedure: 'consents.list', input: { albumId } },
      { procedure: 'previews.ofAlbum', input: { albumId } },
      { procedure: 'albums.deletedItems', input: { albumId } },
      { procedure: 'insights.albumSales', input: { albumId } },
      { procedure: 'links.list', input: { albumId }, what: 'of an album' },
    );
  if (linkId)
    list.push(
      { procedure: 'links.one', input: { linkId } },
      { procedure: 'links.revokeCost', input: { linkIds: [linkId] } },
      { procedure: 'insights.visitsOfLink', input: { linkId } },
      { procedure: 'insights.timeline', input: { linkId } },
      { procedure: 'insights.funnel', input: { linkId } },
      { procedure: 'links.history', input: { linkId } },
      { procedure: 'security.list', input: { linkId, limit: 5 }, what: 'of a link' },
      { procedure: 'previews.ofLink', input: { linkId } },
      { procedure: 'agreements.ofLink', input: { linkId } },
      { procedure: 'agreements.accepted', input: { linkId } },
    );
  return list;
}

/** Of things that the scenario has none of: a video, a copy that was submitted, an upload under way, a receipt, a page of their own, a request, a payment. */
const notThere = [
  ...['insights.retention', 'tracing.one', 'media.byUpload', 'money.receipt', 'viewing.creatorTiers', 'viewing.pass'],
  ...['requests.offer', 'requests.show', 'requests.paid', 'requests.one', 'money.earningOrder'],
];

/** Questions of the contract that none of these calls asks. */
export function notMeasured(calls: readonly Call[]): string[] {
  const asked = new Set([...calls.map(({ procedure }) => procedure), ...notThere]);
  const missing: string[] = [];
  traverseContractProcedures({ router, path: [] }, ({ contract, path: parts }) => {
    const { route, meta } = (contract as AnyContractProcedure)['~orpc'];
    const name = parts.join('.');
    // The operator's desk is no part of the studio.
    const isDesk = (meta as ProcedureMeta).scopes !== undefined;
    if (route.method === 'GET' && !isDesk && !asked.has(name)) missing.push(name);
  });
  return missing;
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
  const calls = await listCalls(studio);
  for (const call of calls) {
    for (let n = 0; n < 8; n++) await time(studio, call);
    const [before, times] = [readCpuSeconds(pid), [] as number[]];
    for (let n = 0; n < callCount; n++) times.push(await time(studio, call));
    const after = readCpuSeconds(pid);
    const perCallMs = (from: number, to: number) => ((to - from) * 1000) / callCount;
    costs.push({
      call,
      appMs: perCallMs(before.app, after.app),
      databaseMs: perCallMs(before.database, after.database),
      p95Ms: quantile(times, 0.95),
    });
  }
  studio.close();
  return costs;
}

/** Signs somebody up who has what the scenario says. */
function seed(dataDir: string, name: string): Demo {
  const env = { PATH: process.env.PATH, DATA_DIR: dataDir, LOG_LEVEL: 'warn' };
  const said = execFileSync(process.execPath, ['db/seed.ts', name], { cwd: root, env, encoding: 'utf8' });
  const [, email = '', password = ''] = /sign in +(\S+) +(\S+)/.exec(said) ?? [];
  return { email, password };
}

/** That the scenario is what the figures are said to be of: photos of its album, links, and visits of its year. */
async function measureLife({ url }: Product, who: Demo): Promise<Figure[]> {
  const studio = await enterStudio({ url } as Product, who);
  const { albums } = await studio.call('albums.list');
  const { counts } = await studio.call('links.list');
  const { figures } = await studio.call('insights.overview', { days: 365 });
  studio.close();
  const has = { photos: albums[0]?.photoCount, links: counts.all, visits: figures.opens };
  return (Object.keys(busyYear) as (keyof BusyLife)[]).map((what) => ({
    part: 'studio',
    figure: 'P12',
    what: `${scenario}: ${what}`,
    unit: 'count',
    ours: has[what],
    bound: { ...bound, gate: busyYear[what], goal: busyYear[what], better: 'more', sets: 'exit' },
  }));
}

/** The processor's time of one call, and its time by the clock; beside each the same of somebody who has nothing. */
export function figuresOf({ call, appMs, databaseMs, p95Ms }: Cost, least: Cost | undefined): Figure[] {
  const common = { part: 'studio', figure: 'P12', bound };
  const name = 'a new creator';
  return [
    {
      ...common,
      what: nameOf(call),
      unit: 'CPU-ms',
      ours: appMs + databaseMs,
      comparator: { name, value: least && least.appMs + least.databaseMs },
      note: `database ${databaseMs.toFixed(1)}`,
    },
    {
      ...common,
      what: `${nameOf(call)}, p95`,
      unit: 'ms',
      ours: p95Ms,
      comparator: { name, value: least?.p95Ms },
    },
  ];
}

/** What every call of the studio costs a busy creator; a new one has nothing. */
export async function measure({ isProfiled }: BenchOptions): Promise<Figure[]> {
  const dataDir = makeDataFolder();
  const { photos, links, visits } = busyYear;
  say(
    `${scenario} is made, ${photos} photos in one album, ${links} links, ${visits.toLocaleString('en-US')} visits: some minutes`,
  );
  const [newcomer, busy] = [seed(dataDir, 'fresh-creator'), seed(dataDir, scenario)];
  const product = await bootProduct({ dataDir, isProfiled });
  try {
    const empty = new Map((await measureCalls(product, newcomer)).map((cost) => [nameOf(cost.call), cost]));
    const costs = await measureCalls(product, busy);
    return [
      ...(await measureLife(product, busy)),
      ...costs.flatMap((cost) => figuresOf(cost, empty.get(nameOf(cost.call)))),
    ];
  } finally {
    await product.remove();
  }
}
