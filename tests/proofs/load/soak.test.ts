import { rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, expect, test } from 'vitest';
import { openDatabase } from '#engines/database/database.ts';
import { openTestDatabase } from '#tests/support/database/test-database.ts';
import { findFreePort, makeDataDir, spawnServer } from '#tests/support/servers/server-process.ts';
import { type Arrivals, fireAtRate } from '../../../bench/support/open-loop.ts';
import { countOf, guards, isFull, printProof } from '../counts.ts';
import {
  countSent,
  type Held,
  heldTeller,
  isAtHalf,
  judge,
  judgeHeld,
  mostShed,
  readHeld,
  type Sample,
  type Stretch,
  shareShed,
  slopePerHour,
  takeSample,
  type Verdict,
} from './soak-figures.ts';
import { openSoakWorld } from './soak-users.ts';

guards('src/app/**', 'src/engines/**', 'src/features/viewing/**');

/**
 * An installation that is used for long holds no more than it did after a while. `npm run prove -- soak` takes 15 minutes;
 * SOAK_MINUTES says otherwise.
 */
const minutes = Number(process.env.SOAK_MINUTES ?? countOf(15, 15, 480));
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const still: Sample = { atSeconds: 0, megabytes: 200, descriptors: 60, tempFiles: 1, idleTransactions: 0 };
const every10s = (change: (n: number) => Partial<Sample>) =>
  Array.from({ length: 90 }, (_, n) => ({ ...still, atSeconds: 10 * n, ...change(n) }));
const growing = (samples: readonly Sample[]) => judge(samples).flatMap(({ figure, grows }) => (grows ? [figure] : []));

test('a slope is that of the usual value, whatever single moments say', () => {
  expect(
    slopePerHour(
      every10s((n) => ({ megabytes: 100 + n })),
      'megabytes',
    ),
  ).toBeCloseTo(360);
  const spikes = every10s((n) => ({ megabytes: n % 10 === 0 ? 900 : 200, descriptors: 60 + (n % 3) }));
  expect(slopePerHour(spikes, 'megabytes')).toBe(0);
  expect(growing(spikes)).toEqual([]);
});

test('a leak is told from a warm-up and from a collection that comes late', () => {
  expect(growing(every10s((n) => ({ megabytes: Math.min(200, 100 + 5 * n) })))).toEqual([]);
  expect(growing(every10s((n) => ({ megabytes: 200 + (n % 7) * 6 })))).toEqual([]);
  expect(growing(every10s((n) => ({ megabytes: 200 + 0.3 * n + (n % 7) * 6 })))).toEqual(['megabytes']);
  expect(growing(every10s((n) => ({ descriptors: 60 + Math.floor(n / 5) })))).toEqual(['descriptors']);
  expect(growing(every10s((n) => ({ tempFiles: Math.floor(n / 5) })))).toEqual(['tempFiles']);
});

test('a transaction that is stuck is told from one that takes its time, also when it has only just begun', () => {
  const idleFrom = (first: number, last = 90) =>
    growing(every10s((n) => ({ idleTransactions: n >= first && n < last ? 1 : 0 })));
  expect(idleFrom(20)).toEqual(['idleTransactions']);
  expect(idleFrom(87)).toEqual(['idleTransactions']);
  expect([idleFrom(50, 51), idleFrom(86, 89)]).toEqual([[], []]);
});

/** A line of its own to a database, until the proof is over. */
async function connectTo({ connection }: Awaited<ReturnType<typeof openTestDatabase>>): Promise<pg.Client> {
  const client = new pg.Client(connection as pg.ClientConfig);
  closing.push(() => client.end());
  await client.connect();
  return client;
}

test('a transaction in which nothing happens is found in a database, and is over with it', async () => {
  const database = await openTestDatabase();
  closing.push(() => database.close());
  const connect = () => connectTo(database);
  const [owner, stuck] = [await connect(), await connect()];
  const app = { pid: process.pid, port: await findFreePort(), dataDir: makeDataDir('pf-soak-'), owner };
  closing.push(() => rmSync(app.dataDir, { recursive: true }));
  const look = async () => (await takeSample(app, 0)).idleTransactions;
  const growsWith = (idleTransactions: number) => growing(every10s(() => ({ idleTransactions })));
  await stuck.query('begin');
  expect(await look()).toBe(0);
  await expect.poll(look, { interval: 500 }).toBe(1);
  expect(growsWith(await look())).toEqual(['idleTransactions']);
  await stuck.query('rollback');
  expect(growsWith(await look())).toEqual([]);
});

