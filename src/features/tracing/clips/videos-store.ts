import { sql } from 'kysely';
import type { Tx } from '#engines/database/work.ts';
import type { Slot } from '#features/media/formats/keys.ts';
import type { TracedRow } from '../progress/progress-store.ts';

/** A rung of a video as its rows name it. */
interface RungRow {
  id: string;
  track: 'v720' | 'v480';
  path: string;
  width: number;
  height: number;
  segments: number;
  files: { slot: Slot; path: string; lengths: number[] }[];
}

/** A video with its rungs, the largest first. */
export interface VideoRow {
  mediaId: string;
  rungs: RungRow[];
}

/** The videos that a clip may be of: the creator's own that are there, or those of one album. */
export async function listVideos(
  tx: Tx,
  { creator_id: creatorId, is_everywhere: isEverywhere, album_id: albumId }: TracedRow,
): Promise<VideoRow[]> {
  const { rows } = await sql<VideoRow>`
    select m.id as "mediaId", json_agg(json_build_object('id', p.id, 'track', p.rendition, 'path', p.path, 'width', p.width,
      'height', p.height, 'segments', p.segments, 'files', (select json_agg(json_build_object('slot', f.slot, 'path', f.path,
      'lengths', f.lengths)) from segment_files f where f.pack_id = p.id)) order by p.width desc) as rungs
    from media m join packs p on p.media_id = m.id and p.rendition in ('v720', 'v480')
    where m.creator_id = ${creatorId} and m.kind = 'video' and m.state = 'ready'
      and exists (select from media_keys k where k.media_id = m.id)
      and (${isEverywhere} or exists (select from album_items i where i.media_id = m.id and i.album_id = ${albumId}))
    group by m.id order by m.id`.execute(tx.db);
  return rows;
}
