import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '#engines/database/database.ts';
import { newId } from '#kit/ids.ts';
import { openTestDatabase } from '#tests/support/database/test-database.ts';
import { openUploadLocks, type UploadLocks } from './upload-locks.ts';

/** Two processes hear each other through the database; here news takes longer than letting go does. */
const newsMs = 300;
let database: Database;
let [mine, yours]: UploadLocks[] = [];
beforeAll(async () => {
  database = await openTestDatabase();
  const late: Pick<Database, 'connection' | 'work' | 'listen'> = {
    ...database,
    listen: (receive, onGap) => database.listen((event) => void setTimeout(() => receive(event), newsMs), onGap),
  };
  [mine, yours] = [late, late].map((each) => openUploadLocks({ database: each }));
});
afterAll(async () => {
  await Promise.all([mine?.close(), yours?.close()]);
  await database.close();
});

/** Somebody who writes to an upload, and lets go when asked. */
async function hold(locks: UploadLocks | undefined, id: string) {
  const lock = locks?.locker.newLock(id);
  let asked = 0;
  await lock?.lock(new AbortController().signal, () => {
    asked++;
    void lock.unlock();
  });
  return { asked: () => asked, unlock: () => lock?.unlock() };
}

test('who asked for an upload and got it is not asked by its own question', async () => {
  const id = newId(0);
  const first = await hold(mine, id);
  const second = await hold(mine, id);
  expect(first.asked()).toBe(1);
  await new Promise((done) => setTimeout(done, 3 * newsMs));
  expect(second.asked()).toBe(0);
  await second.unlock();
});

test('what another process wants is let go, and only that', async () => {
  const [id, otherId] = [newId(0), newId(0)];
  const [wanted, other] = [await hold(mine, id), await hold(mine, otherId)];
  const next = await hold(yours, id);
  expect([wanted.asked(), other.asked(), next.asked()]).toEqual([1, 0, 0]);
  await Promise.all([next.unlock(), other.unlock()]);
});
