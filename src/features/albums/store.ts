import { type ExpressionBuilder, type RawBuilder, sql } from 'kysely';
import type { Tables } from '#engines/database/tables.ts';
import type { Tx } from '#engines/database/work.ts';
import { mediumColumns } from '#features/media/to-api.ts';
import { foldText, searchPattern } from '#kit/search.ts';
import { type Cursor, mostListed } from './rules.ts';

const counted = (eb: ExpressionBuilder<Tables, 'albums'>, kind: 'photo' | 'video' | 'pending') =>
  eb
    .selectFrom('album_items as i')
    .innerJoin('media as m', 'm.id', 'i.media_id')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .whereRef('i.album_id', '=', 'albums.id')
    .where('m.deleted_at', 'is', null)
    .where((where) =>
      kind === 'pending'
        ? where('m.state', 'in', ['uploaded', 'scanning', 'processing'])
        : where.and([where('m.state', '=', 'ready'), where('m.kind', '=', kind)]),
    );

/** Albums of the asking creator with counts and cover; the cover is the chosen item or the first. */
function selectAlbums(tx: Tx) {
  return tx.db
    .selectFrom('albums')
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('album_items as i')
          .innerJoin('media as m', 'm.id', 'i.media_id')
          .select([
            'm.id as cover_id',
            'm.kind as cover_kind',
            'm.thumbhash as cover_thumbhash',
            'm.width as cover_width',
            'm.height as cover_height',
          ])
          .whereRef('i.album_id', '=', 'albums.id')
          .where('m.state', '=', 'ready')
          .where('m.deleted_at', 'is', null)
          .orderBy(sql`(m.id = albums.cover_media_id) desc nulls last`)
          .orderBy('i.position')
          .limit(1)
          .as('cover'),
      (join) => join.onTrue(),
    )
    .selectAll('albums')
    .select(['cover.cover_id', 'cover.cover_kind', 'cover.cover_thumbhash', 'cover.cover_width', 'cover.cover_height'])
    .select((eb) => [
      counted(eb, 'photo').as('photo_count'),
      counted(eb, 'video').as('video_count'),
      counted(eb, 'pending').as('pending_count'),
    ]);
}
export type AlbumRow = Awaited<ReturnType<typeof findAlbum>> & object;

/** One album of the asking creator. */
export async function findAlbum(tx: Tx, albumId: string) {
  return selectAlbums(tx).where('albums.id', '=', albumId).executeTakeFirst();
}

/** How people sort names, whose numbers count as numbers: by the letters of their language where the server can. */
const byName = (folded: RawBuilder<unknown>) => sql`natural_key(${folded}) collate natural_order`;

/** A page of the asking creator's albums, newest, oldest or by name. */
export async function listAlbums(
  tx: Tx,
  wish: {
    filter: string;
    search: string;
    sort: 'newest' | 'oldest' | 'name';
    after: Cursor | undefined;
    limit: number;
  },
) {
  const column = wish.sort === 'name' ? byName(sql.ref('albums.search_text')) : sql.ref('albums.created_at');
  const direction = wish.sort === 'newest' ? ('desc' as const) : ('asc' as const);
  let query = selectAlbums(tx).orderBy(column, direction).orderBy('albums.id', direction).limit(wish.limit);
  query =
    wish.filter === 'all'
      ? query.where('albums.state', 'not in', ['archived', 'deleting'])
      : query.where('albums.state', '=', wish.filter as 'ready');
  if (wish.search !== '') query = query.where('albums.search_text', 'like', searchPattern(wish.search));
  if (wish.after !== undefined) {
    const { at, id } = wish.after;
    const bound = wish.sort === 'name' ? byName(sql`${foldText(at)}::text`) : sql`${at}::timestamptz`;
    query = query.where(
      wish.sort === 'newest'
        ? sql<boolean>`(${column}, albums.id) < (${bound}, ${id}::uuid)`
        : sql<boolean>`(${column}, albums.id) > (${bound}, ${id}::uuid)`,
    );
  }
  return query.execute();
}

