import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { describeError } from '#app/log.ts';
import { openTestDatabase } from '#tests/support/database/test-database.ts';
import { type Database, openDatabase } from '../database/database.ts';
import type { Runner } from '../database/work.ts';
import type { Jobs } from './jobs.ts';
import { openJobs } from './pg-boss.ts';

const system: Runner = { kind: 'system' };
const creator: Runner = { kind: 'user', userId: '0196f0c2-7b1c-7e2a-8f00-0123456789ab' };

let database: Database;
let errors: object[];
const started: Jobs[] = [];
beforeEach(async () => {
  database = await openTestDatabase();
  errors = [];
});
afterEach(async () => {
  for (const jobs of started.splice(0)) await jobs.stop();
  await database.close();
});

const open = (over = database, options: { lookAgainSeconds?: number } = {}): Jobs => {
  const error = (about: { err?: Error }) => void errors.push({ ...about, err: describeError(about.err) });
  const log = { info: () => undefined, warn: () => undefined, error };
  const jobs = openJobs({ database: over, log, ...options });
  started.push(jobs);
  return jobs;
};

async function asOwner(...texts: string[]) {
  const client = new pg.Client(database.connection as pg.ClientConfig);
  await client.connect();
  try {
    for (const text of texts.slice(0, -1)) await client.query(text);
    return (await client.query(texts.at(-1) ?? '')).rows;
  } finally {
    await client.end();
  }
}

