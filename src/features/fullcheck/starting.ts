import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { insertAudit } from '#features/audit/store.ts';
import { newId } from '#kit/ids.ts';
import type { CheckPart } from './contract.ts';
import { isDead } from './rules.ts';
import { cancelRunning, endCheck, findRunning, insertCheck } from './store.ts';

/** Queue of the job that makes a run. */
export const runQueue = 'fullcheck.run';

/** Who begins or ends a run. */
export type Starter = { type: 'admin'; id: string; requestId?: string } | { type: 'system' };

/**
 * Begins a run, in one transaction with its job. One whose process has died is ended first; what it has left is removed before the new
 * one begins.
 * @returns the run that is under way from then on
 */
export async function startCheck(
  { jobs, clock }: Pick<Engines, 'jobs' | 'clock'>,
  tx: Tx,
  starter: Starter,
  part: CheckPart | null = null,
): Promise<{ id: string; part: CheckPart | null; isNew: boolean }> {
  const now = new Date(clock());
  const before = await findRunning(tx);
  if (before !== undefined && isDead(before, now)) await endCheck(tx, before.id, 'died', now);
  const id = newId<'fullCheck'>(now.getTime());
  const startedBy = starter.type === 'admin' ? starter.id : null;
  if (!(await insertCheck(tx, { id, part, startedBy, now }))) {
    const running = await findRunning(tx);
    if (running === undefined) throw new Error('a full check ended at this very moment');
    return { id: running.id, part: running.part, isNew: false };
  }
  await jobs.send(tx, runQueue, { checkId: id });
  await noteInAudit(tx, starter, 'full_check.started', id);
  return { id, part, isNew: true };
}

/** Asks the run that is under way to end. @returns false where there is none */
export async function cancelCheck({ clock }: Pick<Engines, 'clock'>, tx: Tx, starter: Starter): Promise<boolean> {
  const id = await cancelRunning(tx, new Date(clock()));
  if (id === undefined) return false;
  await noteInAudit(tx, starter, 'full_check.cancelled', id);
  return true;
}

function noteInAudit(tx: Tx, starter: Starter, action: string, id: string): Promise<void> {
  const target = { type: 'full_check', id };
  if (starter.type === 'system') return insertAudit(tx, { actor: { type: 'system' }, action, target });
  const { requestId } = starter;
  return insertAudit(tx, {
    actor: { type: 'admin', id: starter.id },
    action,
    target,
    ...(requestId !== undefined && { requestId }),
  });
}
