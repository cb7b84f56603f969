import { setTimeout as wait } from 'node:timers/promises';
import { openSessionLocks, type SessionLocks } from '#engines/database/session-locks.ts';
import { checkDeadline } from '#engines/deadline.ts';
import type { Engines } from '#engines/engines.ts';

type Needs = Pick<Engines, 'database'>;

const pauseMs = 15;
/** How long somebody waits for the one before; the provider's library gives up sooner. */
const patienceMs = 90_000;

const known = new WeakMap<object, SessionLocks>();

function locksOf({ database }: Needs): SessionLocks {
  const found = known.get(database.connection);
  if (found !== undefined) return found;
  const locks = openSessionLocks(database.connection);
  known.set(database.connection, locks);
  return locks;
}

/** In one process whoever comes later waits here, in order, and asks the database no more often than needed. */
const queues = new WeakMap<object, Map<string, Promise<unknown>>>();

/**
 * Runs alone for one object of the provider, in whichever process: asking and writing what was answered belong together, or a
 * slow answer overwrites a newer one. No transaction is open meanwhile.
 */
export async function withObjectLock<T>(engines: Needs, name: string, run: () => Promise<T>): Promise<T> {
  const { connection } = engines.database;
  const queue = queues.get(connection) ?? new Map<string, Promise<unknown>>();
  queues.set(connection, queue);
  const before = queue.get(name) ?? Promise.resolve();
  const mine = before.catch(() => undefined).then(() => held(engines, `money:${name}`, run));
  queue.set(name, mine);
  try {
    return await mine;
  } finally {
    if (queue.get(name) === mine) queue.delete(name);
  }
}

async function held<T>(engines: Needs, name: string, run: () => Promise<T>): Promise<T> {
  const locks = locksOf(engines);
  checkDeadline();
  const until = performance.now() + patienceMs;
  for (;;) {
    // Losing it does no harm: whoever writes compares versions.
    const lock = await locks.tryTake(name, () => undefined);
    if (lock !== undefined) {
      try {
        return await run();
      } finally {
        await lock.release();
      }
    }
    checkDeadline();
    if (performance.now() > until) throw new Error('Somebody else has held this payment for too long.');
    await wait(pauseMs);
  }
}

/** Lets go of the session with the locks, when the process ends. */
export async function closeObjectLocks({ database }: Needs): Promise<void> {
  await known.get(database.connection)?.close();
  known.delete(database.connection);
}
