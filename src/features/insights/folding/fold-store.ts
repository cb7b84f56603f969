import { longStatement, statement, type Tx } from '#engines/database/work.ts';
import { epochOf, epochsOf, isBetween } from './epochs.ts';

/** Transactions of one statement, or rows; after a standstill there may be many. */
const batchSize = 5000;
const afterBatch = (first: string) => `(${first}::text::bigint + ${batchSize})::text::xid8`;

// The database's limit for one statement is for people who wait; it holds from the next statement on.
const tried = statement<{ held: boolean }>(
  'fold_tried',
  `select set_config('statement_timeout', '300s', true), pg_try_advisory_xact_lock(hashtext('fold'), hashtext('views')) as held`,
);

/**
 * Lets one folder at a time go on. A statement of its own: the next one's snapshot must be taken when the folder before has
 * committed.
 * @returns false when another one folds now
 */
export async function takeFold(tx: Tx): Promise<boolean> {
  return (await tx.query(tried, []))[0]?.held === true;
}

/**
 * The events of a batch, each with its day where the creator lives and what the sums are kept by.
 * @param events out of which they are: a table, or a CTE that has only these
 */
export const freshOf = (condition: string, events = 'view_events') => `
zones as materialized (
  select u.id, known_zone(u.time_zone) as zone from users u
  where u.id in (select e.creator_id from ${events} e, bounds b where ${condition})
), fresh as materialized (
  select e.kind, e.creator_id, e.link_id, e.album_id, e.media_id, e.viewer_id, e.at, e.ms_visible, e.first_of_viewer, e.played, e.film_seconds,
    (e.at at time zone z.zone)::date as day, extract(hour from e.at at time zone z.zone)::int as hour,
    coalesce(e.country, '') as country, coalesce(s.location_source = 'timezone', false) as is_estimated,
    coalesce(s.os_family, '') as device, coalesce(s.referrer_app, '') as app
  from bounds b join ${events} e on ${condition} join zones z on z.id = e.creator_id
  left join viewer_sessions s on s.id = e.visit_id
)`;

/**
 * A play is a look in which so much of a video was seen, of a shorter one all; and nearly all of it completes it. Our player is
 * at most twice as fast as time, so who says more than that is believed no more than that.
 */
const playSeconds = 3;
const completedShare = 0.9;

/** The plays among looks, and where each begins and ends to show its video. */
export const playsIn = (looks: string) => `play as materialized (
  select l.*, p.seconds >= ${completedShare} * l.film_seconds as is_completed
  from ${looks} l cross join lateral (
    select least(coalesce(sum(upper(r) - lower(r)), 0), 2 * l.ms_visible / 1000.0 + 2) as seconds from unnest(l.played) r) p
  where l.kind = 'look' and l.film_seconds > 0 and p.seconds >= least(${playSeconds}, l.film_seconds)
), edge as (
  select p.*, e.second, e.change from play p cross join lateral (
    select lower(r) as second, 1 as change from unnest(p.played) r union all select upper(r), -1 from unnest(p.played) r) e
)`;

const visitSums = `count(*) filter (where kind = 'open'), count(*) filter (where kind = 'view'), sum(ms_visible)`;
const addVisitSums =
  'opens = s.opens + excluded.opens, views = s.views + excluded.views, watch_ms = s.watch_ms + excluded.watch_ms';
const addLookSums = 'looks = s.looks + excluded.looks, watch_ms = s.watch_ms + excluded.watch_ms';

export const visits = { columns: 'opens, views, watch_ms', events: visitSums, add: addVisitSums };
const looks = { columns: 'looks, watch_ms', events: 'count(*), sum(ms_visible)', add: addLookSums };

/** What is kept by day has too many rows in a year, so it is kept by month as well. */
export const kept = [
  { name: 'link', keys: 'link_id', ...visits, of: '' },
  { name: 'album', keys: 'album_id', ...looks, of: `where kind = 'look' and album_id is not null` },
  { name: 'item', keys: 'media_id', ...looks, of: `where kind = 'look' and media_id is not null` },
  { name: 'audience', keys: 'country, is_estimated, device, app', ...visits, of: '' },
];

export const monthOf = (day: string) => `date_trunc('month', ${day}::timestamp)::date`;

/** Adds the fresh events to what is kept by this column, which is a day or a month. */
const addBy = (column: string, of: string) =>
  kept
    .map(
      (one) => `${one.name}_by_${column} as (
  insert into ${one.name}_${column}s as s (creator_id, ${column}, ${one.keys}, ${one.columns})
  select creator_id, ${of}, ${one.keys}, ${one.events} from fresh ${one.of} group by creator_id, ${of}, ${one.keys}
  on conflict (creator_id, ${column}, ${one.keys}) do update set ${one.add}
)`,
    )
    .join(', ');

