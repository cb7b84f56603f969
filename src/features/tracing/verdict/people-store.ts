import { statement, type Tx } from '#engines/database/work.ts';
import { givenNameOf, pseudonymOf } from '#features/access/pseudonyms-store.ts';
import { mostStretches, type PlayedRanges } from './time-ranges.ts';

/** Somebody who was shown an item: whose codeword it was. */
export interface SuspectRow {
  grantId: string;
  /** Null for a creator's own look in the studio and an admin's. */
  linkId: string | null;
  isSupport: boolean;
  /** Who was let in by the link. */
  viewerId?: string | null;
}

// A grant whose link is gone has lost its link's half: it can no longer be told apart from chance in the right way.
const suspects = statement<SuspectRow>(
  'trace_suspects',
  `select g.id as "grantId", k.link_id as "linkId", g.kind = 'admin' as "isSupport", k.viewer_id as "viewerId" from grants g left join link_viewers k on k.id = g.id
where g.creator_id = $1 and (k.id is not null or g.kind <> 'link')
  and exists (select from deliveries d join unnest($2::uuid[], $3::timestamptz[], $4::boolean[]) w (media_id, before, moving)
    on d.media_id = w.media_id and d.first_at <= w.before and (not w.moving or d.rendition in ('v720', 'v480')) where d.grant_id = g.id) order by g.id`,
);

/** An item that a copy shows, and when that copy was there. */
export interface ShownItem {
  mediaId: string;
  before: Date;
  /** A clip of a video: who was given its pictures only cannot have made it. */
  isMoving: boolean;
}
const columnsOf = (shown: readonly ShownItem[]) => [
  shown.map(({ mediaId }) => mediaId),
  shown.map(({ before }) => before),
  shown.map(({ isMoving }) => isMoving),
];

/** Everybody who was given a rendition of any of these items before its copy came. */
export const listSuspects = (tx: Tx, creatorId: string, shown: readonly ShownItem[]): Promise<SuspectRow[]> =>
  tx.query(suspects, [creatorId, ...columnsOf(shown)]);

/** Somebody who was shown an item through a link, as the creator knows them. */
export interface PersonRow {
  grantId: string;
  /** The id by which the creator knows this viewer. */
  viewerId: string;
  /** Their name for this viewer, else the recipient of the link that this viewer was the first to open. */
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
  /** How many there are in all, through the same link or, where no link is named, through any. */
  outOf: number;
  visits: number;
  firstVisitAt: Date | null;
  lastVisitAt: Date | null;
  country: string | null;
  isCountryEstimated: boolean | null;
  device: string | null;
  browser: string | null;
}

/** Enough to tell people apart. */
export type NameRow = Pick<
  PersonRow,
  'grantId' | 'viewerId' | 'givenName' | 'isOwn' | 'isSupport' | 'linkId' | 'linkName'
>;

const nameColumns = `k.id as "grantId", ${pseudonymOf('$1', 'k.viewer_id')} as "viewerId", k.is_own as "isOwn",
  k.is_own and exists (select from viewer_sessions v where v.admission_id = k.id and v.suspect_reason = 'admin') as "isSupport",
  ${givenNameOf('$1', 'k.viewer_id')} as "givenName",
  l.id as "linkId", l.link_name as "linkName"`;

/** Of so many people at most it is told, of each named link or of all. */
const mostPeople = 500;

