import { statement } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { eventsKeptSince } from '#features/insights/rules.ts';
import { dayMs } from '#kit/time.ts';
import { mostListed, type Rubbish } from './kind.ts';

const system = { kind: 'system' } as const;

/** Rows that nobody needs any more. */
interface RowKind {
  table: string;
  /** The row's id as text. */
  id: string;
  /** Asks it of a row `t`; `$1` is a moment. */
  isRubbish: string;
  /** Before which moment a row is rubbish. */
  before(engines: Engines): Date;
  /** What a row takes, in bytes. */
  size?: string;
}

/** Returns what counts, lists and deletes rows by one condition. */
export function ofRows(name: string, { table, id, isRubbish, before, size = 'pg_column_size(t.*)' }: RowKind): Rubbish {
  const counted = statement<{ count: number; sizeBytes: number }>(
    `junk_${name}_counted`,
    `select count(*)::int as count, coalesce(sum(${size}), 0)::bigint as "sizeBytes" from ${table} t where ${isRubbish}`,
  );
  const listed = statement<{ id: string }>(
    `junk_${name}_listed`,
    `select ${id} as id from ${table} t where ${isRubbish} order by 1 limit ${mostListed}`,
  );
  const deleted = statement<{ id: string }>(
    `junk_${name}_deleted`,
    `delete from ${table} t where ${isRubbish} and ${id} = any($2::text[]) returning ${id} as id`,
  );
  const count = async (engines: Engines) => {
    const [row] = await engines.database.work(system, (tx) => tx.query(counted, [before(engines)]));
    return { count: row?.count ?? 0, sizeBytes: Number(row?.sizeBytes ?? 0) };
  };
  return {
    count,
    async look(engines) {
      const rows = await engines.database.work(system, (tx) => tx.query(listed, [before(engines)]));
      return { ...(await count(engines)), ids: rows.map((row) => row.id) };
    },
    clean: async (engines, ids) =>
      (await engines.database.work(system, (tx) => tx.query(deleted, [before(engines), ids]))).length,
  };
}

const daysAgo =
  (days: number) =>
  ({ clock }: Engines) =>
    new Date(clock() - days * dayMs);

/** Links and codes that were mailed, a day after they have run out. */
export const codes = ofRows('codes', {
  table: 'email_tokens',
  id: 't.id::text',
  isRubbish: 't.expires_at < $1',
  before: daysAgo(1),
});

/** Sessions, a day after they have run out. */
export const sessions = ofRows('sessions', {
  table: 'auth_sessions',
  id: 't.id::text',
  isRubbish: 't.expires_at < $1',
  before: daysAgo(1),
});

/** Links to purchases, a day after they have run out. */
export const purchaseLinks = ofRows('purchase_links', {
  table: 'buyer_recovery_tokens',
  id: `encode(t.token_hash, 'hex')`,
  isRubbish: 't.expires_at < $1',
  before: daysAgo(1),
});

/** Messages that were closed without an answer, as spam is, a week after they came. */
export const closedSupport = ofRows('closed_support', {
  table: 'support_requests',
  id: 't.id::text',
  isRubbish: `t.status = 'closed' and t.created_at < $1 and not exists (select from support_answers a where a.request_id = t.id)`,
  before: daysAgo(7),
});

/** What programs opened, after the time for which visits are kept. */
export const robotVisits = ofRows('robot_visits', {
  table: 'robot_opens',
  id: `t.link_id || '/' || t.day`,
  isRubbish: `t.day < ($1::timestamptz at time zone 'utc')::date`,
  before: ({ linkClock }) => new Date(eventsKeptSince(new Date(linkClock())).getTime() - dayMs),
});

/** Emails that were held back and never left, a week later. Those stay that an unsubscribe link names: it works for ever. */
export const heldBackEmails = ofRows('held_back_emails', {
  table: 'mail_outbox',
  id: 't.id::text',
  isRubbish: `t.state = 'suppressed' and t.created_at < $1 and not t.is_named_by_link`,
  before: daysAgo(7),
});

const { clean: _, ...quarantine } = ofRows('quarantined_media', {
  table: 'media',
  id: 't.id::text',
  isRubbish: `t.state = 'quarantined' and t.deleted_at is null and t.created_at < $1`,
  before: daysAgo(90),
  size: 't.bytes',
});
/** Media that have been held back for three months: somebody decides about each of them, so they are only shown. */
export const quarantinedMedia: Rubbish = quarantine;
