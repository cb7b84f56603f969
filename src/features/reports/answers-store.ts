import { statement, type Tx } from '#engines/database/work.ts';
import { newId } from '#kit/ids.ts';
import type { AnswerKind, Report } from './contract.ts';
import type { ReportState, StoredReport } from './store.ts';

export interface StoredAnswer {
  kind: AnswerKind;
  text: string;
  name: string | null;
  postalAddress: string | null;
  createdAt: Date;
  decideBy: Date | null;
  outcome: 'kept' | 'restored' | null;
  reason: string | null;
}

export interface NewAnswer {
  reportId: string;
  creatorId: string;
  kind: AnswerKind;
  text: string;
  name: string | undefined;
  postalAddress: string | undefined;
  decideBy: Date | undefined;
  now: Date;
}

/** Keeps what a creator says. @returns false when they have said something of this kind already */
export async function insertAnswer(tx: Tx, answer: NewAnswer): Promise<boolean> {
  const { reportId, creatorId, kind, text, name, postalAddress, decideBy, now } = answer;
  const row = await tx.db
    .insertInto('report_answers')
    .values({
      id: newId<'reportAnswer'>(now.getTime()),
      report_id: reportId,
      creator_id: creatorId,
      kind,
      text,
      name: name ?? null,
      postal_address: postalAddress ?? null,
      created_at: now,
      decide_by: decideBy ?? null,
    })
    .onConflict((conflict) => conflict.columns(['report_id', 'kind']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Notes that a decision is appealed. */
export async function markAppealed(tx: Tx, reportId: string): Promise<void> {
  await tx.db.updateTable('reports').set({ state: 'appealed' }).where('id', '=', reportId).execute();
}

export interface Outcome {
  outcome: 'kept' | 'restored';
  reason: string;
  by: string;
  now: Date;
}

/** Answers an appeal or a counter-notice, and the report with it. @returns false when none waits */
export async function decideAnswer(
  tx: Tx,
  reportId: string,
  { outcome, reason, by, now }: Outcome,
): Promise<AnswerKind | undefined> {
  const row = await tx.db
    .updateTable('report_answers')
    .set({ outcome, reason, decided_by: by, decided_at: now })
    .where('report_id', '=', reportId)
    .where('kind', '!=', 'answer')
    .where('decided_at', 'is', null)
    .returning('kind')
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const state = outcome === 'kept' ? ('removed' as const) : ('rejected' as const);
  await tx.db.updateTable('reports').set({ state }).where('id', '=', reportId).execute();
  return row.kind;
}

/** Returns what the creator has said about a report, oldest first. */
export async function listAnswers(tx: Tx, reportId: string): Promise<StoredAnswer[]> {
  return tx.db
    .selectFrom('report_answers')
    .select([
      'kind',
      'text',
      'name',
      'postal_address as postalAddress',
      'created_at as createdAt',
      'decide_by as decideBy',
      'outcome',
      'reason',
    ])
    .where('report_id', '=', reportId)
    .orderBy('created_at')
    .execute();
}

/** Appeals and counter-notices that wait for a decision, the most urgent first. */
export async function listWaitingAnswers(
  tx: Tx,
  limit: number,
): Promise<{ number: number; kind: AnswerKind; decideBy: Date }[]> {
  return tx.db
    .selectFrom('report_answers as a')
    .innerJoin('reports as r', 'r.id', 'a.report_id')
    .select(['r.number', 'a.kind', 'a.decide_by as decideBy'])
    .where('a.decided_at', 'is', null)
    .where('a.decide_by', 'is not', null)
    .orderBy('a.decide_by')
    .limit(limit)
    .$castTo<{ number: number; kind: AnswerKind; decideBy: Date }>()
    .execute();
}

/** Numbers of reports whose counter-notice has waited long enough. */
export async function listDueCounterNotices(tx: Tx, now: Date, limit: number): Promise<number[]> {
  const rows = await tx.db
    .selectFrom('report_answers as a')
    .innerJoin('reports as r', 'r.id', 'a.report_id')
    .select('r.number')
    .where('a.kind', '=', 'counter_notice')
    .where('a.decided_at', 'is', null)
    .where('a.decide_by', '<=', now)
    .orderBy('a.decide_by')
    .limit(limit)
    .execute();
  return rows.map(({ number }) => number);
}

/** A report as its creator sees it, before its rules are applied. */
export interface OwnReport {
  id: string;
  number: number;
  kind: Report['kind'];
  state: ReportState;
  linkName: string | null;
  albumNames: string[];
  heldItems: number;
  reportedAt: Date;
  decideBy: Date;
  decidedAt: Date | null;
  reason: string | null;
  wasHiddenAtOnce: boolean;
  reporterName: string;
  notice: string;
  answers: (Omit<StoredAnswer, 'createdAt' | 'decideBy'> & { createdAt: string; decideBy: string | null })[] | null;
}

const ownReports = statement<OwnReport>(
  'reports_of_creator',
  `select r.id, r.number, r.kind, r.state, l.link_name as "linkName", r.created_at as "reportedAt", r.decide_by as "decideBy",
  r.decided_at as "decidedAt", r.reason, r.hidden_at_once as "wasHiddenAtOnce", r.name as "reporterName", r.details as notice,
  array(select a.name from report_targets t join albums a on a.id = t.album_id where t.report_id = r.id order by a.name) as "albumNames",
  (select count(*)::int from media_matches k join media m on m.id = k.media_id
    where k.report_id = r.id and m.creator_id = r.creator_id and m.state = 'quarantined') as "heldItems",
  (select json_agg(json_build_object('kind', w.kind, 'text', w.text, 'name', w.name, 'postalAddress', w.postal_address,
    'createdAt', w.created_at, 'decideBy', w.decide_by, 'outcome', w.outcome, 'reason', w.reason) order by w.created_at)
    from report_answers w where w.report_id = r.id) as answers
from reports r left join magic_links l on l.id = r.link_id
where r.creator_id = $1 and ($2::int is null or r.number = $2) and exists (select from report_targets t where t.report_id = r.id)
order by r.created_at desc, r.id desc limit $3`,
);

/** What was hidden or removed of a creator's, newest first. A report that closed nothing is none of theirs. */
export const listOwnReports = (
  tx: Tx,
  creatorId: string,
  { number, limit }: { number?: number | undefined; limit: number },
): Promise<OwnReport[]> => tx.query(ownReports, [creatorId, number ?? null, limit]);

/** Notes a moment at which the operator was told about a report. */
export async function markReminded(tx: Tx, ids: readonly string[], isOver: boolean, now: Date): Promise<void> {
  if (ids.length === 0) return;
  await tx.db
    .updateTable('reports')
    .set(isOver ? { reminded_at: now, overdue_at: now } : { reminded_at: now })
    .where('id', 'in', ids)
    .execute();
}

/** Reports whose time is nearly over, or over, and of which the operator has not been told. Held until the transaction ends. */
export async function listUrgentReports(
  tx: Tx,
  { now, soon, limit }: { now: Date; soon: Date; limit: number },
): Promise<Pick<StoredReport, 'id' | 'number' | 'kind' | 'decideBy'>[]> {
  return tx.db
    .selectFrom('reports')
    .select(['id', 'number', 'kind', 'decide_by as decideBy'])
    .where('decided_at', 'is', null)
    .where((eb) =>
      eb.or([
        eb.and([eb('decide_by', '<=', now), eb('overdue_at', 'is', null)]),
        eb.and([eb('decide_by', '>', now), eb('decide_by', '<=', soon), eb('reminded_at', 'is', null)]),
      ]),
    )
    .orderBy('decide_by')
    .limit(limit)
    .forUpdate()
    .$castTo<Pick<StoredReport, 'id' | 'number' | 'kind' | 'decideBy'>>()
    .execute();
}