test('of a hundred requests at half of what can be done one may be told to come again', () => {
  const of = (answered: number, shed: number, failed = 0) => ({
    arrivals: { timesMs: Array(answered).fill(1), shed, failed },
  });
  expect(shareShed([])).toBe(0);
  expect(shareShed([of(500, 0), of(490, 9, 1)])).toBeLessThanOrEqual(mostShed);
  expect(shareShed([of(500, 0), of(489, 11)])).toBeGreaterThan(mostShed);
  const between = (before: number, after: number) => isAtHalf({ ...of(1, 0), perSecond: before / 2, before, after });
  expect([between(200, 190), between(200, 400), between(200, 120)]).toEqual([true, true, false]);
});

const everyMinute = (change: (n: number) => number, changeOfCode: (n: number) => number = () => 0): Held[] =>
  Array.from({ length: 15 }, (_, n) => ({
    atSeconds: 60 * n,
    heldMegabytes: 70 + change(n),
    codeMegabytes: 10 + changeOfCode(n),
  }));
const bothGrow = (held: readonly Held[]) => judgeHeld(held).map(({ grows }) => grows);

test('what is held may swing and fill up a little, and not grow by 20 MB an hour', () => {
  expect(bothGrow(everyMinute((n) => (n % 5 === 0 ? 20 : 0)))).toEqual([false, false]);
  expect(bothGrow(everyMinute((n) => 0.1 * n))).toEqual([false, false]);
  expect(bothGrow(everyMinute((n) => (20 / 60) * n + (n % 3) * 0.5))).toEqual([true, false]);
});

test('code may be compiled better, and not be made again all the time', () => {
  const still = () => 0;
  expect(bothGrow(everyMinute(still, (n) => 0.15 * n))).toEqual([false, false]);
  expect(bothGrow(everyMinute(still, (n) => 0.3 * n))).toEqual([false, true]);
});

/** Eight hours in which nothing grows but what is said, which swings by a few megabytes. */
const forHours = (
  change: (hours: number) => number,
  { everyMinutes, swing }: { everyMinutes: number; swing: number },
) =>
  Array.from({ length: 480 / everyMinutes + 1 }, (_, n) => ({
    ...still,
    atSeconds: 60 * everyMinutes * n,
    value: 200 + change((everyMinutes * n) / 60) + swing * ((n * 7) % 11),
  }));
const heldFor = (change: (hours: number) => number) =>
  bothGrow(
    forHours(change, { everyMinutes: 8, swing: 0.1 }).map((one) => ({
      ...one,
      heldMegabytes: one.value,
      codeMegabytes: one.value,
    })),
  );
const usedFor = (change: (hours: number) => number) =>
  growing(forHours(change, { everyMinutes: 2, swing: 3 }).map((one) => ({ ...one, megabytes: one.value })));

test('in eight hours more than a megabyte an hour is a leak, in all that is used and in what is held, after the first hour', () => {
  const warm = (hours: number) => 60 * Math.min(1, hours);
  const neither = [false, false];
  expect([heldFor((hours) => 0.8 * hours), heldFor(warm)]).toEqual([neither, neither]);
  expect(heldFor((hours) => 1.2 * hours)).toEqual([true, true]);
  expect([usedFor((hours) => 0.8 * hours), usedFor(warm)]).toEqual([[], []]);
  expect(usedFor((hours) => warm(hours) + 1.2 * hours)).toEqual(['megabytes']);
});

/** Returns how often nobody looks for a few seconds, to see what it holds. */
const restsIn = (seconds: number) => Math.min(60, Math.max(5, Math.round(seconds / 60)));

/**
 * Uses a new app for a while at half of what it can do, and looks at it all the time. What it can do is measured before and
 * after each stretch, beside the creator at work: a machine can do something else a minute later.
 * @param planted what is loaded into the server, and a transaction in which nothing happens
 */
