import { statement, type Tx } from '#engines/database/work.ts';

/** Somebody who was shown an item: whose codeword it was. */
export interface SuspectRow {
  grantId: string;
  /** Null for a creator's own look in the studio and an admin's. */
  linkId: string | null;
  isSupport: boolean;
}

// A grant whose link is gone has lost its link's half: it can no longer be told apart from chance in the right way.
const suspects = statement<SuspectRow>(
  'trace_suspects',
  `select g.id as "grantId", k.link_id as "linkId", g.kind = 'admin' as "isSupport" from grants g left join link_viewers k on k.id = g.id
where g.creator_id = $1 and (k.id is not null or g.kind <> 'link')
  and exists (select from deliveries d join unnest($2::uuid[], $3::timestamptz[]) w (media_id, before)
    on d.media_id = w.media_id and d.first_at <= w.before where d.grant_id = g.id) order by g.id`,
);

/** An item that a copy shows, and when that copy was there. */
export interface ShownItem {
  mediaId: string;
  before: Date;
}
const columnsOf = (shown: readonly ShownItem[]) => [
  shown.map(({ mediaId }) => mediaId),
  shown.map(({ before }) => before),
];

/** Everybody who was given a rendition of any of these items before its copy came. */
export const listSuspects = (tx: Tx, creatorId: string, shown: readonly ShownItem[]): Promise<SuspectRow[]> =>
  tx.ask(suspects, [creatorId, ...columnsOf(shown)]);

/** Somebody who was shown an item through a link, as the creator knows them. */
export interface PersonRow {
  grantId: string;
  viewerId: string;
  /** Her name for this viewer, else the recipient of the link that this viewer was the first to open. */
  givenName: string | null;
  isOwn: boolean;
  /** An administrator's look. */
  isSupport: boolean;
  isBlocked: boolean;
  linkId: string;
  linkName: string;
  recipientName: string | null;
  isRevoked: boolean;
  firstShownAt: Date;
  lastShownAt: Date;
  visits: number;
  firstVisitAt: Date | null;
  lastVisitAt: Date | null;
  country: string | null;
  isCountryEstimated: boolean | null;
  device: string | null;
  browser: string | null;
}

const mostPeople = 500;

// Sorted by what everybody may know: when the item was shown first.
const people = statement<PersonRow>(
  'trace_people',
  `select k.id as "grantId", k.viewer_id as "viewerId", k.is_own as "isOwn",
  k.is_own and exists (select from viewer_sessions v where v.admission_id = k.id and v.suspect_reason = 'admin') as "isSupport",
  coalesce((select n.alias from viewer_aliases n where n.creator_id = $1 and n.viewer_id = k.viewer_id),
    (select r.recipient_name from link_viewers o join magic_links r on r.id = o.link_id
      where o.creator_id = $1 and o.viewer_id = k.viewer_id and not o.is_own and r.recipient_name <> ''
        and not exists (select from link_viewers e where e.link_id = o.link_id and not e.is_own and e.first_admitted_at < o.first_admitted_at)
      order by o.first_admitted_at limit 1)) as "givenName",
  exists (select from viewer_blocks b where b.creator_id = $1 and b.viewer_id = k.viewer_id) as "isBlocked",
  l.id as "linkId", l.link_name as "linkName", l.recipient_name as "recipientName", l.is_revoked as "isRevoked",
  d.first_at as "firstShownAt", d.last_at as "lastShownAt", coalesce(s.visits, 0) as visits,
  s.first_at as "firstVisitAt", s.last_at as "lastVisitAt", f.country, f.is_estimated as "isCountryEstimated", f.device, f.browser
from (select grant_id, min(first_at) as first_at, max(last_at) as last_at from deliveries
  where creator_id = $1 and media_id = any($2::uuid[]) group by grant_id) d
join link_viewers k on k.id = d.grant_id and ($3::uuid[] is null or k.link_id = any($3))
join magic_links l on l.id = k.link_id
left join lateral (select count(*)::int as visits, min(started_at) as first_at, max(started_at) as last_at
  from viewer_sessions v where v.admission_id = k.id) s on true
left join lateral (select country, location_source = 'timezone' as is_estimated, os_family as device, ua_family as browser
  from viewer_sessions v where v.admission_id = k.id order by started_at desc limit 1) f on true
order by d.first_at, k.id limit ${mostPeople}`,
);

/** Who was shown any of these items, first shown first. @param linkIds only through these links; null: through any */
export const listPeople = (
  tx: Tx,
  creatorId: string,
  mediaIds: readonly string[],
  linkIds: readonly string[] | null,
): Promise<PersonRow[]> => tx.ask(people, [creatorId, mediaIds, linkIds]);

