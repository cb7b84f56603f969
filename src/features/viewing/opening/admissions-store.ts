import { isConflictOn } from '#engines/database/violations.ts';
import { statement, type Tx } from '#engines/database/work.ts';

/** A browser as its row is written: kinds only. */
export interface DeviceRow {
  deviceId: string;
  viewerId: string;
  secretHash: Buffer;
  browser: string | undefined;
  system: string | undefined;
  inApp: string | undefined;
  country: string | undefined;
  timeZone: string | undefined;
  screen: string | undefined;
}

/** A gate that was passed with this call. */
export interface Passed {
  /** "Yes, I am 18 or older." */
  age: boolean;
  /** The version of the password that was right. */
  passwordVersion: number | undefined;
  /** What was agreed to, and under which name. */
  agreed?: { agreementId: string; name: string };
}

const viewerKept = statement(
  'viewer_kept',
  `with viewer as (
  insert into viewers as v (id, age_confirmed_at, created_at, last_seen_at) values ($1, $2, $3, $3)
  on conflict (id) do update set last_seen_at = excluded.last_seen_at, age_confirmed_at = coalesce(excluded.age_confirmed_at, v.age_confirmed_at)
)
insert into viewer_devices as d (id, viewer_id, secret_hash, ua_family, os_family, in_app, country, tz, screen, first_seen_at, last_seen_at)
values ($4, $1, $5, $6, $7, $8, $9, $10, $11, $3, $3)
on conflict (id) do update set last_seen_at = excluded.last_seen_at, ua_family = excluded.ua_family, os_family = excluded.os_family,
  in_app = excluded.in_app, country = coalesce(excluded.country, d.country), tz = coalesce(excluded.tz, d.tz), screen = coalesce(excluded.screen, d.screen)`,
);

/** Writes down who this browser is; new ids make new rows. @throws what `isDeviceConflict` knows when another call was quicker with the same cookie */
export async function keepViewer(tx: Tx, device: DeviceRow, isAdult: boolean, now: Date): Promise<void> {
  const { viewerId, deviceId, secretHash, browser, system, inApp, country, timeZone, screen } = device;
  const kinds = [browser ?? null, system ?? null, inApp ?? null, country ?? null, timeZone ?? null, screen ?? null];
  await tx.query(viewerKept, [viewerId, isAdult ? now : null, now, deviceId, secretHash, ...kinds]);
}

/** Returns whether a unit of work failed because another call of the same browser has written down who it is. */
export const isDeviceConflict = (error: unknown): boolean => isConflictOn(error, 'viewer_devices_secret_hash_key');

const gatePassed = statement(
  'gate_passed',
  `insert into gate_passes (link_id, viewer_id, gate, rule_version, at) values ($1, $2, 'password', $3, $4)
on conflict (link_id, viewer_id, gate) do update set rule_version = excluded.rule_version, at = excluded.at`,
);

/** Keeps that a viewer has passed this version of the password, so that they never type it again. */
export async function keepGatePass(
  tx: Tx,
  linkId: string,
  viewerId: string,
  version: number,
  now: Date,
): Promise<void> {
  await tx.query(gatePassed, [linkId, viewerId, version, now]);
}

/** A viewer who is let in by a link for the first time. */
export interface Admission {
  grantId: string;
  linkId: string;
  creatorId: string;
  viewerId: string;
  policyVersion: number;
  /** What the log keeps of the grant's codewords. */
  commitment: Buffer;
  /** Places of the link; undefined when there is no limit. */
  places: number | undefined;
  /** The creator's own look: takes no place. */
  isOwn: boolean;
  resumeCode: { id: string; hash: Buffer; expiresAt: Date };
  now: Date;
}

// The update of the link is what decides between parallel strangers: it waits for the one before and counts again. Who paid for
// a place has one already.
const admitted = statement<{ id: string }>(
  'admitted',
  `with place as (
  delete from place_reservations where link_id = $2 and viewer_id = $4 returning order_id
), link as (
  update magic_links set places_taken = places_taken + case when $8 or exists (select from place) then 0 else 1 end,
    first_opened_at = case when $8 then first_opened_at else coalesce(first_opened_at, $6) end,
    last_opened_at = case when $8 then last_opened_at else $6 end
  where id = $2 and not is_revoked and ($8 or $7::int is null or exists (select from place) or places_taken < $7) returning id
), paid as (
  update checkout_orders set opened_at = coalesce(opened_at, $6) where link_id = $2 and viewer_id = $4 and paid_at is not null
), given as (
  insert into grants (id, kind, creator_id, created_at) select $1, 'link', $3, $6 from link
), log as (
  insert into codeword_log (at, creator_id, grant_id, commitment) select $6, $3, $1, $9 from link
), code as (
  insert into viewer_resume_codes (id, link_id, viewer_id, code_hash, expires_at, created_at) select $10, $2, $4, $11, $12, $6 from link
), gate as (
  delete from gate_visitors where link_id = $2 and browser_hash in (select secret_hash from viewer_devices where viewer_id = $4)
), pseudonym as (
  insert into viewer_pseudonyms (creator_id, viewer_id) select $3, $4 from link on conflict (creator_id, viewer_id) do nothing
)
insert into link_viewers (id, link_id, viewer_id, creator_id, first_admitted_at, last_visit_at, visits, policy_version, is_own)
select $1, $2, $4, $3, $6, $6, 1, $5, $8 from link returning id`,
);

