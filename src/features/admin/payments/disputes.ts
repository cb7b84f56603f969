import type { DisputeEvidence } from '#engines/payments/disputes.ts';
import { operatorOf } from '#features/audit/operator.ts';
import {
  acceptDispute as accept,
  answerRefusal,
  type EvidenceRow,
  findDisputeByName,
  listDisputes,
  nextStepOf,
  submitDispute as submit,
} from '#features/returns/deciding.ts';
import type { AdminContext } from '#wire/context.ts';
import { refuse } from '#wire/refusals.ts';
import type { DisputeCard, ListedDispute } from '../payments-contract.ts';
import { requireDone } from './orders.ts';

const pageSize = 50;

/** Lists disputes, those that are open first, by when they have to be answered. */
export async function showDisputes({ asSystem, engines: { payments } }: AdminContext, page: number) {
  const rows = await asSystem((tx) => listDisputes(tx, payments.realm, pageSize + 1, page * pageSize));
  return { disputes: rows.slice(0, pageSize).map(showListed), hasMore: rows.length > pageSize };
}

function showListed(row: EvidenceRow): ListedDispute {
  const { disputeId, orderId, isPack, amountCents, currency, reason, status, standing, openedAt, dueBy, isOwed } = row;
  const about = { disputeId, orderId, isPack, amountCents, currency, reason, status, standing };
  return { ...about, next: nextStepOf(row), openedAt, dueBy, isOwed };
}

/** Shows a dispute and the evidence that is sent, or was. @throws NOT_FOUND */
export async function showDispute({ engines }: AdminContext, disputeId: string): Promise<DisputeCard> {
  const row = await findDisputeByName(engines, disputeId);
  if (row === undefined) throw refuse('NOT_FOUND');
  const { builtAt, submittedAt, handedInAt, objection, refused, ofViewer } = row;
  return {
    ...showListed(row),
    evidence: listEvidence(row.fields),
    builtAt,
    submittedAt: submittedAt ?? handedInAt,
    objection: objection === '' ? null : objection,
    refused,
    ofViewer,
    refusal: answerRefusal(row) ?? null,
  };
}

const listEvidence = (fields: DisputeEvidence | null) =>
  Object.entries(fields ?? {}).map(([field, text]) => ({ field, text: String(text) }));

/** Does not contest a dispute. @throws NOT_FOUND, CONFLICT */
export async function acceptDispute(context: AdminContext, input: { disputeId: string; note: string }): Promise<void> {
  requireDone(await accept(context.engines, input, operatorOf(context)));
}

/** Has the evidence submitted. @throws NOT_FOUND, CONFLICT */
export async function submitDispute(context: AdminContext, disputeId: string): Promise<void> {
  requireDone(await submit(context.engines, disputeId, operatorOf(context)));
}
