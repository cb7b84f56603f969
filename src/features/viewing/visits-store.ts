import { type LiveEvent, statement, type Tx } from '#engines/database/work.ts';
import type { Place } from '#engines/geoip/geoip.ts';
import { isOpenSql } from '#features/access/facts-store.ts';
import { firstIdAt } from '#kit/ids.ts';

type Source = Pick<Tx, 'query'>;

/** Why a visit ended. */
export type EndReason = 'left' | 'idle' | 'expired' | 'revoked' | 'security' | 'replaced' | 'time_used';

/** A visit that begins, or goes on after a gap. */
export interface VisitStart {
  visitId: string;
  grantId: string;
  linkId: string;
  creatorId: string;
  viewerId: string;
  deviceId: string;
  policyVersion: number;
  /** The offer that was met, or `grant`. */
  via: string;
  place: Place;
  inApp: string | undefined;
  browser: string | undefined;
  system: string | undefined;
  suspect: 'own' | 'admin' | 'automation' | undefined;
  maxConcurrent: number;
  /** A screen with no heartbeat after this does not count as open. */
  aliveSince: Date;
  /** A visit with a heartbeat after this is continued instead of beginning another. */
  continuableSince: Date;
  now: Date;
}

export const liveEventJson = (event: LiveEvent) => JSON.stringify(event);
const visitOpenedJson = ({ creatorId, linkId, visitId }: VisitStart) =>
  liveEventJson({ kind: 'visit.opened', creatorId, linkId, visitId });

/** The longest look that a row of the stream holds: 24 days. */
export const mostLookMs = 2_147_483_647;

/** Returns SQL for two columns: the ranges of a video that were played, and its length in seconds; null for a photo. */
export const playedColumnsSql = (played: string, mediaId: string) => `
  (select ${played} * int4multirange(int4range(0, ceil(f.duration_ms / 1000.0)::int)) from media f where f.id = ${mediaId} and f.kind = 'video'),
  (select ceil(f.duration_ms / 1000.0)::int from media f where f.id = ${mediaId} and f.kind = 'video')`;

// Records the look that was still open when the visit was interrupted or ended.
const insertOpenLookSql = (visits: string, at = 's.last_beat_at') => `look as (
  insert into view_events (kind, creator_id, link_id, visit_id, viewer_id, album_id, media_id, country, at, ms_visible, played, film_seconds)
  select 'look', s.creator_id, s.link_id, s.id, s.viewer_id,
    (select i.album_id from album_items i join link_albums la on la.album_id = i.album_id and la.link_id = s.link_id
     where i.media_id = s.current_media_id order by la.position limit 1),
    s.current_media_id, s.country, ${at}, least(s.look_ms, ${mostLookMs}), ${playedColumnsSql('s.look_played', 's.current_media_id')}
  from ${visits} s where s.suspect_reason is null and s.look_ms > 0
)`;

const visitBegun = statement<{ id: string }>(
  'visit_begun',
  `with visit as (
  insert into viewer_sessions (id, admission_id, link_id, creator_id, viewer_id, device_id, link_policy_version, state, decision_via,
    started_at, last_beat_at, last_input_at, country, region, city, location_source, referrer_app, ua_family, os_family, suspect_reason)
  select $1, $2, $3, $4, $5, $6, $7, 'open', $8, $9, $9, $9, $10, $11, $12, $13, $14, $15, $16, $17
  where not exists (select from viewer_sessions o where o.admission_id = $2 and o.device_id = $6 and o.last_beat_at > $18
      and o.state <> 'cut' and (o.end_reason is null or o.end_reason in ('left', 'idle')))
    and (select count(*) from viewer_sessions o where o.admission_id = $2 and ${isOpenSql('o')} and o.last_beat_at > $19) < $20
  returning *
), open as (
  insert into view_events (kind, creator_id, link_id, visit_id, viewer_id, country, at)
  select 'open', creator_id, link_id, id, viewer_id, country, $9 from visit where suspect_reason is null
)
select id, pg_notify('live', $21) from visit`,
);

/**
 * Begins a visit; the admission's row must be locked by the caller's transaction.
 * @returns false when this browser's visit goes on after all, or too many screens are open
 */
export async function insertVisit(tx: Tx, visit: VisitStart): Promise<boolean> {
  const { visitId, grantId, linkId, creatorId, viewerId, deviceId, policyVersion, via, now } = visit;
  const { place, inApp, browser, system, suspect, continuableSince, aliveSince, maxConcurrent } = visit;
  const who = [visitId, grantId, linkId, creatorId, viewerId, deviceId, policyVersion, via, now];
  const where = [place.country ?? null, place.region ?? null, place.city ?? null, place.source];
  const how = [inApp ?? null, browser ?? null, system ?? null, suspect ?? null];
  const rows = await tx.query(visitBegun, [
    ...who,
    ...where,
    ...how,
    continuableSince,
    aliveSince,
    maxConcurrent,
    visitOpenedJson(visit),
  ]);
  return rows.length === 1;
}

const visitGoesOn = statement<{ id: string }>(
  'visit_goes_on',
  `with before as (
  select * from viewer_sessions s where id = $1 and state <> 'cut' and ((state = 'open' and last_beat_at > $6)
    or (select count(*) from viewer_sessions o where o.admission_id = s.admission_id and ${isOpenSql('o')} and o.last_beat_at > $6) < $7) for update
), ${insertOpenLookSql('before')}, visit as (
  update viewer_sessions v set state = 'open', ended_at = null, end_reason = null, last_beat_at = $2, last_input_at = $2,
    link_policy_version = $3, decision_via = $4, current_media_id = null, look_ms = 0, look_played = '{}'
  from before where v.id = before.id returning v.*
), open as (
  insert into view_events (kind, creator_id, link_id, visit_id, viewer_id, country, at)
  select 'open', creator_id, link_id, id, viewer_id, country, $2 from visit where suspect_reason is null
)
select id, pg_notify('live', $5) from visit`,
);

