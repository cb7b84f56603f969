import { afterEach, beforeEach, expect, it } from 'vitest';
import { openTestDatabase } from '#tests/support/database/test-database.ts';
import type { Database } from '../database/database.ts';
import type { Jobs } from './jobs.ts';
import { openJobs } from './pg-boss.ts';

let database: Database;
let jobs: Jobs;
const [ran, warnings, errors]: [string[], string[], object[]] = [[], [], []];

function declare(): Jobs {
  const warn = (_: object, words = '') => void warnings.push(words);
  const error = (about: object) => void errors.push(about);
  const opened = openJobs({ database, log: { info: () => undefined, warn, error } });
  opened.handle<{ name: string }>('one', async ({ name }) => void ran.push(name));
  opened.every('* * * * *', 'minute', async () => void ran.push('minute'));
  return opened;
}
beforeEach(async () => {
  for (const list of [ran, warnings, errors]) list.length = 0;
  database = await openTestDatabase();
  jobs = declare();
});
afterEach(async () => {
  await jobs.stop();
  await database.close();
  expect(errors).toEqual([]);
});

const ask = async (text: string) =>
  (await database.work({ kind: 'system' }, ({ client }) => client.query(text))).rows as Record<string, unknown>[];
const send = (name: string, startAfterSeconds = 0) =>
  database.work({ kind: 'system' }, (tx) => jobs.send(tx, 'one', { name }, { startAfterSeconds }));

const later = `now() + interval '30 days'`;
/** What a clock leaves that was ahead by 30 days. */
const noted = [
  `update pgboss.version set cron_on = ${later}, flow_on = ${later}`,
  `update pgboss.queue set monitor_claim_on = ${later}, monitor_on = ${later}, maintain_on = ${later}`,
  `update pgboss.job set created_on = created_on + interval '30 days', start_after = start_after + interval '30 days'`,
];

it('a clock that was set back holds no job and no round up', async () => {
  await jobs.start(false);
  await send('at once');
  await send('in an hour', 3600);
  await jobs.stop();
  for (const text of noted) await ask(text);
  jobs = declare();
  await jobs.start(true);
  await expect.poll(() => ran).toContain('at once');
  expect(ran).not.toContain('in an hour');
  expect(warnings).toContain('the clock of the database was set back');
  expect(await ask(`select 1 from pgboss.version where greatest(cron_on, flow_on) > now()`)).toEqual([]);
  expect(await ask(`select 1 from pgboss.queue where greatest(monitor_claim_on, maintain_on) > now()`)).toEqual([]);
  const [waiting] = await ask(
    `select extract(epoch from start_after - now())::float8 as seconds from pgboss.job where name = 'one' and state = 'created'`,
  );
  expect(waiting?.seconds).toBeGreaterThan(3000);
  expect(waiting?.seconds).toBeLessThanOrEqual(3600);
});

it('what was done in a minute that comes a second time keeps its jobs of that minute from nothing', async () => {
  await jobs.start(false);
  await send('done');
  await jobs.stop();
  for (const text of noted) await ask(text);
  const minuteAhead = `date_trunc('minute', now() at time zone 'utc') + interval '1 day'`;
  await ask(`update pgboss.job set state = 'completed', singleton_on = ${minuteAhead} where name = 'one'`);
  jobs = declare();
  await jobs.start(true);
  await expect.poll(() => warnings).toContain('the clock of the database was set back');
  const [done] = await ask(`select state, singleton_on from pgboss.job where name = 'one'`);
  expect(done).toEqual({ state: 'completed', singleton_on: null });
});

it('a clock that goes on as it did changes nothing', async () => {
  await jobs.start(true);
  await send('in an hour', 3600);
  const before = await ask(`select id, start_after, created_on from pgboss.job where name = 'one'`);
  await jobs.stop();
  jobs = declare();
  await jobs.start(true);
  expect(await ask(`select id, start_after, created_on from pgboss.job where name = 'one'`)).toEqual(before);
  expect(before).toHaveLength(1);
});
