import { sql } from 'kysely';
import type { Tx } from '#engines/database/work.ts';
import type { Erasure } from './people-table.ts';

/** Rows that go in one transaction: what a killed process does again. */
export const rowsAtOnce = 5000;

/**
 * Deletes or empties some of the rows of a table that are somebody's.
 * @param ofWho an id, or an address in lower case
 * @returns how many were deleted; `rowsAtOnce` when there may be more
 */
export async function eraseSome(
  tx: Tx,
  table: string,
  { column, act, set }: Erasure,
  ofWho: { id: string } | { address: string },
): Promise<number> {
  const [place, key] = [sql.table(table), sql.ref(column)];
  const isTheirs = 'id' in ofWho ? sql`${key} = ${ofWho.id}::uuid` : sql`lower(${key}) = ${ofWho.address}`;
  if (act === 'delete') {
    const some = sql`select ctid from ${place} where ${isTheirs} limit ${rowsAtOnce}`;
    const { numAffectedRows } = await sql`delete from ${place} where ctid = any(array(${some}))`.execute(tx.db);
    return Number(numAffectedRows ?? 0);
  }
  if (set === undefined) return 0;
  const values = Object.entries(set).map(([name, to]) => sql`${sql.ref(name)} = ${sql.raw(to)}`);
  await sql`update ${place} set ${sql.join(values)} where ${isTheirs}`.execute(tx.db);
  return 0;
}
