import { statement, type Tx } from '#engines/database/work.ts';
import type { Realm } from '#engines/payments/payments.ts';
import { givenNameOf, pseudonymOf } from '#features/access/pseudonyms-store.ts';
import type { Cursor } from '#features/albums/rules.ts';
import type { MediumKind } from '#features/media/rules.ts';
import type { Risk } from '#features/security/contract.ts';
import type { Span } from './reading/overview-store.ts';
import { planWithoutSorting } from './reading/planning-store.ts';
import { disputeOf, spentOf } from './reading/viewer-money.ts';

/** The id by which the creator knows the viewer of a visit. */
const shownId = pseudonymOf('$1', 's.viewer_id');

const from = `s.country, s.location_source = 'timezone' as "isCountryEstimated", s.os_family as device, s.ua_family as browser, s.referrer_app as app`;

interface DisputeRow {
  dispute: { at: string; state: 'open' | 'won' | 'lost' } | null;
}

interface FromRow {
  country: string | null;
  isCountryEstimated: boolean;
  device: string | null;
  browser: string | null;
  app: string | null;
}

export interface VisitRow extends FromRow, DisputeRow {
  visitId: string;
  viewerId: string;
  givenName: string | null;
  linkId: string;
  linkName: string;
  recipientName: string | null;
  state: 'open' | 'closed' | 'cut';
  startedAt: Date;
  lastHeartbeatAt: Date;
  endedAt: Date | null;
  endReason: 'left' | 'idle' | 'expired' | 'revoked' | 'security' | 'replaced' | 'time_used' | null;
  watchMs: number;
  itemsSeen: number;
  isCounted: boolean;
  suspectReason: 'own' | 'automation' | 'admin' | null;
}

/** When the creator's last so many days began, today included, where they live. $1 creator, $5 now, $6 days. */
const startOfSpan = `(select (($5::timestamptz at time zone z.zone)::date - ($6::int - 1))::timestamp at time zone z.zone
  from (select known_zone(time_zone) as zone from users where id = $1) z)`;

/** $1 creator, $2 and $3 the last row of the page before, $4 how many. */
const visitsWhere = (name: string, condition: string, newest = 's.started_at desc') =>
  statement<VisitRow>(
    name,
    `select s.id as "visitId", ${shownId} as "viewerId", ${givenNameOf('$1', 's.viewer_id')} as "givenName", s.link_id as "linkId",
  l.link_name as "linkName", l.recipient_name as "recipientName", s.state, s.started_at as "startedAt", s.ended_at as "endedAt",
  s.end_reason as "endReason", s.watch_ms as "watchMs", s.items_seen as "itemsSeen", s.counted as "isCounted",
  s.suspect_reason as "suspectReason", s.last_beat_at as "lastHeartbeatAt",
  ${disputeOf('s.viewer_id')} as dispute, ${from}
from viewer_sessions s join magic_links l on l.id = s.link_id
where s.creator_id = $1 and ($2::timestamptz is null or (s.started_at, s.id) < ($2, $3::uuid)) and ${condition}
order by ${newest}, s.id desc limit $4`,
  );

const visitQueries = {
  all: visitsWhere('visits_all', `s.started_at >= ${startOfSpan}`),
  people: visitsWhere('visits_of_people', `s.started_at >= ${startOfSpan} and s.suspect_reason is null`),
  notCounted: visitsWhere(
    'visits_not_counted',
    `s.started_at >= ${startOfSpan} and (s.suspect_reason is not null or (s.state <> 'open' and not s.counted))`,
  ),
  // The order of the link's own index, which no other one has.
  chosen: visitsWhere('visits_chosen', 's.id = any($5::uuid[])'),
  link: visitsWhere('visits_of_link', 's.link_id = $5', 's.started_at desc nulls last'),
};

/** A page of a list that is sorted newest first. */
export interface PageParams {
  creatorId: string;
  after: Cursor | undefined;
  limit: number;
}
/** The same of the creator's last so many days. */
export type SpanParams = PageParams & Pick<Span, 'now' | 'days'>;

const pageOf = ({ creatorId, after, limit }: PageParams) => [creatorId, after?.at ?? null, after?.id ?? null, limit];

/** Visits of a span: all of them, those of people, or those that are no views. */
export async function listVisits(
  tx: Tx,
  which: 'all' | 'people' | 'notCounted',
  { now, days, ...page }: SpanParams,
): Promise<VisitRow[]> {
  // In the order of their index a page is read; sorted, it would be cut from all visits of the span.
  const [, rows] = await Promise.all([
    planWithoutSorting(tx),
    tx.query(visitQueries[which], [...pageOf(page), now, days]),
  ]);
  return rows;
}

