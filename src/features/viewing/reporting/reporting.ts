import { type Asker, findFactsOfVisit, type Question } from '#features/access/store.ts';
import { recordReport } from '#features/security/recording.ts';
import type { Context } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';
import { deviceOf } from '../opening/user-agent.ts';
import { decideGoing, type No } from '../refusals.ts';
import type { EventReport } from '../reporting-contract.ts';
import { holdAdmission } from './admission-lock-store.ts';

/** What is said to a browser that has reported something. */
export interface Answered {
  warning?: string;
}

/**
 * Writes down what a browser noticed during its own visit; what the creator does on their own link is nobody's news.
 * @returns the refusal when access has ended
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
  const { creatorId, linkId, grantId, viewer, visit } = question as Question;
  if (visit?.isOwn || viewer === undefined || grantId === undefined) return {};
  const device = { platform: deviceOf(caller.userAgent).system, screen: report.screen };
  const reporter = { creatorId, linkId, visitId: report.visitId, viewerId: viewer.viewerId, device };
  await engines.database.work({ kind: 'system' }, async (tx) => {
    await holdAdmission(tx, grantId);
    await recordReport(tx, reporter, addUp(report.events), asker.now);
  });
  return {};
}

/** One entry for each type: a body that names one twice means both. */
function addUp(events: EventReport['events']): EventReport['events'] {
  const counts = new Map<EventReport['events'][number]['type'], number>();
  for (const { type, count } of events) counts.set(type, (counts.get(type) ?? 0) + count);
  return [...counts].map(([type, count]) => ({ type, count }));
}
