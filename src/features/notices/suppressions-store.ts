import { createHmac } from 'node:crypto';
import type { Tx } from '#engines/database/work.ts';
import { type KeyRing, serverKeys } from '#engines/keys/key-ring.ts';

export type SuppressionReason = 'bounced' | 'complained' | 'unsubscribed';

/** An address as the list knows it: keyed, so that the list tells none; under every master key, so that a rotation forgets none. */
const hashesOf = (keys: KeyRing, address: string): Buffer[] =>
  serverKeys(keys, 'pf1:suppressed').map((key) => createHmac('sha256', key).update(address.toLowerCase()).digest());

/** An address gets no notices from now on; codes, passwords and receipts are sent all the same. */
export async function suppressAddress(
  tx: Tx,
  keys: KeyRing,
  { address, reason, now }: { address: string; reason: SuppressionReason; now: Date },
): Promise<void> {
  const [hash] = hashesOf(keys, address);
  if (hash === undefined) return;
  await tx.db
    .insertInto('mail_suppressions')
    .values({ address_hash: hash, reason, at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Why an address gets no notices; undefined when it does. Her own wish is named before what her mailbox did. */
export async function findSuppression(tx: Tx, keys: KeyRing, address: string): Promise<SuppressionReason | undefined> {
  const rows = await tx.db
    .selectFrom('mail_suppressions')
    .select('reason')
    .where('address_hash', 'in', hashesOf(keys, address))
    .execute();
  const reasons = rows.map(({ reason }) => reason as SuppressionReason);
  return (['unsubscribed', 'complained', 'bounced'] as const).find((reason) => reasons.includes(reason));
}

/** The address gets notices again. */
export async function liftSuppression(tx: Tx, keys: KeyRing, address: string): Promise<void> {
  await tx.db.deleteFrom('mail_suppressions').where('address_hash', 'in', hashesOf(keys, address)).execute();
}
