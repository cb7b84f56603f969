import type { Tx } from '#engines/database/work.ts';
import type { Realm } from '#engines/payments/payments.ts';

/** Writes down one comparison of the books with the provider's. */
export async function insertRun(
  tx: Tx,
  run: { id: string; realm: Realm; startedAt: Date; finishedAt: Date; checked: number; drift: readonly string[] },
): Promise<void> {
  const { id, realm, startedAt, finishedAt, checked, drift } = run;
  await tx.db
    .insertInto('reconciliation_runs')
    .values({ id, ...realm, started_at: startedAt, finished_at: finishedAt, checked, drift: JSON.stringify(drift) })
    .execute();
}
