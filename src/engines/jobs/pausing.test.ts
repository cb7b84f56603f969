import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openTestDatabase } from '#tests/support/database/test-database.ts';
import type { Database } from '../database/database.ts';
import type { Runner } from '../database/work.ts';
import type { Jobs } from './jobs.ts';
import { openJobs } from './pg-boss.ts';

const system: Runner = { kind: 'system' };
const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const patience = { timeout: 20_000 };

let database: Database;
let ran: number[];
const started: Jobs[] = [];
beforeEach(async () => {
  database = await openTestDatabase();
  ran = [];
});
afterEach(async () => {
  for (const jobs of started.splice(0)) await jobs.stop();
  await database.close();
});

/** One process of several over the same database. */
async function openProcess(run: (n: number) => Promise<void> = async (n) => void ran.push(n)): Promise<Jobs> {
  const jobs = openJobs({ database, log, lookAgainSeconds: 1 });
  started.push(jobs);
  jobs.handle<{ n: number }>('one', ({ n }) => run(n));
  jobs.handle<{ n: number }>('other', async ({ n }) => void ran.push(n));
  jobs.every('0 0 1 1 *', 'yearly', async () => void ran.push(-1));
  await jobs.start(true);
  return jobs;
}

const send = (jobs: Jobs, queue: string, n: number) =>
  database.work(system, (tx) => jobs.send(tx, queue, { n }, { startAfterSeconds: 0 }));
const pause = (jobs: Jobs) => database.work(system, (tx) => jobs.pause(tx, 'one', null));
const resume = (jobs: Jobs) => database.work(system, (tx) => jobs.resume(tx, 'one'));
/** Longer than a process needs to see what is paused. */
const untilSeen = () => wait(4000);

it('a paused queue rests in every process and after a restart, others go on, and nothing of it is lost', async () => {
  const [first, second] = [await openProcess(), await openProcess()];
  expect(await pause(first)).toBe(true);
  expect(await pause(second)).toBe(false);
  expect((await second.overview()).find(({ queue }) => queue === 'one')?.paused).toMatchObject({ by: null });
  await untilSeen();
  for (const n of [1, 2, 3]) await send(first, 'one', n);
  await send(second, 'other', 9);
  await expect.poll(() => ran, patience).toEqual([9]);
  for (const jobs of started.splice(0)) await jobs.stop();
  const third = await openProcess();
  await untilSeen();
  expect(ran).toEqual([9]);
  // What waits behind a pause is nobody's lateness; asked for by its name it is told.
  expect(await third.ageSeconds()).toBe(0);
  expect(await third.ageSeconds('one')).toBeGreaterThan(0);
  expect(await resume(third)).toBe(true);
  expect(await resume(third)).toBe(false);
  await expect.poll(() => ran.toSorted(), patience).toEqual([1, 2, 3, 9]);
});

it('what runs when its queue is paused ends, and is not begun a second time', async () => {
  const gate = Promise.withResolvers<void>();
  const jobs = await openProcess(async (n) => {
    ran.push(n);
    await gate.promise;
  });
  await send(jobs, 'one', 1);
  await expect.poll(() => ran, patience).toEqual([1]);
  await pause(jobs);
  await send(jobs, 'one', 2);
  await untilSeen();
  await resume(jobs);
  await untilSeen();
  expect(ran).toEqual([1]);
  gate.resolve();
  await expect.poll(() => ran, patience).toEqual([1, 2]);
});

it('a job that comes by itself runs when it is asked for, once at a time; others and their end are told', async () => {
  const jobs = await openProcess();
  const told: object[] = [];
  jobs.listen(({ queue, hasFailed }) => void told.push({ queue, hasFailed }));
  const runNow = (queue: string) => database.work(system, (tx) => jobs.runNow(tx, queue));
  expect(await Promise.all([runNow('one'), runNow('nothing')])).toEqual(['unknown', 'unknown']);
  // Both in one transaction: the first can have begun nowhere.
  const both = await database.work(system, async (tx) => [
    await jobs.runNow(tx, 'yearly'),
    await jobs.runNow(tx, 'yearly'),
  ]);
  expect(both).toEqual(['sent', 'busy']);
  await expect.poll(() => told, patience).toEqual([{ queue: 'yearly', hasFailed: false }]);
  expect(ran).toEqual([-1]);
  await expect
    .poll(async () => (await jobs.overview()).find(({ queue }) => queue === 'yearly')?.last?.hasFailed, patience)
    .toBe(false);
});
