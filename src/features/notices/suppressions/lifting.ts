import type { Tx } from '#engines/database/work.ts';
import type { KeyRing } from '#engines/keys/key-ring.ts';
import { type AuditEntry, hashKey, insertAudit } from '#features/audit/store.ts';
import { liftBounces } from './suppressions-store.ts';

/** Lets notices go again to an address whose mailbox had refused or complained, and notes who decided that. @returns false when nothing held them back, or its owner has unsubscribed */
export async function liftAudited(
  tx: Tx,
  keys: KeyRing,
  address: string,
  by: Pick<AuditEntry, 'actor' | 'requestId'>,
): Promise<boolean> {
  if (!(await liftBounces(tx, keys, address.toLowerCase()))) return false;
  // Keyed: the log tells no address, and whoever has one can find its line.
  const details = { address: hashKey(keys, 'suppression', address.toLowerCase()) };
  await insertAudit(tx, { ...by, action: 'suppression.lifted', details });
  return true;
}
