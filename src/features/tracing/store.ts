import { statement, type Tx } from '#engines/database/work.ts';
import type { KeyRing } from '#engines/keys/key-ring.ts';
import { unwrapKey, type WrappedKey } from '#engines/keys/wrapped-key.ts';
import type { Cursor } from '#features/albums/rules.ts';
import type { KeyTable } from '#features/media/key-tables-store.ts';
import type { TimeoutCounts } from '#features/media/timeouts-store.ts';
import type { TraceOutcome, TraceState } from './contract.ts';
import type { TraceFailure } from './findings.ts';

/** A trace as every reader of it sees its row. */
export interface TraceRow {
  id: string;
  creatorId: string;
  albumId: string | null;
  /** All photos were compared, not those of one album. */
  isEverywhere: boolean;
  state: TraceState;
  outcome: TraceOutcome | null;
  failCode: TraceFailure | null;
  /** Of `wholeTrace`. */
  done: number;
  /** With how many items it is compared. */
  total: number;
  bytes: number;
  sha256: Buffer;
  hasPreview: boolean;
  result: unknown;
  createdAt: Date;
  finishedAt: Date | null;
  expiresAt: Date;
}

const columns = `id, creator_id as "creatorId", album_id as "albumId", is_everywhere as "isEverywhere", state, outcome, fail_code as "failCode", done, total, bytes,
  sha256, has_preview as "hasPreview", result, created_at as "createdAt", finished_at as "finishedAt", expires_at as "expiresAt"`;

export interface NewTrace {
  id: string;
  creatorId: string;
  /** Left out: all of theirs are compared. */
  albumId: string | undefined;
  /** Another copy of the same leak. */
  withId: string | undefined;
  sizeBytes: number;
  sha256: Buffer;
  key: WrappedKey;
  now: Date;
  expiresAt: Date;
}

/** Notes a copy whose bytes are stored, and in the log, for good, that it was submitted. */
export async function insertTrace(tx: Tx, trace: NewTrace): Promise<void> {
  const { id, creatorId, now, sha256 } = trace;
  await tx.asSystem(async ({ db }) => {
    await db
      .insertInto('traces')
      .values({
        id,
        creator_id: creatorId,
        is_everywhere: trace.albumId === undefined,
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

/** Where the keys of traces are, each wrapped by a master key. */
export const traceKeyTable: KeyTable = { table: 'trace_keys', owner: 'trace_id' };

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
  return (await tx.query(oneTrace, [traceId]))[0];
}

const tracesListed = statement<TraceRow>(
  'traces_listed',
  `select ${columns} from traces where creator_id = $1 and ($2::timestamptz is null or (created_at, id) < ($2, $3::uuid))
  and ($5::uuid is null or album_id = $5 or is_everywhere) order by created_at desc, id desc limit $4`,
);

/** A page of traces, newest first; of an album those that compared it, alone or with all others. */
export async function listTraces(
  tx: Tx,
  params: { creatorId: string; albumId: string | undefined; after: Cursor | undefined; limit: number },
): Promise<TraceRow[]> {
  const { creatorId, albumId, after, limit } = params;
  return tx.query(tracesListed, [creatorId, after?.at ?? null, after?.id ?? null, limit, albumId ?? null]);
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

/** Creators with photos or videos, two at most. */
export async function listPhotographers(tx: Tx): Promise<string[]> {
  const rows = await tx.db
    .selectFrom('media')
    .select('creator_id')
    .distinct()
    .where('state', '=', 'ready')
    .limit(2)
    .execute();
  return rows.map(({ creator_id }) => creator_id);
}

/** Which of these traces are over without anything that their copies are needed for. */
export async function listTracesInVain(tx: Tx, traceIds: readonly string[]): Promise<string[]> {
  if (traceIds.length === 0) return [];
  const rows = await tx.db
    .selectFrom('traces')
    .select('id')
    .where('id', 'in', traceIds)
    .where(({ eb, or }) => or([eb('state', '=', 'failed'), eb('outcome', '=', 'no_match')]))
    .execute();
  return rows.map(({ id }) => id);
}

/** Which of these traces there are. */
export async function listKnownTraces(tx: Tx, traceIds: readonly string[]): Promise<Set<string>> {
  if (traceIds.length === 0) return new Set();
  const rows = await tx.db.selectFrom('traces').select('id').where('id', 'in', traceIds).execute();
  return new Set(rows.map(({ id }) => id));
}

/** Whether an album is there for the asking creator. */
export async function isOwnAlbum(tx: Tx, albumId: string): Promise<boolean> {
  const row = await tx.db.selectFrom('albums').select('id').where('id', '=', albumId).executeTakeFirst();
  return row !== undefined;
}

const timeouts = statement<TimeoutCounts>(
  'trace_timeouts',
  `select count(*) filter (where state in ('queued', 'matching', 'reading'))::int as waiting,
  count(*) filter (where state = 'failed' and fail_code = 'TIMEOUT')::int as "givenUp", min(retry_at) as "nextAt"
from traces where timeouts > 0`,
);

/** Returns how many copies have run out of time. */
export const countTraceTimeouts = async (tx: Tx): Promise<TimeoutCounts> =>
  (await tx.query(timeouts, []))[0] ?? { waiting: 0, givenUp: 0, nextAt: null };

const uploads = statement<{ count: number }>(
  'trace_uploads_since',
  `select count(*)::int as count from trace_log l where l.creator_id = $1 and l.kind = 'uploaded' and l.at >= $2
  and not exists (select from traces t where t.id = l.trace_id and t.state = 'failed' and t.fail_code = any($3))`,
);

/** Returns how many copies a creator has submitted since a moment, deleted ones too, but for those that failed for one of these reasons. */
export async function countUploads(
  tx: Tx,
  creatorId: string,
  since: Date,
  failures: readonly string[],
): Promise<number> {
  return (await tx.query(uploads, [creatorId, since, failures]))[0]?.count ?? 0;
}
