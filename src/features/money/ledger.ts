import type { Engines } from '#engines/engines.ts';
import type { Movement } from '#engines/payments/payments.ts';
import { listUnposted, postMovement } from './ledger-store.ts';
import { withObjectLock } from './object-lock.ts';
import { entriesOf, isSuspense } from './posting.ts';

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

async function findFresh({ database, payments }: Needs, since: Date | undefined): Promise<Movement[]> {
  const fresh: Movement[] = [];
  for await (const page of payments.movements(since)) {
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
