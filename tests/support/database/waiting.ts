import pg from 'pg';
import { expect } from 'vitest';
import type { TestApp } from '../test-app.ts';

type Needs = Pick<TestApp, 'engines'>;

/** A connection of its own, as the one who owns the database: only that role sees who waits for whom. */
async function connect({ engines }: Needs): Promise<pg.Client> {
  const client = new pg.Client(engines.database.connection as pg.ClientConfig);
  await client.connect();
  return client;
}

/** Keeps everybody from writing into a table. @returns what lets them go on */
export async function stopWriting(app: Needs, table: string): Promise<() => Promise<void>> {
  const client = await connect(app);
  await client.query(`begin; lock table ${table} in share mode`);
  return async () => {
    await client.query('commit');
    await client.end();
  };
}

/** Waits until so many transactions wait for others. */
export async function untilWaiting(app: Needs, count: number): Promise<void> {
  const client = await connect(app);
  const text = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  // Not so long that what waits is cut off by the database's limit for a statement.
  const patience = { interval: 20 };
  await expect
    .poll(async () => (await client.query(text)).rowCount, patience)
    .toBe(count)
    .finally(() => client.end());
}
