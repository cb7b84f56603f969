import { statement, type Tx } from '#engines/database/work.ts';
import type { KeyRing } from '#engines/keys/key-ring.ts';
import { unwrapKey, wrapKey } from '#engines/keys/wrapped-key.ts';
import type { ExportState } from '../rules.ts';

export interface DataExport {
  id: string;
  userId: string;
  hasOriginals: boolean;
  state: ExportState;
  requestedAt: Date;
  attempt: number;
  doneBytes: number;
  totalBytes: number;
  sizeBytes: number | null;
  readyAt: Date | null;
  expiresAt: Date | null;
  failure: 'no_room' | 'broken' | null;
  openedBy: string | null;
  openedUntil: Date | null;
}

const columns = `e.id, e.user_id as "userId", e.has_originals as "hasOriginals", e.state, e.requested_at as "requestedAt", e.attempt,
  e.done_bytes as "doneBytes", e.total_bytes as "totalBytes", e.size_bytes as "sizeBytes", e.ready_at as "readyAt", e.expires_at as "expiresAt",
  e.failure, e.opened_by as "openedBy", e.opened_until as "openedUntil"`;

const endReady = statement(
  'export_ready_ended',
  `with older as (
  update data_exports set state = 'expired', ended_at = $2 where user_id = $1 and state = 'ready' returning id
)
delete from export_keys k using older o where k.export_id = o.id`,
);
const inserted = statement(
  'export_requested',
  'insert into data_exports (id, user_id, has_originals, requested_at, total_bytes) values ($1, $2, $3, $4, $5)',
);

/** Notes that an export was asked for; one that was ready ends. The caller has seen that none is under way, under the account's lock. */
export async function insertExport(
  tx: Tx,
  request: { id: string; userId: string; hasOriginals: boolean; now: Date; totalBytes: number },
): Promise<void> {
  const { id, userId, hasOriginals, now, totalBytes } = request;
  await tx.query(endReady, [userId, now]);
  await tx.query(inserted, [id, userId, hasOriginals, now, totalBytes]);
}

const locked = statement<{ id: string }>(
  'export_account_locked',
  'select id from users where id = $1 for no key update',
);
const newest = statement<DataExport>(
  'export_newest',
  `select ${columns} from data_exports e where e.user_id = $1 order by e.requested_at desc limit 1`,
);

/** The newest export of an account. */
export const findNewestExport = async (tx: Tx, userId: string): Promise<DataExport | undefined> =>
  (await tx.query(newest, [userId]))[0];

/** The same, while nobody else asks for one. */
export async function lockNewestExport(tx: Tx, userId: string): Promise<DataExport | undefined> {
  await tx.query(locked, [userId]);
  return findNewestExport(tx, userId);
}

const one = statement<DataExport>('export_one', `select ${columns} from data_exports e where e.id = $1`);

/** One export of the asking creator, or for the system of anybody. */
export const findExport = async (tx: Tx, id: string): Promise<DataExport | undefined> => (await tx.query(one, [id]))[0];

const begun = statement<DataExport>(
  'export_begun',
  `update data_exports e set state = 'building', attempt = attempt + 1, done_bytes = 0 where e.id = $1 and e.state in ('requested', 'building') returning ${columns}`,
);
const keyed = statement(
  'export_keyed',
  `insert into export_keys (export_id, user_id, key_id, wrapped) values ($1, $2, $3, $4)
on conflict (export_id) do update set key_id = excluded.key_id, wrapped = excluded.wrapped`,
);

/** Begins one more attempt at an export, under a key of its own. @returns undefined when it is over */
export async function beginAttempt(tx: Tx, ring: KeyRing, id: string, key: Buffer): Promise<DataExport | undefined> {
  const [row] = await tx.query(begun, [id]);
  if (row === undefined) return undefined;
  const { keyId, wrapped } = wrapKey(ring, id, key);
  await tx.query(keyed, [id, row.userId, keyId, wrapped]);
  return row;
}

const key = statement<{ keyId: string; wrapped: Buffer }>(
  'export_key',
  'select key_id as "keyId", wrapped from export_keys where export_id = $1',
);

/** The key of an export's files; undefined when it was destroyed. */
export async function findExportKey(tx: Tx, ring: KeyRing, id: string): Promise<Buffer | undefined> {
  const [row] = await tx.query(key, [id]);
  return row && unwrapKey(ring, id, row);
}

const progressed = statement(
  'export_progressed',
  `update data_exports set done_bytes = $3 where id = $1 and attempt = $2 and state = 'building'`,
);

export const noteProgress = async (tx: Tx, { id, attempt }: Attempt, doneBytes: number): Promise<void> =>
  void (await tx.query(progressed, [id, attempt, doneBytes]));

/** One try at building an export. */
export type Attempt = Pick<DataExport, 'id' | 'attempt'>;

