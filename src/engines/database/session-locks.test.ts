import { mkdtempSync, rmSync } from 'node:fs';
import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTestDatabase } from '#tests/support/database/test-database.ts';
import { DatabaseAway } from './away.ts';
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

describe('behind a line that falls silent', () => {
  const patienceMs = 400;
  const folder = mkdtempSync(path.join(tmpdir(), 'pf-line-'));
  const lines = new Set<Socket>();
  let proxy: Server;
  let locks: SessionLocks;
  let isSilent = false;
  beforeAll(async () => {
    const { host, port } = database.connection;
    const join = (near: Socket) => {
      const far = createConnection(`${host}/.s.PGSQL.${port}`);
      for (const [from, onto] of [
        [near, far],
        [far, near],
      ] as const) {
        lines.add(from);
        from.on('data', (bytes) => !isSilent && onto.write(bytes));
        from.on('error', () => undefined); // a cut line is a closed one
        from.on('close', () => onto.destroy());
      }
    };
    proxy = createServer(join);
    await new Promise<void>((done) => proxy.listen(path.join(folder, `.s.PGSQL.${port}`), done));
    locks = openSessionLocks({ ...database.connection, host: folder }, patienceMs);
  });
  beforeEach(() => {
    isSilent = false;
  });
  afterAll(async () => {
    isSilent = true;
    await locks.close(); // it says nothing, and is not waited for
    for (const line of lines) line.destroy();
    proxy.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test('a session that does not even begin is given up, and the next question begins one', async () => {
    isSilent = true;
    await expect(locks.tryTake('late', () => undefined)).rejects.toThrow(DatabaseAway);
    isSilent = false;
    const lock = await locks.tryTake('late', () => undefined);
    expect(lock).toBeDefined();
    await lock?.release();
  });

  test('a question without an answer ends the session: who holds a lock is told, nobody keeps one', async () => {
    const reported: string[] = [];
    const lock = await locks.tryTake('held', () => reported.push('held'));
    isSilent = true;
    await expect(locks.tryTake('wanted', () => reported.push('wanted'))).rejects.toThrow(DatabaseAway);
    expect(reported).toEqual(['held']);
    isSilent = false;
    // The database lets go of a session's locks when it sees that its line is closed.
    await expect.poll(() => take(yours, 'held')).toBeDefined();
    const again = await locks.tryTake('wanted', () => undefined);
    expect(again).toBeDefined();
    // What was lost is not taken from its new owner, and can be let go of any number of times.
    await lock?.release();
    expect(await locks.tryTake('held', () => undefined)).toBeUndefined();
    await again?.release();
  });

  test('a lock whose letting go is not answered is free all the same', async () => {
    let reported = 0;
    const lock = await locks.tryTake('leaving', () => void reported++);
    const other = await locks.tryTake('staying', () => void reported++);
    isSilent = true;
    await lock?.release();
    // Only who still wanted it has lost something.
    expect([other, reported]).toEqual([expect.anything(), 1]);
    isSilent = false;
    const next = await locks.tryTake('leaving', () => undefined);
    expect(next).toBeDefined();
    await next?.release();
  });
});
