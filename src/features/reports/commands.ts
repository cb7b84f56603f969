import type { Tx } from '#engines/database/work.ts';
import { plainLine, plainText } from '#features/audit/plain-text.ts';
import { type HeldMatch, listMatches } from '#features/media/blocked-media.ts';
import { isUuid } from '#kit/ids.ts';
import { listAnswers, listWaitingAnswers, type StoredAnswer } from './answers-store.ts';
import {
  type DecidingEngines,
  decideAppealByHand,
  decideByHand,
  hideByHand,
  releaseHeld,
  removeHeld,
} from './deciding.ts';
import { listWaitingReports, lockReport, type StoredReport } from './store.ts';

const system = { kind: 'system' } as const;

const usage =
  'Use `reports`, `reports show NUMBER`, `reports hide NUMBER`, `reports remove|reject NUMBER --by NAME --reason TEXT`, `reports uphold|restore NUMBER --by NAME --reason TEXT` about an appeal, `reports matches` or `reports release|erase MEDIUM --by NAME --reason TEXT`.';
const mostListed = 200;
const longestReason = 1000;
const longestName = 80;

/** `pf reports …`: what waits for a decision, and the decision. */
export interface ReportOrder {
  verb: string | undefined;
  /** Of a report, or the id of a medium. */
  number: string | undefined;
  reason: string | undefined;
  by: string | undefined;
}

/** @returns what to print @throws a sentence that says what is wrong */
export async function runReports(engines: DecidingEngines, order: ReportOrder): Promise<string> {
  const { verb, number = '' } = order;
  const { database, clock } = engines;
  const now = new Date(clock());
  if (verb === undefined) return database.work(system, (tx) => describeWaiting(tx, now));
  if (verb === 'matches') return describeMatches(await database.work(system, (tx) => listMatches(tx, mostListed)));
  if (verb === 'release' || verb === 'erase')
    return database.work(system, (tx) => decideHeldByHand(tx, engines, { ...order, verb }, now));
  if (!['show', 'hide', 'remove', 'reject', 'uphold', 'restore'].includes(verb)) throw new Error(usage);
  return database.work(system, async (tx) => {
    const report = /^\d{8}$/.test(number) ? await lockReport(tx, Number(number)) : undefined;
    if (report === undefined) throw new Error(`There is no report ${number}. ${usage}`);
    if (verb === 'show') return describeWhole(report, await listAnswers(tx, report.id), now);
    return verb === 'uphold' || verb === 'restore'
      ? decideAppealByHand(tx, engines, report, { ...readReason(order), outcome: outcomes[verb], now })
      : changeByHand(tx, engines, report, order, now);
  });
}

const outcomes = { uphold: 'kept', restore: 'restored' } as const;

/** Hides, removes or rejects what is not decided yet. */
async function changeByHand(
  tx: Tx,
  engines: DecidingEngines,
  report: StoredReport,
  order: ReportOrder,
  now: Date,
): Promise<string> {
  if (report.state !== 'received' && report.state !== 'hidden')
    throw new Error(`Report ${report.number} is decided: ${report.state}.`);
  if (order.verb === 'hide') return hideByHand(tx, engines, report, now);
  return decideByHand(tx, engines, report, { ...readReason(order), isRemoved: order.verb === 'remove', now });
}

/** @throws where the reason or the name is missing or too long */
function readReason({ reason = '', by = '' }: ReportOrder): { reason: string; by: string } {
  const [why, who] = [reason.trim(), by.trim()];
  if (why === '' || why.length > longestReason)
    throw new Error(
      `Say why, in up to ${longestReason} characters: --reason "…". It is sent to those whom it concerns.`,
    );
  if (who === '' || who.length > longestName)
    throw new Error(`Say who decides: --by "…". An appeal is decided by someone else.`);
  return { reason: why, by: who };
}

async function decideHeldByHand(tx: Tx, engines: DecidingEngines, order: ReportOrder, now: Date): Promise<string> {
  const { number: mediaId = '', verb } = order;
  const verdict = { ...readReason(order), now };
  const decide = () =>
    verb === 'erase' ? removeHeld(tx, engines, mediaId, verdict) : releaseHeld(tx, mediaId, verdict);
  if (!isUuid(mediaId) || !(await decide())) throw new Error(`No photo or video ${plainLine(mediaId)} is held back.`);
  return verb === 'erase'
    ? `${mediaId} is removed for good. Its creator is told why.`
    : `${mediaId} is shown again wherever it was.`;
}

const formatDay = (at: Date) => at.toISOString().slice(0, 16).replace('T', ' ');
const describeDue = (decideBy: Date, now: Date) =>
  `${decideBy < now ? 'OVERDUE since' : 'decide by'} ${formatDay(decideBy)}`;

const describeLine = ({ number, kind, state, decideBy, decidedAt, target }: StoredReport, now: Date) =>
  `  ${number}  ${decidedAt === null ? describeDue(decideBy, now) : `decided ${formatDay(decidedAt)}`}  ${kind}, ${state}  ${plainLine(target)}`;

async function describeWaiting(tx: Tx, now: Date): Promise<string> {
  const reports = await listWaitingReports(tx, mostListed);
  const answers = await listWaitingAnswers(tx, mostListed);
  const lines = [
    ...reports.map((report) => describeLine(report, now)),
    ...answers.map(({ number, kind, decideBy }) => `  ${number}  ${describeDue(decideBy, now)}  ${answerWords[kind]}`),
  ];
  return lines.length === 0 ? 'No reports are waiting for a decision.' : lines.join('\n');
}

const answerWords = { answer: 'an answer', appeal: 'an appeal', counter_notice: 'a counter-notice' } as const;

const describeWhole = (report: StoredReport, answers: readonly StoredAnswer[], now: Date) =>
  [
    describeLine(report, now),
    `  from ${plainLine(report.name)} <${plainLine(report.email)}>, ${report.onBehalf === 'self' ? 'about themselves' : 'for somebody else'}`,
    `  ${report.linkId === null ? 'names no link of this installation' : `link ${report.linkId} of account ${report.creatorId ?? 'erased'}`}`,
    ...(report.reason === null
      ? []
      : [`  decided by ${plainLine(report.decidedBy ?? 'nobody named')}: ${plainLine(report.reason)}`]),
    '',
    plainText(report.details),
    ...answers.flatMap((answer) => describeAnswer(answer)),
  ].join('\n');

const describeAnswer = ({ kind, createdAt, name, postalAddress, text, outcome, reason }: StoredAnswer) => [
  '',
  `  ${answerWords[kind]} of the creator, ${formatDay(createdAt)}${outcome === null ? '' : `, ${outcome}: ${plainLine(reason ?? '')}`}`,
  ...(name === null ? [] : [`  ${plainLine(name)}, ${plainLine(postalAddress ?? '')}`]),
  plainText(text),
];

/** Says why a medium is held back. */
export const describeMatch = ({ kind, source, reportNumber, isExact, creatorEmail }: HeldMatch): string =>
  `${kind} of ${plainLine(creatorEmail)}, ${isExact ? 'the same file as' : 'looks like'} ${
    source === 'list' ? 'one on your list' : `what report ${reportNumber ?? 'of long ago'} is about`
  }`;

const describeMatches = (matches: readonly HeldMatch[]) =>
  matches.length === 0
    ? 'Nothing is held back.'
    : matches
        .map((match) => `  ${match.mediaId}  since ${formatDay(match.matchedAt)}  ${describeMatch(match)}`)
        .join('\n');
