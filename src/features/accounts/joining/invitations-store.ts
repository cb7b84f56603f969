import { sql } from 'kysely';
import { statement, type Tx } from '#engines/database/work.ts';
import { newId } from '#kit/ids.ts';
import { dayMs } from '#kit/time.ts';

export interface NewInvitation {
  id: string;
  tokenHash: Buffer;
  label: string;
  /** For the operator only. */
  note: string;
  /** Null for the command line. */
  createdBy: string | null;
  /** How long the account is free; null for ever. */
  days: number | null;
  places: number;
  now: Date;
  expiresAt: Date;
}

/** Keeps an invitation by the hash of its link's secret. */
export async function insertInvitation(tx: Tx, invitation: NewInvitation): Promise<void> {
  const { id, tokenHash, label, note, createdBy, days, places, now, expiresAt } = invitation;
  await tx.db
    .insertInto('join_tokens')
    .values({
      id,
      kind: 'creator_comp',
      token_hash: tokenHash,
      label,
      note,
      created_by: createdBy,
      days,
      max_claims: places,
      created_at: now,
      expires_at: expiresAt,
    })
    .execute();
}

export interface Invitation {
  id: string;
  days: number | null;
}

const invitationOpen = statement<Invitation>(
  'invitation_open',
  `select id, days from join_tokens
   where token_hash = $1 and kind = 'creator_comp' and revoked_at is null and expires_at > $2 and claims_count < max_claims`,
);

/** The invitation of a secret while it has a place; nothing for every way in which it has none. */
export async function findInvitation(
  source: Pick<Tx, 'query'>,
  tokenHash: Buffer,
  now: Date,
): Promise<Invitation | undefined> {
  const [row] = await source.query(invitationOpen, [tokenHash, now]);
  return row;
}

const placeTaken = statement<{ days: number | null }>(
  'place_taken',
  `update join_tokens set claims_count = claims_count + 1
   where id = $1 and kind = 'creator_comp' and revoked_at is null and expires_at > $2 and claims_count < max_claims returning days`,
);

/**
 * Takes a place for a held account, which is free from now on; an account takes one only.
 * @returns false when there was none left, or the invitation has ended
 */
export async function takePlace(
  tx: Tx,
  claim: { invitationId: string; userId: string; country: string | undefined; now: Date },
): Promise<boolean> {
  const { invitationId, userId, country, now } = claim;
  if (await hasPlace(tx, userId)) return true;
  const [taken] = await tx.query(placeTaken, [invitationId, now]);
  if (taken === undefined) return false;
  await tx.db
    .insertInto('join_claims')
    .values({
      id: newId<'claim'>(now.getTime()),
      user_id: userId,
      token_id: invitationId,
      claimed_at: now,
      ip_country: country ?? null,
    })
    .execute();
  const freeUntil = taken.days === null ? null : new Date(now.getTime() + taken.days * dayMs);
  await tx.db
    .updateTable('users')
    .set({ is_free_user: true, free_until: freeUntil })
    .where('id', '=', userId)
    .execute();
  return true;
}

async function hasPlace(tx: Tx, userId: string): Promise<boolean> {
  const row = await tx.db.selectFrom('join_claims').select('user_id').where('user_id', '=', userId).executeTakeFirst();
  return row !== undefined;
}

export interface ListedInvitation extends Invitation {
  label: string;
  note: string;
  places: number;
  taken: number;
  createdAt: Date;
  expiresAt: Date;
  revokedAt: Date | null;
}

/** The newest invitations, ended ones too. */
export const listInvitations = (tx: Tx, limit: number): Promise<ListedInvitation[]> =>
  tx.db
    .selectFrom('join_tokens')
    .where('kind', '=', 'creator_comp')
    .select(['id', 'label', 'note', 'days', 'max_claims as places', 'claims_count as taken', 'created_at as createdAt'])
    .select(['expires_at as expiresAt', 'revoked_at as revokedAt'])
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();

/** Ends an invitation; who has joined by it stays. @returns whether there was one to end */
export async function revokeInvitation(tx: Tx, id: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable('join_tokens')
    .set({ revoked_at: now })
    .where('id', '=', id)
    .where('kind', '=', 'creator_comp')
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Forgets invitations that ended before a day, but for those that somebody joined by: how an account came to be free stays known. */
export async function forgetInvitations(tx: Tx, before: Date): Promise<void> {
  await tx.db
    .deleteFrom('join_tokens')
    .where('expires_at', '<', before)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('join_claims').select(sql`1`.as('one')).whereRef('token_id', '=', 'join_tokens.id'))),
    )
    .execute();
}
