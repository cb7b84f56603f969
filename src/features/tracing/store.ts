import { sql } from 'kysely';
import { statement, type Tx } from '#engines/database/work.ts';
import type { KeyRing } from '#engines/keys/key-ring.ts';
import { unwrapKey, type WrappedKey } from '#engines/keys/wrapped-key.ts';
import type { Cursor } from '#features/albums/rules.ts';
import type { PhotoTrack } from '#features/media/photo-job.ts';
import type { TraceOutcome, TraceState } from './contract.ts';
import type { TraceFailure, TraceProgress } from './evidence.ts';
import type { TraceResult } from './result.ts';

/** A trace as every reader of it sees its row. */
export interface TraceRow {
  id: string;
  creatorId: string;
  albumId: string | null;
  state: TraceState;
  outcome: TraceOutcome | null;
  failCode: TraceFailure | null;
  done: number;
  total: number;
  bytes: number;
  sha256: Buffer;
  hasPreview: boolean;
  result: unknown;
  createdAt: Date;
  finishedAt: Date | null;
  expiresAt: Date;
}

const columns = `id, creator_id as "creatorId", album_id as "albumId", state, outcome, fail_code as "failCode", done, total, bytes,
  sha256, has_preview as "hasPreview", result, created_at as "createdAt", finished_at as "finishedAt", expires_at as "expiresAt"`;

export interface NewTrace {
  id: string;
  creatorId: string;
  albumId: string | undefined;
  /** Another copy of the same leak. */
  withId: string | undefined;
  sizeBytes: number;
  sha256: Buffer;
  key: WrappedKey;
  now: Date;
  expiresAt: Date;
}

/** Notes a copy whose bytes are stored, and in the log, for good, that it was handed in. */
export async function insertTrace(tx: Tx, trace: NewTrace): Promise<void> {
  const { id, creatorId, now, sha256 } = trace;
  await tx.asSystem(async ({ db }) => {
    await db
      .insertInto('traces')
      .values({
        id,
        creator_id: creatorId,
        album_id: trace.albumId ?? null,
        with_id: trace.withId ?? null,
        state: 'queued',
        bytes: trace.sizeBytes,
        sha256,
        created_at: now,
        expires_at: trace.expiresAt,
      })
      .execute();
    const { keyId, wrapped } = trace.key;
    await db.insertInto('trace_keys').values({ trace_id: id, creator_id: creatorId, key_id: keyId, wrapped }).execute();
    await db
      .insertInto('trace_log')
      .values({ at: now, creator_id: creatorId, trace_id: id, kind: 'uploaded', sha256 })
      .execute();
  });
}

/** The key of a trace's files; undefined when the trace is gone. */
export async function findTraceKey(tx: Tx, ring: KeyRing, traceId: string): Promise<Buffer | undefined> {
  const row = await tx.asSystem(({ db }) =>
    db.selectFrom('trace_keys').select(['key_id', 'wrapped']).where('trace_id', '=', traceId).executeTakeFirst(),
  );
  return row && unwrapKey(ring, traceId, { keyId: row.key_id, wrapped: row.wrapped });
}

const oneTrace = statement<TraceRow>('trace_one', `select ${columns} from traces where id = $1`);

/** One trace of the asking creator. */
export async function findTrace(tx: Tx, traceId: string): Promise<TraceRow | undefined> {
  return (await tx.ask(oneTrace, [traceId]))[0];
}

const tracesListed = statement<TraceRow>(
  'traces_listed',
  `select ${columns} from traces where creator_id = $1 and ($2::timestamptz is null or (created_at, id) < ($2, $3::uuid))
  and ($5::uuid is null or album_id = $5 or album_id is null) order by created_at desc, id desc limit $4`,
);

/** A page of traces, newest first; of an album those that compared it, alone or with all others. */
export async function listTraces(
  tx: Tx,
  wish: { creatorId: string; albumId: string | undefined; after: Cursor | undefined; limit: number },
): Promise<TraceRow[]> {
  const { creatorId, albumId, after, limit } = wish;
  return tx.ask(tracesListed, [creatorId, after?.at ?? null, after?.id ?? null, limit, albumId ?? null]);
}

/** Deletes a trace with its key; what was stored of it is noise from here on. @returns false when there is none */
export async function deleteTrace(tx: Tx, traceId: string): Promise<boolean> {
  const row = await tx.asSystem(({ db }) =>
    db.deleteFrom('traces').where('id', '=', traceId).returning('id').executeTakeFirst(),
  );
  return row !== undefined;
}

/** Traces whose time is over. */
export async function listOldTraces(tx: Tx, now: Date): Promise<string[]> {
  const rows = await tx.db.selectFrom('traces').select('id').where('expires_at', '<=', now).limit(200).execute();
  return rows.map(({ id }) => id);
}