/** Adds the fresh events to every sum of days, and says until where each of their creators is folded. */
export const sums = `
days as (
  insert into creator_days as s (creator_id, day, opens, views, watch_ms, new_viewers)
  select creator_id, day, ${visitSums}, count(*) filter (where first_of_viewer) from fresh group by 1, 2
  on conflict (creator_id, day) do update set ${addVisitSums}, new_viewers = s.new_viewers + excluded.new_viewers
), hours as (
  insert into creator_hours as s (creator_id, day, hour, opens, views, watch_ms)
  select creator_id, day, hour, ${visitSums} from fresh group by 1, 2, 3
  on conflict (creator_id, day, hour) do update set ${addVisitSums}
), ${addBy('day', 'day')}, ${playsIn('fresh')}, videos as (
  insert into film_days as s (creator_id, day, media_id, plays, completions)
  select creator_id, day, media_id, count(*), count(*) filter (where is_completed) from play group by 1, 2, 3
  on conflict (creator_id, day, media_id) do update set plays = s.plays + excluded.plays, completions = s.completions + excluded.completions
), edges as (
  insert into film_edges as s (creator_id, day, media_id, second, change)
  select creator_id, day, media_id, second, sum(change) from edge group by 1, 2, 3, 4 having sum(change) <> 0
  on conflict (creator_id, day, media_id, second) do update set change = s.change + excluded.change
), viewers as (
  insert into creator_viewers as s (creator_id, viewer_id, last_view_at)
  select creator_id, viewer_id, max(at) from fresh where kind = 'view' group by 1, 2
  on conflict (creator_id, viewer_id) do update set last_view_at = greatest(s.last_view_at, excluded.last_view_at)
), comers as (
  insert into link_seen as s (creator_id, link_id, viewer_id, last_at, last_view_at)
  select creator_id, link_id, viewer_id, max(at), max(at) filter (where kind = 'view') from fresh where kind in ('open', 'view') group by 1, 2, 3
  on conflict (creator_id, link_id, viewer_id) do update set last_at = greatest(s.last_at, excluded.last_at),
    last_view_at = greatest(s.last_view_at, excluded.last_view_at)
), creators as (
  insert into creator_folds as s (creator_id, xid) select distinct creator_id, (select upto from bounds) from fresh
  on conflict (creator_id) do update set xid = excluded.xid
)`;

const months = addBy('month', monthOf('day'));

/** Columns as sums of them. */
export const addedUp = (columns: string) => columns.replace(/\w+/g, 'sum($&)');

/** Adds up what is kept by month out of its days: the months of creator $1 that end after `first_day` of `bounds`. */
export const monthsAddedUp = kept.map(({ name, keys, columns }) => ({
  table: `${name}_months`,
  since: `month >= ${monthOf('b.first_day')}`,
  insert: `insert into ${name}_months (creator_id, month, ${keys}, ${columns})
  select creator_id, ${monthOf('day')}, ${keys}, ${addedUp(columns)} from ${name}_days d, bounds b
  where creator_id = $1 and day >= ${monthOf('b.first_day')} group by creator_id, ${monthOf('day')}, ${keys}`,
}));

// Transactions before the oldest one that is still open are finished for certain. The watermark never moves back. What has arrived
// is read first and once: asked for its creators beside the table, the planner reads all events of each of them.
const folded = longStatement<{ isMore: boolean }>(
  'fold_views',
  `with bounds as materialized (
  select since, upto, finished, ${epochsOf('since', 'upto')} from (
    select since, greatest(since, least(finished, coalesce(${afterBatch('first')}, finished))) as upto, finished from (
      select w.xid as since, pg_snapshot_xmin(pg_current_snapshot()) as finished,
        (select e.xid from view_events e where e.epoch >= ${epochOf('w.xid')} and e.xid >= w.xid order by e.epoch, e.xid limit 1) as first
      from fold_watermarks w where w.name = 'views') read) r
), arrived as materialized (
  select e.* from bounds b join view_events e on ${isBetween('b')}
), ${freshOf('true', 'arrived')}, ${sums}, ${months}, moved as (
  update fold_watermarks w set xid = b.upto, folded_at = $1 from bounds b where w.name = 'views' and w.xid < b.upto
)
select upto < finished as "isMore" from bounds`,
);

