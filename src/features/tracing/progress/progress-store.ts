import { sql } from 'kysely';
import type { Tx } from '#engines/database/work.ts';
import type { PictureTrack } from '#features/media/formats/keys.ts';
import type { TraceOutcome } from '../contract.ts';
import type { TraceFailure, TraceProgress } from '../findings.ts';
import type { TraceResult } from '../verdict/result.ts';
import type { MatchCheckpoint } from './match-checkpoint.ts';

// Drawn in docs/state-machines.md.
const underWay = ['queued', 'matching', 'reading'] as const;

/** Traces that nobody works on any more: their job was given up, or the process that read them died. */
export async function listStuckTraces(tx: Tx, before: Date): Promise<string[]> {
  const rows = await tx.db
    .selectFrom('traces')
    .select('id')
    .where('state', 'in', underWay)
    .where(({ fn, val }) => sql<boolean>`greatest(${fn.coalesce('place_at', 'created_at')}, retry_at) < ${val(before)}`)
    .limit(200)
    .execute();
  return rows.map(({ id }) => id);
}

/** Begins a trace, or begins it again; undefined when it is over or gone. */
export async function beginTrace(tx: Tx, traceId: string) {
  return tx.db
    .updateTable('traces')
    .set(({ eb }) => ({ state: 'matching', attempts: eb('attempts', '+', 1), retry_at: null }))
    .where('id', '=', traceId)
    .where('state', 'in', underWay)
    .returning([
      'id',
      'creator_id',
      'is_everywhere',
      'album_id',
      'with_id',
      'bytes',
      'sha256',
      'attempts',
      'timeouts',
      'place',
      // Whoever was shown an item after the very same file had first come has not made it; of one beside it nobody can say so.
      sql<Date>`case when with_id is null then least(created_at, (select min(at) from trace_log l
        where l.creator_id = traces.creator_id and l.kind = 'uploaded' and l.sha256 = traces.sha256)) else created_at end`.as(
        'known_at',
      ),
    ])
    .executeTakeFirst();
}

/** Keeps the place up to which candidates were compared; who came this far begins with fresh attempts. */
export async function keepPlace(tx: Tx, traceId: string, place: MatchCheckpoint, now: Date): Promise<void> {
  await tx.db
    .updateTable('traces')
    .set({ place: JSON.stringify(place), place_at: now, attempts: 0 })
    .where('id', '=', traceId)
    .where('state', 'in', underWay)
    .execute();
}

