import type { Tx } from '#engines/database/work.ts';
import { noteAdminLook } from '#features/audit/admin-looks.ts';
import { listMatches } from '#features/media/blocked-media.ts';
import type { AdminContext } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';
import { listAnswers, listWaitingAnswers } from '../answers-store.ts';
import { decideAppealByHand, decideByHand, hideByHand, isSamePerson, releaseHeld, removeHeld } from '../deciding.ts';
import type { HeldMatchCase, ReportCase, WaitingCase } from '../desk-contract.ts';
import { findReports, listWaitingReports, lockReport, type StoredReport } from '../store.ts';

const mostListed = 200;

const actorOf = ({ admin }: AdminContext) => ({ type: 'admin', id: admin.userId }) as const;
/** An administrator is known by their account: a new name makes nobody somebody else. */
const nameOf = ({ admin }: AdminContext) => `administrator ${admin.userId}`;

/** Shows what waits for a decision, the most urgent first, and what is held back. */
export async function showWaiting({
  asSystem,
}: AdminContext): Promise<{ cases: WaitingCase[]; held: HeldMatchCase[] }> {
  return asSystem(async (tx) => {
    const reports = await listWaitingReports(tx, mostListed);
    const answers = await listWaitingAnswers(tx, mostListed);
    const answered = new Map(
      (
        await findReports(
          tx,
          answers.map(({ number }) => number),
        )
      ).map((one) => [one.number, one]),
    );
    const cases = [
      ...reports.map((report) => caseOf(report, 'report', report.decideBy)),
      ...answers.flatMap(({ number, kind, decideBy }) => {
        const report = answered.get(number);
        return report === undefined ? [] : [caseOf(report, kind, decideBy)];
      }),
    ];
    const held = (await listMatches(tx, mostListed)).map(({ creatorId: _, reportNumber, ...match }) => ({
      ...match,
      reportNumber: reportNumber === null ? null : String(reportNumber),
    }));
    return { cases: cases.toSorted((a, b) => a.decideBy.getTime() - b.decideBy.getTime()), held };
  });
}

const caseOf = ({ number, kind, state, target }: StoredReport, what: WaitingCase['what'], decideBy: Date) => ({
  number: String(number),
  kind,
  what,
  isHidden: state === 'hidden' || state === 'appealed',
  target,
  decideBy,
});

/** Shows one report with all that was said. @throws NOT_FOUND */
export async function showReport(context: AdminContext, number: string): Promise<ReportCase> {
  const shown = await context.asSystem(async (tx) => describeCase(context, tx, await requireReport(tx, number)));
  await noteAdminLook(context, { action: 'report.looked_at', target: { type: 'report', id: number } });
  return shown;
}

/** Hides what a report is about until it is decided. @throws NOT_FOUND, CONFLICT */
export const hideReported = (context: AdminContext, number: string): Promise<ReportCase> =>
  change(context, number, async (tx, report, now) => {
    if (report.state !== 'received' || report.linkId === null)
      throw refuse('CONFLICT', { message: 'There is nothing to hide: it is hidden or decided, or names no link.' });
    await hideByHand(tx, context.engines, report, now, actorOf(context));
  });

/** Removes what a report is about, or rejects the report. @throws NOT_FOUND, CONFLICT when it is decided */
export const decideReported = (
  context: AdminContext,
  number: string,
  { isRemoved, reason }: { isRemoved: boolean; reason: string },
): Promise<ReportCase> =>
  change(context, number, async (tx, report, now) => {
    if (report.state !== 'received' && report.state !== 'hidden')
      throw refuse('CONFLICT', { message: 'This report is decided already.' });
    const [by, actor] = [nameOf(context), actorOf(context)];
    await decideByHand(tx, context.engines, report, { isRemoved, reason, by, actor, now });
  });

/** Decides an appeal or a counter-notice. @throws NOT_FOUND, CONFLICT, FORBIDDEN for who decided the report */
export const decideAppealOf = (
  context: AdminContext,
  number: string,
  { outcome, reason }: { outcome: 'kept' | 'restored'; reason: string },
): Promise<ReportCase> =>
  change(context, number, async (tx, report, now) => {
    if (report.state !== 'appealed') throw refuse('CONFLICT', { message: 'No appeal waits for a decision.' });
    if (isOwn(context, report))
      throw refuse('FORBIDDEN', { message: 'You decided this report. Someone else decides about the appeal.' });
    const by = nameOf(context);
    await decideAppealByHand(tx, context.engines, report, { outcome, reason, by, now }, actorOf(context));
  });

/** Shows a photo or video again. @throws NOT_FOUND when it is not held back */
export async function releaseMatch(context: AdminContext, mediaId: string, reason: string): Promise<void> {
  const { asSystem, engines } = context;
  const order = { reason, by: nameOf(context), actor: actorOf(context), now: new Date(engines.clock()) };
  if (!(await asSystem((tx) => releaseHeld(tx, mediaId, order)))) throw refuse('NOT_FOUND');
}

/** Removes a photo or video for good. @throws NOT_FOUND when it is not held back */
export async function eraseMatch(context: AdminContext, mediaId: string, reason: string): Promise<void> {
  const { asSystem, engines } = context;
  const order = { reason, by: nameOf(context), actor: actorOf(context), now: new Date(engines.clock()) };
  if (!(await asSystem((tx) => removeHeld(tx, engines, mediaId, order)))) throw refuse('NOT_FOUND');
}

/** Two administrators do not decide the same: whoever is second meets what the first has decided. */
const change = (
  context: AdminContext,
  number: string,
  decide: (tx: Tx, report: StoredReport, now: Date) => Promise<void>,
): Promise<ReportCase> =>
  context.asSystem(async (tx) => {
    await decide(tx, await requireReport(tx, number), new Date(context.engines.clock()));
    return describeCase(context, tx, await requireReport(tx, number));
  });

async function requireReport(tx: Tx, number: string): Promise<StoredReport> {
  const report = await lockReport(tx, Number(number));
  if (report === undefined) throw refuse('NOT_FOUND');
  return report;
}

const isOwn = (context: AdminContext, { decidedBy }: StoredReport) =>
  decidedBy !== null && isSamePerson(decidedBy, nameOf(context));

async function describeCase(context: AdminContext, tx: Tx, report: StoredReport): Promise<ReportCase> {
  const { id, linkId, number, ...rest } = report;
  return {
    ...rest,
    number: String(number),
    hasLink: linkId !== null,
    isOwnDecision: isOwn(context, report),
    answers: await listAnswers(tx, id),
  };
}
