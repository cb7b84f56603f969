import type { Tx } from '#engines/database/work.ts';
import { endSales } from '#features/sales/ending.ts';
import { revokeLinks } from './store.ts';
import type { Doing } from './to-api.ts';

/** Revokes those of these links that are not revoked yet, and ends what is being paid for them. @returns the ids that changed */
export async function revoke(
  { engines, now }: Pick<Doing, 'engines' | 'now'>,
  tx: Tx,
  linkIds: readonly string[],
  about: { undoUntil: Date; reason: 'manual' | 'panic' },
): Promise<string[]> {
  if (linkIds.length === 0) return [];
  const changed = await revokeLinks(tx, linkIds, { ...about, now });
  if (changed.length > 0) await endSales(engines, tx, { linkIds: changed });
  return changed;
}
