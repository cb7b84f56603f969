import { sql } from 'kysely';
import { statement, type Tx } from '#engines/database/work.ts';

/** So many of 256 bits differ at most in what is taken for a copy. Measured on camera photos: decision 0460. */
export const mostDifferentBits = 10;
/** A picture with hardly any edges has a hash that says nothing: of one with fewer bits set, or more, copies are known by their bytes alone. */
export const [fewestBits, mostBits] = [64, 192] as const;

/** Why a medium is held back. */
export interface Match {
  source: 'report' | 'list';
  reportId: string | null;
  isExact: boolean;
}

export interface HeldMedium {
  mediaId: string;
  creatorId: string;
}

/** Whoever blocks something waits for those who are about to show a medium, so that none of them has not heard of it. */
export async function lockBlocking(tx: Tx, isBlocking: boolean): Promise<void> {
  const lock = isBlocking ? sql`pg_advisory_xact_lock` : sql`pg_advisory_xact_lock_shared`;
  await sql`select ${lock}(hashtextextended('blocked media', 0))`.execute(tx.db);
}

const bits = (hash: string) => `('x' || ${hash})::bit(256)`;
const differing = (hash: string) => `bit_count(${bits(hash)} # ${bits('b.blockhash')})`;
/** Whether medium `m` looks like what is blocked by `b`, mirrored or not. */
const looksAlike = `m.phash is not null and b.blockhash is not null
  and bit_count(${bits('b.blockhash')}) between ${fewestBits} and ${mostBits}
  and least(${differing('m.phash')}, ${differing('m.phash_mirrored')}) <= ${mostDifferentBits}`;

const blocked = statement(
  'media_blocked',
  `insert into blocked_media (id, source, report_id, sha256, blockhash, created_at)
  select gen_random_uuid(), 'report', $1, found.sha256, found.phash, $3
  from (select distinct m.sha256, m.phash from link_albums la
    join album_items i on i.album_id = la.album_id join media m on m.id = i.media_id where la.link_id = $2) found
  where not exists (select from blocked_media b where b.report_id = $1)`,
);

/** Blocks the bytes and the looks of everything in a link's albums. Once for a report. */
export async function insertBlocked(
  tx: Tx,
  { reportId, linkId, now }: { reportId: string; linkId: string; now: Date },
): Promise<void> {
  await tx.query(blocked, [reportId, linkId, now]);
}

const held = (found: string, isExact: boolean) => `with found as (
  select distinct on (m.id) m.id, b.source, b.report_id from ${found}
  where m.state = 'ready' order by m.id, b.source
), noted as (
  insert into media_matches (media_id, source, report_id, is_exact, matched_at)
  select id, source, report_id, ${isExact}, $2 from found on conflict do nothing returning media_id
)
update media set state = 'quarantined', fail_code = 'HASH_MATCH' where id in (select media_id from noted)
returning id as "mediaId", creator_id as "creatorId"`;

const same = 'blocked_media b join media m on m.sha256 = b.sha256';
const alike = `blocked_media b join media m on ${looksAlike}`;
const sameOfReport = statement<HeldMedium>('media_same_of_report', held(`${same} and b.report_id = $1`, true));
const alikeOfReport = statement<HeldMedium>('media_alike_of_report', held(`${alike} and b.report_id = $1`, false));
const sameOfList = statement<HeldMedium>('media_same_of_list', held(`${same} and b.source = $1`, true));
const alikeOfList = statement<HeldMedium>('media_alike_of_list', held(`${alike} and b.source = $1`, false));

/** Holds back what is ready and has the same bytes as what a report blocks, deleted media too: they may come back. */
export const holdSame = (tx: Tx, reportId: string, now: Date): Promise<HeldMedium[]> =>
  tx.query(sameOfReport, [reportId, now]);

/** Holds back what looks like what a report blocks. Reads every medium of the installation. */
export const holdAlike = (tx: Tx, reportId: string, now: Date): Promise<HeldMedium[]> =>
  tx.query(alikeOfReport, [reportId, now]);

/** Holds back what is on the operator's list. Reads every medium of the installation. */
export async function holdListed(tx: Tx, now: Date): Promise<HeldMedium[]> {
  const exact = await tx.query(sameOfList, ['list', now]);
  return [...exact, ...(await tx.query(alikeOfList, ['list', now]))];
}

const matchOf = statement<Match>(
  'media_match',
  `select * from (
  (select b.source, b.report_id as "reportId", true as "isExact" from media m join blocked_media b on b.sha256 = m.sha256
    where m.id = $1 order by b.source limit 1)
  union all
  (select b.source, b.report_id, false from media m join blocked_media b on ${looksAlike} where m.id = $1 order by b.source limit 1)
) hit where not exists (select from media_matches k where k.media_id = $1 and k.released_at is not null)
order by source, "isExact" desc limit 1`,
);

