import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { type NotDone, notDone, type Operator } from '#features/audit/operator.ts';
import { insertAudit } from '#features/audit/store.ts';
import { moneyNow } from '#features/books/money-clock.ts';
import { withObjectLock } from '#features/books/object-lock.ts';
import type { NextStep } from '../disputes-contract.ts';
import { answerLock } from './answering-disputes.ts';
import { type EvidenceRow, findEvidence, objectTo, wantSubmitted } from './evidence-store.ts';

const system = { kind: 'system' } as const;
type Needed = Pick<Engines, 'database' | 'linkClock' | 'payments'>;

const isUndecided = ({ standing }: EvidenceRow): boolean => standing === 'open' || standing === 'warning';
const isAnswered = ({ submittedAt, handedInAt }: EvidenceRow): boolean => submittedAt !== null || handedInAt !== null;

/** Of what a creator pays the platform no evidence is built. */
export const isByHand = ({ orderId, builtAt }: EvidenceRow): boolean => orderId === null && builtAt === null;
export const byHandWords = ({ disputeId }: Pick<EvidenceRow, 'disputeId'>): string =>
  `No evidence is built for ${disputeId}: what a creator pays the platform is answered in the provider's dashboard.`;

/** Returns what happens next with a dispute and its evidence. */
export function nextStepOf(row: EvidenceRow): NextStep {
  if (!isUndecided(row)) return 'ended';
  if (isAnswered(row)) return 'answered';
  if (row.refused !== null) return 'refused';
  if (row.objectedAt !== null) return 'not_contested';
  if (isByHand(row)) return 'by_hand';
  if (row.builtAt === null) return 'building';
  if (row.wantedAt !== null) return 'submitting';
  return row.isOpened === false ? 'never_opened' : 'scheduled';
}

/** Says why nothing can be decided about a dispute any more; undefined where something can. */
export function answerRefusal(row: EvidenceRow): string | undefined {
  if (!isUndecided(row) || isAnswered(row)) return `Dispute ${row.disputeId} is answered or over.`;
  return isByHand(row) ? byHandWords(row) : undefined;
}

type Decided = { kind: 'done' } | NotDone;

/** Finds a dispute by the provider's name for it. */
export const findDisputeByName = ({ database, payments }: Needed, disputeId: string) =>
  database.work(system, (tx) => findEvidence(tx, payments.realm, disputeId));

/** Accepts a dispute: nothing is submitted, and the bank decides for the buyer. @returns undefined where there is none */
export async function acceptDispute(
  engines: Needed,
  { disputeId, note }: { disputeId: string; note: string },
  by: Operator,
): Promise<Decided | undefined> {
  const row = await findDisputeByName(engines, disputeId);
  if (row === undefined) return undefined;
  const refusal = answerRefusal(row);
  if (refusal !== undefined) return notDone(refusal);
  return withObjectLock(engines, answerLock(disputeId), () =>
    engines.database.work(system, async (tx) => {
      if (!(await objectTo(tx, row.id, moneyNow(engines), note)))
        return notDone(
          `Dispute ${disputeId} is not contested already, it was answered just now, or no evidence has been built for it yet.`,
        );
      await writeDown(tx, { action: 'dispute.objected', row, details: { note } }, by);
      return { kind: 'done' };
    }),
  );
}

/** Has the evidence submitted within a minute. @returns undefined where there is no such dispute */
export const submitDispute = (engines: Needed, disputeId: string, by: Operator): Promise<Decided | undefined> =>
  engines.database.work(system, async (tx) => {
    const row = await findEvidence(tx, engines.payments.realm, disputeId);
    if (row === undefined) return undefined;
    const now = moneyNow(engines);
    const refusal = answerRefusal(row);
    if (refusal !== undefined) return notDone(refusal);
    if (row.dueBy === null || now >= row.dueBy) return notDone(`The bank takes no evidence for ${disputeId} any more.`);
    if (!(await wantSubmitted(tx, row.id, now)))
      return notDone(`No evidence has been built for ${disputeId} yet: try again in a minute.`);
    await writeDown(tx, { action: 'dispute.submitted', row, details: {} }, by);
    return { kind: 'done' };
  });

const writeDown = (
  tx: Tx,
  { action, row, details }: { action: string; row: EvidenceRow; details: Record<string, string> },
  { actor, requestId }: Operator,
) =>
  insertAudit(tx, {
    actor,
    action,
    ...(row.orderId !== null && { target: { type: 'order', id: row.orderId } }),
    details: { ...details, dispute: row.disputeId },
    ...(requestId && { requestId }),
  });
