import type { Tx } from '#engines/database/work.ts';
import { type AccountNote, mostNotes } from '../contract.ts';

/** Lists what was noted about an account, the newest first. */
export async function listNotes(tx: Tx, userId: string): Promise<AccountNote[]> {
  const rows = await tx.db
    .selectFrom('account_notes as n')
    .leftJoin('users as a', 'a.id', 'n.admin_id')
    .select(['n.id', 'n.text', 'a.display_name as author', 'n.created_at as at'])
    .where('n.user_id', '=', userId)
    .orderBy('n.created_at', 'desc')
    .orderBy('n.id', 'desc')
    .limit(mostNotes)
    .execute();
  return rows.map(({ author, ...note }) => ({ ...note, author: author ?? '' }));
}

export interface NewNote {
  id: string;
  userId: string;
  adminId: string;
  text: string;
  now: Date;
}

/** Writes a note down. @returns false when the same one stands there already */
export async function insertNote(tx: Tx, { id, userId, adminId, text, now }: NewNote): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx.db
    .insertInto('account_notes')
    .values({ id, user_id: userId, admin_id: adminId, text, created_at: now })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** Forgets notes of before a moment. */
export async function forgetNotes(tx: Tx, before: Date): Promise<void> {
  await tx.db.deleteFrom('account_notes').where('created_at', '<', before).execute();
}
