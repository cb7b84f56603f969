import { type ExpressionBuilder, type RawBuilder, sql } from 'kysely';
import type { Tables } from '#engines/database/tables.ts';
import type { Tx } from '#engines/database/work.ts';
import { foldText, searchPattern } from '#kit/search.ts';
import type { ConsentGap } from './contract.ts';
import type { Cursor } from './rules.ts';

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
      sql<ConsentGap | null>`consent_gap(albums.id, albums.people_consent)`.as('consent_gap'),
    ])
    .select((eb) => {
      const byLinks = eb
        .selectFrom('link_albums as x')
        .innerJoin('magic_links as l', 'l.id', 'x.link_id')
        .whereRef('x.album_id', '=', 'albums.id');
      return [
        byLinks.select(({ fn }) => fn.countAll<number>().as('n')).as('link_count'),
        byLinks.select(sql<number>`coalesce(sum(l.earnings_cents), 0)::bigint`.as('cents')).as('earned_cents'),
      ];
    });
}
export type AlbumRow = Awaited<ReturnType<typeof findAlbum>> & object;

/** One album of the asking creator. */
export async function findAlbum(tx: Tx, albumId: string) {
  return selectAlbums(tx).where('albums.id', '=', albumId).executeTakeFirst();
}

/** Returns how people sort names, whose numbers count as numbers: by the letters of their language where the server can. */
const byName = (folded: RawBuilder<unknown>) => sql`natural_key(${folded}) collate natural_order`;

/** A page of the asking creator's albums, newest, oldest or by name. */
export async function listAlbums(
  tx: Tx,
  params: {
    filter: string;
    search: string;
    sort: 'newest' | 'oldest' | 'name';
    after: Cursor | undefined;
    limit: number;
  },
) {
  const column = params.sort === 'name' ? byName(sql.ref('albums.search_text')) : sql.ref('albums.created_at');
  const direction = params.sort === 'newest' ? ('desc' as const) : ('asc' as const);
  let query = selectAlbums(tx).orderBy(column, direction).orderBy('albums.id', direction).limit(params.limit);
  query =
    params.filter === 'all'
      ? query.where('albums.state', 'not in', ['archived', 'deleting'])
      : query.where('albums.state', '=', params.filter as 'ready');
  if (params.search !== '') query = query.where('albums.search_text', 'like', searchPattern(params.search));
  if (params.after !== undefined) {
    const { at, id } = params.after;
    const bound = params.sort === 'name' ? byName(sql`${foldText(at)}::text`) : sql`${at}::timestamptz`;
    query = query.where(
      params.sort === 'newest'
        ? sql<boolean>`(${column}, albums.id) < (${bound}, ${id}::uuid)`
        : sql<boolean>`(${column}, albums.id) > (${bound}, ${id}::uuid)`,
    );
  }
  return query.execute();
}

/** Returns how many albums the asking creator has, deleted ones not counted. */
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
  album: {
    id: string;
    userId: string;
    name: string;
    peopleConsent?: 'only_me' | 'others_with_consent' | undefined;
    now: Date;
  },
): Promise<void> {
  await tx.db
    .insertInto('albums')
    .values({
      id: album.id,
      user_id: album.userId,
      name: album.name,
      search_text: foldText(album.name),
      content_rating: 'general',
      ...(album.peopleConsent !== undefined && { people_consent: album.peopleConsent, people_said_at: album.now }),
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
  allow_tips?: boolean | undefined;
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
    state: 'ready' | 'draft' | 'archived' | 'locked' | 'deleting';
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

/** Locks an album; rows that refer to it can still be written, as its key does not change. */
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
