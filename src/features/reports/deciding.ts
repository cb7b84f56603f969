import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { insertAudit } from '#features/audit/store.ts';
import { releaseMedium, removeHeldMedium } from '#features/media/blocked-media.ts';
import { queueEmail } from '#features/notices/store.ts';
import {
  appealDecidedEmail,
  contentDecidedEmail,
  copyRemovedEmail,
  reportDecidedEmail,
  reportReversedEmail,
} from '#features/notices/support-emails.ts';
import { formatMomentIn } from '#kit/time.ts';
import { decideAnswer, listDueCounterNotices, type Outcome } from './answers-store.ts';
import { hide, reportsPage, show } from './hiding.ts';
import { appealUntil, blocksCopies } from './rules.ts';
import { decideReport, findCreatorEmail, lockReport, markHidden, type StoredReport } from './store.ts';

export type DecidingEngines = Pick<Engines, 'database' | 'jobs' | 'installation' | 'clock' | 'linkClock' | 'payments'>;

/** Who decides, as the audit log has it: an administrator, or the operator by the command line. */
export type By = { type: 'admin'; id: string } | { type: 'system' };
const operator = { type: 'system' } as const;

/** Hides what a report is about until it is decided. @returns what to print */
export async function hideByHand(
  tx: Tx,
  engines: DecidingEngines,
  report: StoredReport,
  now: Date,
  actor: By = operator,
): Promise<string> {
  const { id, number, state, linkId } = report;
  if (linkId === null) throw new Error(`Report ${number} names no link of this installation.`);
  if (state === 'hidden') return `What report ${number} is about is hidden already.`;
  await markHidden(tx, id);
  await hide(tx, engines, { ...report, reportId: id, linkId, isByHand: true, actor, now });
  return `The link of report ${number} and its albums are hidden until it is decided.`;
}

export interface Verdict {
  isRemoved: boolean;
  reason: string;
  by: string;
  /** Left out, the operator. */
  actor?: By;
  now: Date;
}

/** Removing hides what is not hidden yet; rejecting opens it again. Both are told to whom they concern. @returns what to print */
export async function decideByHand(
  tx: Tx,
  engines: DecidingEngines,
  report: StoredReport,
  verdict: Verdict,
): Promise<string> {
  const { id, number, state, linkId, email } = report;
  const { isRemoved, reason, by, actor = operator, now } = verdict;
  const isClosed = state === 'hidden';
  if (isRemoved && !isClosed && linkId !== null)
    await hide(tx, engines, { ...report, reportId: id, linkId, isByHand: true, actor, now });
  await decideReport(tx, id, { state: isRemoved ? 'removed' : 'rejected', reason, by, now });
  if (!isRemoved && isClosed) await show(tx, id, now);
  const action = isRemoved ? 'report.removed' : 'report.rejected';
  await insertAudit(tx, { actor, action, details: { number, by } });
  await queueEmail(tx, engines.jobs, { to: email, now, ...reportDecidedEmail({ number, isRemoved, reason }) });
  if (isRemoved ? linkId !== null : isClosed) await notifyCreator(tx, engines, report, verdict);
  if (isRemoved && linkId === null)
    return `Report ${number} is noted as removed. It names no link, so nothing was closed here.`;
  return isRemoved
    ? `Report ${number}: the link and its albums stay closed.`
    : `Report ${number} is rejected${isClosed ? ', and what it had hidden is open again' : ''}.`;
}

async function notifyCreator(
  tx: Tx,
  { jobs, installation }: DecidingEngines,
  { number, kind, creatorId }: StoredReport,
  { isRemoved, reason, now }: Verdict,
): Promise<void> {
  const to = creatorId === null ? undefined : await findCreatorEmail(tx, creatorId);
  if (creatorId === null || to === undefined) return;
  const words = contentDecidedEmail({
    number,
    kind,
    isRemoved,
    holdsCopies: blocksCopies(kind),
    reason,
    appealUntil: formatMomentIn(appealUntil(now), 'UTC'),
    reportsPage: reportsPage(installation),
  });
  await queueEmail(tx, jobs, { userId: creatorId, to, now, ...words });
}

