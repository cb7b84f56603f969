import { createHash } from 'node:crypto';
import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { type AuditEntry, insertAudit } from '#features/audit/store.ts';
import { newId, newToken } from '#kit/ids.ts';
import { dayMs } from '#kit/time.ts';
import {
  findInvitation,
  type Invitation,
  insertInvitation,
  type ListedInvitation,
  listInvitations,
  revokeInvitation,
} from './joining/invitations-store.ts';
import { isInvitationToken } from './rules.ts';

/** What is kept of an invitation's secret. */
export const hashInvitation = (token: string): Buffer => createHash('sha256').update(token).digest();

/** The invitation of a secret while somebody can still join by it. */
export async function findOpenInvitation(
  { database }: Pick<Engines, 'database'>,
  token: string,
  now: Date,
): Promise<Invitation | undefined> {
  if (!isInvitationToken(token)) return undefined;
  return findInvitation(database, hashInvitation(token), now);
}

/** Returns whether somebody can still join by it. */
export const isInvitationOpen = async (engines: Pick<Engines, 'database' | 'clock'>, token: string): Promise<boolean> =>
  (await findOpenInvitation(engines, token, new Date(engines.clock()))) !== undefined;

/** What an invitation may be. */
export const invitationLimits = { places: 100, openDays: 30, usualOpenDays: 7, label: 80, note: 500 } as const;

/** Who makes or ends one, and when. */
export interface InvitationActor {
  actor: AuditEntry['actor'];
  requestId?: string;
  now: Date;
}

export interface InvitationOrder {
  label: string;
  note: string;
  /** How long the account is free; null for good. */
  days: number | null;
  places: number;
  openDays: number;
}

/** Makes an invitation, audited. @returns its address, which nobody can read again, and until when people can join by it */
export async function makeInvitation(
  { installation }: Pick<Engines, 'installation'>,
  tx: Tx,
  { actor, requestId, now }: InvitationActor,
  { label, note, days, places, openDays }: InvitationOrder,
): Promise<{ id: string; address: string; expiresAt: Date }> {
  const expiresAt = new Date(now.getTime() + openDays * dayMs);
  const [id, token] = [newId<'invitation'>(now.getTime()), newToken()];
  const made = { id, tokenHash: hashInvitation(token), createdBy: actor.id ?? null, now, expiresAt };
  await insertInvitation(tx, { ...made, label, note, days, places });
  await insertAudit(tx, {
    actor,
    action: 'invitation.made',
    target: { type: 'invitation', id },
    details: { days, places, openDays },
    ...(requestId && { requestId }),
  });
  return { id, address: `${installation.publicUrl}/free-join/${token}`, expiresAt };
}

/** Ends an invitation, audited; who has joined by it stays. @returns false when there was none to end */
export async function endInvitation(tx: Tx, { actor, requestId, now }: InvitationActor, id: string): Promise<boolean> {
  const found = await revokeInvitation(tx, id, now);
  const target = { type: 'invitation', id };
  if (found) await insertAudit(tx, { actor, action: 'invitation.revoked', target, ...(requestId && { requestId }) });
  return found;
}

const mostListed = 200;

/** Lists the newest invitations, ended ones too. */
export const listMadeInvitations = (tx: Tx): Promise<ListedInvitation[]> => listInvitations(tx, mostListed);

/** How an invitation stands. */
export function invitationState(
  { revokedAt, expiresAt, taken, places }: Pick<ListedInvitation, 'revokedAt' | 'expiresAt' | 'taken' | 'places'>,
  now: Date,
): 'open' | 'revoked' | 'used_up' | 'ended' {
  if (revokedAt !== null) return 'revoked';
  if (taken >= places) return 'used_up';
  return expiresAt <= now ? 'ended' : 'open';
}
