import { longStatement, statement, type Tx } from '#engines/database/work.ts';
import { addedUp, freshOf, kept, monthOf, monthsAddedUp, playsIn, sums, visits } from './fold-store.ts';

const creators = statement<{ id: string }>(
  'recount_creators',
  `select u.id from users u where u.id > $1 and exists (select from magic_links l where l.user_id = u.id) order by u.id limit 200`,
);

/** Creators who have links, after one of them; ids rise. */
export async function listCreatorsWithLinks(tx: Tx, afterId: string): Promise<string[]> {
  return (await tx.query(creators, [afterId])).map(({ id }) => id);
}

// The database's limit for one statement is for people who wait.
const patience = statement('recount_patience', `select set_config('statement_timeout', '300s', true)`);

/** A link whose counters or sums are not what the stream says. */
export interface Difference {
  linkId: string;
  views: number;
  streamViews: number;
  uniqueViewers: number;
  streamUniqueViewers: number;
  watchMs: number;
  streamWatchMs: number;
  summedViews: number;
  foldedViews: number;
  summedWatchMs: number;
  monthsViews: number;
  monthsWatchMs: number;
  foldedWatchMs: number;
}

// A visit that is open has closed some looks already, and its time is not in the link's counter yet.
const differences = longStatement<Difference>(
  'recount_differences',
  `with stream as (
  select e.link_id, count(*) filter (where e.kind = 'view')::int as views,
    count(distinct e.viewer_id) filter (where e.kind = 'view')::int as viewers, sum(e.ms_visible)::bigint as watch_ms,
    count(*) filter (where e.kind = 'view' and e.xid < f.xid)::int as folded_views,
    coalesce(sum(e.ms_visible) filter (where e.xid < f.xid), 0)::bigint as folded_ms
  from view_events e left join creator_folds f on f.creator_id = e.creator_id where e.creator_id = $1 group by 1
), going as (
  select link_id, sum(watch_ms - look_ms - summed_ms)::bigint as ms from viewer_sessions
  where creator_id = $1 and state = 'open' and suspect_reason is null group by 1
), summed as (
  select link_id, sum(views)::int as views, sum(watch_ms)::bigint as watch_ms from link_days where creator_id = $1 group by 1
), months as (
  select link_id, sum(views)::int as views, sum(watch_ms)::bigint as watch_ms from link_months where creator_id = $1 group by 1
), compared as (
  select l.id as "linkId", l.views_count as views, coalesce(e.views, 0) as "streamViews", l.unique_viewers as "uniqueViewers",
    coalesce(e.viewers, 0) as "streamUniqueViewers", l.watch_ms as "watchMs",
    coalesce(e.watch_ms, 0) - coalesce(g.ms, 0) as "streamWatchMs", coalesce(s.views, 0) as "summedViews",
    coalesce(e.folded_views, 0) as "foldedViews", coalesce(s.watch_ms, 0) as "summedWatchMs",
    coalesce(m.views, 0) as "monthsViews", coalesce(m.watch_ms, 0) as "monthsWatchMs", coalesce(e.folded_ms, 0) as "foldedWatchMs"
  from magic_links l left join stream e on e.link_id = l.id left join going g on g.link_id = l.id left join summed s on s.link_id = l.id
    left join months m on m.link_id = l.id
  where l.user_id = $1 and l.first_opened_at >= $2
)
select * from compared where (views, "uniqueViewers", "watchMs", "summedViews", "summedWatchMs", "monthsViews", "monthsWatchMs")
  is distinct from ("streamViews", "streamUniqueViewers", "streamWatchMs", "foldedViews", "foldedWatchMs", "foldedViews", "foldedWatchMs") limit 100`,
);

/**
 * Links of a creator whose counters differ from the stream.
 * @param keptSince links first opened before this have lost the beginning of their stream and cannot be compared
 */
export async function findDifferences(tx: Tx, creatorId: string, keptSince: Date): Promise<Difference[]> {
  await tx.query(patience, []);
  return tx.query(differences, [creatorId, keptSince]);
}