/** These visits of a creator's links. */
export const findVisits = (tx: Tx, creatorId: string, visitIds: readonly string[]): Promise<VisitRow[]> =>
  tx.query(visitQueries.chosen, [creatorId, null, null, visitIds.length, visitIds]);

/** Visits of one link, counted or not. */
export async function listVisitsOfLink(
  tx: Tx,
  { linkId, ...page }: PageParams & { linkId: string },
): Promise<VisitRow[]> {
  return tx.query(visitQueries.link, [...pageOf(page), linkId]);
}

/** What programs wanted to open of one link in a span. */
export interface RobotsRow {
  linkId: string;
  linkName: string;
  recipientName: string | null;
  opens: number;
  lastAt: Date;
}

const mostRobotLinks = 100;
const robots = statement<RobotsRow>(
  'robots_listed',
  `select l.id as "linkId", l.link_name as "linkName", l.recipient_name as "recipientName", r.opens, r.last_at as "lastAt"
from (select link_id, sum(opens)::int as opens, max(last_at) as last_at from robot_opens
  where creator_id = $1 and last_at >= ${startOfSpan.replace('$5', '$2').replace('$6', '$3')}
  group by link_id order by max(last_at) desc limit ${mostRobotLinks}) r
join magic_links l on l.id = r.link_id order by r.last_at desc`,
);

/** The links that programs wanted to open in a span, the last one first. */
export async function listRobots(
  tx: Tx,
  { creatorId, now, days }: Omit<SpanParams, 'after' | 'limit'>,
): Promise<RobotsRow[]> {
  return tx.query(robots, [creatorId, now, days]);
}

const refusedOfLink = statement<{ kind: 'program' | 'password'; times: number; lastAt: Date }>(
  'refused_of_link',
  `select 'program' as kind, sum(opens)::int as times, max(last_at) as "lastAt" from robot_opens
where creator_id = $1 and link_id = $2 having count(*) > 0
union all
select 'password', sum(tries)::int, max(last_at) from wrong_passwords
where creator_id = $1 and link_id = $2 having count(*) > 0
order by 3 desc`,
);

/** Returns what a link has refused, the last kind first. */
export const listRefused = (tx: Tx, creatorId: string, linkId: string) => tx.query(refusedOfLink, [creatorId, linkId]);

const ownLink = statement<{ id: string }>(
  'insights_own_link',
  'select id from magic_links where id = $1 and user_id = $2',
);

/** Returns whether a link is this creator's. */
export async function isOwnLink(tx: Tx, linkId: string, creatorId: string): Promise<boolean> {
  return (await tx.query(ownLink, [linkId, creatorId])).length === 1;
}

export interface ViewerRow extends FromRow, DisputeRow {
  viewerId: string;
  /** The newest visit, by which the list is sorted. */
  visitId: string;
  startedAt: Date;
  givenName: string | null;
  isRenamed: boolean;
  isBlocked: boolean;
  risk: Risk | null;
  visits: number;
  views: number;
  watchMs: number;
  lastSeenAt: Date;
  spentCents: number;
  links: { linkId: string; linkName: string; recipientName: string | null }[];
}

// A viewer stands where their newest visit does: the page is full after a few steps of the index, however many came before.
const viewers = statement<ViewerRow>(
  'viewers_seen',
  `with seen as (
  select s.* from viewer_sessions s
  where s.creator_id = $1 and ($2::timestamptz is null or (s.started_at, s.id) < ($2, $3::uuid)) and s.suspect_reason is null
    and s.started_at >= ${startOfSpan} and s.id = (
      select n.id from viewer_sessions n where n.viewer_id = s.viewer_id and n.creator_id = $1 and n.suspect_reason is null
      order by n.started_at desc, n.id desc limit 1)
  order by s.started_at desc, s.id desc limit $4
)
select ${shownId} as "viewerId", s.id as "visitId", s.started_at as "startedAt", ${givenNameOf('$1', 's.viewer_id')} as "givenName",
  exists (select from viewer_aliases n where n.creator_id = $1 and n.viewer_id = s.viewer_id) as "isRenamed",
  exists (select from viewer_blocks w where w.creator_id = $1 and w.viewer_id = s.viewer_id) as "isBlocked",
  (select e.risk from security_events e where e.viewer_id = s.viewer_id and e.creator_id = $1 and e.action_taken is null
    order by array_position('{high,medium,low}'::text[], e.risk) limit 1) as risk,
  v.visits, v.views, v.watch_ms as "watchMs", v.last_seen_at as "lastSeenAt", ${from}, k.links,
  ${spentOf('s.viewer_id')} as "spentCents",
  ${disputeOf('s.viewer_id')} as dispute
from seen s
join lateral (select count(*)::int as visits, count(*) filter (where counted)::int as views, sum(watch_ms)::bigint as watch_ms,
    max(last_beat_at) as last_seen_at
  from viewer_sessions n where n.viewer_id = s.viewer_id and n.creator_id = $1 and n.suspect_reason is null
    and n.started_at >= ${startOfSpan}) v on true
join lateral (select json_agg(json_build_object('linkId', l.id, 'linkName', l.link_name, 'recipientName', l.recipient_name)
    order by a.last_visit_at desc) as links
  from link_viewers a join magic_links l on l.id = a.link_id
  where a.creator_id = $1 and a.viewer_id = s.viewer_id and not a.is_own) k on true
order by s.started_at desc, s.id desc`,
);

