import type { Tx } from '#engines/database/work.ts';
import type { WrappedKey } from '#engines/keys/wrapped-key.ts';

/** Keeps a secret that waits for its first code, in the place of one before that never had one. */
export async function writeSecret(tx: Tx, userId: string, { keyId, wrapped }: WrappedKey, now: Date): Promise<void> {
  const row = { key_id: keyId, wrapped, last_step: 0, created_at: now };
  await tx.db
    .insertInto('second_factors')
    .values({ user_id: userId, ...row })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(row))
    .execute();
}

export interface StoredSecret extends WrappedKey {
  lastStep: number;
}

/** The secret of a person, held until the transaction ends so that codes come one after another. */
export const holdSecret = (tx: Tx, userId: string): Promise<StoredSecret | undefined> =>
  tx.db
    .selectFrom('second_factors')
    .select(['key_id as keyId', 'wrapped', 'last_step as lastStep'])
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst();

/** Takes the code of a half minute: neither it nor one before it counts again. */
export async function takeStep(tx: Tx, userId: string, step: number): Promise<void> {
  await tx.db.updateTable('second_factors').set({ last_step: step }).where('user_id', '=', userId).execute();
}

/** From now on a code is asked for, or no longer. */
export async function setSecondFactor(tx: Tx, userId: string, kind: 'totp' | 'passkey' | 'none'): Promise<void> {
  await tx.db.updateTable('users').set({ two_factor: kind }).where('id', '=', userId).execute();
}

/** Returns whether something is asked for after the password: a code of the app, a backup code or a passkey. */
export async function hasSecondFactor(tx: Tx, userId: string): Promise<boolean> {
  return (await kindOf(tx, userId)) !== 'none';
}

/** Returns whether somebody has an authenticator app here. */
export async function hasAuthenticator(tx: Tx, userId: string): Promise<boolean> {
  return (await kindOf(tx, userId)) === 'totp';
}

async function kindOf(tx: Tx, userId: string): Promise<string> {
  const query = tx.db.selectFrom('users').select('two_factor').where('id', '=', userId);
  return (await query.executeTakeFirst())?.two_factor ?? 'none';
}

/** Returns whether somebody has a passkey. */
export async function hasPasskey(tx: Tx, userId: string): Promise<boolean> {
  const query = tx.db.selectFrom('passkeys').select('id').where('user_id', '=', userId).limit(1);
  return (await query.executeTakeFirst()) !== undefined;
}

/** Forgets the authenticator app; a passkey is the second factor then, where there is one. */
export async function deleteAuthenticator(tx: Tx, userId: string): Promise<void> {
  await tx.db.deleteFrom('second_factors').where('user_id', '=', userId).execute();
  if (await hasPasskey(tx, userId)) return setSecondFactor(tx, userId, 'passkey');
  await deleteSecondFactor(tx, userId);
}

/** A passkey is gone: without another one, and without an app, nothing is asked for any more. */
export async function settleWithoutPasskey(tx: Tx, userId: string): Promise<void> {
  if ((await kindOf(tx, userId)) !== 'passkey' || (await hasPasskey(tx, userId))) return;
  await deleteSecondFactor(tx, userId);
}

/** Forgets what was set up since a moment: an app and passkeys. */
export async function forgetSecondFactorSince(tx: Tx, userId: string, since: Date): Promise<void> {
  await tx.db.deleteFrom('passkeys').where('user_id', '=', userId).where('created_at', '>=', since).execute();
  await settleWithoutPasskey(tx, userId);
  const newer = await tx.db
    .selectFrom('second_factors')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('created_at', '>=', since)
    .executeTakeFirst();
  if (newer !== undefined) await deleteAuthenticator(tx, userId);
}

/** Forgets the secret, the passkeys, the backup codes and every code that was entered. */
export async function deleteSecondFactor(tx: Tx, userId: string): Promise<void> {
  await setSecondFactor(tx, userId, 'none');
  for (const table of ['second_factors', 'passkeys', 'backup_codes'] as const)
    await tx.db.deleteFrom(table).where('user_id', '=', userId).execute();
  await tx.db.updateTable('auth_sessions').set({ code_at: null }).where('user_id', '=', userId).execute();
}

/** Keeps new backup codes; those before work no more. */
export async function replaceBackupCodes(tx: Tx, userId: string, hashes: readonly Buffer[], now: Date): Promise<void> {
  await tx.db.deleteFrom('backup_codes').where('user_id', '=', userId).execute();
  const rows = hashes.map((hash) => ({ user_id: userId, code_hash: hash, created_at: now }));
  await tx.db.insertInto('backup_codes').values(rows).execute();
}

/** Spends a backup code. @returns false when there is none such, or it was used */
export async function spendBackupCode(tx: Tx, userId: string, hashes: readonly Buffer[], now: Date): Promise<boolean> {
  const spent = await tx.db
    .updateTable('backup_codes')
    .set({ used_at: now })
    .where('user_id', '=', userId)
    .where('code_hash', 'in', hashes)
    .where('used_at', 'is', null)
    .returning('user_id')
    .executeTakeFirst();
  return spent !== undefined;
}

/** Returns how many backup codes are left. */
export async function countBackupCodes(tx: Tx, userId: string): Promise<number> {
  const { n } = await tx.db
    .selectFrom('backup_codes')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow();
  return n;
}

/** Notes that a code was entered in a session. */
export async function noteCode(tx: Tx, sessionId: string, now: Date): Promise<void> {
  await tx.db.updateTable('auth_sessions').set({ code_at: now }).where('id', '=', sessionId).execute();
}

/** Returns when a code was last entered in a session. */
export async function findCodeAt(tx: Tx, sessionId: string): Promise<Date | null> {
  const query = tx.db.selectFrom('auth_sessions').select('code_at as codeAt').where('id', '=', sessionId);
  return (await query.executeTakeFirst())?.codeAt ?? null;
}
