import { statement, type Tx } from '#engines/database/work.ts';

/** How much a link shows. */
export interface Counts {
  photos: number;
  videos: number;
  videoMs: number;
}

const counted = statement<Counts>(
  'sale_counted',
  `select count(*) filter (where m.kind = 'photo')::int as photos, count(*) filter (where m.kind = 'video')::int as videos,
  coalesce(sum(m.duration_ms) filter (where m.kind = 'video'), 0)::int as "videoMs"
from media m where m.state = 'ready' and m.deleted_at is null and m.id in (
  select i.media_id from link_albums la join album_items i on i.album_id = la.album_id and not i.hidden where la.link_id = $1)`,
);

export async function countItems(source: Pick<Tx, 'query'>, linkId: string): Promise<Counts> {
  const [row] = await source.query(counted, [linkId]);
  return row ?? { photos: 0, videos: 0, videoMs: 0 };
}

/** Of all albums of a link together. */
const mostTeased = 12;

const teased = statement<{ teaser: Buffer }>(
  'sale_teased',
  `select t.teaser from link_albums la join albums a on a.id = la.album_id and a.teaser = 'blur' and a.teaser_count > 0
cross join lateral (
  select m.teaser, i.position from album_items i join media m on m.id = i.media_id
  where i.album_id = a.id and not i.hidden and not i.sensitive and not i.not_in_teaser
    and m.state = 'ready' and m.deleted_at is null and m.teaser is not null
  order by i.position, m.id limit a.teaser_count
) t where la.link_id = $1 order by la.position, t.position limit ${mostTeased}`,
);

/** The blurred pictures that its creator shows of a link before it is paid for: WebP of 32 px at most. */
export const listTeaser = async (source: Pick<Tx, 'query'>, linkId: string): Promise<Buffer[]> =>
  (await source.query(teased, [linkId])).map(({ teaser }) => teaser);
