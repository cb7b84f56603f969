import type { Engines } from '#engines/engines.ts';
import type { Question } from '#features/access/store.ts';
import { insertAudit } from '#features/audit/store.ts';
import { recordSeen } from '#features/security/recording.ts';

/** Once a minute at most: somebody takes keys faster than anybody looks. @param details how many of what */
export async function noteKeyRate(
  { database, clock }: Engines,
  { grantId = '', creatorId, linkId, viewer, visit }: Question,
  details: { fullPhotos: number } | { filmSeconds: number },
  now: Date,
): Promise<void> {
  await database.work({ kind: 'system' }, async (tx) => {
    const target = { type: 'grant', id: grantId };
    await insertAudit(tx, { actor: { type: 'viewer' }, action: 'key_rate_exceeded', target, details });
    if (visit?.isOwn) return;
    const who = { viewerId: viewer?.viewerId, visitId: visit?.visitId };
    await recordSeen(tx, {
      creatorId,
      linkId,
      type: 'key_rate_exceeded',
      ...who,
      details,
      now,
      reportedAt: new Date(clock()),
    });
  });
}
