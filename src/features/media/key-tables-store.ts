import { sql } from 'kysely';
import type { Tx } from '#engines/database/work.ts';
import type { KeyRing } from '#engines/keys/key-ring.ts';
import { unwrapKey, wrapKey } from '#engines/keys/wrapped-key.ts';

/** A table whose rows each hold one key, in the columns `key_id` and `wrapped`. */
export interface KeyTable {
  table: 'media_keys' | 'creator_keys' | 'trace_keys' | 'push_keys' | 'mail_keys' | 'second_factors' | 'export_keys';
  /** Its primary key: whose key it is, and what the key was wrapped for. */
  owner: 'media_id' | 'creator_id' | 'trace_id' | 'export_id' | 'user_id' | 'id';
}

/** Those of this room; tracing has one of its own, and so have notices. */
export const mediaKeyTables: readonly KeyTable[] = [
  { table: 'creator_keys', owner: 'creator_id' },
  { table: 'media_keys', owner: 'media_id' },
];

/** How many keys of one table a master key has wrapped. */
export interface UsedKey {
  keyId: string;
  table: KeyTable['table'];
  count: number;
}

/** Which master keys open what. */
export async function countUsedKeys(tx: Tx, tables: readonly KeyTable[]): Promise<UsedKey[]> {
  const used: UsedKey[] = [];
  for (const { table } of tables) {
    const { rows } = await sql<{ keyId: string; count: number }>`
      select key_id as "keyId", count(*)::int as count from ${sql.table(table)} group by 1 order by 1`.execute(tx.db);
    used.push(...rows.map((row) => ({ ...row, table })));
  }
  return used;
}

/** Owner of no row, before every other one. */
export const beforeAll = '00000000-0000-0000-0000-000000000000';

/** What became of some rows of one table. */
export interface Rewrapped {
  count: number;
  /** Owners whose key did not open and was left as it is. */
  closed: string[];
  /** The last row that was looked at; undefined after the last of all. */
  last: string | undefined;
}

/** Wraps the next keys of a table that an older master key has wrapped by the newest. @param after whose row was the last of before */
export async function rewrapKeys(
  tx: Tx,
  ring: KeyRing,
  { table, owner }: KeyTable,
  { after, limit }: { after: string; limit: number },
): Promise<Rewrapped> {
  const [place, id] = [sql.table(table), sql.ref(owner)];
  const { rows } = await sql<{ id: string; keyId: string; wrapped: Buffer }>`
    select ${id} as id, key_id as "keyId", wrapped from ${place}
    where ${id} > ${after}::uuid and key_id <> ${ring.current.id}
    order by ${id} limit ${limit} for update`.execute(tx.db);
  const fresh: { id: string; wrapped: Buffer }[] = [];
  const closed: string[] = [];
  for (const row of rows) {
    const key = tryUnwrap(ring, row);
    if (key === undefined) closed.push(row.id);
    else fresh.push({ id: row.id, wrapped: wrapKey(ring, row.id, key).wrapped });
  }
  await sql`
    update ${place} as t set key_id = ${ring.current.id}, wrapped = fresh.wrapped
    from unnest(${fresh.map((row) => row.id)}::uuid[], ${fresh.map((row) => row.wrapped)}::bytea[]) as fresh (id, wrapped)
    where t.${id} = fresh.id`.execute(tx.db);
  return { count: fresh.length, closed, last: rows.at(-1)?.id };
}

/** One row that does not open must not keep the others under the old key. */
function tryUnwrap(ring: KeyRing, { id, keyId, wrapped }: { id: string; keyId: string; wrapped: Buffer }) {
  try {
    return unwrapKey(ring, id, { keyId, wrapped });
  } catch {
    return undefined;
  }
}
