import { statement, type Tx } from '#engines/database/work.ts';

/** One hash of an operator's list: of a file's bytes, or of what a picture looks like. */
export type ListedHash = { sha256: Buffer; blockhash?: undefined } | { sha256?: undefined; blockhash: string };

const listed = statement(
  'hashes_listed',
  `insert into blocked_media (id, source, sha256, blockhash, list_id, created_at)
  select gen_random_uuid(), 'list', h.sha256, h.blockhash, $3, $4
  from (select distinct sha256, blockhash from unnest($1::bytea[], $2::text[]) as u(sha256, blockhash)) h
  on conflict (sha256, blockhash) where source = 'list' do update set list_id = excluded.list_id`,
);

/** Adds some hashes to the list, or notes that they still stand in it. */
export async function insertListed(
  tx: Tx,
  { listId, hashes, now }: { listId: string; hashes: readonly ListedHash[]; now: Date },
): Promise<void> {
  const [bytes, looks] = [hashes.map(({ sha256 }) => sha256 ?? null), hashes.map(({ blockhash }) => blockhash ?? null)];
  await tx.query(listed, [bytes, looks, listId, now]);
}

/** Forgets what does not stand in the list any more. What was held back for it stays so until somebody releases it. */
export async function deleteUnlisted(tx: Tx, listId: string): Promise<void> {
  await tx.db.deleteFrom('blocked_media').where('source', '=', 'list').where('list_id', '!=', listId).execute();
}

/** Returns how many hashes stand in the list, of either kind. */
export async function countListed(tx: Tx): Promise<{ files: number; looks: number }> {
  const row = await tx.db
    .selectFrom('blocked_media')
    .select(({ fn }) => [fn.count<string>('sha256').as('files'), fn.count<string>('blockhash').as('looks')])
    .where('source', '=', 'list')
    .executeTakeFirstOrThrow();
  return { files: Number(row.files), looks: Number(row.looks) };
}
