import { statement, type Tx } from '#engines/database/work.ts';
import type { AuditSeal, SealedEntries } from './chain.ts';

/** So many entries and so long later every transaction that took a number before has ended. */
const lateEntries = 10_000;
const lateSpan = `interval '1 hour'`;
const atOnce = 5000;

const sealTurn = statement<{ isMine: boolean }>(
  'audit_seal_turn',
  `select pg_try_advisory_xact_lock(hashtext('audit_seals')) as "isMine"`,
);

/** Takes the turn to seal; false while another process has it. */
export const takeSealTurn = async (tx: Tx): Promise<boolean> => (await tx.query(sealTurn, []))[0]?.isMine === true;

const hashOfRows = `sha256(string_agg(sha256(convert_to(audit_entry_text(a), 'UTF8')), ''::bytea order by a.id))`;

// Numbers are given out before their transactions end, so an entry may come into sight after later ones were sealed.
const unsealed = statement<{ month: string; ids: string; entries: number; rowsHash: Buffer }>(
  'audit_unsealed',
  `with last as (select coalesce(max(upper(ids)), 0) - ${lateEntries} as id from audit_seals),
recent as (select ids from audit_seals, last where upper(ids) > last.id or sealed_at > now() - 2 * ${lateSpan}),
waiting as (
  select a.* from audit_log a, last where (a.id > last.id or a.at > now() - ${lateSpan}) and not exists (select from recent r where r.ids @> a.id)
  order by a.id limit ${atOnce}
)
select to_char(a.at at time zone 'utc', 'YYYY-MM-01') as month, range_agg(int8range(a.id, a.id, '[]'))::text as ids,
  count(*)::int as entries, ${hashOfRows.replace('audit_entry_text(a)', 'audit_entry_text(row(a.*)::audit_log)')} as "rowsHash"
from waiting a group by 1 order by 1`,
);

/** Entries that no seal is over yet, by month; at most some thousand. */
export const listUnsealed = (tx: Tx) => tx.query(unsealed, []);

const newest = statement<{ n: number; hash: Buffer }>(
  'audit_seal_newest',
  'select n, hash from audit_seals order by n desc limit 1',
);

/** The newest seal; undefined before the first. */
export const findNewestSeal = async (tx: Tx) => (await tx.query(newest, []))[0];

const added = statement(
  'audit_seal_added',
  `insert into audit_seals (n, month, ids, entries, rows_hash, hash, sealed_at)
   values ($1, $2::date, $3::int8multirange, $4, $5, $6, now())`,
);

/** Adds the next seal. */
export async function insertSeal(tx: Tx, { n, month, ids, rowsHash, hash }: AuditSeal, entries: number): Promise<void> {
  await tx.query(added, [n, month, ids, entries, rowsHash, hash]);
}

/** So many seals are looked at in one transaction. */
const page = 20;

const sealsAfter = statement<SealedEntries>(
  'audit_seals_after',
  `select s.n, to_char(s.month, 'YYYY-MM-DD') as month, s.ids::text as ids, s.entries, s.rows_hash as "rowsHash", s.hash,
  s.month < date_trunc('month', now() at time zone 'utc') - interval '24 months' as "isOld",
  f.entries as "foundEntries", coalesce(f.hash, ''::bytea) as "foundHash"
from (select * from audit_seals where n > $1 order by n limit ${page}) s
cross join lateral (
  select count(*)::int as entries, ${hashOfRows} as hash
  from unnest(s.ids) r join audit_log a on a.id >= lower(r) and a.id < upper(r)
) f order by s.n`,
);

/** The next seals of the chain, each beside what is found of its entries. */
export const listSealsAfter = (tx: Tx, n: number) => tx.query(sealsAfter, [n]);

const strays = statement<{ strays: number }>(
  'audit_strays',
  `with last as (select coalesce(max(upper(ids)), 0) as id from audit_seals where n <= $1),
late as (
  select count(*) as count from audit_log a, last where (a.id > last.id - ${lateEntries} or a.at > now() - ${lateSpan}) and a.id < last.id
    and not exists (
      select from audit_seals s where s.n <= $1 and s.ids @> a.id
        and (upper(s.ids) > last.id - ${lateEntries} or s.sealed_at > now() - 2 * ${lateSpan}))
)
select (select count(*) from audit_log a, last where a.id < last.id) - (select count from late) - $2::bigint as strays`,
);

/**
 * How many entries stand among the sealed ones and are under no seal.
 * @param lastN the last seal that was looked at
 * @param sealedEntries how many entries were found under all of them
 */
export const countStrays = async (tx: Tx, lastN: number, sealedEntries: number): Promise<number> =>
  (await tx.query(strays, [lastN, sealedEntries]))[0]?.strays ?? 0;

const begun = statement('audit_check_begun', 'insert into audit_checks (id, began_at) values ($1, $2)');
const ended = statement(
  'audit_check_ended',
  'update audit_checks set ended_at = $2, seals = $3, entries = $4, fault = $5, hash = $6 where id = $1',
);
const forgotten = statement('audit_checks_forgotten', `delete from audit_checks where began_at < $1`);

export interface AuditCheck {
  id: string;
  beganAt: Date;
  /** Null while it goes on, or was cut off. */
  endedAt: Date | null;
  seals: number;
  entries: number;
  fault: string | null;
}

/** Keeps that a check has begun, and forgets those of before a moment. */
export async function insertCheck(tx: Tx, id: string, now: Date, forgetBefore: Date): Promise<void> {
  await tx.query(forgotten, [forgetBefore]);
  await tx.query(begun, [id, now]);
}

/** Keeps what a check has found. @param hash of the last seal that it has seen */
export async function endCheck(
  tx: Tx,
  { id, endedAt, seals, entries, fault }: Omit<AuditCheck, 'beganAt'>,
  hash: Buffer,
): Promise<void> {
  await tx.query(ended, [id, endedAt, seals, entries, fault, hash]);
}

const seenBefore = statement<{ n: number; hash: Buffer }>(
  'audit_seal_seen',
  'select seals as n, hash from audit_checks where fault is null and hash is not null order by seals desc, began_at desc limit 1',
);

/** The last seal that a check has seen which found nothing wrong; undefined before the first. */
export const findSealSeen = async (tx: Tx) => (await tx.query(seenBefore, []))[0];

const checks = statement<AuditCheck>(
  'audit_checks_listed',
  `select id, began_at as "beganAt", ended_at as "endedAt", seals, entries, fault from audit_checks order by began_at desc limit 10`,
);

/** The newest checks. */
export const listChecks = (tx: Tx) => tx.query(checks, []);