async function soak(seconds: number, planted?: { file: string; statement: string }) {
  const [port, dataDir] = [await findFreePort(), makeDataDir('pf-soak-')];
  closing.push(() => rmSync(dataDir, { recursive: true, force: true }));
  const imports = [heldTeller, ...(planted === undefined ? [] : [planted.file])].map((file) => `--import=${file}`);
  const server = spawnServer({ port, dataDir, environment: { NODE_OPTIONS: imports.join(' ') } });
  closing.push(() => server.end('SIGTERM'));
  await server.untilUp();
  const database = await openDatabase({ dataDir, migrations: null, log: () => undefined });
  closing.push(() => database.close());
  const connect = () => connectTo(database);
  const owner = await connect();
  if (planted !== undefined) await (await connect()).query(planted.statement);
  const world = await openSoakWorld(server);
  const over = new AbortController();
  closing.push(() => over.abort());

  const samples: Sample[] = [];
  const began = performance.now();
  const looking = (async () => {
    const pauseMs = Math.min(10_000, Math.max(1000, (seconds * 1000) / 180));
    for (; !over.signal.aborted; await wait(pauseMs))
      samples.push(await takeSample({ pid: server.pid, port, dataDir, owner }, (performance.now() - began) / 1000));
  })();
  const living = world.live(over.signal);
  const held: Held[] = [];
  const stretches: (Stretch & { arrivals: Arrivals })[] = [];
  let capacity = await world.measureRate();
  for (let n = 0; n < restsIn(seconds); n++) {
    const [first, before, perSecond] = [countSent(stretches), capacity, 0.5 * capacity];
    const arrivals = await fireAtRate(perSecond, seconds / restsIn(seconds), (at) => world.shotOf(first + at));
    const now = await readHeld({ pid: server.pid, dataDir });
    held.push({ atSeconds: (performance.now() - began) / 1000, ...now });
    capacity = await world.measureRate();
    stretches.push({ arrivals, perSecond, before, after: capacity });
  }
  over.abort();
  const [slow] = await Promise.all([living, looking]);
  return { verdicts: [...judge(samples), ...judgeHeld(held)], stretches, slow };
}

const inWords = (verdicts: readonly Verdict[]) =>
  Object.fromEntries(
    verdicts.flatMap(({ figure, usual, perHour }) => [
      [figure, Math.round(usual)],
      [`${figure}PerHour`, Math.round(10 * perHour) / 10],
    ]),
  );

test.runIf(isFull)('nothing grows while people come, look, upload and are shown out', async () => {
  const { verdicts, stretches, slow } = await soak(60 * minutes);
  const atHalf = stretches.filter(isAtHalf);
  const rates = stretches.map(({ perSecond }) => Math.round(perSecond));
  const total = (of: 'shed' | 'failed') => stretches.reduce((sum, { arrivals }) => sum + arrivals[of], 0);
  const figures = {
    minutes,
    perSecondFrom: Math.min(...rates),
    perSecondTo: Math.max(...rates),
    failed: total('failed'),
    shed: total('shed'),
    stretches: stretches.length,
    stretchesAtHalf: atHalf.length,
    shareShedAtHalf: shareShed(atHalf),
  };
  printProof('soak', countSent(stretches), { ...figures, ...slow, ...inWords(verdicts) });
  expect(stretches.flatMap(({ arrivals }) => [...arrivals.reasons])).toEqual([]);
  expect(atHalf.length).toBeGreaterThan(stretches.length / 2);
  expect(shareShed(atHalf)).toBeLessThanOrEqual(mostShed);
  expect(slow.links).toBeGreaterThan(slow.roundsBrokenOff);
  expect(verdicts.filter(({ grows }) => grows)).toEqual([]);
});

test.runIf(isFull)('planted: a server that loses memory, descriptors, files and a transaction is caught', async () => {
  const file = path.join(import.meta.dirname, '../../support/planted/planted-leak.ts');
  const { verdicts } = await soak(45, { file, statement: 'begin' });
  expect(verdicts.flatMap(({ figure, grows }) => (grows ? [figure] : []))).toEqual(
    expect.arrayContaining(['megabytes', 'descriptors', 'tempFiles', 'idleTransactions', 'heldMegabytes']),
  );
});
