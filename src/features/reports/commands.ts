import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { plainLine, plainText } from '#features/audit/plain-text.ts';
import { insertAudit } from '#features/audit/store.ts';
import { queueEmail } from '#features/notices/store.ts';
import { contentDecidedEmail, reportDecidedEmail } from '#features/notices/support-emails.ts';
import { contactPage, hide, show } from './hiding.ts';
import {
  decideReport,
  findCreatorEmail,
  listWaitingReports,
  lockReport,
  markHidden,
  type StoredReport,
} from './store.ts';

const system = { kind: 'system' } as const;
type Needed = Pick<Engines, 'database' | 'jobs' | 'installation' | 'clock' | 'linkClock' | 'payments'>;

const usage =
  'Use `reports`, `reports show NUMBER`, `reports hide NUMBER`, `reports remove NUMBER --reason TEXT` or `reports reject NUMBER --reason TEXT`.';
const mostListed = 200;
const longestReason = 1000;

/** `pf reports …`: what waits for a decision, and the decision. */
export interface ReportOrder {
  verb: string | undefined;
  number: string | undefined;
  reason: string | undefined;
}

/** @returns what to print @throws a sentence that says what is wrong */
export async function runReports(engines: Needed, { verb, number = '', reason = '' }: ReportOrder): Promise<string> {
  const { database, clock } = engines;
  const now = new Date(clock());
  if (verb === undefined)
    return describeWaiting(await database.work(system, (tx) => listWaitingReports(tx, mostListed)), now);
  if (!['show', 'hide', 'remove', 'reject'].includes(verb)) throw new Error(usage);
  return database.work(system, async (tx) => {
    const report = /^\d{8}$/.test(number) ? await lockReport(tx, Number(number)) : undefined;
    if (report === undefined) throw new Error(`There is no report ${number}. ${usage}`);
    if (verb === 'show') return describeWhole(report, now);
    if (report.state === 'removed' || report.state === 'rejected')
      throw new Error(`Report ${number} is decided: ${report.state}.`);
    if (verb === 'hide') return hideByHand(tx, engines, report, now);
    if (reason.trim() === '' || reason.length > longestReason)
      throw new Error(
        `Say why, in up to ${longestReason} characters: --reason "…". It is sent to those whom it concerns.`,
      );
    return decideByHand(tx, engines, report, { isRemoved: verb === 'remove', reason: reason.trim(), now });
  });
}

async function hideByHand(
  tx: Tx,
  engines: Needed,
  { id, number, state, linkId }: StoredReport,
  now: Date,
): Promise<string> {
  if (linkId === null) throw new Error(`Report ${number} names no link of this installation.`);
  if (state === 'hidden') return `What report ${number} is about is hidden already.`;
  await markHidden(tx, id);
  await hide(tx, engines, { reportId: id, number, linkId, now });
  return `The link of report ${number} and its albums are hidden until it is decided.`;
}

interface Verdict {
  isRemoved: boolean;
  reason: string;
  now: Date;
}

/** Removing hides what is not hidden yet; rejecting opens it again. Both are told to whom they concern. */
async function decideByHand(tx: Tx, engines: Needed, report: StoredReport, verdict: Verdict): Promise<string> {
  const { id, number, state, linkId, creatorId, email } = report;
  const { isRemoved, reason, now } = verdict;
  const { jobs, installation } = engines;
  const isClosed = state === 'hidden';
  if (isRemoved && !isClosed && linkId !== null) await hide(tx, engines, { reportId: id, number, linkId, now });
  await decideReport(tx, id, { state: isRemoved ? 'removed' : 'rejected', reason, now });
  if (!isRemoved && isClosed) await show(tx, id);
  const action = isRemoved ? 'report.removed' : 'report.rejected';
  await insertAudit(tx, { actor: { type: 'system' }, action, details: { number } });
  await queueEmail(tx, jobs, { to: email, now, ...reportDecidedEmail({ number, isRemoved, reason }) });
  const to = creatorId === null ? undefined : await findCreatorEmail(tx, creatorId);
  if (creatorId !== null && to !== undefined && (isRemoved || isClosed)) {
    const words = contentDecidedEmail({ number, isRemoved, reason, contact: contactPage(installation) });
    await queueEmail(tx, jobs, { userId: creatorId, to, now, ...words });
  }
  if (isRemoved && linkId === null)
    return `Report ${number} is noted as removed. It names no link, so nothing was closed here.`;
  return isRemoved
    ? `Report ${number}: the link and its albums stay closed.`
    : `Report ${number} is rejected${isClosed ? ', and what it had hidden is open again' : ''}.`;
}

const formatDay = (at: Date) => at.toISOString().slice(0, 16).replace('T', ' ');

const describeLine = ({ number, kind, state, decideBy, target }: StoredReport, now: Date) =>
  `  ${number}  ${decideBy < now ? 'OVERDUE since' : 'decide by'} ${formatDay(decideBy)}  ${kind}, ${state}  ${plainLine(target)}`;

const describeWaiting = (reports: readonly StoredReport[], now: Date) =>
  reports.length === 0
    ? 'No reports are waiting for a decision.'
    : reports.map((report) => describeLine(report, now)).join('\n');

const describeWhole = (report: StoredReport, now: Date) =>
  [
    describeLine(report, now),
    `  from ${plainLine(report.name)} <${plainLine(report.email)}>, ${report.onBehalf === 'self' ? 'about themselves' : 'for somebody else'}`,
    `  ${report.linkId === null ? 'names no link of this installation' : `link ${report.linkId} of account ${report.creatorId ?? 'erased'}`}`,
    '',
    plainText(report.details),
  ].join('\n');
