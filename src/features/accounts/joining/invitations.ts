import type { Tx } from '#engines/database/work.ts';
import { insertAudit } from '#features/audit/store.ts';
import type { Context } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';
import { findOpenInvitation } from '../invitations.ts';
import { invitationEnded } from '../rules.ts';
import { holdAccount } from '../store.ts';
import { type Invitation, takePlace } from './invitations-store.ts';

/**
 * An invitation that can still be accepted; looking at it spends nothing.
 * @throws GONE alike for one that is used up, expired, revoked or was never made
 */
export async function lookAtInvitation({ engines, now }: Context, token: string): Promise<Invitation> {
  const invitation = await findOpenInvitation(engines, token, now);
  if (invitation === undefined) throw refuse('GONE', { message: invitationEnded });
  return invitation;
}

/** Takes a place for somebody whose address has just been confirmed. @returns false when none was left */
export async function claimInvitation(
  { engines, caller, now, requestId }: Context,
  tx: Tx,
  { invitationId, userId }: { invitationId: string; userId: string },
): Promise<boolean> {
  await holdAccount(tx, userId);
  const country = engines.geoip.countryOf(caller.address);
  const isTaken = await takePlace(tx, { invitationId, userId, country, now });
  if (!isTaken) return false;
  const target = { type: 'invitation', id: invitationId };
  await insertAudit(tx, { actor: { type: 'creator', id: userId }, action: 'invitation.claimed', target, requestId });
  return true;
}
