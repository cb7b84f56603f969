import { sql } from 'kysely';
import { statement, type Tx } from '#engines/database/work.ts';
import type { TraceOutcome } from '../contract.ts';

const turn = statement('trace_answer_turn', `select pg_advisory_xact_lock(hashtext('trace_answer'), hashtext($1))`);

/** Waits until no other answer of this creator is being written down, so that each counts those before it. */
export async function takeAnswerTurn(tx: Tx, creatorId: string): Promise<void> {
  await tx.query(turn, [creatorId]);
}

const earlier = statement<{ namedIds: string[] }>(
  'traces_earlier',
  `select named_ids as "namedIds" from trace_log l
where creator_id = $1 and kind = 'read' and trace_id <> $2 and media_ids && $3::uuid[] and not (
  $4 and sha256 = $5 and media_ids @> $3::uuid[] and media_ids <@ $3::uuid[] and compared = $6 and issued is not distinct from $7
  and exists (select from traces t where t.id = l.trace_id and t.result -> 'together' -> 'traceIds' = '[]'))`,
);

/** What an answer rests on. */
interface Ground {
  creatorId: string;
  traceId: string;
  sha256: Buffer;
  /** Not weighed together with another copy. */
  isAlone: boolean;
  mediaIds: readonly string[];
  compared: number;
  /** How many codewords stand to choice; null where nothing was found. */
  issued: number | null;
}

/**
 * How many traces found any of these items before this one, and how often each name was told by them: they were tries of the same.
 * The very same file on the same ground is no other try: it says what it said.
 */
export async function countEarlierTraces(
  tx: Tx,
  { creatorId, traceId, sha256, isAlone, mediaIds, compared, issued }: Ground,
): Promise<{ earlierTraces: number; timesNamed: Map<string, number> }> {
  const rows = await tx.query(earlier, [creatorId, traceId, mediaIds, isAlone, sha256, compared, issued]);
  const timesNamed = new Map<string, number>();
  for (const id of rows.flatMap(({ namedIds }) => namedIds)) timesNamed.set(id, (timesNamed.get(id) ?? 0) + 1);
  return { earlierTraces: rows.length, timesNamed };
}

const readNoted = statement(
  'trace_read_noted',
  `insert into trace_log (at, creator_id, trace_id, kind, sha256, outcome, media_ids, compared, issued, hypotheses, named_ids)
values ($1, $2, $3, 'read', $4, $5, $6::uuid[], $7, $8, $9, $10::uuid[]) on conflict (trace_id, kind) do nothing`,
);

export interface ReadEntry {
  creatorId: string;
  traceId: string;
  sha256: Buffer;
  outcome: TraceOutcome;
  mediaIds: readonly string[];
  compared: number;
  issued: number | null;
  hypotheses: number | null;
  namedIds: readonly string[];
  now: Date;
}

/** Writes down for good what a copy showed, in the transaction that tells it. */
export async function insertReadEntry(tx: Tx, entry: ReadEntry): Promise<void> {
  const { now, creatorId, traceId, sha256, outcome, mediaIds, compared, issued, hypotheses, namedIds } = entry;
  const counts = [compared, issued, hypotheses];
  await tx.query(readNoted, [now, creatorId, traceId, sha256, outcome, mediaIds, ...counts, namedIds]);
}

const disclosureNoted = statement(
  'trace_disclosure_noted',
  `insert into trace_log (at, creator_id, trace_id, kind, sha256, disclosed_ids)
values ($1, $2, $3, 'disclosed', $4, $5::uuid[]) on conflict (trace_id, kind) do nothing`,
);

/** Writes down for good that the seeds of these links and grants leave this installation with an evidence file. */
export async function insertDisclosure(
  tx: Tx,
  entry: { creatorId: string; traceId: string; sha256: Buffer; ids: readonly string[]; now: Date },
): Promise<void> {
  const { now, creatorId, traceId, sha256, ids } = entry;
  await tx.asSystem(({ query }) => query(disclosureNoted, [now, creatorId, traceId, sha256, ids]));
}

const disclosed = statement<{ isKnown: boolean }>(
  'trace_disclosed_before',
  `select exists (select from trace_log where creator_id = $1 and kind = 'disclosed' and trace_id <> $2 and disclosed_ids && $3::uuid[] and at <= $4) as "isKnown"`,
);

/** Returns whether the codeword of any of these was disclosed by another trace before: whoever has that file could draw a copy with it. */
export async function wasDisclosed(
  tx: Tx,
  params: { creatorId: string; traceId: string; ids: readonly string[]; before: Date },
): Promise<boolean> {
  const { creatorId, traceId, ids, before } = params;
  return (await tx.query(disclosed, [creatorId, traceId, ids, before]))[0]?.isKnown === true;
}

export interface LogRow {
  seq: number;
  at: Date;
  kind: 'uploaded' | 'read' | 'disclosed';
  outcome: TraceOutcome | null;
  traceId: string;
  /** It was of the very same file. */
  isSame: boolean;
  /** How many there are in all. */
  outOf: number;
}

/** What the log says of one trace, and of the earlier ones of the same items; of very many the first. */
export async function listLog(
  tx: Tx,
  { creatorId, traceId, mediaIds }: { creatorId: string; traceId: string; mediaIds: readonly string[] },
): Promise<LogRow[]> {
  const { rows } = await sql<LogRow>`
    select * from (select seq::float8 as seq, at, kind, outcome, trace_id as "traceId",
      sha256 = (select sha256 from trace_log where trace_id = ${traceId} and kind = 'uploaded') as "isSame", count(*) over ()::int as "outOf" from trace_log
    where creator_id = ${creatorId} and (trace_id = ${traceId} or (kind = 'read' and media_ids && ${mediaIds}::uuid[]
      and seq < coalesce((select seq from trace_log where trace_id = ${traceId} and kind = 'read'), 0)))
    order by (trace_id = ${traceId}) desc, seq limit 1000) c order by seq`.execute(tx.db);
  return rows;
}

const hashes = statement<{ traceId: string; sha256: string }>(
  'trace_hashes',
  `select trace_id as "traceId", encode(sha256, 'hex') as sha256 from trace_log
where creator_id = $1 and kind = 'uploaded' and trace_id = any($2::uuid[]) order by seq`,
);

/** The hashes of copies that were submitted, also of those that were deleted meanwhile. */
export const listHashes = (tx: Tx, creatorId: string, traceIds: readonly string[]) =>
  tx.query(hashes, [creatorId, traceIds]);
