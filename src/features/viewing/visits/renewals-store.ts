import { statementPlannedOnce, type Tx } from '#engines/database/work.ts';
import { isOpenSql } from '#features/access/facts-store.ts';
import type { Stretch } from '../rules.ts';
import { liveEventJson, mostLookMs, playedColumnsSql } from '../visits-store.ts';

type Source = Pick<Tx, 'query'>;

/** What one beat changes. */
export interface HeartbeatRow {
  visitId: string;
  grantId: string;
  /** The beat that this one follows; another one since then takes the credit of this one away. */
  lastHeartbeatAt: Date;
  now: Date;
  lastInputAt: Date;
  creditMs: number;
  current: { mediaId: string | undefined; lookMs: number; played?: readonly Stretch[] };
}

/** Stretches as PostgreSQL writes them; it joins those that touch. */
const multirange = (played: readonly Stretch[] = []) => `{${played.map(([from, to]) => `[${from},${to})`).join()}}`;

const beat = statementPlannedOnce(
  'visit_beat',
  `with visit as (
  update viewer_sessions s set last_beat_at = $4, last_input_at = $5, watch_ms = watch_ms + $6, current_media_id = $7, look_ms = $8,
    look_played = look_played + $9::int4multirange
  where id = $1 and ${isOpenSql('s')} and last_beat_at = $3 returning id
)
update link_viewers set watched_ms = watched_ms + $6 where id = $2 and $6 > 0 and exists (select from visit)`,
);

/** Writes a beat that ends no look: the usual one. */
export async function saveHeartbeat(source: Source, row: HeartbeatRow): Promise<void> {
  const { visitId, grantId, lastHeartbeatAt, now, lastInputAt, creditMs, current } = row;
  const values = [
    visitId,
    grantId,
    lastHeartbeatAt,
    now,
    lastInputAt,
    creditMs,
    current.mediaId ?? null,
    current.lookMs,
  ];
  await source.query(beat, [...values, multirange(current.played)]);
}

// What its link does not show, nor did since the visit began, is nothing that was looked at: its time is the gallery's.
const heartbeatMoved = statementPlannedOnce(
  'visit_beat_moved',
  `with was as (
  select id as was_id, link_id as was_link_id, current_media_id as was_media_id, look_played as was_played from viewer_sessions where id = $1
), shown as (
  select i.media_id from was join link_albums la on la.link_id = was_link_id
    join album_items i on i.album_id = la.album_id and i.media_id = any($9::uuid[] || $7::uuid) and not i.hidden
    join media m on m.id = i.media_id and m.state = 'ready' and m.deleted_at is null
  union select was_media_id from was
  union select unnest($15::uuid[])
), looked as (
  select shown.media_id, ms, case when shown.media_id is not null then played::int4multirange else '{}' end as played, n
  from unnest($9::uuid[], $10::bigint[], $13::text[]) with ordinality as l(media_id, ms, played, n) left join shown on shown.media_id = l.media_id
), visit as (
  update viewer_sessions s set last_beat_at = $4, last_input_at = $5, watch_ms = watch_ms + $6, look_ms = $8,
    current_media_id = (select media_id from shown where media_id = $7),
    look_played = case when s.current_media_id = $7 then s.look_played else '{}' end
      + case when exists (select from shown where media_id = $7) then $14::int4multirange else '{}' end,
    counted = counted or $11, counted_at = case when $11 then $4 else counted_at end,
    items_seen = items_seen + (select count(distinct media_id) from looked l
      where not exists (select from view_events e where e.visit_id = s.id and e.media_id = l.media_id and e.kind = 'look'))
  from was where s.id = $1 and ${isOpenSql('s')} and last_beat_at = $3 returning *
), counts as (
  select *, $11 and suspect_reason is null as is_view from visit
), look as (
  insert into view_events (kind, creator_id, link_id, visit_id, viewer_id, album_id, media_id, country, at, ms_visible, played, film_seconds)
  select 'look', c.creator_id, c.link_id, c.id, c.viewer_id,
    (select i.album_id from album_items i join link_albums la on la.album_id = i.album_id and la.link_id = c.link_id
     where i.media_id = l.media_id order by la.position limit 1), l.media_id, c.country, $4, least(l.ms, ${mostLookMs}),
    ${playedColumnsSql("(l.played + case when c.was_media_id = l.media_id then c.was_played else '{}' end)", 'l.media_id')}
  from counts c, looked l where c.suspect_reason is null order by l.n
), seen as (
  insert into view_events (kind, creator_id, link_id, visit_id, viewer_id, country, at, first_of_viewer)
  select 'view', creator_id, link_id, id, viewer_id, country, $4,
    nullif(not exists (select from link_viewers k where k.creator_id = counts.creator_id and k.viewer_id = counts.viewer_id and k.first_view_at is not null), false)
  from counts where is_view
), admission as (
  update link_viewers a set watched_ms = a.watched_ms + $6, first_view_at = case when c.is_view then coalesce(a.first_view_at, $4) else a.first_view_at end
  from counts c, link_viewers before where a.id = $2 and before.id = a.id
  returning c.is_view, before.first_view_at is null as is_first
), link as (
  update magic_links l set views_count = views_count + 1, unique_viewers = unique_viewers + case when a.is_first then 1 else 0 end
  from admission a where l.id = (select link_id from visit) and a.is_view
)
select pg_notify('live', $12) from visit`,
);

/** A beat that ends looks, moves on to another item, or makes the visit a view. */
export interface MovingHeartbeat extends HeartbeatRow {
  creatorId: string;
  linkId: string;
  /** Media that have left the link since the visit began. */
  gone: readonly string[];
  closed: readonly { mediaId: string | undefined; ms: number; played?: readonly Stretch[] }[];
  becomesView: boolean;
}

/** Writes such a beat with its looks, its sums and the news for the studio. */
export async function saveMovingHeartbeat(source: Source, row: MovingHeartbeat): Promise<void> {
  const {
    visitId,
    grantId,
    lastHeartbeatAt,
    now,
    lastInputAt,
    creditMs,
    current,
    closed,
    becomesView,
    creatorId,
    linkId,
    gone,
  } = row;
  const usual = [
    visitId,
    grantId,
    lastHeartbeatAt,
    now,
    lastInputAt,
    creditMs,
    current.mediaId ?? null,
    current.lookMs,
  ];
  const looks = [closed.map(({ mediaId }) => mediaId ?? null), closed.map(({ ms }) => ms)];
  await source.query(heartbeatMoved, [
    ...usual,
    ...looks,
    becomesView,
    liveEventJson({ kind: 'visit.moved', creatorId, linkId, visitId }),
    closed.map(({ played }) => multirange(played)),
    multirange(current.played),
    gone,
  ]);
}
