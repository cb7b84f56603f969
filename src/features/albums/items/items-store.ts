import { sql } from 'kysely';
import type { Tx } from '#engines/database/work.ts';
import { mediumColumns } from '#features/media/to-api.ts';
import { mostListed } from '../rules.ts';
import { lockAlbum } from '../store.ts';

/** Items of an album in the order that its creator chose. */
export async function listItems(tx: Tx, albumId: string, sort: string) {
  const query = tx.db
    .selectFrom('album_items as i')
    .innerJoin('media', 'media.id', 'i.media_id')
    .select([...mediumColumns, 'i.caption', 'i.hidden', 'i.sensitive', 'i.not_in_teaser', 'i.added_at'])
    .where('i.album_id', '=', albumId)
    .where('media.deleted_at', 'is', null)
    .limit(mostListed);
  if (sort === 'newest') return query.orderBy('i.added_at', 'desc').orderBy('media.id', 'desc').execute();
  if (sort === 'oldest') return query.orderBy('i.added_at').orderBy('media.id').execute();
  return query.orderBy('i.position').orderBy('media.id').execute();
}
export type ItemRow = Awaited<ReturnType<typeof listItems>>[number];

/** An album whose row is locked until the transaction ends. */
export interface LockedOrder {
  state: string;
  /** Ids of all items in their order, deleted photos in their places. */
  order: string[];
  /** Those that are not deleted. */
  alive: Set<string>;
}

/** Locks an album and reads its order; undefined when it is not the asking creator's. */
export async function lockOrder(tx: Tx, albumId: string): Promise<LockedOrder | undefined> {
  const album = await lockAlbum(tx, albumId);
  if (album === undefined) return undefined;
  const rows = await tx.db
    .selectFrom('album_items as i')
    .innerJoin('media as m', 'm.id', 'i.media_id')
    .select(['i.media_id', 'm.deleted_at'])
    .where('i.album_id', '=', albumId)
    .orderBy('i.position')
    .orderBy('i.media_id')
    .execute();
  const alive = rows.filter(({ deleted_at }) => deleted_at === null).map(({ media_id }) => media_id);
  return { state: album.state, order: rows.map(({ media_id }) => media_id), alive: new Set(alive) };
}

/** Writes the whole order at once. */
export async function saveOrder(tx: Tx, albumId: string, order: readonly string[]): Promise<void> {
  await sql`update album_items i set position = o.place from unnest(${order}::uuid[]) with ordinality o(id, place)
    where i.album_id = ${albumId} and i.media_id = o.id`.execute(tx.db);
  await tx.db.updateTable('albums').set({ sort: 'manual' }).where('id', '=', albumId).execute();
}

/** Puts media at the end of an album; those of somebody else are passed over by the walls. @returns how many came in */
export async function insertItems(
  tx: Tx,
  albumId: string,
  userId: string,
  mediaIds: readonly string[],
  now: Date,
): Promise<number> {
  const { rows } = await sql`insert into album_items (album_id, media_id, user_id, position, added_at)
    select ${albumId}, m.id, ${userId}, coalesce((select max(position) from album_items where album_id = ${albumId}), 0) + w.place, ${now}
    from unnest(${mediaIds}::uuid[]) with ordinality w(id, place) join media m on m.id = w.id and m.deleted_at is null
    on conflict (album_id, media_id) do nothing returning 1`.execute(tx.db);
  return rows.length;
}

/** Puts an uploaded medium at the end of its album, before those that were begun after it and were quicker. */
export async function insertUploaded(
  tx: Tx,
  albumId: string,
  userId: string,
  mediaId: string,
  now: Date,
): Promise<void> {
  await lockAlbum(tx, albumId);
  await insertItems(tx, albumId, userId, [mediaId], now);
  await sql`with place as (
      select coalesce(max(i.position), 0) as after from album_items i where i.album_id = ${albumId} and i.media_id <> ${mediaId}
        and not exists (select from uploads o join uploads mine on mine.id = ${mediaId}
          where o.media_id = i.media_id and o.album_id = ${albumId} and o.number > mine.number))
    update album_items i set position = case when i.media_id = ${mediaId} then place.after + 1 else i.position + 1 end
    from place where i.album_id = ${albumId} and i.position > place.after`.execute(tx.db);
}

export interface ItemChange {
  caption?: string | undefined;
  hidden?: boolean | undefined;
  sensitive?: boolean | undefined;
  not_in_teaser?: boolean | undefined;
}

/** Changes one item's own words and flags; undefined when there is no such item. */
export async function updateItem(tx: Tx, albumId: string, mediaId: string, change: ItemChange): Promise<boolean> {
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  const base = tx.db
    .selectFrom('album_items')
    .select('media_id')
    .where('album_id', '=', albumId)
    .where('media_id', '=', mediaId);
  if (Object.keys(given).length === 0) return (await base.executeTakeFirst()) !== undefined;
  const row = await tx.db
    .updateTable('album_items')
    .set(given)
    .where('album_id', '=', albumId)
    .where('media_id', '=', mediaId)
    .returning('media_id')
    .executeTakeFirst();
  return row !== undefined;
}