// The counter and the stream are written by one statement, so their difference is right in every snapshot; it is added, so that
// what is counted meanwhile stays.
const countersRepaired = statement(
  'recount_counters_repaired',
  `update magic_links l set views_count = l.views_count + d.views, unique_viewers = l.unique_viewers + d.viewers, watch_ms = l.watch_ms + d.ms
  from unnest($1::uuid[], $2::int[], $3::int[], $4::bigint[]) as d(id, views, viewers, ms) where l.id = d.id`,
);

/** The first whole day of a creator that the stream still holds. $1 creator, $2 since when it is kept. */
const wholeDays = `bounds as (
  select upto, first_day, first_day::timestamp at time zone zone as starts_at from (
    select f.xid as upto, u.zone, ($2::timestamptz at time zone u.zone)::date + 1 as first_day
    from creator_folds f join (select id, known_zone(time_zone) as zone from users where id = $1) u on u.id = f.creator_id) read
)`;

/** The events of those days that are in their sums. */
const folded = 'e.creator_id = $1 and e.xid < b.upto and e.at >= b.starts_at';

/** A table of sums in which as many rows of a creator are not what they add up. */
export interface Astray {
  creatorId: string;
  table: string;
  rows: number;
}

// What is known of a visit grows after its first events were summed, and a creator may move to another time zone: neither is a
// fault, so an audience is compared as a whole and days by what they make together.
const compared = [
  ...kept.map(({ name, keys, columns, events, of }) => {
    return {
      table: `${name}_days`,
      keys: name === 'audience' ? 'creator_id' : keys,
      columns,
      events,
      from: `fresh ${of}`,
    };
  }),
  ...['creator_days', 'creator_hours'].map((table) => ({
    table,
    keys: 'creator_id',
    columns: visits.columns,
    events: visits.events,
    from: 'fresh',
  })),
  {
    table: 'film_days',
    keys: 'media_id',
    columns: 'plays, completions',
    events: 'count(*), count(*) filter (where is_completed)',
    from: 'play',
  },
  { table: 'film_edges', keys: 'media_id, second', columns: 'change', events: 'sum(change)', from: 'edge' },
];

const ofAll = <One>(all: readonly One[], select: (one: One) => string) => all.map(select).join(' union all ');
const differingTables = `select of as table, count(*)::int as rows from told full join summed using (of, key)
where coalesce(told.said, '[0]') is distinct from coalesce(summed.said, '[0]') group by of order by of`;

const daysAstray = longStatement<Omit<Astray, 'creatorId'>>(
  'recount_days_astray',
  `with ${wholeDays}, ${freshOf(folded)}, ${playsIn('fresh')}, told as (
  ${ofAll(
    compared,
    ({ table, keys, events, from }) =>
      `select '${table}' as of, row(${keys})::text as key, jsonb_build_array(${events}) as said from ${from} group by ${keys}`,
  )}
), summed as (
  ${ofAll(
    compared,
    ({ table, keys, columns }) =>
      `select '${table}' as of, row(${keys})::text as key, jsonb_build_array(${addedUp(columns)}) as said
      from ${table} d, bounds b where d.creator_id = $1 and d.day >= b.first_day group by ${keys}`,
  )}
)
${differingTables}`,
);

const monthsAstray = longStatement<Omit<Astray, 'creatorId'>>(
  'recount_months_astray',
  `with told as (
  ${ofAll(
    kept,
    ({ name, keys, columns }) =>
      `select '${name}_months' as of, row(${monthOf('day')}, ${keys})::text as key,
      jsonb_build_array(${addedUp(columns)}) as said from ${name}_days where creator_id = $1 group by 2`,
  )}
), summed as (
  ${ofAll(
    kept,
    ({ name, keys, columns }) =>
      `select '${name}_months' as of, row(month, ${keys})::text as key, jsonb_build_array(${columns}) as said
      from ${name}_months where creator_id = $1`,
  )}
)
${differingTables}`,
);

