import { afterEach, beforeEach, expect, it } from 'vitest';
import { openTestDatabase } from '#tests/support/database/test-database.ts';
import type { Database } from '../database/database.ts';
import type { Jobs } from './jobs.ts';
import { openJobs } from './pg-boss.ts';

const system = { kind: 'system' } as const;
let database: Database;
let jobs: Jobs;
beforeEach(async () => {
  database = await openTestDatabase();
  jobs = openJobs({ database, log: { info: () => undefined, warn: () => undefined, error: () => undefined } });
});
afterEach(async () => {
  await jobs.stop();
  await database.close();
});

const query = (text: string, values: unknown[] = []) =>
  database.work(system, async ({ client }) => (await client.query(text, values)).rows as { name: string }[]);
/** What pg-boss takes away by itself, so many days later. */
const deleteOld = `delete from pgboss.job where deletion_seconds > 0 and completed_on + deletion_seconds * interval '1s' < now()`;
const ageBy = (days: number) =>
  query(`update pgboss.job set completed_on = completed_on - $1 * interval '1 day' where completed_on is not null`, [
    days,
  ]);
const namesLeft = async () =>
  (await query(`select name from pgboss.job where name in ('good', 'bad') order by name`)).map(({ name }) => name);

it('what failed on a Friday can be tried again on a Monday, and goes after two weeks; what is done goes after a day', async () => {
  let isRepaired = false;
  const ran: string[] = [];
  jobs.handle('good', async () => void ran.push('good'));
  jobs.handle(
    'bad',
    async () => {
      if (!isRepaired) throw new Error('it broke');
      ran.push('bad');
    },
    { retryLimit: 0 },
  );
  await jobs.start(true);
  await database.work(system, async (tx) => {
    for (const queue of ['good', 'bad']) await jobs.send(tx, queue, {});
  });
  await expect.poll(async () => (await jobs.failed(10)).length).toBe(1);
  await expect.poll(() => query(`select from pgboss.job where name = 'good' and state = 'completed'`)).toHaveLength(1);
  await jobs.forgetDone();
  expect(await namesLeft(), 'on the same day').toEqual(['bad', 'good']);

  await ageBy(3);
  await jobs.forgetDone();
  await query(deleteOld);
  expect(await namesLeft(), 'three days later').toEqual(['bad']);
  const [failed] = await jobs.failed(10);
  expect(failed).toMatchObject({ queue: 'bad', error: 'it broke' });
  isRepaired = true;
  expect(await jobs.retry('bad', failed?.id ?? '')).toBe(true);
  await expect.poll(() => ran).toEqual(['good', 'bad']);

  await query(`update pgboss.job set state = 'failed' where name = 'bad'`);
  await ageBy(15);
  await query(deleteOld);
  expect(await namesLeft(), 'two weeks later').toEqual([]);
});