/** Returns why a medium may not be shown, unless somebody has looked at it and released it. */
export async function findMatch(tx: Tx, mediaId: string): Promise<Match | undefined> {
  const [match] = await tx.query(matchOf, [mediaId]);
  return match;
}

/** Notes why a medium is held back. */
export async function insertMatch(tx: Tx, mediaId: string, match: Match, now: Date): Promise<void> {
  const { source, reportId, isExact } = match;
  const row = { source, report_id: reportId, is_exact: isExact, matched_at: now };
  await tx.db
    .insertInto('media_matches')
    .values({ media_id: mediaId, ...row })
    .onConflict((conflict) => conflict.column('media_id').doUpdateSet(row))
    .execute();
}

/** Sets what has just been made ready back to being looked at. */
export async function holdMedium(tx: Tx, mediaId: string): Promise<void> {
  await tx.db
    .updateTable('media')
    .set({ state: 'quarantined', fail_code: 'HASH_MATCH' })
    .where('id', '=', mediaId)
    .execute();
}

/** Forgets what a report has blocked. @returns the media that were held back for it */
export async function unblock(tx: Tx, reportId: string): Promise<HeldMedium[]> {
  await tx.db.deleteFrom('blocked_media').where('report_id', '=', reportId).execute();
  return tx.db
    .selectFrom('media_matches as k')
    .innerJoin('media as m', 'm.id', 'k.media_id')
    .select(['m.id as mediaId', 'm.creator_id as creatorId'])
    .where('k.report_id', '=', reportId)
    .where('m.state', '=', 'quarantined')
    .orderBy('m.id')
    .execute();
}

/** Shows a medium again. @returns false when it is not held back */
export async function showMedium(tx: Tx, mediaId: string): Promise<HeldMedium | undefined> {
  return tx.db
    .updateTable('media')
    .set({ state: 'ready', fail_code: null })
    .where('id', '=', mediaId)
    .where('state', '=', 'quarantined')
    .returning(['id as mediaId', 'creator_id as creatorId'])
    .executeTakeFirst();
}

const heldNow = statement<HeldMedium>(
  'media_held_now',
  `select m.id as "mediaId", m.creator_id as "creatorId" from media m join media_matches k on k.media_id = m.id and k.released_at is null
where m.id = $1 and m.state = 'quarantined' and m.deleted_at is null for no key update of m`,
);

/** Locks a medium that is held back. @returns undefined when it is not, or is deleted */
export const lockHeld = async (tx: Tx, mediaId: string): Promise<HeldMedium | undefined> =>
  (await tx.query(heldNow, [mediaId]))[0];

/** Forgets that a medium was held back. */
export async function deleteMatch(tx: Tx, mediaId: string): Promise<void> {
  await tx.db.deleteFrom('media_matches').where('media_id', '=', mediaId).execute();
}

/** Notes that somebody has looked at a medium and that it may be shown. */
export async function markReleased(tx: Tx, mediaId: string, now: Date): Promise<void> {
  await tx.db.updateTable('media_matches').set({ released_at: now }).where('media_id', '=', mediaId).execute();
}

/** A medium under review. */
export interface HeldMatch {
  mediaId: string;
  creatorId: string;
  creatorEmail: string;
  kind: 'photo' | 'video';
  source: 'report' | 'list';
  reportNumber: number | null;
  isExact: boolean;
  matchedAt: Date;
}

const matchRows = (
  where: string,
) => `select k.media_id as "mediaId", m.creator_id as "creatorId", u.email as "creatorEmail", m.kind, k.source,
  r.number as "reportNumber", k.is_exact as "isExact", k.matched_at as "matchedAt"
from media_matches k join media m on m.id = k.media_id join users u on u.id = m.creator_id left join reports r on r.id = k.report_id
where k.released_at is null and m.state = 'quarantined' and m.deleted_at is null and ${where} order by k.matched_at, k.media_id limit $1`;
const heldMatches = statement<HeldMatch>('media_matches_held', matchRows('true'));
// What a report itself is about is not news.
const newMatches = statement<HeldMatch>(
  'media_matches_new',
  matchRows(`k.notified_at is null and (r.id is null or not exists (select from report_targets t
    join album_items i on i.album_id = t.album_id where t.report_id = r.id and i.media_id = k.media_id))`),
);

/** Lists what is under review, oldest first. */
export const listMatches = (tx: Tx, limit: number): Promise<HeldMatch[]> => tx.query(heldMatches, [limit]);

/** Lists what is under review and of which the operator has not been told. */
export const listNewMatches = (tx: Tx, limit: number): Promise<HeldMatch[]> => tx.query(newMatches, [limit]);

/** Notes that the operator knows of everything that was held back up to now. */
export async function markNotified(tx: Tx, mediaIds: readonly string[], now: Date): Promise<void> {
  if (mediaIds.length === 0) return;
  await tx.db.updateTable('media_matches').set({ notified_at: now }).where('media_id', 'in', mediaIds).execute();
}
