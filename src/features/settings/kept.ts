import type { Database } from '#engines/database/database.ts';
import type { Tx } from '#engines/database/work.ts';
import { withoutDeadline } from '#engines/deadline.ts';
import type { Engines } from '#engines/engines.ts';

const maxAgeMs = 30_000;

interface Kept<T> {
  readAt: number;
  value: Promise<T>;
}

/**
 * What is read often and changes seldom, kept in memory: read again when a setting was changed in any process, and after 30 s at
 * the latest.
 */
export function keep<T>(read: (tx: Tx) => Promise<T>): (engines: Pick<Engines, 'database' | 'clock'>) => Promise<T> {
  const kept = new WeakMap<Database, Kept<T>>();
  const listening = new WeakMap<Database, Promise<unknown>>();
  const forget = (database: Database) => void kept.delete(database);
  /** A read that was under way when the change came is forgotten with it. */
  const listenOnce = (database: Database): Promise<unknown> => {
    const known = listening.get(database);
    if (known !== undefined) return known;
    const opened = database.listen(
      ({ kind }) => kind === 'settings' && forget(database),
      () => forget(database),
    );
    listening.set(database, opened);
    opened.catch(() => listening.delete(database));
    return opened;
  };
  return async ({ database, clock }) => {
    await listenOnce(database);
    const now = clock();
    const known = kept.get(database);
    if (known !== undefined && Math.abs(now - known.readAt) < maxAgeMs) return known.value;
    const value = withoutDeadline(() => database.work({ kind: 'system' }, read));
    kept.set(database, { readAt: now, value });
    value.catch(() => forget(database));
    return value;
  };
}