/** Shows a medium again that is no copy. @returns false when it is not held back */
export async function releaseHeld(
  tx: Tx,
  mediaId: string,
  { reason, by, actor = operator, now }: { reason: string; by: string; actor?: By; now: Date },
): Promise<boolean> {
  if (!(await releaseMedium(tx, mediaId, now))) return false;
  const target = { type: 'medium', id: mediaId };
  await insertAudit(tx, { actor, action: 'media.released', target, details: { by, reason } });
  return true;
}

/** Removes a medium for good that is held back, and tells its creator why. @returns false when it is not held back */
export async function removeHeld(
  tx: Tx,
  { jobs, installation }: Pick<Engines, 'jobs' | 'installation'>,
  mediaId: string,
  { reason, by, actor = operator, now }: { reason: string; by: string; actor?: By; now: Date },
): Promise<boolean> {
  const creatorId = await removeHeldMedium(tx, mediaId, now);
  if (creatorId === undefined) return false;
  const target = { type: 'medium', id: mediaId };
  await insertAudit(tx, { actor, action: 'media.removed', target, details: { by, reason } });
  const to = await findCreatorEmail(tx, creatorId);
  const words = copyRemovedEmail({ reason, contact: `${installation.publicUrl}/contact` });
  if (to !== undefined) await queueEmail(tx, jobs, { userId: creatorId, to, now, ...words });
  return true;
}

export const isSamePerson = (one: string, other: string) => one.trim().toLowerCase() === other.trim().toLowerCase();

/** Decides an appeal or a counter-notice: somebody else than who decided the report. @returns what to print */
export async function decideAppealByHand(
  tx: Tx,
  engines: DecidingEngines,
  report: StoredReport,
  outcome: Outcome,
  actor: By = operator,
): Promise<string> {
  const { number, decidedBy, state } = report;
  if (state !== 'appealed') throw new Error(`No appeal of report ${number} waits for a decision.`);
  if (decidedBy !== null && isSamePerson(decidedBy, outcome.by))
    throw new Error(
      `${outcome.by} decided report ${number}. Someone else decides about the appeal: --by "…" with their name.`,
    );
  await endAppeal(tx, engines, report, outcome, actor);
  return outcome.outcome === 'kept'
    ? `Report ${number}: the link and its albums stay closed.`
    : `Report ${number}: what it had removed is open again.`;
}

/** Opens what a counter-notice speaks of once its time is over and nobody has gone to court. Safe to repeat. */
export async function endCounterNotices(engines: DecidingEngines): Promise<void> {
  const { database, clock } = engines;
  const now = new Date(clock());
  const system = { kind: 'system' } as const;
  for (const number of await database.work(system, (tx) => listDueCounterNotices(tx, now, mostAtOnce)))
    await database.work(system, async (tx) => {
      const report = await lockReport(tx, number);
      if (report?.state !== 'appealed') return;
      await endAppeal(tx, engines, report, { outcome: 'restored', reason: unopposed, by: 'time', now });
    });
}

const mostAtOnce = 100;
const unopposed = 'A counter-notice was sent, and nobody told us in time that they have gone to court.';

async function endAppeal(
  tx: Tx,
  engines: DecidingEngines,
  report: StoredReport,
  outcome: Outcome,
  actor: By = operator,
): Promise<void> {
  const { id, number, creatorId, email } = report;
  const { reason, by, now } = outcome;
  const isRestored = outcome.outcome === 'restored';
  await decideAnswer(tx, id, outcome);
  if (isRestored) await show(tx, id, now);
  const action = isRestored ? 'report.restored' : 'report.upheld';
  await insertAudit(tx, { actor, action, details: { number, by } });
  const { jobs } = engines;
  if (isRestored) await queueEmail(tx, jobs, { to: email, now, ...reportReversedEmail({ number, reason }) });
  const to = creatorId === null ? undefined : await findCreatorEmail(tx, creatorId);
  if (creatorId !== null && to !== undefined) {
    const words = appealDecidedEmail({ number, isRestored, reason });
    await queueEmail(tx, jobs, { userId: creatorId, to, now, ...words });
  }
}