const finished = statement<{ email: string; timeZone: string }>(
  'export_finished',
  `update data_exports e set state = 'ready', size_bytes = $3, done_bytes = total_bytes, ready_at = $4, expires_at = $5 from users u
where e.id = $1 and e.attempt = $2 and e.state = 'building' and u.id = e.user_id returning u.email, u.time_zone as "timeZone"`,
);

/** @returns whom to tell; undefined when the account was erased meanwhile, or another attempt was begun */
export const markReady = async (
  tx: Tx,
  { id, attempt }: Attempt,
  { sizeBytes, now, expiresAt }: { sizeBytes: number; now: Date; expiresAt: Date },
): Promise<{ email: string; timeZone: string } | undefined> =>
  (await tx.query(finished, [id, attempt, sizeBytes, now, expiresAt]))[0];

const failed = statement(
  'export_failed',
  `with failing as (
  update data_exports set state = 'failed', failure = $2, ended_at = $3 where id = $1 and state in ('requested', 'building') returning id
)
delete from export_keys k using failing f where k.export_id = f.id`,
);

export const failExport = async (tx: Tx, id: string, failure: 'no_room' | 'broken', now: Date): Promise<void> =>
  void (await tx.query(failed, [id, failure, now]));

const opened = statement<{ id: string }>(
  'export_opened',
  `update data_exports set opened_by = $3, opened_until = $4 where id = $1 and user_id = $2 and state = 'ready' and expires_at > $5 returning id`,
);

/** Lets a session download an export for some time. @returns false when there is none */
export const openExport = async (
  tx: Tx,
  { id, userId, sessionId, until, now }: { id: string; userId: string; sessionId: string; until: Date; now: Date },
): Promise<boolean> => (await tx.query(opened, [id, userId, sessionId, until, now])).length === 1;

const expired = statement<{ id: string }>(
  'exports_expired',
  `with over as (
  update data_exports set state = 'expired', ended_at = $1 where state = 'ready' and expires_at <= $1 returning id
), stuck as (
  update data_exports set state = 'failed', failure = 'broken', ended_at = $1 where state in ('requested', 'building') and requested_at <= $2 returning id
)
delete from export_keys k using (select id from over union all select id from stuck) e where k.export_id = e.id returning k.export_id as id`,
);

/** Ends exports whose time is over, and those that nobody builds any more, with their keys. @param stuckSince asked for before then */
export const endExports = async (tx: Tx, now: Date, stuckSince: Date): Promise<void> =>
  void (await tx.query(expired, [now, stuckSince]));

const leftover = statement<{ id: string }>(
  'exports_left',
  'select id from data_exports where ended_at is not null and files_removed_at is null order by ended_at limit 100',
);

/** Exports that are over and whose files may still be there. */
export const listEndedExports = async (tx: Tx): Promise<string[]> => (await tx.query(leftover, [])).map(({ id }) => id);

const removed = statement('export_files_removed', 'update data_exports set files_removed_at = $2 where id = $1');

export const noteFilesRemoved = async (tx: Tx, id: string, now: Date): Promise<void> =>
  void (await tx.query(removed, [id, now]));

const forgotten = statement(
  'exports_forgotten',
  'delete from data_exports where ended_at < $1 and files_removed_at is not null',
);

/** Forgets that there were exports, once that helps nobody any more. */
export const forgetExports = async (tx: Tx, before: Date): Promise<void> => void (await tx.query(forgotten, [before]));

const known = statement<{ id: string }>('exports_known', 'select id from data_exports where id = any($1::uuid[])');

/** Which of these exports there are. */
export const listKnownExports = async (tx: Tx, ids: readonly string[]): Promise<Set<string>> =>
  new Set((await tx.query(known, [ids])).map(({ id }) => id));

/** An original that goes into an export. */
export interface ExportedOriginal {
  id: string;
  name: string;
  path: string;
  bytes: number;
  at: Date;
}

const originals = statement<ExportedOriginal>(
  'export_originals',
  `select m.id, m.original_name as name, m.original_path as path, m.bytes, m.created_at as at from media m
where m.creator_id = $1 and m.id > $2 and m.deleted_at is null and m.original_path is not null and m.state <> 'quarantined' order by m.id limit 500`,
);

/** The next originals of a creator, the oldest first. @param after the last one of before */
export const listOriginals = (tx: Tx, userId: string, after: string): Promise<ExportedOriginal[]> =>
  tx.query(originals, [userId, after]);

const counted = statement<{ count: number; bytes: number }>(
  'export_originals_counted',
  `select count(*)::int as count, coalesce(sum(m.bytes), 0)::bigint as bytes from media m
where m.creator_id = $1 and m.deleted_at is null and m.original_path is not null and m.state <> 'quarantined'`,
);

export async function countOriginals(tx: Tx, userId: string): Promise<{ count: number; bytes: number }> {
  const [row] = await tx.query(counted, [userId]);
  return row ?? { count: 0, bytes: 0 };
}
