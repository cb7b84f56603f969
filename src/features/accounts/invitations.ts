import { createHash } from 'node:crypto';
import type { Engines } from '#engines/engines.ts';
import { findInvitation, type Invitation } from './joining/invitations-store.ts';
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
