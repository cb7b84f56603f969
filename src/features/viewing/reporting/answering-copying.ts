import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { closeOut } from '#features/access/blocking.ts';
import { takeRate } from '#features/audit/store.ts';
import type { AutoResponse } from '#features/links/policy.ts';
import { revokeByRule, undoUntilOf } from '#features/links/revoking.ts';
import { countCopying, markActed } from '#features/security/answers-store.ts';
import type { Reported, Reporter } from '#features/security/recording.ts';
import { recordApart } from '#features/security/recording.ts';
import { responseMs } from '#features/security/rules.ts';
import { endVisit } from '../visits-store.ts';
import { findOpenVisits } from './reporting-store.ts';

/** Whose report it is, at which link and under which of its rules. */
export interface Copying {
  reporter: Reporter;
  grantId: string;
  rule: AutoResponse;
  /** When the rule last answered this viewer: what came before is settled. */
  lastAnswer: Date | undefined;
  now: Date;
}

const done = { warn: 'warned', close: 'closed', revoke: 'revoked' } as const;

/**
 * Does what a link's rule says about copying, once the reports of one viewer are as many as it says. The caller holds the admission, so
 * two reports at once are answered once.
 * @returns what was done
 */
export async function answerCopying(
  engines: Engines,
  tx: Tx,
  copying: Copying,
  reported: readonly Reported[],
): Promise<(typeof done)[keyof typeof done] | undefined> {
  const { rule, now, reporter } = copying;
  const high = reported.filter(({ risk }) => risk === 'high');
  const newest = high.findLast(({ isShared }) => !isShared);
  if (rule.do === 'none' || high.length === 0 || !(await isReached(tx, copying, high))) return undefined;
  if (rule.do === 'close') await closeScreens(engines, tx, copying);
  if (rule.do === 'revoke')
    await revokeByRule(engines, tx, { ...reporter, now, undoUntil: await undoUntilOf(engines, now) });
  const action = done[rule.do];
  const eventId = newest?.eventId ?? (rule.do === 'warn' ? undefined : await recordApart(tx, reporter, now));
  if (eventId !== undefined) await markActed(tx, eventId, { action, isAutomatic: true, now });
  return action;
}

/** Returns whether a viewer's reports are as many as the rule says. Those that were too many to be listed count for themselves. */
async function isReached(tx: Tx, { reporter, rule, lastAnswer, now }: Copying, high: readonly Reported[]) {
  const oldest = new Date(now.getTime() - responseMs);
  const since = lastAnswer !== undefined && lastAnswer > oldest ? lastAnswer : oldest;
  const listed = await countCopying(tx, reporter, since, now);
  const unlisted = high.filter(({ isShared }) => isShared).reduce((sum, { count }) => sum + count, 0);
  if (unlisted === 0) return listed >= rule.threshold;
  const key = `security.rest:${reporter.linkId}:${reporter.viewerId}`;
  const rate = { key, limit: rule.threshold - 1, windowSeconds: responseMs / 1000, now, cost: unlisted };
  return (await takeRate(tx, rate)).isOver || listed + unlisted >= rule.threshold;
}

/** Ends this viewer's screens of the link, and keeps them out of it until the creator lets them back. */
async function closeScreens(engines: Engines, tx: Tx, { reporter, grantId, now }: Copying): Promise<void> {
  await closeOut(engines, tx, { ...reporter, grantId }, now);
  for (const visitId of await findOpenVisits(tx, grantId))
    await endVisit(tx, { visitId, state: 'cut', reason: 'security', now, closesScreen: true });
}
