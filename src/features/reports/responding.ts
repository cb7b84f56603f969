import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { insertAudit } from '#features/audit/store.ts';
import { queueEmail } from '#features/notices/store.ts';
import { counterNoticeEmail, reportAnsweredEmail } from '#features/notices/support-emails.ts';
import { formatMomentIn } from '#kit/time.ts';
import type { Context } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';
import { insertAnswer, listOwnReports, markAppealed, type OwnReport } from './answers-store.ts';
import type { ContentReport, ReportAnswer } from './contract.ts';
import { answerDecideBy, answersOpen, appealUntil } from './rules.ts';
import { lockReport, type StoredReport } from './store.ts';

const mostShown = 100;

/** Returns what was hidden or removed of a creator's. */
export async function showOwnReports({ asSystem, now }: Context, creatorId: string): Promise<ContentReport[]> {
  const rows = await asSystem((tx) => listOwnReports(tx, creatorId, { limit: mostShown }));
  return rows.map((row) => toContentReport(row, now));
}

/**
 * Takes what a creator says about a report. Saying the same again changes nothing.
 * @throws NOT_FOUND of a report that is none of theirs, CONFLICT when it may not be said (any more)
 */
export async function respond(
  { asSystem, engines, now }: Context,
  creatorId: string,
  answer: ReportAnswer,
): Promise<ContentReport> {
  return asSystem(async (tx) => {
    const number = Number(answer.number);
    const report = await lockReport(tx, number);
    const own = await findOwn(tx, creatorId, number);
    if (report === undefined || own === undefined) throw refuse('NOT_FOUND');
    const before = toContentReport(own, now);
    if (before.answers.some(({ kind }) => kind === answer.kind)) return before;
    if (!before.open.includes(answer.kind)) throw refuse('CONFLICT', { message: 'This can no longer be answered.' });
    await keepAnswer(tx, engines, { report, creatorId, answer, now });
    const after = await findOwn(tx, creatorId, number);
    return toContentReport(after ?? own, now);
  });
}

const findOwn = async (tx: Tx, creatorId: string, number: number): Promise<OwnReport | undefined> =>
  (await listOwnReports(tx, creatorId, { number, limit: 1 }))[0];

interface Said {
  report: StoredReport;
  creatorId: string;
  answer: ReportAnswer;
  now: Date;
}

/** Writes it down and notifies the operator; whoever reported a copyright hears of a counter-notice. */
async function keepAnswer(tx: Tx, engines: Pick<Engines, 'jobs' | 'installation'>, said: Said): Promise<void> {
  const { report, creatorId, answer, now } = said;
  const { kind, text } = answer;
  const decideBy = answerDecideBy(kind, now);
  const signed = answer.kind === 'counter_notice' ? answer : undefined;
  const { id: reportId, number } = report;
  const row = { reportId, creatorId, kind, text, decideBy, now };
  await insertAnswer(tx, { ...row, name: signed?.name, postalAddress: signed?.postalAddress });
  if (kind !== 'answer') await markAppealed(tx, reportId);
  const action = `report.${kind}`;
  await insertAudit(tx, { actor: { type: 'creator', id: creatorId }, action, details: { number } });
  const { operatorEmail } = engines.installation;
  const due = decideBy && formatMomentIn(decideBy, 'UTC');
  if (operatorEmail !== undefined)
    await queueEmail(tx, engines.jobs, {
      to: operatorEmail,
      now,
      ...reportAnsweredEmail({ number, kind, text, decideBy: due }),
    });
  if (signed !== undefined && due !== undefined) {
    const { name, postalAddress } = signed;
    const contact = `${engines.installation.publicUrl}/contact`;
    const words = counterNoticeEmail({ number, text, name, postalAddress, opensAt: due, contact });
    await queueEmail(tx, engines.jobs, { to: report.email, now, ...words });
  }
}

const shownStates = { hidden: 'hidden', removed: 'removed', appealed: 'appealed' } as const;

/** Returns a report as its creator may see it. */
function toContentReport(row: OwnReport, now: Date): ContentReport {
  const { kind, state, decidedAt, reporterName, notice, number, answers, id: _, ...facts } = row;
  const isNotice = kind === 'copyright';
  const said = (answers ?? []).map(({ name: _name, postalAddress: _address, createdAt, decideBy, ...rest }) => ({
    ...rest,
    createdAt: new Date(createdAt),
    decideBy: decideBy === null ? null : new Date(decideBy),
  }));
  const open = answersOpen({ kind, state, decidedAt, said: said.map((one) => one.kind) }, now);
  return {
    ...facts,
    number: String(number),
    kind,
    decidedAt,
    state: state in shownStates ? shownStates[state as keyof typeof shownStates] : 'restored',
    reporterName: isNotice ? reporterName : null,
    notice: isNotice ? notice : null,
    appealUntil: state === 'removed' && decidedAt !== null ? appealUntil(decidedAt) : null,
    open,
    answers: said,
  };
}
