import { statement, type Tx } from '#engines/database/work.ts';
import type { PlayableTrack } from '#features/media/playable-track.ts';
import type { KeyedTrack } from '#features/media/video-lending.ts';

type Source = Pick<Tx, 'query'>;

/** A video is shown by a link when one of its albums holds it and does not hide it. $1 link, $2 medium. */
const shown = `from media m join packs p on p.media_id = m.id and p.rendition in ('v720', 'v480', 'audio')
where m.id = $2 and m.state = 'ready' and m.deleted_at is null
  and exists (select from album_items i join link_albums la on la.album_id = i.album_id
    where i.media_id = m.id and not i.hidden and la.link_id = $1)`;

const videoOfLink = statement<PlayableTrack>(
  'video_of_link',
  `select p.id as "packId", p.rendition as track, p.width, p.height, p.durations_us as "durationsUs",
  (select json_agg(json_build_object('slot', f.slot, 'lengths', f.lengths)) from segment_files f where f.pack_id = p.id) as lengths
${shown}`,
);

/** Everything of a video that is played, as far as the link shows it. */
export const findVideoOfLink = (source: Source, linkId: string, mediaId: string): Promise<PlayableTrack[]> =>
  source.query(videoOfLink, [linkId, mediaId]);

const tracksOfLink = statement<KeyedTrack & { taken: number }>(
  'tracks_of_link',
  `with counted as (
  insert into rate_limits as r (key, window_start, count) select $3, $4, $5 where $5 > 0
  on conflict (key, window_start) do update set count = r.count + excluded.count returning count
), shown as (
  select m.id as media_id, p.id, p.rendition, p.segments ${shown}
)
select p.id, p.rendition as track, p.segments, k.key_id as "keyId", k.wrapped, coalesce((select count from counted), 0) as taken
from shown p join media_keys k on k.media_id = p.media_id`,
);

/** How many seconds of video are asked for, counted by key and window. */
export interface VideoSeconds {
  key: string;
  windowStart: Date;
  count: number;
}

/** The renditions of a video as far as the link shows it; and how many seconds this grant has asked for in this window. */
export async function findTracksOfLink(source: Source, linkId: string, mediaId: string, seconds: VideoSeconds) {
  const tracks = await source.query(tracksOfLink, [linkId, mediaId, seconds.key, seconds.windowStart, seconds.count]);
  return { tracks, videoSeconds: tracks[0]?.taken ?? 0 };
}
