import type { Tx } from '#engines/database/work.ts';

/** One wish to make something, by the key that its caller gave. */
export interface Creation {
  userId: string;
  key: string;
  /** A keyed hash of the call and its input. */
  wish: string;
  now: Date;
}

/** Claims a key for what is about to be made; waits for whoever has claimed it and not committed yet. @returns false when it stood already */
export async function claimCreation(tx: Tx, creation: Creation, madeId: string): Promise<boolean> {
  const row = await tx.db
    .insertInto('creations')
    .values({
      user_id: creation.userId,
      key: creation.key,
      wish: creation.wish,
      made_id: madeId,
      created_at: creation.now,
    })
    .onConflict((conflict) => conflict.columns(['user_id', 'key']).doNothing())
    .returning('key')
    .executeTakeFirst();
  return row !== undefined;
}

/** What a key has made; undefined for one that has made nothing yet. */
export async function findCreation(
  tx: Tx,
  { userId, key }: Pick<Creation, 'userId' | 'key'>,
): Promise<{ wish: string; madeId: string } | undefined> {
  return tx.db
    .selectFrom('creations')
    .select(['wish', 'made_id as madeId'])
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .executeTakeFirst();
}

/** Forgets keys given before that moment. @returns how many */
export async function forgetCreations(tx: Tx, before: Date): Promise<number> {
  const { numDeletedRows } = await tx.asSystem(({ db }) =>
    db.deleteFrom('creations').where('created_at', '<', before).executeTakeFirstOrThrow(),
  );
  return Number(numDeletedRows);
}
