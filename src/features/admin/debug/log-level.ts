import type { Tx } from '#engines/database/work.ts';
import { type AuditEntry, insertAudit } from '#features/audit/store.ts';
import { minuteMs } from '#kit/time.ts';
import type { AdminContext } from '#wire/context.ts';
import type { LogLevelState } from '../debug-contract.ts';

const raisedMs = 15 * minuteMs;

/** Until when details are written that are asked for now; a moment that has passed for everybody where they are to end. */
export const logsDebugUntil = (nowMs: number, { isEnd }: { isEnd: boolean }): number => (isEnd ? 0 : nowMs + raisedMs);

/** Has every process that runs write details into its log until a moment, audited. */
export async function publishLogLevel(
  tx: Tx,
  by: Pick<AuditEntry, 'actor' | 'requestId'>,
  untilMs: number,
): Promise<void> {
  await tx.publish({ kind: 'log.level', logsDebugUntilMs: untilMs });
  await insertAudit(tx, { ...by, action: untilMs === 0 ? 'log_level.restored' : 'log_level.raised' });
}

/** Raises or restores the level of every process; in the one that answers it is so at once. */
export async function changeLogLevel(
  { asSystem, engines, admin, requestId, ownProcess }: AdminContext,
  order: { isEnd: boolean },
): Promise<LogLevelState> {
  const untilMs = logsDebugUntil(engines.clock(), order);
  const actor = { type: 'admin', id: admin.userId } as const;
  await asSystem((tx) => publishLogLevel(tx, { actor, requestId }, untilMs));
  ownProcess.logLevel.raise(untilMs);
  return ownProcess.logLevel.state();
}
