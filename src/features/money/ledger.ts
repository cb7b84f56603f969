import type { Engines } from '#engines/engines.ts';
import type { Movement } from '#engines/payments/payments.ts';
import { listUnposted, postMovement } from './ledger/ledger-store.ts';
import { entriesOf, isSuspense } from './ledger/posting.ts';
import { withObjectLock } from './webhooks/object-lock.ts';

type Needs = Pick<Engines, 'database' | 'payments' | 'log'>;
const system = { kind: 'system' } as const;

/**
 * Brings the provider's books into ours: each of its lines once, oldest first, so that what was cut off in the middle is
 * found by the next call.
 * @param since all lines from then on; left out, new ones up to the first page on which all are known
 * @returns how many were new
 */
export async function syncLedger(engines: Needs, since?: Date): Promise<number> {
  return withObjectLock(engines, `ledger:${engines.payments.realm.provider}`, async () => {
    const fresh = await findFresh(engines, since);
    for (const movement of fresh.toReversed()) await post(engines, movement);
    return fresh.length;
  });
}

/** Brings what was paid out to one creator into the books, up to the first page on which all is known. @returns how many were new */
export async function syncPayouts(engines: Needs, accountId: string): Promise<number> {
  return withObjectLock(engines, `ledger:${engines.payments.realm.provider}`, async () => {
    const fresh: Movement[] = [];
    for (const pages of engines.payments.payouts(accountId))
      fresh.push(...(await findFresh(engines, undefined, pages)));
    for (const movement of fresh.toReversed()) await post(engines, movement);
    return fresh.length;
  });
}

/** Of each database: what runs, and what runs after it. */
const soon = new WeakMap<object, { running: Promise<void>; isWanted: boolean }>();

/** Brings the books up to date when there is time for it: nobody who pays waits for them. What fails is caught up with later. */
export function syncSoon(engines: Needs): void {
  const { connection } = engines.database;
  const known = soon.get(connection);
  // A run that has not begun yet finds this line too.
  if (known?.isWanted === true) return;
  const turn = { running: Promise.resolve(), isWanted: true };
  turn.running = (known?.running ?? Promise.resolve()).then(async () => {
    turn.isWanted = false;
    await syncLedger(engines).catch((error: unknown) =>
      engines.log.warn({ area: 'money', err: error }, 'the books wait for their next round'),
    );
  });
  soon.set(connection, turn);
}

/** Waits until the books hold what they were to hold soon. */
export const untilSynced = async ({ database }: Pick<Engines, 'database'>): Promise<void> =>
  soon.get(database.connection)?.running;

async function findFresh(
  { database, payments }: Needs,
  since: Date | undefined,
  pages = payments.movements(since),
): Promise<Movement[]> {
  const fresh: Movement[] = [];
  for await (const page of pages) {
    const ids = page.map(({ id }) => id);
    const missing = await database.work(system, (tx) => listUnposted(tx, payments.realm, ids));
    fresh.push(...page.filter(({ id }) => missing.has(id)));
    if (missing.size === 0 && since === undefined) break;
  }
  return fresh;
}

async function post({ database, payments, log }: Needs, movement: Movement): Promise<void> {
  const entries = entriesOf(movement);
  await database.work(system, (tx) => postMovement(tx, payments.realm, movement, entries));
  if (isSuspense(entries))
    log.error({ area: 'money', movement: movement.id, kind: movement.kind }, 'a movement of money is not understood');
}
