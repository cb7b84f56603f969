import { statement, type Tx } from '#engines/database/work.ts';

const counted = statement<{ photos: number; videos: number }>(
  'sale_counted',
  `select count(distinct m.id) filter (where m.kind = 'photo')::int as photos, count(distinct m.id) filter (where m.kind = 'video')::int as videos
from link_albums la join album_items i on i.album_id = la.album_id and not i.hidden
join media m on m.id = i.media_id and m.state = 'ready' and m.deleted_at is null where la.link_id = $1`,
);

/** How much a link shows. */
export async function countItems(source: Pick<Tx, 'ask'>, linkId: string): Promise<{ photos: number; videos: number }> {
  const [row] = await source.ask(counted, [linkId]);
  return row ?? { photos: 0, videos: 0 };
}
