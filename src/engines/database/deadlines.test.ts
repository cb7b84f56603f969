import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withDeadline } from '#engines/deadline.ts';
import { openTestDatabase } from '#tests/support/database/test-database.ts';
import { DatabaseAway } from './away.ts';
import type { Database } from './database.ts';
import { longStatement, type Runner, runWork, statement } from './work.ts';

const system: Runner = { kind: 'system' };
let database: Database;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

it('a statement in the background is waited for longer than those that people wait for', async () => {
  const pool = new pg.Pool({ ...database.connection, max: 1, query_timeout: 1000 });
  const sleep = 'select pg_sleep(2)';
  const ask = async (asked: ReturnType<typeof statement>) =>
    runWork(await pool.connect(), system, async (tx) => (await tx.query(asked, [])).length);
  await expect(ask(statement('sleep_short', sleep))).rejects.toThrow('Query read timeout');
  expect(await ask(longStatement('sleep_long', sleep))).toBe(1);
  await pool.end();
});

describe('a connection', () => {
  it('is given back by a transaction that waits for something else', async () => {
    const pool = new pg.Pool({ ...database.connection, max: 1 });
    const never = new Promise<void>(() => undefined);
    const client = await pool.connect();
    await expect(runWork(client, system, () => never, { timeoutMs: 1 })).rejects.toMatchObject({
      name: 'DeadlinePassed',
    });
    const next = await pool.connect();
    expect(await runWork(next, system, async (tx) => (await tx.client.query('select 1 as one')).rows)).toEqual([
      { one: 1 },
    ]);
    await pool.end();
  });

  it('that was given back is left alone by what went on', async () => {
    const pool = new pg.Pool({ ...database.connection, max: 1 });
    const { promise: gate, resolve } = Promise.withResolvers<void>();
    let abandoned: Promise<void> | undefined;
    const creator: Runner = { kind: 'user', userId: crypto.randomUUID() };
    const elevate = runWork(await pool.connect(), creator, (tx) => (abandoned = tx.asSystem(() => gate)), {
      timeoutMs: 1,
    });
    await expect(elevate).rejects.toMatchObject({ name: 'DeadlinePassed' });
    const next = await pool.connect();
    await next.query('begin');
    const readRole = async () => (await next.query<{ role: string }>('select current_user as role')).rows[0]?.role;
    const before = await readRole();
    resolve();
    await abandoned;
    expect(await readRole()).toBe(before);
    await next.query('rollback');
    next.release();
    await pool.end();
  });

  it('is asked for by nobody whose time is over', async () => {
    const before = database.statementCount();
    const late = withDeadline(-1, () => database.work(system, async () => undefined));
    await expect(late).rejects.toBeInstanceOf(DatabaseAway);
    expect(database.statementCount()).toBe(before);
  });
});
