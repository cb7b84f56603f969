import { statement, type Tx } from '#engines/database/work.ts';
import { mostOfLink } from '#features/links/rules.ts';
import type { KeyedPack } from '#features/media/stored-pack.ts';

type Source = Pick<Tx, 'query'>;

/** One picture of a link's albums, in the order in which they are shown. */
export interface ItemRow {
  mediaId: string;
  kind: 'photo' | 'video';
  width: number;
  height: number;
  thumbhash: Buffer;
  durationMs: number | null;
  cellSeconds: number | null;
  caption: string;
  albumName: string;
  markLook: 'off' | 'corner' | 'tiled';
  markText: string | null;
  /** Its small picture. */
  rendition: 'thumb512' | 'posterthumb';
  packId: string;
  path: string;
  columns: number;
  rows: number;
  /** Only for the first ones, whose keys go out with the list. */
  keyId: string | null;
  wrapped: Buffer | null;
}

/** Of the albums `la`; $2 of the first ones with their keys. */
const itemsOf = (albums: string) => `with item as (
  select m.id, m.kind, m.width, m.height, m.thumbhash, m.duration_ms, m.cell_seconds, i.caption, b.name, b.watermark_visible, b.watermark_text,
    p.rendition, p.id as pack_id, p.path, p.columns, p.rows,
    row_number() over (order by la.position, b.id, case b.sort when 'manual' then i.position end,
      case b.sort when 'newest' then i.added_at end desc, case b.sort when 'newest' then m.id end desc,
      case b.sort when 'oldest' then i.added_at end, m.id) as n
  from (${albums}) la
  join albums b on b.id = la.album_id
  join album_items i on i.album_id = b.id and not i.hidden
  join media m on m.id = i.media_id and m.state = 'ready' and m.deleted_at is null
  join packs p on p.media_id = m.id and p.rendition in ('thumb512', 'posterthumb')
)
select item.id as "mediaId", kind, width, height, thumbhash, duration_ms as "durationMs", cell_seconds as "cellSeconds", caption, name as "albumName",
  watermark_visible as "markLook", watermark_text as "markText", rendition, pack_id as "packId", path, columns, rows, k.key_id as "keyId", k.wrapped
from item left join media_keys k on k.media_id = item.id and item.n <= $2
order by n limit ${mostOfLink}`;

const itemsOfLink = statement<ItemRow>(
  'items_of_link',
  itemsOf('select album_id, position from link_albums where link_id = $1'),
);

const itemsOfAlbum = statement<ItemRow>('items_of_album', itemsOf('select $1::uuid as album_id, 0 as position'));

/** Returns what a link to one album would show, without a key. */
export const findItemsOfAlbum = (source: Source, albumId: string): Promise<ItemRow[]> =>
  source.query(itemsOfAlbum, [albumId, 0]);

/**
 * What a link shows, with the names and marks of its albums; a picture that lies in two albums comes once.
 * @param keyed how many of the first ones come with their wrapped keys
 */
export async function findItemsOfLink(source: Source, linkId: string, keyed: number): Promise<ItemRow[]> {
  const rows = await source.query(itemsOfLink, [linkId, keyed]);
  const seen = new Set<string>();
  return rows.filter(({ mediaId }) => !seen.has(mediaId) && seen.add(mediaId));
}

/** What is asked for by name. */
export interface Wanted {
  mediaId: string;
  rendition: string;
}

const packsOfLink = statement<KeyedPack & { taken: number }>(
  'packs_of_link',
  `with counted as (
  insert into rate_limits as r (key, window_start, count) select $4, $5, $6 where $6 > 0
  on conflict (key, window_start) do update set count = r.count + excluded.count returning count
)
select p.id, p.creator_id as "creatorId", p.media_id as "mediaId", p.rendition, p.path, p.columns, p.rows, k.key_id as "keyId", k.wrapped,
  coalesce((select count from counted), 0) as taken
from unnest($2::uuid[], $3::text[]) with ordinality as w(media_id, rendition, n)
join media m on m.id = w.media_id and m.state = 'ready' and m.deleted_at is null
join packs p on p.media_id = w.media_id and p.rendition = w.rendition
join media_keys k on k.media_id = w.media_id
where exists (select from album_items i join link_albums la on la.album_id = i.album_id
  where i.media_id = w.media_id and not i.hidden and la.link_id = $1)
order by w.n`,
);

/** How many full photos are asked for, counted by key and window. */
export interface FullPhotos {
  key: string;
  windowStart: Date;
  count: number;
}

/**
 * Packs and wrapped keys of what is asked for, as far as the link shows it, in that order; and how many full photos this
 * grant has asked for in this window, these included.
 */
export async function findPacksOfLink(source: Source, linkId: string, wanted: readonly Wanted[], full: FullPhotos) {
  const [mediaIds, renditions] = [wanted.map(({ mediaId }) => mediaId), wanted.map(({ rendition }) => rendition)];
  const packs = await source.query(packsOfLink, [linkId, mediaIds, renditions, full.key, full.windowStart, full.count]);
  return { packs, fullPhotos: packs[0]?.taken ?? 0 };
}
