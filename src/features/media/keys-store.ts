import { randomBytes } from 'node:crypto';
import type { Tx } from '#engines/database/work.ts';
import type { KeyRing } from '#engines/keys/key-ring.ts';
import { unwrapKey, type WrappedKey, wrapKey } from '#engines/keys/wrapped-key.ts';

/** Keeps the wrapped key of a new medium; with it the medium can be read, without it nobody can. */
export async function insertMediaKey(tx: Tx, key: { mediaId: string; creatorId: string } & WrappedKey): Promise<void> {
  const { mediaId, creatorId, keyId, wrapped } = key;
  await tx.asSystem(({ db }) =>
    db.insertInto('media_keys').values({ media_id: mediaId, creator_id: creatorId, key_id: keyId, wrapped }).execute(),
  );
}

/** The medium's key, or undefined when it was destroyed. */
export async function findMediaKey(tx: Tx, ring: KeyRing, mediaId: string): Promise<Buffer | undefined> {
  const row = await tx.asSystem(({ db }) =>
    db.selectFrom('media_keys').select(['key_id', 'wrapped']).where('media_id', '=', mediaId).executeTakeFirst(),
  );
  return row && unwrapKey(ring, mediaId, { keyId: row.key_id, wrapped: row.wrapped });
}

/** Destroys a medium's key: from now on its files are noise. */
export async function deleteMediaKey(tx: Tx, mediaId: string): Promise<void> {
  await tx.asSystem(({ db }) => db.deleteFrom('media_keys').where('media_id', '=', mediaId).execute());
}

/** The creator's trace key, from which every codeword comes; made once, by whoever needs it first. */
export async function ensureTraceKey(tx: Tx, ring: KeyRing, creatorId: string): Promise<Buffer> {
  return tx.asSystem(async ({ db }) => {
    const find = () =>
      db
        .selectFrom('creator_keys')
        .select(['key_id', 'wrapped'])
        .where('creator_id', '=', creatorId)
        .executeTakeFirst();
    const known = await find();
    if (known !== undefined) return unwrapKey(ring, creatorId, { keyId: known.key_id, wrapped: known.wrapped });
    const { keyId, wrapped } = wrapKey(ring, creatorId, randomBytes(32));
    await db
      .insertInto('creator_keys')
      .values({ creator_id: creatorId, key_id: keyId, wrapped })
      .onConflict((conflict) => conflict.column('creator_id').doNothing())
      .execute();
    const kept = await find();
    if (kept === undefined) throw new Error('A trace key was neither found nor made.');
    return unwrapKey(ring, creatorId, { keyId: kept.key_id, wrapped: kept.wrapped });
  });
}
