import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openTestDatabase } from '#tests/support/database/test-database.ts';
import type { Database } from '../database/database.ts';
import { openJobs } from './pg-boss.ts';

const system = { kind: 'system' } as const;
let database: Database;
beforeEach(async () => {
  database = await openTestDatabase();
});
afterEach(() => database.close());

interface Kept {
  n: number;
  state: string;
  tries: number;
}

it('a worker that was silent for twenty seconds keeps its job, and one that was for forty has lost it', async () => {
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const jobs = openJobs({ database, log });
  const end = Promise.withResolvers<void>();
  const begun: number[] = [];
  jobs.handle<{ n: number }>(
    'slow',
    async ({ n }) => {
      begun.push(n);
      await end.promise;
    },
    { atOnce: 2 },
  );
  await jobs.start(true);
  await database.work(system, async (tx) => {
    await jobs.send(tx, 'slow', { n: 20 });
    await jobs.send(tx, 'slow', { n: 40 });
  });
  await expect.poll(() => begun.toSorted()).toEqual([20, 40]);
  // Whoever works says so every few seconds: it is silenced again and again, until somebody has looked.
  const silence = () =>
    database.work(system, async (tx) => {
      const { rows } = await tx.asSystem(({ client }) =>
        client.query(`
        update pgboss.job set heartbeat_on = now() - make_interval(secs => (data ->> 'n')::int)
        where name = 'slow' and state = 'active' returning (data ->> 'n')::int as n, state::text, retry_count as tries`),
      );
      return rows as Kept[];
    });
  await vi.waitUntil(async () => !(await silence()).some(({ n, tries }) => n === 40 && tries === 0), {
    timeout: 40_000,
    interval: 50,
  });
  expect(await silence()).toContainEqual({ n: 20, state: 'active', tries: 0 });
  end.resolve();
  await jobs.stop();
});
