import { statement, type Tx } from '#engines/database/work.ts';
import { playsIn } from '../folding/fold-store.ts';
import { fresh, inSpan, type Span } from './overview-store.ts';

const mostVideos = 12;

/** A video that was played. */
export interface VideoRow {
  mediaId: string;
  thumbhash: Buffer;
  width: number;
  height: number;
  durationMs: number;
  cellSeconds: number;
  plays: number;
  completions: number;
  /** What its plays showed of it: a picture that stands still, before a play or after it, is not watched. */
  watchMs: number;
}

const videos = statement<VideoRow>(
  'insights_videos',
  `with ${fresh}, ${playsIn('fresh')}, video as (
  select media_id, sum(plays)::int as plays, sum(completions)::int as completions from (
    select d.media_id, d.plays, d.completions from film_days d join span p on d.creator_id = p.id and ${inSpan}
    union all select d.media_id, 1, d.is_completed::int from play d join span p on ${inSpan}) r group by media_id
), watched as (
  select media_id, -sum(second * change) as seconds from (
    select d.media_id, d.second, d.change from film_edges d join span p on d.creator_id = p.id and ${inSpan}
    union all select d.media_id, d.second, d.change from edge d join span p on ${inSpan}) r group by media_id
)
select m.id as "mediaId", m.thumbhash, m.width, m.height, m.duration_ms as "durationMs", m.cell_seconds as "cellSeconds",
  f.plays, f.completions, least(1000 * coalesce(w.seconds, 0), f.plays::bigint * m.duration_ms)::bigint as "watchMs"
from video f join media m on m.id = f.media_id and m.kind = 'video' and m.state = 'ready' and m.deleted_at is null
left join watched w on w.media_id = f.media_id
order by f.plays desc, "watchMs" desc, m.id limit ${mostVideos}`,
);

/** The videos that were played in a span, most plays first. */
export const listVideos = (tx: Tx, { creatorId, now, days }: Span): Promise<VideoRow[]> =>
  tx.query(videos, [creatorId, now, days]);

/** One second of a video at which plays began or ended to show it. */
export interface EdgeRow {
  second: number;
  change: number;
}

const edges = statement<EdgeRow>(
  'insights_film_edges',
  `with ${fresh}, ${playsIn('fresh')}
select second, sum(change)::int as change from (
  select d.second, d.change from film_edges d join span p on d.creator_id = p.id and ${inSpan} where d.media_id = $4
  union all select d.second, d.change from edge d join span p on ${inSpan} where d.media_id = $4) r
group by second order by second`,
);

/** Where plays of a video began and ended to show it, in order. */
export const listEdges = (tx: Tx, { creatorId, now, days }: Span, mediaId: string): Promise<EdgeRow[]> =>
  tx.query(edges, [creatorId, now, days, mediaId]);

const video = statement<{ seconds: number; plays: number }>(
  'insights_video',
  `with ${fresh}, ${playsIn('fresh')}
select ceil(m.duration_ms / 1000.0)::int as seconds, (
  select coalesce(sum(plays), 0)::int from (
    select d.plays from film_days d join span p on d.creator_id = p.id and ${inSpan} where d.media_id = m.id
    union all select 1 from play d join span p on ${inSpan} where d.media_id = m.id) r) as plays
from media m where m.id = $4 and m.creator_id = $1 and m.kind = 'video' and m.state = 'ready' and m.deleted_at is null`,
);

/** Returns how long a video of the asking creator is, and its plays in a span. */
export async function findVideo(
  tx: Tx,
  { creatorId, now, days }: Span,
  mediaId: string,
): Promise<{ seconds: number; plays: number } | undefined> {
  return (await tx.query(video, [creatorId, now, days, mediaId]))[0];
}
