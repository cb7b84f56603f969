import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { caseLinkOf } from '#features/audit/case-reference.ts';
import type { Operator } from '#features/audit/operator.ts';
import { insertAudit } from '#features/audit/store.ts';
import { queueEmail } from '#features/notices/store.ts';
import { supportAnswerEmail } from '#features/notices/support-emails.ts';
import { insertSupportAnswer } from './conversation-store.ts';
import { type StoredSupportRequest, type SupportStatus, setSupportStatus } from './store.ts';

/** Mails an answer to whoever wrote and keeps it; the request is answered then. */
export async function sendAnswer(
  tx: Tx,
  engines: Pick<Engines, 'jobs' | 'installation' | 'keys'>,
  { number, subject, userId, email }: StoredSupportRequest,
  { text, operator, now }: { text: string; operator: Operator; now: Date },
): Promise<void> {
  const { actor } = operator;
  await insertSupportAnswer(tx, { number, adminId: actor.type === 'admin' ? (actor.id ?? null) : null, text, now });
  const page = caseLinkOf(engines, 'support', number);
  const words = supportAnswerEmail({ number, subject, text, page });
  await queueEmail(tx, engines.jobs, { ...(userId === null ? {} : { userId }), to: email, now, ...words });
  await changeStatus(tx, number, 'answered', operator);
}

/** Notes how it stands with a request, and who has changed that. */
export async function changeStatus(
  tx: Tx,
  number: number,
  status: SupportStatus,
  { actor, requestId }: Operator,
): Promise<void> {
  await setSupportStatus(tx, number, status);
  const details = { number, status };
  await insertAudit(tx, { actor, action: 'support.changed', details, ...(requestId !== undefined && { requestId }) });
}