/** A page of the people who came in a span, the last one first. */
export async function listViewers(
  tx: Tx,
  { now, days, ...page }: SpanParams,
  { realm: { provider, livemode }, currency }: { realm: Realm; currency: string },
): Promise<ViewerRow[]> {
  return tx.query(viewers, [...pageOf(page), now, days, provider, livemode, currency]);
}

const renamed = statement<{ viewer_id: string }>(
  'viewer_renamed',
  `insert into viewer_aliases (creator_id, viewer_id, alias)
select $1, $2, $3 where exists (select from link_viewers k where k.creator_id = $1 and k.viewer_id = $2)
on conflict (creator_id, viewer_id) do update set alias = excluded.alias returning viewer_id`,
);

const nameTaken = statement<{ isKnown: boolean }>(
  'viewer_name_taken_back',
  `with gone as (delete from viewer_aliases where creator_id = $1 and viewer_id = $2)
select exists (select from link_viewers k where k.creator_id = $1 and k.viewer_id = $2) as "isKnown"`,
);

/** Gives a viewer a name, or takes it back when it is empty. @returns false for somebody who never came to this creator */
export async function renameViewer(tx: Tx, creatorId: string, viewerId: string, name: string): Promise<boolean> {
  if (name !== '') return (await tx.query(renamed, [creatorId, viewerId, name])).length === 1;
  return (await tx.query(nameTaken, [creatorId, viewerId]))[0]?.isKnown === true;
}

export interface ScreenRow extends FromRow {
  visitId: string;
  viewerId: string;
  givenName: string | null;
  linkId: string;
  linkName: string;
  recipientName: string | null;
  albumName: string | null;
  watchMs: number;
  lastHeartbeatAt: Date;
  mediaId: string | null;
  kind: MediumKind | null;
  thumbhash: Buffer | null;
  width: number | null;
  height: number | null;
  place: number | null;
  count: number | null;
}

// Pictures stand in an album as its viewers see them: the hidden and the unfinished take no place.
const screens = statement<ScreenRow>(
  'screens_open_now',
  `select s.id as "visitId", ${shownId} as "viewerId", ${givenNameOf('$1', 's.viewer_id')} as "givenName", s.link_id as "linkId",
  l.link_name as "linkName", l.recipient_name as "recipientName", coalesce(shown.name, first.name) as "albumName",
  s.watch_ms as "watchMs", s.last_beat_at as "lastHeartbeatAt", m.id as "mediaId", m.kind, m.thumbhash, m.width, m.height,
  shown.place::int, shown.count::int, ${from}
from viewer_sessions s
join magic_links l on l.id = s.link_id and not l.is_revoked
left join lateral (select b.name from link_albums la join albums b on b.id = la.album_id
  where la.link_id = s.link_id order by la.position, b.id limit 1) first on true
left join lateral (select * from (
    select i.media_id, b.name, la.position, count(*) over (partition by b.id),
      row_number() over (partition by b.id order by case b.sort when 'manual' then i.position end,
        case b.sort when 'newest' then i.added_at end desc, case b.sort when 'newest' then x.id end desc,
        case b.sort when 'oldest' then i.added_at end, x.id) as place
    from link_albums la join albums b on b.id = la.album_id join album_items i on i.album_id = b.id and not i.hidden
    join media x on x.id = i.media_id and x.state = 'ready' and x.deleted_at is null
    where la.link_id = s.link_id) placed
  where placed.media_id = s.current_media_id order by placed.position limit 1) shown on true
left join media m on m.id = s.current_media_id and shown.place is not null
where s.creator_id = $1 and s.state = 'open' and s.suspect_reason is null and s.last_beat_at > $2 and ($3::uuid is null or s.link_id = $3)
order by s.started_at desc limit 50`,
);

/** Screens of people that are alive, at one link or at all: their last beat is younger than that. */
export async function listScreens(
  tx: Tx,
  creatorId: string,
  { aliveSince, linkId }: { aliveSince: Date; linkId: string | undefined },
): Promise<ScreenRow[]> {
  return tx.query(screens, [creatorId, aliveSince, linkId ?? null]);
}
