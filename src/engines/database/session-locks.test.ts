import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase } from '#tests/support/test-database.ts';
import type { Database } from './database.ts';
import { openSessionLocks, type SessionLocks } from './session-locks.ts';

/** Two processes are two sessions: what one has, the other does not get. */
let database: Database;
let [mine, yours]: SessionLocks[] = [];
const take = (locks: SessionLocks | undefined, name: string, onLost = () => undefined) => locks?.tryTake(name, onLost);

beforeAll(async () => {
  database = await openTestDatabase();
  [mine, yours] = [openSessionLocks(database.connection), openSessionLocks(database.connection)];
});
afterAll(async () => {
  await Promise.all([mine?.close(), yours?.close()]);
  await database.close();
});

test('a lock is held by one, in the same process and in another, until it is let go', async () => {
  const lock = await take(mine, 'a');
  expect(lock).toBeDefined();
  expect(await take(mine, 'a')).toBeUndefined();
  expect(await take(yours, 'a')).toBeUndefined();
  const other = await take(yours, 'b');
  expect(other).toBeDefined();
  await lock?.release();
  const taken = await take(yours, 'a');
  expect(taken).toBeDefined();
  await Promise.all([taken?.release(), other?.release()]);
});

test('of many who ask at once one gets it', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => take(n % 2 ? mine : yours, 'crowd')));
  const taken = answers.filter((lock) => lock !== undefined);
  expect(taken).toHaveLength(1);
  await taken[0]?.release();
});

test('who loses the session is told, and somebody else gets the lock', async () => {
  const lost = Promise.withResolvers<void>();
  const lock = await take(mine, 'fragile', () => void lost.resolve());
  const owner = new pg.Client(database.connection as pg.ClientConfig);
  await owner.connect();
  await owner.query(
    `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'
     and database = (select oid from pg_database where datname = current_database())`,
  );
  await owner.end();
  await lost.promise;
  const next = await take(yours, 'fragile');
  expect(next).toBeDefined();
  // Letting go of what is lost takes nothing from its new owner.
  await lock?.release();
  expect(await take(mine, 'fragile')).toBeUndefined();
  await next?.release();
});