/** How many albums the asking creator has, deleted ones not counted. */
export async function countAlbums(tx: Tx): Promise<number> {
  const { n } = await tx.db
    .selectFrom('albums')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('state', '!=', 'deleting')
    .executeTakeFirstOrThrow();
  return n;
}

/** Makes an empty album. */
export async function insertAlbum(
  tx: Tx,
  album: { id: string; userId: string; name: string; now: Date },
): Promise<void> {
  await tx.db
    .insertInto('albums')
    .values({
      id: album.id,
      user_id: album.userId,
      name: album.name,
      search_text: foldText(album.name),
      content_rating: 'general',
      people_consent: 'only_me',
      created_at: album.now,
    })
    .execute();
}

export interface AlbumChange {
  name?: string | undefined;
  description?: string | undefined;
  is_protected?: boolean | undefined;
  watermark_visible?: 'off' | 'corner' | 'tiled' | undefined;
  watermark_text?: string | null | undefined;
  content_rating?: 'general' | 'suggestive' | undefined;
  teaser?: 'none' | 'blur' | undefined;
  teaser_count?: number | undefined;
  allow_custom_requests?: boolean | undefined;
  sort?: 'manual' | 'newest' | 'oldest' | undefined;
  cover_media_id?: string | undefined;
}

/** Changes what is given; false when the album is not the asking creator's. */
export async function updateAlbum(tx: Tx, albumId: string, change: AlbumChange): Promise<boolean> {
  const search_text = change.name === undefined ? undefined : foldText(change.name);
  const given = Object.fromEntries(
    Object.entries({ ...change, search_text }).filter(([, value]) => value !== undefined),
  );
  if (Object.keys(given).length === 0) return (await findAlbum(tx, albumId)) !== undefined;
  const row = await tx.db.updateTable('albums').set(given).where('id', '=', albumId).returning('id').executeTakeFirst();
  return row !== undefined;
}

/** Moves an album from one of `from` to a state; false when it is in none of them or not the asking creator's. */
export async function moveAlbum(
  tx: Tx,
  albumId: string,
  from: readonly string[],
  to: {
    state: 'ready' | 'draft' | 'archived' | 'deleting';
    state_before?: string | null;
    archived_at?: Date | null;
    delete_at?: Date | null;
    published_at?: Date;
  },
): Promise<boolean> {
  const row = await tx.db
    .updateTable('albums')
    .set(to)
    .where('id', '=', albumId)
    .where('state', 'in', from as ('ready' | 'draft')[])
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

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

/** What refers to an album or its creator need not wait: nothing of their keys changes. */
export const lockAlbum = (tx: Tx, albumId: string) =>
  tx.db.selectFrom('albums').select(['id', 'state']).where('id', '=', albumId).forNoKeyUpdate().executeTakeFirst();

/** The same for an album that was brought back: what became ready meanwhile found it closed. */
export async function publishAlbum(tx: Tx, albumId: string, now: Date): Promise<void> {
  await sql`update albums a set state = 'ready', published_at = ${now} where a.id = ${albumId} and a.state = 'draft' and exists (
    select from album_items i join media m on m.id = i.media_id and m.state = 'ready' and m.deleted_at is null
    where i.album_id = a.id)`.execute(tx.db);
}

/** Lets one creation of a creator's albums or uploads happen after the other, so that a limit holds. */
export async function lockAccount(tx: Tx, userId: string): Promise<void> {
  await tx.db.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().executeTakeFirst();
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

/**
 * A draft album with a ready item becomes ready by itself; so does the album of a medium that is ready now. One that is just
 * being brought back is waited for: it may be a draft again.
 */
export async function publishAlbumsOf(tx: Tx, mediaId: string, now: Date): Promise<void> {
  await sql`select from albums where id in (select album_id from album_items where media_id = ${mediaId})
    order by id for no key update`.execute(tx.db);
  await sql`update albums a set state = 'ready', published_at = ${now} from album_items i
    join media m on m.id = i.media_id and m.state = 'ready' where i.album_id = a.id and i.media_id = ${mediaId} and a.state = 'draft'`.execute(
    tx.db,
  );
}
