import { sql } from 'kysely';
import type { Tx } from '#engines/database/work.ts';
import { markDeleted, noteRemovals } from '#features/media/deletions-store.ts';
import { undoMs } from '#features/media/rules.ts';
import { mediumColumns } from '#features/media/to-api.ts';
import { mostListed } from '../rules.ts';

/** What became of photos that were taken out of an album. */
export interface TakenOut {
  /** They are in another album still. */
  taken: string[];
  /** It was their last album: they are deleted, and keep their places for whoever thinks better of it. */
  deleted: string[];
}

/** Takes items out of an album; those that no other album holds are deleted instead. */
export async function takeOut(tx: Tx, albumId: string, mediaIds: readonly string[], now: Date): Promise<TakenOut> {
  // Two that take one photo out of its two albums at once must not both see it in the other one.
  const { rows } = await sql<{ id: string }>`select m.id from media m
    join album_items i on i.media_id = m.id and i.album_id = ${albumId}
    where m.id = any(${mediaIds}::uuid[]) and m.deleted_at is null order by m.id for no key update of m`.execute(tx.db);
  const present = rows.map(({ id }) => id);
  if (present.length === 0) return { taken: [], deleted: [] };
  const elsewhere = await tx.db
    .selectFrom('album_items')
    .select('media_id')
    .distinct()
    .where('media_id', 'in', present)
    .where('album_id', '!=', albumId)
    .execute();
  const taken = elsewhere.map(({ media_id }) => media_id);
  const deleted = present.filter((id) => !taken.includes(id));
  await noteRemovals(tx, present, now, albumId);
  if (taken.length > 0) await deleteItems(tx, albumId, taken);
  if (deleted.length > 0) await markDeleted(tx, deleted, now);
  return { taken, deleted };
}

const deleteItems = (tx: Tx, albumId: string, mediaIds: readonly string[]) =>
  tx.db.deleteFrom('album_items').where('album_id', '=', albumId).where('media_id', 'in', mediaIds).execute();

/** Which of these are items of an album. */
export async function listPresent(tx: Tx, albumId: string, mediaIds: readonly string[]): Promise<string[]> {
  const rows = await tx.db
    .selectFrom('album_items')
    .select('media_id')
    .where('album_id', '=', albumId)
    .where('media_id', 'in', mediaIds)
    .execute();
  return rows.map(({ media_id }) => media_id);
}

/** Carries items over to the end of another album, with their captions; those that it holds already only leave. */
export async function carryOver(
  tx: Tx,
  { from, to, mediaIds, now }: { from: string; to: string; mediaIds: readonly string[]; now: Date },
): Promise<void> {
  await noteRemovals(tx, mediaIds, now, from);
  await sql`insert into album_items (album_id, media_id, user_id, position, caption, sensitive, hidden, not_in_teaser, added_at)
    select ${to}, i.media_id, i.user_id, coalesce((select max(position) from album_items where album_id = ${to}), 0)
        + row_number() over (order by i.position, i.media_id), i.caption, i.sensitive, i.hidden, i.not_in_teaser, ${now}
    from album_items i where i.album_id = ${from} and i.media_id = any(${mediaIds}::uuid[])
    on conflict (album_id, media_id) do nothing`.execute(tx.db);
  await deleteItems(tx, from, mediaIds);
}

/** Deleted photos of an album that can be brought back, those whose time ends first before the others. */
export async function listDeletedItems(tx: Tx, albumId: string, since: Date) {
  return tx.db
    .selectFrom('album_items as i')
    .innerJoin('media', 'media.id', 'i.media_id')
    .select([...mediumColumns, 'i.caption', 'media.deleted_at'])
    .where('i.album_id', '=', albumId)
    .where('media.deleted_at', '>', since)
    .where('media.state', '!=', 'deleted')
    .orderBy('media.deleted_at')
    .orderBy('media.id')
    .limit(mostListed)
    .execute();
}

/** Albums whose time to think better of it is over; the job destroys them. */
export async function listAlbumsToDestroy(tx: Tx, now: Date): Promise<string[]> {
  const rows = await tx.db
    .selectFrom('albums')
    .select('id')
    .where('state', '=', 'deleting')
    .where('delete_at', '<=', now)
    .limit(100)
    .execute();
  return rows.map(({ id }) => id);
}

/** Revokes the links that have no other album, as of when this one was deleted: what was just bought there is paid back. */
async function revokeEmptied(tx: Tx, albumId: string): Promise<void> {
  await sql`update magic_links l set is_revoked = true, revoked_at = a.delete_at - ${undoMs}::bigint * interval '1 ms',
      revoked_reason = 'album_deleted', undo_until = a.delete_at
    from link_albums x join albums a on a.id = x.album_id where x.album_id = ${albumId} and l.id = x.link_id and not l.is_revoked
      and not exists (select from link_albums o where o.link_id = l.id and o.album_id <> ${albumId})`.execute(tx.db);
}

/**
 * Destroys an album's row, and revokes the links that opened nothing else; its media are marked deleted when no other album holds them. One that was brought back meanwhile is
 * left alone. Media are locked before albums everywhere.
 */
export async function destroyAlbum(tx: Tx, albumId: string, now: Date): Promise<void> {
  await sql`select from media where id in (select media_id from album_items where album_id = ${albumId})
    order by id for no key update`.execute(tx.db);
  const { rows } = await sql`select from albums where id = ${albumId} and state = 'deleting' and delete_at <= ${now}
    for update`.execute(tx.db);
  if (rows.length === 0) return;
  await sql`update media set state = 'deleted', deleted_at = ${now} where deleted_at is null and id in (
      select i.media_id from album_items i where i.album_id = ${albumId}
      and not exists (select 1 from album_items o where o.media_id = i.media_id and o.album_id <> ${albumId}))`.execute(
    tx.db,
  );
  await revokeEmptied(tx, albumId);
  await tx.db.deleteFrom('albums').where('id', '=', albumId).execute();
}

/**
 * Deletes media that no album holds: nobody can see or remove them, and they take space. They go back to the album that they
 * were uploaded to, among its deleted photos, so that there is a way to bring them back.
 * @returns how many
 */
export async function deleteOrphans(tx: Tx, now: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`with orphan as (
      update media m set deleted_at = ${now} where m.id in (
        select o.id from media o where o.deleted_at is null and o.state <> 'deleted'
          and not exists (select from album_items i where i.media_id = o.id) limit 1000)
      returning m.id, m.creator_id), back as (
    insert into album_items (album_id, media_id, user_id, position, added_at)
    select u.album_id, o.id, o.creator_id, coalesce((select max(position) from album_items where album_id = u.album_id), 0)
        + row_number() over (partition by u.album_id order by o.id), ${now}
    from orphan o join uploads u on u.media_id = o.id and u.album_id is not null
    on conflict (album_id, media_id) do nothing)
    select count(*)::int as count from orphan`.execute(tx.db);
  return rows[0]?.count ?? 0;
}
