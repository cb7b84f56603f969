import type { Engines } from '#engines/engines.ts';
import { insertAudit } from '#features/audit/store.ts';
import type { Grant } from '#features/media/codewords.ts';

/** Once a minute at most: somebody takes keys faster than anybody looks. @param details how many of what */
export async function noteKeyRate(
  { database }: Engines,
  { grantId, creatorId, linkId }: Grant,
  details: { fullPhotos: number } | { filmSeconds: number },
): Promise<void> {
  await database.work({ kind: 'system' }, async (tx) => {
    const target = { type: 'grant', id: grantId };
    await insertAudit(tx, { actor: { type: 'viewer' }, action: 'key_rate_exceeded', target, details });
    await tx.tell({ kind: 'security.keyRate', creatorId, ...(linkId !== undefined && { linkId }), grantId });
  });
}