// Sorted by what everybody may know: when the item was shown first. Who is named is told however many came before.
const people = statement<PersonRow>(
  'trace_people',
  `with shown as (
  select k.id, min(d.first_at) as first_at, max(d.last_at) as last_at
  from deliveries d join unnest($2::uuid[], $3::timestamptz[], $4::boolean[]) w (media_id, before, moving)
    on d.media_id = w.media_id and d.first_at <= w.before and (not w.moving or d.rendition in ('v720', 'v480'))
  join link_viewers k on k.id = d.grant_id and ($5::uuid[] is null or k.link_id = any($5))
  where d.creator_id = $1 group by k.id
), ranked as (
  select s.*, count(*) over list as out_of, row_number() over (list order by (s.id = any($6::uuid[])) desc, s.first_at, s.id) as n
  from shown s join link_viewers k on k.id = s.id window list as (partition by case when $5::uuid[] is null then null else k.link_id end)
)
select ${nameColumns}, l.recipient_name as "recipientName", l.is_revoked as "isRevoked",
  exists (select from viewer_blocks b where b.creator_id = $1 and b.viewer_id = k.viewer_id) as "isBlocked",
  d.first_at as "firstShownAt", d.last_at as "lastShownAt", d.out_of::int as "outOf", coalesce(s.visits, 0) as visits,
  s.first_at as "firstVisitAt", s.last_at as "lastVisitAt", f.country, f.is_estimated as "isCountryEstimated", f.device, f.browser
from ranked d join link_viewers k on k.id = d.id
join magic_links l on l.id = k.link_id
left join lateral (select count(*)::int as visits, min(started_at) as first_at, max(started_at) as last_at
  from viewer_sessions v where v.admission_id = k.id) s on true
left join lateral (select country, location_source = 'timezone' as is_estimated, os_family as device, ua_family as browser
  from viewer_sessions v where v.admission_id = k.id order by started_at desc limit 1) f on true
where d.n <= ${mostPeople} or k.id = any($6) order by d.first_at, k.id`,
);

/**
 * Who was shown any of these items before its copy came, first shown first; of very many only the first, and all who are named.
 * @param named only through these links; without it through any
 */
export const listPeople = (
  tx: Tx,
  creatorId: string,
  shown: readonly ShownItem[],
  named?: NamedIds,
): Promise<PersonRow[]> =>
  tx.query(people, [creatorId, ...columnsOf(shown), named?.linkIds ?? null, named?.grantIds ?? []]);

/** What an answer names. */
export interface NamedIds {
  linkIds: readonly string[];
  grantIds: readonly string[];
}

const names = statement<NameRow>(
  'trace_names',
  `select ${nameColumns} from link_viewers k join magic_links l on l.id = k.link_id
where k.creator_id = $1 and k.id = any($2::uuid[])`,
);

/** Those to whom these grants belong. */
export const listNames = (tx: Tx, creatorId: string, grantIds: readonly string[]): Promise<NameRow[]> =>
  tx.query(names, [creatorId, grantIds]);

/** Somebody whose view has a certain code in its visible mark. */
export type CodedRow = NameRow & Pick<PersonRow, 'recipientName' | 'isRevoked' | 'isBlocked'> & { firstOpenedAt: Date };

const coded = statement<CodedRow>(
  'trace_coded',
  `select ${nameColumns}, l.recipient_name as "recipientName", l.is_revoked as "isRevoked",
  exists (select from viewer_blocks b where b.creator_id = $1 and b.viewer_id = k.viewer_id) as "isBlocked", k.first_admitted_at as "firstOpenedAt"
from link_viewers k join magic_links l on l.id = k.link_id
where k.creator_id = $1 and upper(right(k.id::text, 8)) = $2 order by k.first_admitted_at desc limit 20`,
);

/** Views of one creator by the code in their visible mark (`markCodeOf`), newest first. */
export const listCoded = (tx: Tx, creatorId: string, code: string): Promise<CodedRow[]> =>
  tx.query(coded, [creatorId, code]);

/** A link as its creator knows it. */
export type LinkRow = Pick<PersonRow, 'linkId' | 'linkName' | 'recipientName' | 'isRevoked'>;

const linkNames = statement<LinkRow>(
  'trace_links',
  `select id as "linkId", link_name as "linkName", recipient_name as "recipientName", is_revoked as "isRevoked"
from magic_links where user_id = $1 and id = any($2::uuid[])`,
);

