import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { type Asker, findFactsOfVisit, type Question } from '#features/access/store.ts';
import { findLastAnswer } from '#features/security/answers-store.ts';
import { type Reporter, recordReport } from '#features/security/recording.ts';
import type { Context } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';
import { decideGoing, type No } from '../refusals.ts';
import { deviceOf } from '../user-agent.ts';
import { answerCopying } from './answering-copying.ts';
import type { EventReport } from './reporting-contract.ts';
import { holdAdmission, noteReport } from './reporting-store.ts';

/** What is said to a browser that has reported something. */
export interface Answered {
  warning?: string;
}

const warning = 'Copying is noticed here, and every picture is marked for you.';

/**
 * Writes down what a browser noticed during its own visit, and does what the link's rule says about it; what the creator does on their
 * own link is nobody's news.
 * @returns the refusal when access has ended, also by this report
 * @throws UNAVAILABLE when there is too much to do, never in place of a refusal
 */
export async function reportEvents(
  { engines, caller, isShedding }: Pick<Context, 'engines' | 'caller' | 'isShedding'>,
  report: EventReport,
  asker: Asker,
): Promise<Answered | No> {
  const question = await findFactsOfVisit(engines.database, report.visitId, asker);
  const going = decideGoing(question, asker.now);
  if (!going.ok) return going;
  if (isShedding('renewals')) throw refuse('UNAVAILABLE', { retryAfter: 1 });
  if (question === undefined || question.visit?.isOwn) return {};
  const device = { platform: deviceOf(caller.userAgent).system, screen: report.screen };
  const done = await keep(engines, question, { ...report, device, now: asker.now });
  if (done === 'warned') return { warning };
  if (done === 'noted') return {};
  const after = decideGoing(await findFactsOfVisit(engines.database, report.visitId, asker), asker.now);
  return after.ok ? {} : after;
}

interface Keeping extends EventReport {
  device: Reporter['device'];
  now: Date;
}

/** In one transaction; what two reports do to each other's rows is tried again. */
async function keep(
  engines: Engines,
  { creatorId, linkId, grantId, viewer, link }: Question,
  { visitId, reportId, events, device, now }: Keeping,
): Promise<'noted' | 'ended' | 'warned' | 'closed' | 'revoked'> {
  if (viewer === undefined || grantId === undefined) return 'noted';
  const reporter: Reporter = { creatorId, linkId, visitId, viewerId: viewer.viewerId, device };
  const rule = link.policy.autoResponse;
  const run = async (tx: Tx) => {
    if (!(await holdAdmission(tx, grantId, rule.do === 'revoke' ? linkId : undefined))) return 'ended';
    if (reportId !== undefined && !(await noteReport(tx, visitId, reportId))) return 'noted';
    const lastAnswer = await findLastAnswer(tx, reporter);
    const reported = await recordReport(tx, reporter, addUp(events), {
      now,
      lastAnswer,
      reportedAt: new Date(engines.clock()),
    });
    return (await answerCopying(engines, tx, { reporter, grantId, rule, lastAnswer, now }, reported)) ?? 'noted';
  };
  return engines.database.work({ kind: 'system' }, run, { repeatable: true });
}

/** One entry for each type: a body that names one twice means both. */
function addUp(events: EventReport['events']): EventReport['events'] {
  const counts = new Map<EventReport['events'][number]['type'], number>();
  for (const { type, count } of events) counts.set(type, (counts.get(type) ?? 0) + count);
  return [...counts].map(([type, count]) => ({ type, count }));
}
