import type { Tx } from '#engines/database/work.ts';
import type { Passkey } from './passkeys-contract.ts';
import type { NewKey } from './webauthn.ts';

export interface StoredPasskey extends NewKey {
  id: string;
  userId: string;
}

/** Keeps a new passkey. @returns false when it is known already, here or on another account */
export async function insertPasskey(
  tx: Tx,
  { id, userId, credentialId, publicKey, counter }: StoredPasskey,
  { name, challengeAt, now }: { name: string; challengeAt: Date; now: Date },
): Promise<boolean> {
  const inserted = await tx.db
    .insertInto('passkeys')
    .values({
      id,
      user_id: userId,
      credential_id: credentialId,
      public_key: publicKey,
      counter,
      name,
      created_at: now,
      last_challenge_at: challengeAt,
    })
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

/** A person's passkeys, the eldest first. */
export const listPasskeys = (tx: Tx, userId: string, limit: number): Promise<(Passkey & { credentialId: string })[]> =>
  tx.db
    .selectFrom('passkeys')
    .select(['id', 'name', 'created_at as createdAt', 'last_used_at as lastUsedAt', 'credential_id as credentialId'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit)
    .execute();

/** A passkey by what the browser calls it. */
export const findPasskey = (tx: Tx, credentialId: string): Promise<StoredPasskey | undefined> =>
  tx.db
    .selectFrom('passkeys')
    .select(['id', 'user_id as userId', 'credential_id as credentialId', 'public_key as publicKey', 'counter'])
    .where('credential_id', '=', credentialId)
    .executeTakeFirst();

/** Takes the answer to a challenge, once. @returns false when it, or one to a newer challenge, was taken before */
export async function takeAnswer(
  tx: Tx,
  id: string,
  { counter, challengeAt, now }: { counter: number; challengeAt: Date; now: Date },
): Promise<boolean> {
  const taken = await tx.db
    .updateTable('passkeys')
    .set({ counter, last_challenge_at: challengeAt, last_used_at: now })
    .where('id', '=', id)
    .where('last_challenge_at', '<', challengeAt)
    .returning('id')
    .executeTakeFirst();
  return taken !== undefined;
}

/** @returns false when the person has no such passkey */
export async function renamePasskey(tx: Tx, userId: string, id: string, name: string): Promise<boolean> {
  const renamed = await tx.db
    .updateTable('passkeys')
    .set({ name })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returning('id')
    .executeTakeFirst();
  return renamed !== undefined;
}

/** @returns its name; undefined when the person has no such passkey */
export async function deletePasskey(tx: Tx, userId: string, id: string): Promise<string | undefined> {
  const deleted = await tx.db
    .deleteFrom('passkeys')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returning('name')
    .executeTakeFirst();
  return deleted?.name;
}