/** Those of these links that were not deleted. */
export const listLinkNames = (tx: Tx, creatorId: string, linkIds: readonly string[]): Promise<LinkRow[]> =>
  tx.query(linkNames, [creatorId, linkIds]);

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
  /** Nothing of a photo was played. */
  looks: { mediaId: string; at: string; msVisible: number; played: PlayedRanges | null }[] | null;
  /** How many there are in all. */
  outOf: number;
}

const playedAs = `case when e.played is not null and e.film_seconds is not null then (
    select json_build_object('stretches', coalesce(json_agg(json_build_array(lower(p), upper(p)) order by n) filter (where n <= ${mostStretches}), '[]'),
      'more', greatest(count(*) - ${mostStretches}, 0), 'seconds', coalesce(sum(upper(p) - lower(p)), 0), 'filmSeconds', e.film_seconds)
    from unnest(e.played) with ordinality as s(p, n)) end`;

const visits = statement<VisitRow>(
  'trace_visits',
  `select s.admission_id as "grantId", s.id as "visitId", s.started_at as "startedAt", s.ended_at as "endedAt",
  s.link_policy_version as "policyVersion", s.country, s.location_source = 'timezone' as "isCountryEstimated",
  s.os_family as device, s.ua_family as browser,
  (select json_agg(json_build_object('mediaId', e.media_id, 'at', e.at, 'msVisible', e.ms_visible, 'played', ${playedAs}) order by e.at) from view_events e
    where e.visit_id = s.id and e.kind = 'look' and e.media_id = any($3::uuid[])) as looks, s."outOf"
from (select *, count(*) over ()::int as "outOf" from viewer_sessions where creator_id = $1 and admission_id = any($2::uuid[])
  order by started_at limit 1000) s order by s.started_at`,
);

/** Visits under these grants, with their looks at these items; of very many the first. */
export const listVisits = (
  tx: Tx,
  creatorId: string,
  grantIds: readonly string[],
  mediaIds: readonly string[],
): Promise<VisitRow[]> => tx.query(visits, [creatorId, grantIds, mediaIds]);

/** An item as it is drawn beside the copy. */
export interface ItemRow {
  mediaId: string;
  kind: 'photo' | 'video';
  thumbhash: Buffer | null;
  width: number | null;
  height: number | null;
  isThere: boolean;
  /** Null: never counted. */
  markedTiles: number | null;
  sha256: Buffer;
  createdAt: Date;
  packs: { packId: string; rendition: string; sha256: string; columns: number | null; rows: number | null }[] | null;
}

const items = statement<ItemRow>(
  'trace_items',
  `select m.id as "mediaId", m.kind, m.thumbhash, m.width, m.height, m.state = 'ready' and m.deleted_at is null as "isThere", m.sha256,
  m.marked_tiles as "markedTiles", m.created_at as "createdAt", (select json_agg(json_build_object('packId', p.id, 'rendition', p.rendition,
    'sha256', encode(p.sha256, 'hex'), 'columns', p.columns, 'rows', p.rows) order by p.rendition) from packs p where p.media_id = m.id) as packs
from media m where m.creator_id = $1 and m.id = any($2::uuid[])`,
);

/** Items that were found in a copy. */
export const listItems = (tx: Tx, creatorId: string, mediaIds: readonly string[]): Promise<ItemRow[]> =>
  tx.query(items, [creatorId, mediaIds]);

const policies = statement<{ linkId: string; version: number; at: Date; policy: unknown }>(
  'trace_policies',
  `select link_id as "linkId", version, at, policy from link_policy_log where user_id = $1 and link_id = any($2::uuid[]) order by link_id, version`,
);

/** Every version of the rules of these links. */
export const listPolicies = (tx: Tx, creatorId: string, linkIds: readonly string[]) =>
  tx.query(policies, [creatorId, linkIds]);