/**
 * Lets a viewer in for the first time: place, grant and codewords at once, with the first visit counted.
 * @returns false when the link has ended or is full meanwhile
 * @throws what `isAdmissionConflict` knows when this viewer was let in by another call meanwhile
 */
export async function insertAdmission(tx: Tx, admission: Admission): Promise<boolean> {
  const { grantId, linkId, creatorId, viewerId, policyVersion, now, places, isOwn, commitment, resumeCode } = admission;
  const { id, hash, expiresAt } = resumeCode;
  const values = [
    grantId,
    linkId,
    creatorId,
    viewerId,
    policyVersion,
    now,
    places ?? null,
    isOwn,
    commitment,
    id,
    hash,
    expiresAt,
  ];
  return (await tx.query(admitted, values)).length === 1;
}

/** Returns whether a unit of work failed because another call has let the same viewer in, or has made the same resume code. */
export const isAdmissionConflict = (error: unknown): boolean =>
  isConflictOn(error, 'link_viewers_link_id_viewer_id_key', 'viewer_resume_codes_link_id_code_hash_key');

// The admission's row is locked from here on, so that two screens of one viewer are counted one after the other. When somebody
// was last seen is good to a minute: rows that everybody shares are not written by every tap. The first look after a payment is kept
// with it, and what had been used up until then.
const returned = statement<{ id: string }>(
  'returned',
  `with link as (
  update magic_links set last_opened_at = $2 where id = $3 and not $4 and (last_opened_at is null or last_opened_at < $2::timestamptz - interval '10 s')
), viewer as (
  update viewers set last_seen_at = $2 where id = $5 and last_seen_at < $2::timestamptz - interval '1 minute'
), device as (
  update viewer_devices set last_seen_at = $2 where id = $6 and last_seen_at < $2::timestamptz - interval '1 minute'
), paid as (
  update checkout_orders o set opened_at = $2, visits_before = a.visits, watched_before_ms = a.watched_ms, lent_before_ms = a.lent_ms
  from link_viewers a where a.id = $1 and o.link_id = $3 and o.viewer_id = $5 and o.paid_at is not null and o.opened_at is null
)
update link_viewers set visits = visits + $7, last_visit_at = $2 where id = $1 and ($7 = 0 or $8::int is null or visits < $8) returning id`,
);

/** A viewer who was let in before. */
export interface Return {
  grantId: string;
  linkId: string;
  viewerId: string;
  deviceId: string;
  isOwn: boolean;
  /** A new visit, not one that goes on. */
  isNewVisit: boolean;
  maxVisits: number | undefined;
  now: Date;
}

/** Counts a visit of somebody who was let in before. @returns false when the last one is used up meanwhile */
export async function countReturn(tx: Tx, visit: Return): Promise<boolean> {
  const { grantId, linkId, viewerId, deviceId, isOwn, isNewVisit, maxVisits, now } = visit;
  const values = [grantId, now, linkId, isOwn, viewerId, deviceId, isNewVisit ? 1 : 0, maxVisits ?? null];
  return (await tx.query(returned, values)).length === 1;
}

const viewerByCode = statement<{ viewerId: string }>(
  'viewer_by_code',
  `select r.viewer_id as "viewerId" from viewer_resume_codes r join magic_links l on l.id = r.link_id
where l.slug = $1 and r.code_hash = $2 and r.expires_at > $3`,
);

/** Whose resume code this is, on the link of this slug; undefined when it is nobody's or over. */
export async function findViewerByCode(
  source: Pick<Tx, 'query'>,
  slug: string,
  codeHash: Buffer,
  now: Date,
): Promise<string | undefined> {
  const [row] = await source.query(viewerByCode, [slug, codeHash, now]);
  return row?.viewerId;
}

const codesSwept = statement('codes_swept', 'delete from viewer_resume_codes where expires_at < $1');

/** Forgets codes that are over. */
export async function sweepResumeCodes(source: Pick<Tx, 'query'>, now: Date): Promise<void> {
  await source.query(codesSwept, [now]);
}
