import { sql } from 'kysely';
import type { Tx } from '#engines/database/work.ts';
import type { CheckPart, CheckResult, CheckStep, FullCheck } from './contract.ts';

/** Inserts a run, unless one is under way. @returns whether it was inserted */
export async function insertCheck(
  tx: Tx,
  { id, part, startedBy, now }: { id: string; part: CheckPart | null; startedBy: string | null; now: Date },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx.db
    .insertInto('full_checks')
    .values({ id, part, started_by: startedBy, started_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

export interface RunningCheck {
  id: string;
  part: CheckPart | null;
  startedAt: Date;
  seenAt: Date | null;
}

/** Finds the run that is under way. */
export const findRunning = (tx: Tx): Promise<RunningCheck | undefined> =>
  tx.db
    .selectFrom('full_checks')
    .select(['id', 'part', 'started_at as startedAt', 'seen_at as seenAt'])
    .where('ended_at', 'is', null)
    .$castTo<RunningCheck>()
    .executeTakeFirst();

const allChecks = (tx: Tx) =>
  tx.db
    .selectFrom('full_checks as c')
    .select(['c.id', 'c.part', 'c.started_at as startedAt', 'c.ended_at as endedAt', 'c.result', 'c.steps'])
    .select([sql<boolean>`c.cancelled_at is not null`.as('isEnding')])
    .select(sql<boolean>`c.started_by is not null`.as('isByHand'));

/** Lists runs, the newest first. @param part of one part; null for those of the whole */
export const listChecks = (tx: Tx, limit: number, part: CheckPart | null = null): Promise<FullCheck[]> =>
  allChecks(tx)
    .where('c.part', 'is not distinct from', part)
    .orderBy('c.started_at', 'desc')
    .limit(limit)
    .$castTo<FullCheck>()
    .execute();

/** Finds one run. */
export const findCheck = (tx: Tx, id: string): Promise<FullCheck | undefined> =>
  allChecks(tx).where('c.id', '=', id).$castTo<FullCheck>().executeTakeFirst();

/** Takes a run up that no process has begun. @returns false where one has, or where it has ended */
export async function takeUp(tx: Tx, id: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable('full_checks')
    .set({ seen_at: now })
    .where('id', '=', id)
    .where('seen_at', 'is', null)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Notes that a run is alive. @returns false when it was asked to end, or has */
export async function noteAlive(tx: Tx, id: string, now: Date): Promise<boolean> {
  const row = await tx.db
    .updateTable('full_checks')
    .set({ seen_at: now })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .returning('cancelled_at')
    .executeTakeFirst();
  return row !== undefined && row.cancelled_at === null;
}

/** Keeps how far a run is. */
export async function keepSteps(tx: Tx, id: string, steps: readonly CheckStep[]): Promise<void> {
  await tx.db
    .updateTable('full_checks')
    .set({ steps: JSON.stringify(steps) })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .execute();
}

/** Ends a run. @param passedCalls procedures that it has called and that did what they were asked. @returns false when it has ended before */
export async function endCheck(
  tx: Tx,
  id: string,
  result: CheckResult,
  now: Date,
  passedCalls: readonly string[] = [],
): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable('full_checks')
    .set({ ended_at: now, result, passed_calls: [...passedCalls] })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Asks the run that is under way to end. @returns its id */
export async function cancelRunning(tx: Tx, now: Date): Promise<string | undefined> {
  const row = await tx.db
    .updateTable('full_checks')
    .set({ cancelled_at: now })
    .where('ended_at', 'is', null)
    .where('cancelled_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

/** Forgets runs of long ago that have left nothing. */
export async function forgetChecks(tx: Tx, before: Date): Promise<void> {
  await tx.db
    .deleteFrom('full_checks')
    .where('started_at', '<', before)
    .where('ended_at', 'is not', null)
    .where('cleaned_at', 'is not', null)
    .execute();
}
