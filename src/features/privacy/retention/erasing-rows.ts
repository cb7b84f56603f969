import type { Database } from '#engines/database/database.ts';
import { eraseSome, rowsAtOnce } from './erasing-rows-store.ts';
import { peopleTables } from './people-tables.ts';

/** Whose rows: by which of a table's erasures they are found. */
export type ErasedKind = 'creator' | 'viewer' | 'buyer' | 'address';

const system = { kind: 'system' } as const;

/**
 * Erases somebody's rows in every table that holds people, table by table, some rows at a time: cut off anywhere, the next call
 * goes on.
 * @param who an id, or an address in lower case
 */
export async function eraseRows(database: Pick<Database, 'work'>, kind: ErasedKind, who: string): Promise<void> {
  const ofWho = kind === 'address' ? { address: who } : { id: who };
  for (const [table, about] of Object.entries(peopleTables)) {
    const erasure = about[kind];
    if (erasure === undefined) continue;
    while ((await database.work(system, (tx) => eraseSome(tx, table, erasure, ofWho))) === rowsAtOnce);
  }
}