describe('jobs', () => {
  it('run when the transaction that sent them commits, and never after a rollback', async () => {
    const jobs = open();
    const ran: number[] = [];
    jobs.handle<{ n: number }>('one', async ({ n }) => void ran.push(n));
    await jobs.start(true);
    const failing = database.work(creator, async (tx) => {
      await jobs.send(tx, 'one', { n: 1 });
      throw new Error('after all');
    });
    await expect(failing).rejects.toThrow('after all');
    await database.work(creator, async (tx) => {
      await jobs.send(tx, 'one', { n: 2 });
      await wait(200);
      expect(ran).toEqual([]);
    });
    await expect.poll(() => ran).toEqual([2]);
    expect(await jobs.counts()).toEqual([{ queue: 'one', state: expect.stringMatching('active|completed'), count: 1 }]);
  });

  it('are no business of a creator without the door', async () => {
    await open().start(false);
    await expect(database.work(creator, (tx) => tx.client.query('select * from pgboss.job'))).rejects.toMatchObject({
      code: '42501',
    });
  });

  it('follow each other without a pause, and some at once', async () => {
    const jobs = open();
    let [running, most, done] = [0, 0, 0];
    const run = async () => {
      most = Math.max(most, ++running);
      await wait(5);
      running--;
      done++;
    };
    jobs.handle('many', run, { atOnce: 3 });
    await jobs.start(true);
    await database.work(system, async (tx) => {
      for (let n = 0; n < 60; n++) await jobs.send(tx, 'many', { n });
    });
    await expect.poll(() => done).toBe(60);
    expect(most).toBe(3);
  });

  it('that fail are tried again, then laid aside; what the log and the job keep has no values in it', async () => {
    const jobs = open(database, { lookAgainSeconds: 1 });
    const tries: boolean[] = [];
    const failing = async (_data: object, _signal: AbortSignal, isLastTry: boolean) => {
      tries.push(isLastTry);
      throw Object.assign(new Error('duplicate key'), { detail: 'Key (email)=(bob@example.org) already exists.' });
    };
    jobs.handle('bad', failing, { retryLimit: 1 });
    await jobs.start(true);
    await database.work(system, (tx) => jobs.send(tx, 'bad', { n: 1 }));
    const isDead = async () => (await jobs.counts()).some(({ queue }) => queue === 'dead');
    await expect.poll(isDead, { interval: 200 }).toBe(true);
    expect(tries, 'whether it was the last').toEqual([false, true]);
    expect(errors.map((about) => (about as { tries: number }).tries)).toEqual([1, 2]);
    const kept = await database.work(
      system,
      async ({ client }) => (await client.query('select output from pgboss.job')).rows,
    );
    expect(JSON.stringify(kept)).toContain('duplicate key');
    expect(JSON.stringify(errors)).toContain('duplicate key');
    expect(JSON.stringify([kept, errors])).not.toContain('bob@example.org');
  });

  it('of one key wait for each other, or are dropped, as their queue says', async () => {
    const jobs = open();
    const [running, most] = [new Map<string, number>(), new Map<string, number>()];
    let done = 0;
    const run = async ({ key }: { key: string }) => {
      running.set(key, (running.get(key) ?? 0) + 1);
      most.set(key, Math.max(most.get(key) ?? 0, running.get(key) ?? 0));
      await wait(30);
      running.set(key, (running.get(key) ?? 0) - 1);
      done++;
    };
    jobs.handle('videos', run, { atOnce: 4, perKey: 'one_running' });
    jobs.handle('sums', run, { perKey: 'one_waiting' });
    await jobs.start(false);
    const send = (queue: string, key: string) =>
      database.work(system, (tx) => jobs.send(tx, queue, { key }, { singletonKey: key }));
    for (const key of ['a', 'a', 'a', 'b']) await send('videos', key);
    for (const key of ['c', 'c', 'c', 'd']) await send('sums', key);
    expect((await jobs.counts()).map(({ queue, count }) => [queue, count])).toEqual([
      ['sums', 2],
      ['videos', 4],
    ]);
    const workers = open();
    workers.handle('videos', run, { atOnce: 4, perKey: 'one_running' });
    workers.handle('sums', run, { perKey: 'one_waiting' });
    await workers.start(true);
    await expect.poll(() => done).toBe(6);
    expect(most.get('a')).toBe(1);
  });

  it('do not wait for one of their key that is worked on no more, as a killed process left it to be thought', async () => {
    const sender = open();
    sender.handle('videos', async () => undefined, { perKey: 'one_running' });
    await sender.start(false);
    await database.work(system, (tx) => sender.send(tx, 'videos', {}, { singletonKey: 'a' }));
    await asOwner('set role app_system', `update pgboss.queue set singletons_active = '{a}' where name = 'videos'`);
    const workers = open(database, { lookAgainSeconds: 1 });
    let done = 0;
    workers.handle('videos', async () => void done++, { perKey: 'one_running' });
    await workers.start(true);
    await expect.poll(() => done).toBe(1);
  });

  it('come by themselves, and stop coming when nobody declares them any more', async () => {
    const schedules = () => asOwner('set role app_system', 'select name, cron from pgboss.schedule order by name');
    const first = open();
    let ran = 0;
    first.every('17 * * * *', 'sweep', async () => void ran++);
    first.every('0 3 * * *', 'old', async () => undefined);
    await first.start(true);
    expect(await schedules()).toEqual([
      { name: 'old', cron: '0 3 * * *' },
      { name: 'sweep', cron: '17 * * * *' },
    ]);
    await database.work(system, (tx) => first.send(tx, 'sweep', {}));
    await expect.poll(() => ran).toBe(1);
    const second = open();
    second.every('18 * * * *', 'sweep', async () => undefined);
    await second.start(true);
    expect(await schedules()).toEqual([{ name: 'sweep', cron: '18 * * * *' }]);
  });

  it('survive several processes that make the queues at the same time', async () => {
    await asOwner(
      'set role app_system',
      'drop schema pgboss cascade',
      'reset role',
      'create schema pgboss authorization app_system',
    );
    const all = [open(), open(), open()];
    for (const jobs of all) for (const queue of ['a', 'b', 'c']) jobs.handle(queue, async () => undefined);
    await Promise.all(all.map((jobs) => jobs.start(true)));
    await database.work(system, (tx) => all[0]?.send(tx, 'a', {}) ?? Promise.reject());
    expect(errors).toEqual([]);
  });

  it('take a changed rule of their queue at the next start, and no other rule per key', async () => {
    const before = open();
    before.handle('q', async () => undefined, { retryLimit: 1 });
    await before.start(false);
    const after = open();
    after.handle('q', async () => undefined, { retryLimit: 7 });
    await after.start(false);
    expect(await asOwner('set role app_system', `select retry_limit from pgboss.queue where name = 'q'`)).toEqual([
      { retry_limit: 7 },
    ]);
    const other = open();
    other.handle('q', async () => undefined, { perKey: 'one' });
    await expect(other.start(false)).rejects.toThrow('Give the new one a new name');
  });

  it('go on after their connections were cut', async () => {
    const jobs = open();
    let ran = 0;
    jobs.handle('one', async () => void ran++);
    await jobs.start(true);
    await asOwner(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'jobs'`,
    );
    await database.work(system, (tx) => jobs.send(tx, 'one', {}));
    await expect.poll(() => ran).toBe(1);
    expect(JSON.stringify(errors)).toContain('terminat');
  });

  it('that take too long ask the database nothing more', async () => {
    const jobs = open();
    const { promise: over, resolve } = Promise.withResolvers<unknown>();
    const run = async () => {
      await wait(1100);
      await database.work(system, async () => undefined).then(resolve, resolve);
    };
    jobs.handle('long', run, { expireInSeconds: 1, retryLimit: 0 });
    await jobs.start(true);
    await database.work(system, (tx) => jobs.send(tx, 'long', {}));
    expect(await over).toMatchObject({ name: 'DatabaseAway', cause: { name: 'DeadlinePassed' } });
  });

  it('may finish what they are doing when they are stopped', async () => {
    const jobs = open();
    let state = 'waiting';
    jobs.handle('slow', async () => {
      state = 'begun';
      await wait(300);
      state = 'done';
    });
    await jobs.start(true);
    await database.work(system, (tx) => jobs.send(tx, 'slow', {}));
    await expect.poll(() => state).toBe('begun');
    await jobs.stop();
    expect(state).toBe('done');
  });

  it('tell how long the oldest has been waiting, without those that are to wait', async () => {
    const jobs = open();
    jobs.handle('one', async () => undefined);
    await jobs.start(false);
    expect(await jobs.ageSeconds()).toBe(0);
    await database.work(system, (tx) => jobs.send(tx, 'one', {}, { startAfterSeconds: 3600 }));
    expect(await jobs.ageSeconds()).toBe(0);
    await database.work(system, (tx) => jobs.send(tx, 'one', {}));
    await wait(50);
    expect(await jobs.ageSeconds()).toBeGreaterThan(0.04);
    expect(await jobs.ageSeconds()).toBeLessThan(5);
    expect(await jobs.ageSeconds('two')).toBe(0);
    expect(await jobs.ageSeconds('one')).toBeGreaterThan(0.04);
  });

  it('refuse to be sent before the start and to be declared after it', async () => {
    const jobs = open();
    await expect(database.work(system, (tx) => jobs.send(tx, 'one', {}))).rejects.toThrow('not started');
    await jobs.start(false);
    expect(() => jobs.handle('late', async () => undefined)).toThrow('after the start');
  });
});

describe('jobs of a killed process', () => {
  it('are run again at once by the one that boots the server next', async () => {
    const root = mkdtempSync(path.join(tmpdir(), 'pf-jobs-'));
    chmodSync(root, 0o755);
    const migrations = path.join(root, 'migrations');
    mkdirSync(migrations);
    const paused = 'create table paused_queues (queue text, paused_by uuid, paused_at timestamptz)';
    const made = `create schema pgboss authorization app_system; ${paused}; grant select on paused_queues to app_system;`;
    writeFileSync(path.join(migrations, '0001_a.sql'), made);
    const child = spawn(process.execPath, ['tests/support/database/hold-database.ts', root, migrations, 'job'], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    for await (const line of createInterface({ input: child.stdout })) if (line === 'began') break;
    child.kill('SIGKILL');
    await once(child, 'exit');
    const own = await openDatabase({ dataDir: root, migrations, log: () => undefined });
    const jobs = open(own);
    const ran: object[] = [];
    jobs.handle('slow', async (data) => void ran.push(data));
    await jobs.start(true);
    await expect.poll(() => ran).toEqual([{ n: 1 }]);
    await jobs.stop();
    await own.close();
    rmSync(root, { recursive: true });
  });
});
