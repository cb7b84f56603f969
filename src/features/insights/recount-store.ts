import { statement, type Tx } from '#engines/database/work.ts';

const creators = statement<{ id: string }>(
  'recount_creators',
  `select u.id from users u where u.id > $1 and exists (select from magic_links l where l.user_id = u.id) order by u.id limit 200`,
);

/** Creators who have links, after one of them; ids rise. */
export async function listCreatorsWithLinks(tx: Tx, afterId: string): Promise<string[]> {
  return (await tx.ask(creators, [afterId])).map(({ id }) => id);
}

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
  foldedWatchMs: number;
}

// A visit that is open has closed some looks already, and its time is not in the link's counter yet.
const differences = statement<Difference>(
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
), compared as (
  select l.id as "linkId", l.views_count as views, coalesce(e.views, 0) as "streamViews", l.unique_viewers as "uniqueViewers",
    coalesce(e.viewers, 0) as "streamUniqueViewers", l.watch_ms as "watchMs",
    coalesce(e.watch_ms, 0) - coalesce(g.ms, 0) as "streamWatchMs", coalesce(s.views, 0) as "summedViews",
    coalesce(e.folded_views, 0) as "foldedViews", coalesce(s.watch_ms, 0) as "summedWatchMs", coalesce(e.folded_ms, 0) as "foldedWatchMs"
  from magic_links l left join stream e on e.link_id = l.id left join going g on g.link_id = l.id left join summed s on s.link_id = l.id
  where l.user_id = $1 and l.first_opened_at >= $2
)
select * from compared where (views, "uniqueViewers", "watchMs", "summedViews", "summedWatchMs")
  is distinct from ("streamViews", "streamUniqueViewers", "streamWatchMs", "foldedViews", "foldedWatchMs") limit 100`,
);

/**
 * Links of a creator whose counters differ from the stream.
 * @param keptSince links first opened before this have lost the beginning of their stream and cannot be compared
 */
export async function findDifferences(tx: Tx, creatorId: string, keptSince: Date): Promise<Difference[]> {
  return tx.ask(differences, [creatorId, keptSince]);
}