/** Returns how many copies of a creator are under way beside this one. */
export async function countUnderWay(tx: Tx, creatorId: string, traceId: string): Promise<number> {
  const row = await tx.db
    .selectFrom('traces')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('creator_id', '=', creatorId)
    .where('id', '<>', traceId)
    .where('state', 'in', underWay)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

/** Takes back what `beginTrace` counted: a store that is away says nothing about the copy. */
export async function forgetTraceAttempt(tx: Tx, traceId: string): Promise<void> {
  await tx.db
    .updateTable('traces')
    .set(({ eb }) => ({ attempts: eb('attempts', '-', 1) }))
    .where('id', '=', traceId)
    .where('attempts', '>', 0)
    .execute();
}

/** What is done of a whole trace, in the column `done`. */
export const wholeTrace = 1000;

/**
 * How far a trace has come; it never goes back, also when it is begun again and news of it come late.
 * @param moved its step, and `share` of the whole way @returns false when somebody has deleted it
 */
export async function moveTrace(
  tx: Tx,
  traceId: string,
  { step, of, share }: Pick<TraceProgress, 'step' | 'of'> & { share: number },
): Promise<boolean> {
  const row = await tx.db
    .updateTable('traces')
    .set(({ fn, val }) => ({
      state: step,
      done: fn<number>('greatest', ['done', val(Math.round(wholeTrace * share))]),
      ...(step === 'matching' && { total: of }),
    }))
    .where('id', '=', traceId)
    .where('state', 'in', underWay)
    .returning('creator_id')
    .executeTakeFirst();
  if (row !== undefined) await tx.publish({ kind: 'trace.moved', creatorId: row.creator_id });
  return row !== undefined;
}

/** A browser may be shown the copy from now on. */
export async function notePreview(tx: Tx, traceId: string, creatorId: string): Promise<void> {
  await tx.db.updateTable('traces').set({ has_preview: true }).where('id', '=', traceId).execute();
  await tx.publish({ kind: 'trace.moved', creatorId });
}

/** Lets a trace that ran out of time wait for its next try. @returns false when it is over or gone */
export async function postponeTrace(tx: Tx, traceId: string, retryAt: Date): Promise<boolean> {
  const row = await tx.db
    .updateTable('traces')
    .set(({ eb }) => ({ state: 'queued', attempts: 0, timeouts: eb('timeouts', '+', 1), retry_at: retryAt }))
    .where('id', '=', traceId)
    .where('state', 'in', underWay)
    .returning('creator_id')
    .executeTakeFirst();
  if (row !== undefined) await tx.publish({ kind: 'trace.moved', creatorId: row.creator_id });
  return row !== undefined;
}

/** Ends a trace that could not be made, with its reason. */
export async function failTrace(tx: Tx, traceId: string, code: TraceFailure, now: Date): Promise<void> {
  const row = await tx.db
    .updateTable('traces')
    .set({ state: 'failed', fail_code: code, finished_at: now, place: null })
    .where('id', '=', traceId)
    .where('state', 'in', underWay)
    .returning('creator_id')
    .executeTakeFirst();
  if (row !== undefined) await tx.publish({ kind: 'trace.ended', creatorId: row.creator_id });
}

/** Ends a trace with its answer. @returns false when it is over or gone already: then nothing may be logged for it */
export async function finishTrace(
  tx: Tx,
  traceId: string,
  { outcome, result, now }: { outcome: TraceOutcome; result: TraceResult; now: Date },
): Promise<boolean> {
  const row = await tx.db
    .updateTable('traces')
    .set({ state: 'done', outcome, result: JSON.stringify(result), finished_at: now, place: null })
    .where('id', '=', traceId)
    .where('state', 'in', underWay)
    .returning('creator_id')
    .executeTakeFirst();
  if (row !== undefined) await tx.publish({ kind: 'trace.ended', creatorId: row.creator_id });
  return row !== undefined;
}

/** The row of a trace under way. */
export interface TracedRow {
  id: string;
  creator_id: string;
  is_everywhere: boolean;
  album_id: string | null;
  with_id: string | null;
  /** When the very same file was submitted for the first time; together with another copy, when it came this time. */
  known_at: Date;
  bytes: number;
  sha256: Buffer;
  attempts: number;
  /** How often it has run out of time before. */
  timeouts: number;
  place: unknown;
}

export interface CandidateRow {
  mediaId: string;
  blockhash: string | null;
  mirroredBlockhash: string | null;
  kind: 'photo' | 'video';
  packs: { track: PictureTrack; path: string }[];
}

/** The photos, and videos with their pictures, that a picture may be of: the creator's own that are there, or those of one album; none of an album that was deleted. */
export async function listCandidates(
  tx: Tx,
  { creator_id: creatorId, is_everywhere: isEverywhere, album_id: albumId }: TracedRow,
): Promise<CandidateRow[]> {
  const { rows } = await sql<CandidateRow>`
    select m.id as "mediaId", m.kind, m.phash as blockhash, m.phash_mirrored as "mirroredBlockhash",
      json_agg(json_build_object('track', p.rendition, 'path', p.path)) as packs
    from media m join packs p on p.media_id = m.id and p.rendition in ('p2048', 'thumb512', 'poster', 'posterthumb', 'storyboard')
    where m.creator_id = ${creatorId} and m.state = 'ready'
      and exists (select from media_keys k where k.media_id = m.id)
      and (${isEverywhere} or exists (select from album_items i where i.media_id = m.id and i.album_id = ${albumId}))
    group by m.id having count(*) = case m.kind when 'photo' then 2 else 3 end order by m.id`.execute(tx.db);
  return rows;
}
