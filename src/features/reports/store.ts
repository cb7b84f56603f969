import { sql } from 'kysely';
import type { Tx } from '#engines/database/work.ts';
import { drawNumber } from '#features/audit/numbers.ts';
import { newId } from '#kit/ids.ts';
import { hourMs } from '#kit/time.ts';
import type { Report } from './contract.ts';

export type ReportState = 'received' | 'hidden' | 'removed' | 'rejected' | 'appealed';

export interface NewReport extends Omit<Report, 'isInGoodFaith'> {
  linkId: string | undefined;
  creatorId: string | undefined;
  isHidden: boolean;
  /** A keyed hash. */
  network: string;
  decideBy: Date;
  now: Date;
}

/** Keeps a report. @returns its id and number, and whether that is to be mailed to the address that was given */
export async function insertReport(
  tx: Tx,
  report: NewReport,
): Promise<{ id: string; number: number; isToBeMailed: boolean }> {
  const { kind, target, details, onBehalf, name, email, network, now } = report;
  // Two reports with one address at the same moment are one email.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`report ${email}`}, 0))`.execute(tx.db);
  const known = await tx.db
    .selectFrom('reports')
    .select('id')
    .where('email', '=', email)
    .where('acknowledged_at', '>', new Date(now.getTime() - hourMs))
    .limit(1)
    .executeTakeFirst();
  const id = newId<'report'>(now.getTime());
  const row = {
    id,
    kind,
    target,
    details,
    name,
    email,
    network,
    state: report.isHidden ? ('hidden' as const) : ('received' as const),
    hidden_at_once: report.isHidden,
    link_id: report.linkId ?? null,
    creator_id: report.creatorId ?? null,
    on_behalf: onBehalf,
    created_at: now,
    decide_by: report.decideBy,
    acknowledged_at: known === undefined ? now : null,
  };
  const number = await drawNumber((drawn) =>
    tx.db
      .insertInto('reports')
      .values({ ...row, number: drawn })
      .onConflict((conflict) => conflict.column('number').doNothing())
      .returning('number')
      .executeTakeFirst(),
  );
  return { id, number, isToBeMailed: known === undefined };
}

/** Returns how many reports of a network were rejected since a moment. */
export async function countRejected(tx: Tx, network: string, since: Date): Promise<number> {
  const row = await tx.db
    .selectFrom('reports')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('network', '=', network)
    .where('state', '=', 'rejected')
    .where('decided_at', '>', since)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

export interface StoredReport extends Omit<Report, 'isInGoodFaith'> {
  id: string;
  number: number;
  state: ReportState;
  linkId: string | null;
  creatorId: string | null;
  createdAt: Date;
  decideBy: Date;
  decidedAt: Date | null;
  reason: string | null;
  decidedBy: string | null;
  wasHiddenAtOnce: boolean;
}

const columns = [
  'id',
  'number',
  'kind',
  'state',
  'target',
  'details',
  'on_behalf as onBehalf',
  'name',
  'email',
  'link_id as linkId',
  'creator_id as creatorId',
  'created_at as createdAt',
  'decide_by as decideBy',
  'decided_at as decidedAt',
  'reason',
  'decided_by as decidedBy',
  'hidden_at_once as wasHiddenAtOnce',
] as const;

/** What nobody has decided, the most urgent first. */
export async function listWaitingReports(tx: Tx, limit: number): Promise<StoredReport[]> {
  return tx.db
    .selectFrom('reports')
    .select(columns)
    .where('decided_at', 'is', null)
    .orderBy('decide_by')
    .limit(limit)
    .$castTo<StoredReport>()
    .execute();
}

/** Finds reports by their numbers. */
export async function findReports(tx: Tx, numbers: readonly number[]): Promise<StoredReport[]> {
  if (numbers.length === 0) return [];
  return tx.db
    .selectFrom('reports')
    .select(columns)
    .where('number', 'in', [...numbers])
    .$castTo<StoredReport>()
    .execute();
}

/** Held until the transaction ends: two people do not decide the same. */
export async function lockReport(tx: Tx, number: number): Promise<StoredReport | undefined> {
  return tx.db
    .selectFrom('reports')
    .select(columns)
    .where('number', '=', number)
    .forUpdate()
    .$castTo<StoredReport>()
    .executeTakeFirst();
}

/** Notes that what a report is about is hidden until it is decided. */
export async function markHidden(tx: Tx, id: string): Promise<void> {
  await tx.db.updateTable('reports').set({ state: 'hidden' }).where('id', '=', id).execute();
}

export async function decideReport(
  tx: Tx,
  id: string,
  { state, reason, by, now }: { state: 'removed' | 'rejected'; reason: string; by: string; now: Date },
): Promise<void> {
  await tx.db
    .updateTable('reports')
    .set({ state, reason, decided_by: by, decided_at: now })
    .where('id', '=', id)
    .execute();
}

/** Returns where the creator of a link can be told; undefined when they cannot be reached. */
export async function findCreatorEmail(tx: Tx, creatorId: string): Promise<string | undefined> {
  const row = await tx.db
    .selectFrom('users')
    .select('email')
    .where('id', '=', creatorId)
    .where('email_verified', '=', true)
    .where('status', 'in', ['active', 'limited'])
    .executeTakeFirst();
  return row?.email;
}

/** Forgets what was decided before a moment. What was removed stays so. */
export async function forgetReports(tx: Tx, before: Date): Promise<void> {
  await tx.db.deleteFrom('reports').where('decided_at', '<', before).execute();
}