/** When viewers came last, by the stream and by what is kept of it; what is older than the stream is asked of neither. */
const seenTables = [
  { table: 'creator_viewers', keys: 'viewer_id', last: 'last_view_at', view: 'last_view_at', of: `e.kind = 'view'` },
  {
    table: 'link_seen',
    keys: 'link_id, viewer_id',
    last: 'last_at',
    view: 'last_view_at',
    of: `e.kind in ('open', 'view')`,
  },
] as const;
const seenAstray = longStatement<Omit<Astray, 'creatorId'>>(
  'recount_seen_astray',
  `with ${wholeDays} ${ofAll(
    seenTables,
    ({ table, keys, last, view, of }) => `select '${table}' as table, count(*)::int as rows from (
    select ${keys}, max(e.at) as last, max(e.at) filter (where e.kind = 'view') as view
    from view_events e, bounds b where ${folded} and ${of} group by ${keys}) told
  full join (select ${keys}, s.${last} as last, case when s.${view} >= b.starts_at then s.${view} end as view
    from ${table} s, bounds b where s.creator_id = $1 and s.${last} >= b.starts_at) seen using (${keys})
  where (told.last, told.view) is distinct from (seen.last, seen.view) having count(*) > 0`,
  )}`,
);

/**
 * Tables whose sums of a creator are not what the stream says, and whose months are not what their days say.
 * @param keptSince see `findDifferences`
 */
export async function findAstray(tx: Tx, creatorId: string, keptSince: Date): Promise<Astray[]> {
  await tx.query(patience, []);
  const found = [
    ...(await tx.query(daysAstray, [creatorId, keptSince])),
    ...(await tx.query(monthsAstray, [creatorId])),
    ...(await tx.query(seenAstray, [creatorId, keptSince])),
  ];
  return found.map((astray) => ({ creatorId, ...astray }));
}

/** Makes the counters of links what the stream says. */
export async function repairCounters(tx: Tx, differing: readonly Difference[]): Promise<void> {
  await tx.query(countersRepaired, [
    differing.map(({ linkId }) => linkId),
    differing.map(({ views, streamViews }) => streamViews - views),
    differing.map(({ uniqueViewers, streamUniqueViewers }) => streamUniqueViewers - uniqueViewers),
    differing.map(({ watchMs, streamWatchMs }) => streamWatchMs - watchMs),
  ]);
}

const sumTables = [
  'creator_days',
  'creator_hours',
  'link_days',
  'album_days',
  'item_days',
  'audience_days',
  'film_days',
  'film_edges',
];
const sumsForgotten = sumTables.map((table) =>
  longStatement(
    `recount_${table}_forgotten`,
    `with ${wholeDays} delete from ${table} d using bounds b where d.creator_id = $1 and d.day >= b.first_day`,
  ),
);
const seenForgotten = seenTables.map(({ table, last }) =>
  longStatement(
    `recount_${table}_forgotten`,
    `with ${wholeDays} delete from ${table} s using bounds b where s.creator_id = $1 and s.${last} >= b.starts_at`,
  ),
);
const sumsRebuilt = longStatement(
  'recount_sums_rebuilt',
  `with ${wholeDays}, ${freshOf(folded)}, ${sums} select from bounds`,
);

const monthsForgotten = monthsAddedUp.map(({ table, since }) =>
  longStatement(
    `recount_${table}_forgotten`,
    `with ${wholeDays} delete from ${table} d using bounds b where d.creator_id = $1 and d.${since}`,
  ),
);
const monthsRebuilt = monthsAddedUp.map(({ table, insert }) =>
  longStatement(`recount_${table}_rebuilt`, `with ${wholeDays} ${insert}`),
);

/**
 * Adds a creator's days up again out of the stream, and the months out of their days; days that it has forgotten stay as they
 * are. Only for whoever holds the fold.
 * @param keptSince see `findDifferences`
 */
export async function rebuildSums(tx: Tx, creatorId: string, keptSince: Date): Promise<void> {
  for (const forget of [...sumsForgotten, ...seenForgotten]) await tx.query(forget, [creatorId, keptSince]);
  await tx.query(sumsRebuilt, [creatorId, keptSince]);
  for (const step of [...monthsForgotten, ...monthsRebuilt]) await tx.query(step, [creatorId, keptSince]);
}
