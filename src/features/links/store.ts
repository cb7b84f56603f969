import { sql } from 'kysely';
import type { Tx } from '#engines/database/work.ts';
import type { ConsentGap } from '#features/albums/contract.ts';
import { foldTexts } from '#kit/search.ts';
import type { Channel } from './contract.ts';
import { type LinkRow, ofAlbum } from './list-store.ts';
import type { AlbumDefaults } from './presets/album-default-rules.ts';

export interface AlbumToShare extends AlbumDefaults {
  id: string;
  state: string;
  readyCount: number;
  pendingCount: number;
  /** What is the matter with the consent of those who are shown. */
  consentGap: ConsentGap | null;
}

/** What a new link must know of its albums; somebody else's are not there. */
export async function listAlbumsToShare(tx: Tx, albumIds: readonly string[]): Promise<AlbumToShare[]> {
  const { rows } = await sql<AlbumToShare>`
    select a.id, a.state, a.is_protected as "isProtected", a.price_cents as "priceCents", a.allow_tips as "allowsTips",
      consent_gap(a.id, a.people_consent) as "consentGap",
      count(m.id) filter (where m.state = 'ready' and not i.hidden)::int as "readyCount",
      count(m.id) filter (where m.state in ('uploaded', 'scanning', 'processing'))::int as "pendingCount"
    from albums a
    left join album_items i on i.album_id = a.id
    left join media m on m.id = i.media_id and m.deleted_at is null
    where a.id = any(${[...albumIds]}::uuid[]) group by a.id limit 100`.execute(tx.db);
  return rows;
}

/** Returns whether an album of a link takes tips. */
export async function takesTips(tx: Tx, linkId: string): Promise<boolean> {
  const { rows } = await sql`select from link_albums x join albums a on a.id = x.album_id and a.allow_tips
    where x.link_id = ${linkId} limit 1`.execute(tx.db);
  return rows.length > 0;
}

