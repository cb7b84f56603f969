import type { Tx } from '#engines/database/work.ts';
import { type AuditEntry, insertAudit } from '#features/audit/store.ts';
import { operatorClaims } from './claims.ts';
import { confirmClaim, withdrawClaim } from './claims-store.ts';

/** Who stands up for a claim, or takes that back. */
export interface ClaimActor {
  actor: AuditEntry['actor'];
  requestId?: string;
}

/** Whether there is such a claim. */
export const isClaim = (key: string): boolean => operatorClaims.some((claim) => claim.key === key);

/** How long the words are that say where a claim can be checked. */
export const longestSource = 500;

/** Notes that somebody stands up for a claim, audited; public pages show it from the next request on. */
export async function confirm(
  tx: Tx,
  { actor, requestId }: ClaimActor,
  { key, source, expiresAt, now }: { key: string; source: string; expiresAt: Date | null; now: Date },
): Promise<void> {
  await confirmClaim(tx, { key, source, checkedAt: now, checkedBy: actor.id ?? null, expiresAt });
  await insertAudit(tx, { actor, action: 'claim.confirmed', details: { key }, ...(requestId && { requestId }) });
}

/** Takes it back, audited. @returns false when it was not confirmed */
export async function withdraw(tx: Tx, { actor, requestId }: ClaimActor, key: string): Promise<boolean> {
  const wasConfirmed = await withdrawClaim(tx, key);
  if (wasConfirmed)
    await insertAudit(tx, { actor, action: 'claim.withdrawn', details: { key }, ...(requestId && { requestId }) });
  return wasConfirmed;
}