/** Continues a visit after a short gap. @returns false if it has been cut, or too many screens are open */
export async function continueVisit(tx: Tx, visit: VisitStart): Promise<boolean> {
  const { visitId, policyVersion, via, now, aliveSince, maxConcurrent } = visit;
  const values = [visitId, now, policyVersion, via, visitOpenedJson(visit), aliveSince, maxConcurrent];
  const rows = await tx.query(visitGoesOn, values);
  return rows.length === 1;
}

const leasesOfVisit = statement<{ leaseId: string; packId: string; mediaId: string }>(
  'leases_of_visit',
  `select id as "leaseId", pack_id as "packId", media_id as "mediaId" from key_leases where id = any($2::uuid[]) and session_id = $1`,
);

/** Finds which of the given leases belong to a visit, with their packs and media. */
export async function findLeasesOfVisit(source: Source, visitId: string, leaseIds: readonly string[]) {
  return leaseIds.length === 0 ? [] : source.query(leasesOfVisit, [visitId, leaseIds]);
}

const visitEnded = statement<{ id: string }>(
  'visit_ended',
  `with before as (
  select * from viewer_sessions s where id = $1 and ${isOpenSql('s')} and ($5::timestamptz is null or last_beat_at < $5 or last_beat_at > $7) for update
), ${insertOpenLookSql('before', 'least(s.last_beat_at, $7::timestamptz)')}, visit as (
  update viewer_sessions v set state = $2, end_reason = $3, ended_at = coalesce($4, least(v.last_beat_at, $7)),
    last_beat_at = least(v.last_beat_at, $7::timestamptz), current_media_id = null, look_ms = 0, look_played = '{}',
    summed_ms = v.watch_ms,
    items_seen = v.items_seen + case when before.look_ms > 0 and before.current_media_id is not null and not exists (select from view_events e
      where e.visit_id = v.id and e.media_id = before.current_media_id and e.kind = 'look') then 1 else 0 end
  from before where v.id = before.id returning v.*
), link as (
  update magic_links l set watch_ms = l.watch_ms + before.watch_ms - before.summed_ms
  from before where l.id = before.link_id and before.suspect_reason is null and before.watch_ms > before.summed_ms
)
select id, pg_notify('live', json_build_object('kind', case when $6 then 'visit.closed' else 'visit.ended' end,
  'creatorId', creator_id, 'linkId', link_id, 'visitId', id)::text) from visit`,
);

/** When a visit counts as quiet: its last heartbeat is before `since`, or after `until` because a clock was ahead. */
export interface QuietBounds {
  since: Date;
  until: Date;
}

/** How a visit ends. */
export interface VisitEnd {
  visitId: string;
  /** A `cut` visit cannot be continued. */
  state: 'closed' | 'cut';
  reason: EndReason;
  /** When it ended; undefined takes the time of its last heartbeat. */
  now: Date | undefined;
  /** If given, the visit ends only if it is still quiet. */
  quiet?: QuietBounds;
  /** Whether the viewer's screen must close. */
  closesScreen: boolean;
}

/** Ends an open visit and adds its time to the link. @returns false if it was no longer open, or no longer quiet */
export async function endVisit(source: Source, end: VisitEnd): Promise<boolean> {
  const { visitId, state, reason, now, quiet, closesScreen } = end;
  const within = [quiet?.since ?? null, closesScreen, quiet?.until ?? null];
  const rows = await source.query(visitEnded, [visitId, state, reason, now ?? null, ...within]);
  return rows.length === 1;
}

const otherScreens = statement<{ id: string }>(
  'other_screens',
  `select id from viewer_sessions s where admission_id = $1 and device_id <> $2 and ${isOpenSql('s')} order by started_at limit 100`,
);

/** Open visits of the same viewer on other screens. */
export async function findOtherScreens(source: Source, grantId: string, deviceId: string): Promise<string[]> {
  return (await source.query(otherScreens, [grantId, deviceId])).map(({ id }) => id);
}

const quietVisits = statement<{ id: string }>(
  'quiet_visits',
  `select id from viewer_sessions where state = 'open' and (last_beat_at < $1 or last_beat_at > $2) order by last_beat_at limit 500`,
);

/** Finds open visits that are quiet, at most 500. */
export async function findQuietVisits(source: Source, { since, until }: QuietBounds): Promise<string[]> {
  return (await source.query(quietVisits, [since, until])).map(({ id }) => id);
}

// Ids are made in the order of time, so the primary key finds the oldest.
const oldVisits = statement<{ id: string }>(
  'old_visits_deleted',
  `delete from viewer_sessions where id in (
  select id from viewer_sessions where id < $1 and last_beat_at < $2 and state <> 'open' order by id limit 1000) returning id`,
);

/** Deletes up to 1000 visits that ended before a given time; admissions and deliveries are kept. @returns how many */
export async function deleteOldVisits(source: Source, before: Date): Promise<number> {
  return (await source.query(oldVisits, [firstIdAt(before), before])).length;
}

const ownVisit = statement<{ id: string }>('own_visit', 'select id from viewer_sessions where id = $1');

/** Returns whether a visit is one on the asking creator's links: row-level security hides the others. */
export async function isOwnVisit(tx: Tx, visitId: string): Promise<boolean> {
  return (await tx.query(ownVisit, [visitId])).length === 1;
}
