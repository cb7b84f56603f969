import type { Tx } from '#engines/database/work.ts';

export interface NewEmailChange {
  id: string;
  userId: string;
  newEmail: string;
  codeHash: Buffer;
  codeExpiresAt: Date;
  /** SHA-256 of the link by which it is confirmed; left out for a code. */
  linkHash?: Buffer;
  now: Date;
}

/** Keeps a change that waits for its code, in the place of one before that never got it. */
export async function writePendingChange(tx: Tx, change: NewEmailChange): Promise<void> {
  const { id, userId, newEmail, codeHash, codeExpiresAt, linkHash, now } = change;
  const row = {
    id,
    new_email: newEmail,
    code_hash: codeHash,
    tries: 0,
    code_expires_at: codeExpiresAt,
    link_hash: linkHash ?? null,
    created_at: now,
  };
  await tx.db
    .insertInto('email_changes')
    .values({ user_id: userId, ...row })
    .onConflict((conflict) => conflict.column('user_id').where('changed_at', 'is', null).doUpdateSet(row))
    .execute();
}

export interface PendingChange {
  id: string;
  newEmail: string;
  codeHash: Buffer;
  /** Wrong codes so far, the present one included. */
  tries: number;
}

const pendingColumns = ['id', 'new_email as newEmail', 'code_hash as codeHash', 'tries'] as const;

/** The change that waits for its code; not one that waits for a link. */
export const findPendingChange = (tx: Tx, userId: string, now: Date): Promise<PendingChange | undefined> =>
  tx.db
    .selectFrom('email_changes')
    .select(pendingColumns)
    .where('user_id', '=', userId)
    .where('changed_at', 'is', null)
    .where('link_hash', 'is', null)
    .where('code_expires_at', '>', now)
    .executeTakeFirst();

/** Returns whether a change waits for the link that whoever runs the place has sent. */
export async function isLinkPending(tx: Tx, userId: string, now: Date): Promise<boolean> {
  const row = await tx.db
    .selectFrom('email_changes')
    .select('id')
    .where('user_id', '=', userId)
    .where('changed_at', 'is', null)
    .where('link_hash', 'is not', null)
    .where('code_expires_at', '>', now)
    .executeTakeFirst();
  return row !== undefined;
}

/** The change that a mailed link confirms, and whose. */
export const findPendingByLink = (
  tx: Tx,
  linkHash: Buffer,
  now: Date,
): Promise<{ id: string; userId: string; newEmail: string } | undefined> =>
  tx.db
    .selectFrom('email_changes')
    .select(['id', 'user_id as userId', 'new_email as newEmail'])
    .where('link_hash', '=', linkHash)
    .where('changed_at', 'is', null)
    .where('code_expires_at', '>', now)
    .executeTakeFirst();

/** Counts one try at the code, before it is compared; nothing when none may be tried. */
export const tryPendingChange = (
  tx: Tx,
  userId: string,
  { now, triesMax }: { now: Date; triesMax: number },
): Promise<PendingChange | undefined> =>
  tx.db
    .updateTable('email_changes')
    .set(({ eb }) => ({ tries: eb('tries', '+', 1) }))
    .where('user_id', '=', userId)
    .where('changed_at', 'is', null)
    .where('link_hash', 'is', null)
    .where('code_expires_at', '>', now)
    .where('tries', '<', triesMax)
    .returning(pendingColumns)
    .executeTakeFirst();

/** The address is another one, proven by the code; links and codes that were mailed to the old one are worth nothing any more. */
export async function changeEmail(
  tx: Tx,
  change: { id: string; userId: string; oldEmail: string; newEmail: string; undoHash: Buffer },
  { now, undoExpiresAt }: { now: Date; undoExpiresAt: Date },
): Promise<void> {
  const { id, userId, oldEmail, newEmail, undoHash } = change;
  await tx.db
    .updateTable('email_changes')
    .set({ changed_at: now, old_email: oldEmail, undo_hash: undoHash, undo_expires_at: undoExpiresAt })
    .where('id', '=', id)
    .execute();
  await setEmail(tx, userId, newEmail, now);
}

async function setEmail(tx: Tx, userId: string, email: string, now: Date): Promise<void> {
  await tx.db
    .updateTable('users')
    .set({ email, email_verified: true, email_verified_at: now })
    .where('id', '=', userId)
    .execute();
  await tx.db.deleteFrom('email_tokens').where('user_id', '=', userId).execute();
}

/** Until when the last change of a person can be undone; undefined when it cannot. */
export async function findUndoEnd(tx: Tx, userId: string, now: Date): Promise<Date | undefined> {
  const row = await tx.db
    .selectFrom('email_changes')
    .select('undo_expires_at as undoExpiresAt')
    .where('user_id', '=', userId)
    .where('undone_at', 'is', null)
    .where('undo_expires_at', '>', now)
    .executeTakeFirst();
  return row?.undoExpiresAt ?? undefined;
}

/** Returns whether an address was somebody's until lately and can still be put back: until then it is for nobody else. */
export async function isAddressKept(tx: Tx, email: string, now: Date): Promise<boolean> {
  const row = await tx.db
    .selectFrom('email_changes')
    .select('id')
    .where('old_email', '=', email)
    .where('undone_at', 'is', null)
    .where('undo_expires_at', '>', now)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whose change a link undoes, as long as it does. */
export async function findUndoOwner(tx: Tx, undoHash: Buffer, now: Date): Promise<string | undefined> {
  const row = await tx.db
    .selectFrom('email_changes')
    .select('user_id as userId')
    .where('undo_hash', '=', undoHash)
    .where('undone_at', 'is', null)
    .where('undo_expires_at', '>', now)
    .executeTakeFirst();
  return row?.userId;
}

export interface UndoneChange {
  oldEmail: string;
  newEmail: string;
  changedAt: Date;
}

/** Undoes a change, once: the old address is back. @returns undefined when somebody was quicker */
export async function undoChange(
  tx: Tx,
  userId: string,
  undoHash: Buffer,
  now: Date,
): Promise<UndoneChange | undefined> {
  const row = await tx.db
    .updateTable('email_changes')
    .set({ undone_at: now })
    .where('undo_hash', '=', undoHash)
    .where('undone_at', 'is', null)
    .where('undo_expires_at', '>', now)
    .returning(['old_email as oldEmail', 'new_email as newEmail', 'changed_at as changedAt'])
    .executeTakeFirst();
  if (row === undefined || row.oldEmail === null || row.changedAt === null) return undefined;
  const { oldEmail, newEmail, changedAt } = row;
  await setEmail(tx, userId, oldEmail, now);
  await tx.db.deleteFrom('email_changes').where('user_id', '=', userId).where('changed_at', 'is', null).execute();
  return { oldEmail, newEmail, changedAt };
}

/** Forgets the password: whoever changed the address knew it. */
export async function forgetPassword(tx: Tx, userId: string): Promise<void> {
  await tx.db
    .deleteFrom('auth_accounts')
    .where('user_id', '=', userId)
    .where('provider_id', '=', 'credential')
    .execute();
}
