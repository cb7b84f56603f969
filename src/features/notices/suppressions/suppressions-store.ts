import { createHmac } from 'node:crypto';
import type { Tx } from '#engines/database/work.ts';
import type { KeyRing } from '#engines/keys/key-ring.ts';
import { findMailKeys } from '../mail-keys-store.ts';

export type SuppressionReason = 'bounced' | 'complained' | 'unsubscribed';

/** An address as the list knows it: keyed, so that the list tells none. */
const hashOf = (key: Buffer, address: string): Buffer =>
  createHmac('sha256', key).update(address.toLowerCase()).digest();

async function hashesOf(tx: Tx, keys: KeyRing, address: string): Promise<Buffer[]> {
  const { all } = await findMailKeys(tx, keys, 'suppressed');
  return all.map((key) => hashOf(key, address));
}

/** The hash under which an address comes on the list. */
export async function hashAddress(tx: Tx, keys: KeyRing, address: string): Promise<Buffer> {
  const { current } = await findMailKeys(tx, keys, 'suppressed');
  return hashOf(current, address);
}

/** An address gets no notices from now on; codes, passwords and receipts are sent all the same. */
export async function suppressAddress(
  tx: Tx,
  keys: KeyRing,
  { address, reason, now }: { address: string; reason: SuppressionReason; now: Date },
): Promise<void> {
  await suppressHash(tx, { hash: await hashAddress(tx, keys, address), reason, now });
}

/** The same for an address that is known by its hash alone. */
export async function suppressHash(
  tx: Tx,
  { hash, reason, now }: { hash: Buffer; reason: SuppressionReason; now: Date },
): Promise<void> {
  await tx.db
    .insertInto('mail_suppressions')
    .values({ address_hash: hash, reason, at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Why an address gets no notices; undefined when it does. Their own request is named before what their mailbox did. */
export async function findSuppression(tx: Tx, keys: KeyRing, address: string): Promise<SuppressionReason | undefined> {
  const rows = await tx.db
    .selectFrom('mail_suppressions')
    .select('reason')
    .where('address_hash', 'in', await hashesOf(tx, keys, address))
    .execute();
  const reasons = rows.map(({ reason }) => reason as SuppressionReason);
  return (['unsubscribed', 'complained', 'bounced'] as const).find((reason) => reasons.includes(reason));
}

/** The address gets notices again. */
export async function liftSuppression(tx: Tx, keys: KeyRing, address: string): Promise<void> {
  const hashes = await hashesOf(tx, keys, address);
  await tx.db.deleteFrom('mail_suppressions').where('address_hash', 'in', hashes).execute();
}

/** The address gets notices again whose mailbox had refused or complained; what its owner asked for stays. @returns false when nothing was lifted */
export async function liftBounces(tx: Tx, keys: KeyRing, address: string): Promise<boolean> {
  if ((await findSuppression(tx, keys, address)) === 'unsubscribed') return false;
  const { numDeletedRows } = await tx.db
    .deleteFrom('mail_suppressions')
    .where('address_hash', 'in', await hashesOf(tx, keys, address))
    .where('reason', 'in', ['bounced', 'complained'])
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
