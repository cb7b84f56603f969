import { statement, type Tx } from '#engines/database/work.ts';
import type { MediumKind } from '#features/media/rules.ts';
import { playedColumnsSql } from '#features/viewing/visits-store.ts';
import { epochOf } from '../folding/epochs.ts';
import { planWithoutSorting } from './planning-store.ts';

/** What is added up for a creator: the last so many days, today included, as they are where they live. */
export interface Span {
  creatorId: string;
  days: number;
  now: Date;
}

/**
 * The creator's days, and what no sum holds yet: their events since the last fold, and the looks that go on at this moment.
 * Whole months of them are read as months; `ends` are the days before the first and behind the last of these.
 * `folded_until` and its epoch are columns, because row-level security lets no index serve a `coalesce`.
 * $1 creator, $2 now, $3 days.
 */
export const fresh = `span as (
  select id, zone, today, first_day, first_day::timestamp at time zone zone as starts_at,
    (date_trunc('month', (first_day - 1)::timestamp) + interval '1 month')::date as months_since,
    date_trunc('month', today::timestamp)::date as months_until,
    folded_until, ${epochOf('folded_until')} as folded_epoch
  from (select id, zone, today, today - ($3::int - 1) as first_day from (
    select id, zone, ($2::timestamptz at time zone zone)::date as today
    from (select id, known_zone(time_zone) as zone from users where id = $1) u) t) d
  cross join lateral (select coalesce((select f.xid from creator_folds f where f.creator_id = $1), '0') as folded_until) f
), ends as (
  select id, first_day as since, least(months_since - 1, today) as until from span
  union all select id, greatest(months_since, months_until), today from span
), fresh as materialized (
  select e.kind, e.link_id, e.album_id, e.media_id, e.viewer_id, e.ms_visible, e.first_of_viewer, e.played, e.film_seconds,
    (e.at at time zone p.zone)::date as day, extract(hour from e.at at time zone p.zone)::int as hour,
    coalesce(e.country, '') as country, coalesce(s.location_source = 'timezone', false) as is_estimated,
    coalesce(s.os_family, '') as device, coalesce(s.referrer_app, '') as app
  from span p
  join view_events e on e.creator_id = p.id and e.epoch >= p.folded_epoch and e.xid >= p.folded_until
  left join viewer_sessions s on s.id = e.visit_id
  union all
  select 'look', s.link_id, (select i.album_id from album_items i join link_albums la on la.album_id = i.album_id and la.link_id = s.link_id
      where i.media_id = s.current_media_id order by la.position limit 1),
    s.current_media_id, s.viewer_id, s.look_ms, false, ${playedColumnsSql('s.look_played', 's.current_media_id')}, p.today, null, coalesce(s.country, ''), s.location_source = 'timezone',
    coalesce(s.os_family, ''), coalesce(s.referrer_app, '')
  from span p join viewer_sessions s on s.creator_id = p.id and s.state = 'open' and s.suspect_reason is null and s.look_ms > 0
)`;

export const inSpan = 'd.day between p.first_day and p.today';
const visitSums = 'sum(opens)::int as opens, sum(views)::int as views, sum(watch_ms)::bigint as "watchMs"';
const lookSums = 'sum(looks)::int as looks, sum(watch_ms)::bigint as "watchMs"';

/**
 * Rows of what is kept by day and by month, and of what no sum holds yet, told apart by `columns`. What is kept is added up
 * first: a year of it has thousands of rows, which go into few.
 */
const keptRows = (name: string, columns: string, sums: string, freshRows: string) => `
  select ${columns}, ${sums} from ${name}_days d join ends e on d.creator_id = e.id and d.day between e.since and e.until group by ${columns}
  union all select ${columns}, ${sums} from ${name}_months d join span p on d.creator_id = p.id
    and d.month >= p.months_since and d.month < p.months_until group by ${columns}
  union all ${freshRows}`;

const freshVisits = (columns: string) =>
  `select ${columns}, (d.kind = 'open')::int, (d.kind = 'view')::int, d.ms_visible from fresh d join span p on ${inSpan}`;

const visitRows = (name: string, columns: string) =>
  keptRows(
    name,
    columns,
    'sum(d.opens)::int as opens, sum(d.views)::int as views, sum(d.watch_ms)::bigint as watch_ms',
    freshVisits(columns),
  );

const lookRows = (name: string, column: string) =>
  keptRows(
    name,
    column,
    'sum(d.looks)::int as looks, sum(d.watch_ms)::bigint as watch_ms',
    `select ${column}, 1, d.ms_visible from fresh d join span p on ${inSpan} and d.kind = 'look'`,
  );

/** What is counted of all visits together. */
export interface FiguresRow {
  today: string;
  timeZone: string;
  hasBegun: boolean;
  uniqueViewers: number;
  newViewers: number;
  screensClosed: number;
  days: { day: string; opens: number; views: number; watchMs: number }[] | null;
}