/** Gives an album of the asking creator a price, or takes it away; false when it is not theirs. */
export async function updateAlbumPrice(tx: Tx, albumId: string, priceCents: number | null): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable('albums')
    .set({ price_cents: priceCents })
    .where('id', '=', albumId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Lets what makes, brings back or ends a creator's links as a whole happen one after the other: a limit holds, and nothing
 * comes up behind whoever ends everything. What refers to the creator, such as a visit, need not wait.
 */
export async function lockLinksOf(tx: Tx, creatorId: string): Promise<void> {
  await tx.db.selectFrom('users').select('id').where('id', '=', creatorId).forNoKeyUpdate().executeTakeFirst();
}

export interface LockedLink {
  id: string;
  linkName: string;
  recipientName: string | null;
  recipientChannel: Channel | null;
  policy: unknown;
  policyVersion: number;
  passwordVersion: number;
  expiresAt: Date | null;
  isRevoked: boolean;
}

/** These links of the asking creator, held until the transaction ends; always in one order, so that two never wait for each other. */
export async function lockLinks(tx: Tx, linkIds: readonly string[]): Promise<LockedLink[]> {
  return tx.db
    .selectFrom('magic_links')
    .select([
      'id',
      'link_name as linkName',
      'recipient_name as recipientName',
      sql<Channel | null>`recipient_channel`.as('recipientChannel'),
      'policy',
      'policy_version as policyVersion',
      'password_version as passwordVersion',
      'expires_at as expiresAt',
      'is_revoked as isRevoked',
    ])
    .where('id', 'in', linkIds)
    .orderBy('id')
    .forUpdate()
    .execute();
}

export interface LinkChange {
  link_name?: string | undefined;
  recipient_name?: string | null | undefined;
  recipient_channel?: LinkRow['recipientChannel'] | undefined;
  note?: string | undefined;
  welcome_text?: string | undefined;
  notify?: LinkRow['notify'] | undefined;
  policy?: string | undefined;
  policy_version?: number | undefined;
  password_hash?: string | null | undefined;
  password_version?: number | undefined;
  expires_at?: Date | null | undefined;
}

/** Changes what is given of one link. */
export async function updateLink(tx: Tx, linkId: string, change: LinkChange): Promise<void> {
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  if (Object.keys(given).length === 0) return;
  const row = await tx.db
    .updateTable('magic_links')
    .set(given)
    .where('id', '=', linkId)
    .returning(['link_name', 'recipient_name', 'note'])
    .executeTakeFirst();
  if (row === undefined) return;
  const search_text = foldTexts(row.link_name, row.recipient_name, row.note);
  await tx.db.updateTable('magic_links').set({ search_text }).where('id', '=', linkId).execute();
}

/** Puts another address in place of a link's that nobody has opened. @returns false when it isn't such a link of this creator */
export async function replaceSlug(
  tx: Tx,
  { linkId, creatorId, slug }: { linkId: string; creatorId: string; slug: string },
): Promise<boolean> {
  const row = await tx.db
    .updateTable('magic_links')
    .set({ slug })
    .where('id', '=', linkId)
    .where('user_id', '=', creatorId)
    .where('first_opened_at', 'is', null)
    .where('is_revoked', '=', false)
    .where('taken_down_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** A link that nobody has opened yet. */
export interface UnopenedLink {
  id: string;
  linkName: string;
  recipientName: string | null;
  isShared: boolean;
}

/** A creator's links that can be opened and have not been, newest first. */
export async function listUnopened(tx: Tx, creatorId: string, now: Date, most: number): Promise<UnopenedLink[]> {
  return tx.db
    .selectFrom('magic_links')
    .select(({ eb }) => [
      'id',
      'link_name as linkName',
      'recipient_name as recipientName',
      eb('shared_at', 'is not', null).$castTo<boolean>().as('isShared'),
    ])
    .where('user_id', '=', creatorId)
    .where('first_opened_at', 'is', null)
    .where('is_revoked', '=', false)
    .where('taken_down_at', 'is', null)
    .where(({ eb, or }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(most)
    .execute();
}

/** Notes that a link's address was copied or shared. @returns nothing when the link is somebody else's or unknown */
export async function markLinkShared(tx: Tx, linkId: string, now: Date): Promise<'first' | 'again' | undefined> {
  const marked = await tx.db
    .updateTable('magic_links')
    .set({ shared_at: now })
    .where('id', '=', linkId)
    .where('shared_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  if (marked !== undefined) return 'first';
  const known = await tx.db.selectFrom('magic_links').select('id').where('id', '=', linkId).executeTakeFirst();
  return known && 'again';
}

/** Whose act a revocation is: the creator's, of one link, of all at once or with their account, or the link's own rule. */
export type RevokeReason = 'manual' | 'panic' | 'auto_security' | 'account_deleted';

/** Revokes those of these links that are not revoked yet. @returns the ids that changed */
export async function revokeLinks(
  tx: Tx,
  linkIds: readonly string[],
  { now, undoUntil, reason }: { now: Date; undoUntil: Date; reason: RevokeReason },
): Promise<string[]> {
  const rows = await tx.db
    .updateTable('magic_links')
    .set({ is_revoked: true, revoked_at: now, revoked_reason: reason, undo_until: undoUntil })
    .where('id', 'in', linkIds)
    .where('is_revoked', '=', false)
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Brings back those of these links that their owner, or their own rule, revoked while that can still be undone. @returns the ids that changed */
export async function reviveLinks(tx: Tx, linkIds: readonly string[], now: Date): Promise<string[]> {
  const rows = await tx.db
    .updateTable('magic_links')
    .set({ is_revoked: false, revoked_at: null, revoked_reason: null, undo_until: null })
    .where('id', 'in', linkIds)
    .where('is_revoked', '=', true)
    .where('revoked_reason', 'in', ['manual', 'panic', 'auto_security'])
    .where('undo_until', '>', now)
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Has those who asked to be told when a link begins looked at again: its rules have changed. A unit of work of the system. */
export async function wakeReminders(tx: Tx, linkId: string, now: Date): Promise<void> {
  await tx.db.updateTable('link_reminders').set({ look_at: now }).where('link_id', '=', linkId).execute();
}

/** Ids of a creator's links that are not revoked, of one album or of all, held until the transaction ends. */
export async function lockUnrevoked(tx: Tx, creatorId: string, albumId: string | undefined): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select l.id from magic_links l
    where l.user_id = ${creatorId} and not l.is_revoked and ${ofAlbum(albumId)} order by l.id for update`.execute(
    tx.db,
  );
  return rows.map(({ id }) => id);
}

/** Those of these ids that are links of whoever asks. */
export async function listLinkIds(tx: Tx, linkIds: readonly string[]): Promise<string[]> {
  const rows = await tx.db.selectFrom('magic_links').select('id').where('id', 'in', linkIds).execute();
  return rows.map(({ id }) => id);
}
