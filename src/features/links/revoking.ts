import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { insertAudit } from '#features/audit/store.ts';
import { forgetWithheld } from '#features/returns/withholding-store.ts';
import { endSales } from '#features/sales/ending.ts';
import { settingsOf } from '#features/settings/settings.ts';
import { hourMs } from '#kit/time.ts';
import type { CreatorContext } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';
import { lockForNew } from './change-link.ts';
import { tooMany } from './creating/create-api.ts';
import { countLinks } from './list-store.ts';
import { lockLinks, lockUnrevoked, type RevokeReason, reviveLinks, revokeLinks } from './store.ts';
import { type Doing, note } from './to-api.ts';
import { insertActs } from './versions/acts-store.ts';

/** Returns until when a revocation of this moment can be undone. */
export async function undoUntilOf(engines: Engines, now: Date): Promise<Date> {
  return new Date(now.getTime() + (await settingsOf(engines))['links.undoHours'] * hourMs);
}

/** Revokes those of these links that are not revoked yet, and ends what is being paid for them. @returns the ids that changed */
export async function revoke(
  { engines, now }: Pick<Doing, 'engines' | 'now'>,
  tx: Tx,
  linkIds: readonly string[],
  about: { undoUntil: Date; reason: RevokeReason },
): Promise<string[]> {
  if (linkIds.length === 0) return [];
  const changed = await revokeLinks(tx, linkIds, { ...about, now });
  if (changed.length > 0) await endSales(engines, tx, { linkIds: changed });
  return changed;
}

/** Revokes a link by its own rule, in a transaction of the system. @returns false when it was revoked already */
export async function revokeByRule(
  engines: Engines,
  tx: Tx,
  { linkId, creatorId, now, undoUntil }: { linkId: string; creatorId: string; now: Date; undoUntil: Date },
): Promise<boolean> {
  const changed = await revoke({ engines, now }, tx, [linkId], { undoUntil, reason: 'auto_security' });
  if (changed.length === 0) return false;
  await insertAudit(tx, { actor: { type: 'system' }, action: 'link.revoked', target: { type: 'link', id: linkId } });
  await insertActs(tx, { linkIds: [linkId], creatorId, act: 'revoked', now });
  await tx.publish({ kind: 'link.revoked', creatorId, linkId });
  return true;
}

/** Revokes every link of an account that is to be deleted, in a transaction of the system. @returns how many */
export async function revokeWithAccount(
  engines: Engines,
  tx: Tx,
  { creatorId, now, undoUntil }: { creatorId: string; now: Date; undoUntil: Date },
): Promise<number> {
  const linkIds = await lockUnrevoked(tx, creatorId, undefined);
  const changed = await revoke({ engines, now }, tx, linkIds, { undoUntil, reason: 'account_deleted' });
  if (changed.length > 0) await insertActs(tx, { linkIds: changed, creatorId, act: 'revoked', now });
  for (const linkId of changed) await tx.publish({ kind: 'link.revoked', creatorId, linkId });
  return changed.length;
}

/**
 * Brings revoked links back while that can be undone.
 * @param max links that a creator may have at once
 * @throws GONE when one of them cannot be brought back any more, CONFLICT when there is no room for them
 */
export async function bringBack(
  { creator, now }: CreatorContext,
  tx: Tx,
  linkIds: readonly string[],
  { doing, max }: { doing: Doing; max: number },
): Promise<void> {
  await lockForNew(tx, creator);
  const links = await lockLinks(tx, linkIds);
  const revived = await reviveLinks(tx, linkIds, now);
  const isFinal = links.some(({ id, isRevoked }) => isRevoked && !revived.includes(id));
  if (isFinal) throw refuse('GONE', { message: 'This can no longer be undone. Create a new link instead.' });
  if (revived.length > 0) {
    await checkRoom(tx, doing, max);
    await tx.asSystem((system) => forgetWithheld(system, revived));
  }
  await note(tx, revived, 'link.revived', doing);
}

/** @throws CONFLICT when what came back is more than a creator may have at once */
export async function checkRoom(tx: Tx, { creatorId, now }: Doing, max: number): Promise<void> {
  const { active } = await countLinks(tx, { creatorId, albumId: undefined, now });
  if (active > max) throw tooMany(max);
}