// Whether anything was counted yet is not asked of the stream itself: where nearly all of it is somebody else's, it is read whole.
// A span ends now, so a viewer belongs to it when their last view does.
const figures = statement<FiguresRow>(
  'insights_figures',
  `with ${fresh}, daily as (
  select day, ${visitSums} from (
    select d.day, d.opens, d.views, d.watch_ms from creator_days d join span p on d.creator_id = p.id and ${inSpan}
    union all ${freshVisits('d.day')}) r group by day
)
select p.today::text, p.zone as "timeZone",
  exists (select from fresh) or exists (select from creator_days d where d.creator_id = $1) as "hasBegun",
  (select json_agg(daily order by day) from daily) as days,
  (select count(*)::int from creator_viewers v where v.creator_id = $1 and v.last_view_at >= p.starts_at)
    + (select count(distinct d.viewer_id)::int from fresh d where d.kind = 'view' and ${inSpan} and not exists (
      select from creator_viewers v where v.creator_id = $1 and v.viewer_id = d.viewer_id and v.last_view_at >= p.starts_at))
    as "uniqueViewers",
  (select coalesce(sum(n), 0)::int from (
    select d.new_viewers as n from creator_days d where d.creator_id = $1 and ${inSpan}
    union all select d.first_of_viewer::int from fresh d where ${inSpan}) n) as "newViewers",
  (select count(*)::int from viewer_sessions s where s.creator_id = $1
    and s.end_reason = 'revoked' and s.ended_at >= p.starts_at and s.suspect_reason is null) as "screensClosed"
from span p`,
);

/** The figures of a span and its days; days without anything are left out. */
export async function findFigures(tx: Tx, { creatorId, now, days }: Span): Promise<FiguresRow | undefined> {
  return (await tx.query(figures, [creatorId, now, days]))[0];
}

interface VisitSums {
  opens: number;
  views: number;
  watchMs: number;
}
interface LookSums {
  looks: number;
  watchMs: number;
}

/** What the sums are made of; null where there is nothing. */
export interface PartsRow {
  links: (VisitSums & { linkId: string; linkName: string; recipientName: string | null })[] | null;
  albums: (LookSums & { albumId: string; name: string })[] | null;
  items: (LookSums & { mediaId: string; kind: MediumKind; thumbhash: string; width: number; height: number })[] | null;
  countries: (VisitSums & { name: string; estimatedOpens: number })[] | null;
  devices: (VisitSums & { name: string })[] | null;
  apps: (VisitSums & { name: string })[] | null;
  /** Monday is 0. */
  hours: { weekday: number; hour: number; opens: number }[] | null;
}

const mostRows = 12;
/** All that there are. */
const mostCountries = 300;

const parts = statement<PartsRow>(
  'insights_parts',
  `with ${fresh}, link as (
  select l.id as "linkId", l.link_name as "linkName", l.recipient_name as "recipientName", r.*
  from (select link_id, ${visitSums} from (${visitRows('link', 'd.link_id')}) r group by link_id) r
  join magic_links l on l.id = r.link_id order by views desc, "watchMs" desc, l.id limit ${mostRows}
), album as (
  select a.id as "albumId", a.name, r.* from (select album_id, ${lookSums} from (${lookRows('album', 'd.album_id')}) r group by album_id) r
  join albums a on a.id = r.album_id order by "watchMs" desc, a.id limit ${mostRows}
), item as (
  select m.id as "mediaId", m.kind, encode(m.thumbhash, 'base64') as thumbhash, m.width, m.height, r.*
  from (select media_id, ${lookSums} from (${lookRows('item', 'd.media_id')}) r group by media_id) r
  join media m on m.id = r.media_id and m.state = 'ready' and m.deleted_at is null and m.thumbhash is not null
  order by "watchMs" desc, m.id limit ${mostRows}
), audience as materialized (
  ${visitRows('audience', 'd.country, d.is_estimated, d.device, d.app')}
), country as (
  select country as name, ${visitSums}, coalesce(sum(opens) filter (where is_estimated), 0)::int as "estimatedOpens"
  from audience group by country order by opens desc, views desc, country limit ${mostCountries}
), device as (
  select device as name, ${visitSums} from audience group by device order by views desc, opens desc, device limit ${mostRows}
), app as (
  select app as name, ${visitSums} from audience group by app order by views desc, opens desc, app limit ${mostRows}
), week as (
  select extract(isodow from day)::int - 1 as weekday, hour, sum(opens)::int as opens from (
    select d.day, d.hour, d.opens from creator_hours d join span p on d.creator_id = p.id and ${inSpan}
    union all select d.day, d.hour, 1 from fresh d join span p on ${inSpan} where d.kind = 'open') r
  group by 1, 2 having sum(opens) > 0
)
select (select json_agg(link) from link) as links, (select json_agg(album) from album) as albums, (select json_agg(item) from item) as items,
  (select json_agg(country) from country) as countries, (select json_agg(device) from device) as devices, (select json_agg(app) from app) as apps,
  (select json_agg(week) from week) as hours`,
);

// The planner takes a span for a handful of days and would sort what a year has: thousands of rows that go into few.
/** The sums of a span by link, album, picture, country, device and app, largest first. */
export async function findParts(tx: Tx, { creatorId, now, days }: Span): Promise<PartsRow | undefined> {
  const [, rows] = await Promise.all([planWithoutSorting(tx), tx.query(parts, [creatorId, now, days])]);
  return rows[0];
}