/** A visit, and when one of the items was looked at in it. */
export interface VisitRow {
  grantId: string;
  visitId: string;
  startedAt: Date;
  endedAt: Date | null;
  policyVersion: number;
  country: string | null;
  isCountryEstimated: boolean;
  device: string | null;
  browser: string | null;
  looks: { mediaId: string; at: string; msVisible: number }[] | null;
}

const visits = statement<VisitRow>(
  'trace_visits',
  `select s.admission_id as "grantId", s.id as "visitId", s.started_at as "startedAt", s.ended_at as "endedAt",
  s.link_policy_version as "policyVersion", s.country, s.location_source = 'timezone' as "isCountryEstimated",
  s.os_family as device, s.ua_family as browser,
  (select json_agg(json_build_object('mediaId', e.media_id, 'at', e.at, 'msVisible', e.ms_visible) order by e.at) from view_events e
    where e.visit_id = s.id and e.kind = 'look' and e.media_id = any($3::uuid[])) as looks
from viewer_sessions s where s.creator_id = $1 and s.admission_id = any($2::uuid[]) order by s.started_at limit 1000`,
);

/** Visits under these grants, with their looks at these items. */
export const listVisits = (
  tx: Tx,
  creatorId: string,
  grantIds: readonly string[],
  mediaIds: readonly string[],
): Promise<VisitRow[]> => tx.ask(visits, [creatorId, grantIds, mediaIds]);

/** An item as it is drawn beside the copy. */
export interface ItemRow {
  mediaId: string;
  thumbhash: Buffer | null;
  width: number | null;
  height: number | null;
  isThere: boolean;
  sha256: Buffer;
  createdAt: Date;
  packs: { packId: string; rendition: string; sha256: string; columns: number; rows: number }[] | null;
}

const items = statement<ItemRow>(
  'trace_items',
  `select m.id as "mediaId", m.thumbhash, m.width, m.height, m.state = 'ready' and m.deleted_at is null as "isThere", m.sha256,
  m.created_at as "createdAt", (select json_agg(json_build_object('packId', p.id, 'rendition', p.rendition,
    'sha256', encode(p.sha256, 'hex'), 'columns', p.columns, 'rows', p.rows) order by p.rendition) from packs p where p.media_id = m.id) as packs
from media m where m.creator_id = $1 and m.id = any($2::uuid[])`,
);

/** Items that were found in a copy. */
export const listItems = (tx: Tx, creatorId: string, mediaIds: readonly string[]): Promise<ItemRow[]> =>
  tx.ask(items, [creatorId, mediaIds]);

const policies = statement<{ linkId: string; version: number; at: Date; policy: unknown }>(
  'trace_policies',
  `select link_id as "linkId", version, at, policy from link_policy_log where user_id = $1 and link_id = any($2::uuid[]) order by link_id, version`,
);

/** Every version of the rules of these links. */
export const listPolicies = (tx: Tx, creatorId: string, linkIds: readonly string[]) =>
  tx.ask(policies, [creatorId, linkIds]);

const blocked = statement<{ viewerId: string }>(
  'viewer_blocked',
  `insert into viewer_blocks (creator_id, viewer_id, reason, at)
select $1, $2, $3, $4 where exists (select from link_viewers k where k.creator_id = $1 and k.viewer_id = $2)
on conflict (creator_id, viewer_id) do update set reason = viewer_blocks.reason returning viewer_id as "viewerId"`,
);

/** Blocks a viewer of the asking creator. @returns false for somebody who never came to her */
export async function blockViewer(
  tx: Tx,
  block: { creatorId: string; viewerId: string; reason: string; now: Date },
): Promise<boolean> {
  const { creatorId, viewerId, reason, now } = block;
  return (await tx.ask(blocked, [creatorId, viewerId, reason, now])).length === 1;
}

const unblocked = statement<{ isKnown: boolean }>(
  'viewer_unblocked',
  `with gone as (delete from viewer_blocks where creator_id = $1 and viewer_id = $2)
select exists (select from link_viewers k where k.creator_id = $1 and k.viewer_id = $2) as "isKnown"`,
);

/** Takes a block back. @returns false for somebody who never came to her */
export async function unblockViewer(tx: Tx, creatorId: string, viewerId: string): Promise<boolean> {
  return (await tx.ask(unblocked, [creatorId, viewerId]))[0]?.isKnown === true;
}
