import type { Engines } from '#engines/engines.ts';
import type { Movement } from '#engines/payments/payments.ts';
import { createSharedRun, type SharedRun } from '#engines/shared-run.ts';
import { minuteMs, secondMs } from '#kit/time.ts';
import { listUnposted, postMovements } from './ledger-store.ts';
import { withObjectLock } from './object-lock.ts';
import { entriesOf, isSuspense } from './posting.ts';

type Needs = Pick<Engines, 'database' | 'payments' | 'log'>;
const system = { kind: 'system' } as const;
/** Books that nobody is in a hurry for are read no more often than this, however much is paid. */
const gapMs = 0.3 * secondMs;
/** Reading what is new is over after this; what is left is read by the next one. */
const readingMs = 10 * minuteMs;
/** Movements that are posted in one transaction. */
const postedAtOnce = 50;

/** Of each database: the reading of what is new, which all who wait for the books share. */
const readings = new WeakMap<object, SharedRun<number>>();

function readNews(engines: Needs, isUrgent: boolean): Promise<number> {
  const { connection } = engines.database;
  const reading = readings.get(connection) ?? createSharedRun<number>({ mostMs: readingMs, gapMs });
  readings.set(connection, reading);
  return reading.ask(() => readBooks(engines), { isUrgent });
}

/**
 * Brings the provider's books into ours: each of its lines once, oldest first, so that what was cut off in the middle is
 * found by the next call. Whoever calls meanwhile shares one more reading.
 * @param since all lines from then on; left out, new ones up to the first page on which all are known
 * @returns how many were new
 */
export async function syncLedger(engines: Needs, since?: Date): Promise<number> {
  return since === undefined ? readNews(engines, true) : readBooks(engines, since);
}

/** The same for work that comes often and for many payments: they wait a moment for each other. */
export async function syncTogether(engines: Needs): Promise<void> {
  await readNews(engines, false);
}

/** Brings the books up to date when there is time for it: nobody who pays waits for them. What fails is caught up with later. */
export function syncSoon(engines: Needs): void {
  syncTogether(engines).catch((error: unknown) =>
    engines.log.warn({ area: 'money', err: error }, 'the books wait for their next round'),
  );
}

/** Waits until the books hold what they were to hold soon. */
export const untilSynced = async ({ database }: Pick<Engines, 'database'>): Promise<void> =>
  readings.get(database.connection)?.untilIdle();

const inBooks = <T>(engines: Needs, run: () => Promise<T>): Promise<T> =>
  withObjectLock(engines, `ledger:${engines.payments.realm.provider}`, run);

const readBooks = (engines: Needs, since?: Date): Promise<number> =>
  inBooks(engines, async () => postAll(engines, await findFresh(engines, since)));

/** Brings what was paid out to one creator into the books, up to the first page on which all is known. @returns how many were new */
export const syncPayouts = (engines: Needs, accountId: string): Promise<number> =>
  inBooks(engines, async () => {
    const fresh: Movement[] = [];
    for (const pages of engines.payments.payouts(accountId))
      fresh.push(...(await findFresh(engines, undefined, pages)));
    return postAll(engines, fresh);
  });

async function findFresh(
  { database, payments }: Needs,
  since: Date | undefined,
  pages = payments.movements(since),
): Promise<Movement[]> {
  const fresh: Movement[] = [];
  for await (const page of pages) {
    const missing = await listUnposted(
      database,
      payments.realm,
      page.map(({ id }) => id),
    );
    fresh.push(...page.filter(({ id }) => missing.has(id)));
    if (missing.size === 0 && since === undefined) break;
  }
  return fresh;
}

/** @param fresh newest first @returns how many there are */
async function postAll(engines: Needs, fresh: readonly Movement[]): Promise<number> {
  const oldestFirst = fresh.toReversed();
  for (let at = 0; at < oldestFirst.length; at += postedAtOnce)
    await postSome(engines, oldestFirst.slice(at, at + postedAtOnce));
  return fresh.length;
}

async function postSome(engines: Needs, movements: readonly Movement[]): Promise<void> {
  const { database, payments, log } = engines;
  const posted = movements.map((movement) => ({ movement, entries: entriesOf(movement) }));
  const post = (some: typeof posted) => database.work(system, (tx) => postMovements(tx, payments.realm, some));
  await post(posted).catch(async (error: unknown) => {
    if (posted.length === 1) throw error;
    // One that the books refuse keeps none out that is older.
    for (const one of posted) await post([one]);
  });
  for (const { movement, entries } of posted)
    if (isSuspense(entries))
      log.error({ area: 'money', movement: movement.id, kind: movement.kind }, 'a movement of money is not understood');
}
