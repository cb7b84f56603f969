import { randomBytes, randomUUID } from 'node:crypto';
import type { Tx } from '#engines/database/work.ts';
import { type KeyRing, serverKeys } from '#engines/keys/key-ring.ts';
import { unwrapKey, wrapKey } from '#engines/keys/wrapped-key.ts';

const mailKeyUses = ['suppressed', 'unsubscribe'] as const;
type MailKeyUse = (typeof mailKeyUses)[number];

/** Keys of one use: what is new is made with `current`, what is there already may be of any. */
export interface MailKeys {
  current: Buffer;
  all: readonly [Buffer, ...Buffer[]];
}

/** The keys of one use, made when they are first asked for; two processes that make them at once make one more, and lose nothing. */
export async function findMailKeys(tx: Tx, keys: KeyRing, use: MailKeyUse): Promise<MailKeys> {
  const [current, ...former] = (await openKeys(tx, keys, use)) ?? (await makeKeys(tx, keys, use));
  return { current, all: [current, ...former] };
}

/** Makes what is missing, before the master key is replaced: afterwards nothing follows from the old one any more. */
export async function ensureMailKeys(tx: Tx, keys: KeyRing): Promise<void> {
  for (const use of mailKeyUses) await findMailKeys(tx, keys, use);
}

/** Newest first. A row whose master key is away stays for when that is put back. @returns undefined when none opens */
async function openKeys(tx: Tx, keys: KeyRing, use: MailKeyUse): Promise<MailKeys['all'] | undefined> {
  const rows = await tx.db
    .selectFrom('mail_keys')
    .select(['id', 'key_id as keyId', 'wrapped'])
    .where('used_for', '=', use)
    .orderBy('created_at', 'desc')
    .execute();
  const opened = rows.filter(({ keyId }) => keys.all.has(keyId)).map((row) => unwrapKey(keys, row.id, row));
  const [first, ...others] = opened;
  return first && [first, ...others];
}

/** A new key, and those that used to follow from the master keys: what was made with them still holds. */
async function makeKeys(tx: Tx, keys: KeyRing, use: MailKeyUse): Promise<MailKeys['all']> {
  const made: MailKeys['all'] = [randomBytes(32), ...serverKeys(keys, `pf1:${use}`)];
  // The newest is stored last.
  for (const key of made.toReversed()) {
    const id = randomUUID();
    const { keyId, wrapped } = wrapKey(keys, id, key);
    await tx.db.insertInto('mail_keys').values({ id, used_for: use, key_id: keyId, wrapped }).execute();
  }
  return made;
}
