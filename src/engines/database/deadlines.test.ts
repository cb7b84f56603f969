import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withDeadline } from '#kit/deadline.ts';
import { openTestDatabase } from '#tests/support/database/test-database.ts';
import { DatabaseAway } from './away.ts';
import type { Database } from './database.ts';
import { type Runner, runWork } from './work.ts';

const system: Runner = { kind: 'system' };
let database: Database;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

describe('a connection', () => {
  it('is given back by a transaction that waits for something else', async () => {
    const pool = new pg.Pool({ ...database.connection, max: 1 });
    const never = new Promise<void>(() => undefined);
    const client = await pool.connect();
    await expect(runWork(client, system, () => never, 1)).rejects.toMatchObject({ name: 'DeadlinePassed' });
    const next = await pool.connect();
    expect(await runWork(next, system, async (tx) => (await tx.client.query('select 1 as one')).rows)).toEqual([
      { one: 1 },
    ]);
    await pool.end();
  });

  it('is asked for by nobody whose time is over', async () => {
    const before = database.statementCount();
    const late = withDeadline(-1, () => database.work(system, async () => undefined));
    await expect(late).rejects.toBeInstanceOf(DatabaseAway);
    expect(database.statementCount()).toBe(before);
  });
});
