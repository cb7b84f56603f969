import type { Engines } from '#engines/engines.ts';
import { monthsLater } from '#kit/time.ts';
import { eraseRows } from './erasing-rows.ts';
import { forgetAuditMonth, listOldBuyers, unlinkViewers } from './retaining-store.ts';

const system = { kind: 'system' } as const;
/** Who looked is known as long as single visits are; then an order is of an address alone. */
const linkedMonths = 13;
/** So long records of payments say who paid. */
const paidMonths = 7 * 12;

/** Forgets who looked by orders of long ago, and who paid them once the law asks for it no more; safe to repeat. */
export async function forgetOldOrders({ database, clock }: Pick<Engines, 'database' | 'clock'>): Promise<void> {
  const now = new Date(clock());
  const unlink = () => database.work(system, (tx) => unlinkViewers(tx, monthsLater(now, -linkedMonths)));
  while ((await unlink()) > 0);
  for (const id of await database.work(system, (tx) => listOldBuyers(tx, monthsLater(now, -paidMonths))))
    await eraseRows(database, 'buyer', id);
}

/** Forgets what is older than 24 months of the audit log, month by month from the oldest on. */
export async function forgetOldAudit({ database }: Pick<Engines, 'database'>): Promise<void> {
  while ((await database.work(system, (tx) => forgetAuditMonth(tx))) > 0);
}
