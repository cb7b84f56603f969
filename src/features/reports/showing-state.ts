import { isCaseSecret } from '#features/audit/case-reference.ts';
import { networkOf } from '#features/audit/rules.ts';
import { hashKey, takeRate } from '#features/audit/store.ts';
import type { Context } from '#wire/context.ts';
import { refuse, refuseForNow } from '#wire/refusals.ts';
import { listAnswers } from './answers-store.ts';
import type { ReportOutcome } from './contract.ts';
import { findReports } from './store.ts';

/** Of one network in an hour. */
const looksPerHour = 120;

/** Shows how a report stands. @throws GONE for every link that leads to none, RATE_LIMITED */
export async function showReportState(
  { engines, caller, asSystem, now }: Context,
  { number, secret }: { number: string; secret: string },
): Promise<ReportOutcome> {
  const key = hashKey(engines.keys, 'case', networkOf(caller.address));
  const rate = { key, limit: looksPerHour, windowSeconds: 3600, now };
  const { isOver, retryAfterSeconds } = await asSystem((tx) => takeRate(tx, rate));
  if (isOver) throw refuseForNow(retryAfterSeconds);
  if (!isCaseSecret(engines.keys, 'report', number, secret)) throw refuse('GONE');
  const found = await asSystem(async (tx) => {
    const [report] = await findReports(tx, [Number(number)]);
    return report && { report, answers: await listAnswers(tx, report.id) };
  });
  if (found === undefined) throw refuse('GONE');
  const { state, createdAt, decideBy, decidedAt, reason } = found.report;
  const restored = found.answers.find(({ outcome }) => outcome === 'restored');
  return {
    number,
    state: restored !== undefined ? 'restored' : state === 'received' ? 'waiting' : state,
    createdAt,
    decideBy,
    decidedAt,
    // Of what was removed the reason is its creator's.
    reason: restored !== undefined ? restored.reason : state === 'rejected' ? reason : null,
  };
}