/** Traces that nobody works on any more: their job was given up, or the process that read them died. */
export async function listStuckTraces(tx: Tx, before: Date): Promise<string[]> {
  const rows = await tx.db
    .selectFrom('traces')
    .select('id')
    .where('state', 'in', underWay)
    .where('created_at', '<', before)
    .limit(200)
    .execute();
  return rows.map(({ id }) => id);
}

/** Creators with photos, two at most. */
export async function listPhotographers(tx: Tx): Promise<string[]> {
  const rows = await tx.db
    .selectFrom('media')
    .select('creator_id')
    .distinct()
    .where('kind', '=', 'photo')
    .where('state', '=', 'ready')
    .limit(2)
    .execute();
  return rows.map(({ creator_id }) => creator_id);
}

/** Which of these traces there are. */
export async function listKnownTraces(tx: Tx, traceIds: readonly string[]): Promise<Set<string>> {
  if (traceIds.length === 0) return new Set();
  const rows = await tx.db.selectFrom('traces').select('id').where('id', 'in', traceIds).execute();
  return new Set(rows.map(({ id }) => id));
}

const underWay = ['queued', 'matching', 'reading'] as const;

/** Begins a trace, or begins it again; undefined when it is over or gone. */
export async function beginTrace(tx: Tx, traceId: string) {
  return tx.db
    .updateTable('traces')
    .set(({ eb }) => ({ state: 'matching', attempts: eb('attempts', '+', 1), done: 0, total: 0 }))
    .where('id', '=', traceId)
    .where('state', 'in', underWay)
    .returning(['id', 'creator_id', 'album_id', 'with_id', 'bytes', 'sha256', 'attempts', 'created_at'])
    .executeTakeFirst();
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

/** How far a trace has come. @returns false when somebody has deleted it */
export async function moveTrace(tx: Tx, traceId: string, { step, done, of }: TraceProgress): Promise<boolean> {
  const row = await tx.db
    .updateTable('traces')
    .set({ state: step, done, total: of })
    .where('id', '=', traceId)
    .where('state', 'in', underWay)
    .returning('creator_id')
    .executeTakeFirst();
  if (row !== undefined) await tx.tell({ kind: 'trace.moved', creatorId: row.creator_id });
  return row !== undefined;
}

/** A browser may be shown the copy from now on. */
export async function notePreview(tx: Tx, traceId: string, creatorId: string): Promise<void> {
  await tx.db.updateTable('traces').set({ has_preview: true }).where('id', '=', traceId).execute();
  await tx.tell({ kind: 'trace.moved', creatorId });
}

/** Ends a trace that could not be made, with its reason. */
export async function failTrace(tx: Tx, traceId: string, code: TraceFailure, now: Date): Promise<void> {
  const row = await tx.db
    .updateTable('traces')
    .set({ state: 'failed', fail_code: code, finished_at: now })
    .where('id', '=', traceId)
    .where('state', 'in', underWay)
    .returning('creator_id')
    .executeTakeFirst();
  if (row !== undefined) await tx.tell({ kind: 'trace.ended', creatorId: row.creator_id });
}

/** Ends a trace with its answer. @returns false when it is over or gone already: then nothing may be logged for it */
export async function finishTrace(
  tx: Tx,
  traceId: string,
  { outcome, result, now }: { outcome: TraceOutcome; result: TraceResult; now: Date },
): Promise<boolean> {
  const row = await tx.db
    .updateTable('traces')
    .set({ state: 'done', outcome, result: JSON.stringify(result), finished_at: now })
    .where('id', '=', traceId)
    .where('state', 'in', underWay)
    .returning('creator_id')
    .executeTakeFirst();
  if (row !== undefined) await tx.tell({ kind: 'trace.ended', creatorId: row.creator_id });
  return row !== undefined;
}

export interface CandidateRow {
  mediaId: string;
  blockhash: string | null;
  mirroredBlockhash: string | null;
  packs: { track: PhotoTrack; path: string }[];
}

/** The photos that a copy may be of: the creator's own that are there, or those of one album. */
export async function listCandidates(tx: Tx, creatorId: string, albumId: string | null): Promise<CandidateRow[]> {
  const { rows } = await sql<CandidateRow>`
    select m.id as "mediaId", m.phash as blockhash, m.phash_mirrored as "mirroredBlockhash",
      json_agg(json_build_object('track', p.rendition, 'path', p.path)) as packs
    from media m join packs p on p.media_id = m.id and p.rendition in ('p2048', 'thumb512')
    where m.creator_id = ${creatorId} and m.kind = 'photo' and m.state = 'ready'
      and exists (select from media_keys k where k.media_id = m.id)
      and (${albumId}::uuid is null or exists (select from album_items i where i.media_id = m.id and i.album_id = ${albumId}))
    group by m.id having count(*) = 2 order by m.created_at desc, m.id`.execute(tx.db);
  return rows;
}

/** Whether an album is there for the asking creator. */
export async function isOwnAlbum(tx: Tx, albumId: string): Promise<boolean> {
  const row = await tx.db.selectFrom('albums').select('id').where('id', '=', albumId).executeTakeFirst();
  return row !== undefined;
}
