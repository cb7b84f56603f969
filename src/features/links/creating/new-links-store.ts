import type { Tx } from '#engines/database/work.ts';
import { foldTexts } from '#kit/search.ts';
import type { LinkRow } from '../list-store.ts';

export interface NewLink {
  id: string;
  creatorId: string;
  slug: string;
  albumIds: readonly string[];
  linkName: string;
  recipientName: string | null;
  recipientChannel: LinkRow['recipientChannel'];
  note: string;
  welcomeText: string;
  policy: object;
  passwordHash: string | null;
  expiresAt: Date | null;
  notify: LinkRow['notify'];
  /** Shared by links created together from one list of names. */
  batchId?: string;
  now: Date;
}

const rowOf = (link: NewLink) => ({
  id: link.id,
  user_id: link.creatorId,
  slug: link.slug,
  link_name: link.linkName,
  recipient_name: link.recipientName,
  recipient_channel: link.recipientChannel,
  note: link.note,
  search_text: foldTexts(link.linkName, link.recipientName, link.note),
  welcome_text: link.welcomeText,
  policy: JSON.stringify(link.policy),
  password_hash: link.passwordHash,
  password_version: link.passwordHash === null ? 0 : 1,
  expires_at: link.expiresAt,
  notify: link.notify,
  batch_id: link.batchId ?? null,
  created_at: link.now,
});

/** Inserts links and their albums, a few hundred at most; links whose slug is taken are skipped. @returns the ids of the inserted links */
export async function insertLinks(tx: Tx, links: readonly NewLink[]): Promise<Set<string>> {
  const rows = await tx.db
    .insertInto('magic_links')
    .values(links.map(rowOf))
    .onConflict((conflict) => conflict.column('slug').doNothing())
    .returning('id')
    .execute();
  const insertedIds = new Set(rows.map(({ id }) => id));
  const albums = links
    .filter(({ id }) => insertedIds.has(id))
    .flatMap(({ id, creatorId, albumIds }) =>
      albumIds.map((album_id, position) => ({ link_id: id, album_id, position, user_id: creatorId })),
    );
  if (albums.length > 0) await tx.db.insertInto('link_albums').values(albums).execute();
  return insertedIds;
}

/** Logs commitments to the links' halves of the codewords before anyone can open the links; the log is append-only. */
export async function insertLinkCommitments(
  tx: Tx,
  commitments: readonly { linkId: string; creatorId: string; commitment: Buffer; now: Date }[],
): Promise<void> {
  const rows = commitments.map(({ linkId, creatorId, commitment, now }) => ({
    at: now,
    creator_id: creatorId,
    link_id: linkId,
    commitment,
  }));
  await tx.asSystem(({ db }) => db.insertInto('codeword_log').values(rows).execute());
}

export interface PolicyLogEntry {
  linkId: string;
  version: number;
  creatorId: string;
  policy: object;
  passwordVersion: number;
  expiresAt: Date | null;
  now: Date;
}

/** Logs the rules of link versions; entries are never changed. */
export async function insertPolicyLog(tx: Tx, entries: readonly PolicyLogEntry[]): Promise<void> {
  await tx.db
    .insertInto('link_policy_log')
    .values(
      entries.map((entry) => ({
        link_id: entry.linkId,
        version: entry.version,
        user_id: entry.creatorId,
        policy: JSON.stringify(entry.policy),
        password_version: entry.passwordVersion,
        expires_at: entry.expiresAt,
        by_user: entry.creatorId,
        at: entry.now,
      })),
    )
    .execute();
}

/** A link of a batch, with the name it was created for. */
export interface BatchRow {
  id: string;
  recipientName: string | null;
  slug: string;
}

/** Lists the links that a creator made in one batch. */
export const listBatch = (tx: Tx, creatorId: string, batchId: string): Promise<BatchRow[]> =>
  tx.db
    .selectFrom('magic_links')
    .select(['id', 'recipient_name as recipientName', 'slug'])
    .where('user_id', '=', creatorId)
    .where('batch_id', '=', batchId)
    .execute();