/**
 * Adds the events of finished transactions to the sums.
 * @returns whether more are ready to be folded
 */
export async function foldBatch(tx: Tx, now: Date): Promise<boolean> {
  return (await tx.query(folded, [now]))[0]?.isMore === true;
}

const ahead = statement<{ isAhead: boolean }>(
  'fold_is_ahead',
  `select xid > pg_snapshot_xmax(pg_current_snapshot()) as "isAhead" from fold_watermarks where name = 'views'`,
);

/** Returns whether the rows come from another server, whose transactions had higher numbers than this one's. */
export async function isMovedIn(tx: Tx): Promise<boolean> {
  return (await tx.query(ahead, []))[0]?.isAhead === true;
}

const lockStream = longStatement('fold_lock_stream', 'lock table view_events in share row exclusive mode');

// A row written here carries the number of the transaction that wrote it; one that was moved in was written by another.
const rest = longStatement(
  'fold_moved_in',
  `with bounds as (
  select xid as since, pg_snapshot_xmin(pg_current_snapshot()) as upto from fold_watermarks where name = 'views'
), ${freshOf('(e.xid >= b.since or e.xid::xid = e.xmin)')}, ${sums}, ${months}, counted as (
  update fold_watermarks w set xid = b.upto, folded_at = $1 from bounds b where w.name = 'views'
)
update creator_folds set xid = (select upto from bounds) where creator_id not in (select creator_id from fresh)`,
);

const forget = longStatement('fold_forget_numbers', `update view_events set xid = '0' where xid <> '0'`);

/**
 * Folds what a move to another server left unfolded, and takes the old server's numbers from all rows: from now on this
 * server's count. Nobody writes events meanwhile.
 */
export async function foldMovedIn(tx: Tx, now: Date): Promise<void> {
  await tx.query(lockStream, []);
  await tx.query(rest, [now]);
  await tx.query(forget, []);
}

const held = statement<{ isHeld: boolean }>(
  'fold_is_held',
  `with mark as (select xid, ${epochOf('xid')} as epoch from fold_watermarks where name = 'views')
select e.at < $1 as "isHeld" from view_events e
where e.epoch >= (select epoch from mark) and e.xid >= (select xid from mark) order by e.epoch, e.xid limit 1`,
);

/** Returns whether the first event that is not in the sums is older than this: a transaction that does not end holds it back. */
export async function isFoldHeld(tx: Tx, before: Date): Promise<boolean> {
  return (await tx.query(held, [before]))[0]?.isHeld === true;
}

// Rows of a move have no number of this server, and so no order but their time; all of them are in the sums.
const oldMovedEvents = longStatement(
  'old_moved_events_deleted',
  `delete from view_events e where e.ctid = any(array(
  select m.ctid from view_events m where m.xid = '0' and m.at < $1 order by m.at limit ${batchSize})) returning e.at`,
);

const oldEvents = longStatement<{ at: Date }>(
  'old_events_deleted',
  `with oldest as materialized (
  select since, upto, at, ${epochsOf('since', 'upto')} from (
    select e.xid as since, ${afterBatch('e.xid')} as upto, e.at from view_events e where e.epoch >= 0 order by e.epoch, e.xid limit 1) r
)
delete from view_events e using oldest o where o.at < $1 and e.at < $1 and ${isBetween('o')}
  and e.xid < (select xid from fold_watermarks where name = 'views') returning e.at`,
);

/** Deletes a batch of folded events from before a moment, oldest first; their sums stay. Only for whoever holds the fold. @returns how many */
export async function deleteOldEvents(tx: Tx, before: Date): Promise<number> {
  const moved = await tx.query(oldMovedEvents, [before]);
  return moved.length > 0 ? moved.length : (await tx.query(oldEvents, [before])).length;
}

const oldSeen = statement(
  'old_seen_deleted',
  `with comers as (
  delete from link_seen where last_at < $1 and (creator_id, link_id, viewer_id) in (
    select creator_id, link_id, viewer_id from link_seen where last_at < $1 limit ${batchSize}) returning viewer_id
), viewers as (
  delete from creator_viewers where last_view_at < $1 and (creator_id, viewer_id) in (
    select creator_id, viewer_id from creator_viewers where last_view_at < $1 limit ${batchSize}) returning viewer_id
)
select viewer_id from comers union all select viewer_id from viewers`,
);

/** Forgets which viewers a creator had before a moment, some at a time; how many there were stays in the sums. @returns how many */
export async function deleteOldSeen(source: Pick<Tx, 'query'>, before: Date): Promise<number> {
  return (await source.query(oldSeen, [before])).length;
}
