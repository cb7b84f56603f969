import type { Engines } from '#engines/engines.ts';
import type { Decision } from '#features/access/rules.ts';
import type { Question } from '#features/access/store.ts';
import { refundOnRevokeMs } from '#features/money/rules.ts';
import { findEndedPayment } from '#features/money/withholding-store.ts';
import { formatMoney } from '#kit/text.ts';
import type { No } from '../refusals.ts';

/** Tells whoever paid for a link that was ended whether the money comes back; whoever was never let in learns nothing. */
export async function withRefund(
  { database, payments }: Pick<Engines, 'database' | 'payments'>,
  question: Question | undefined,
  decision: Decision,
  no: No,
): Promise<No> {
  if (question?.viewer === undefined || decision.ok || no.refusal.reason !== 'REVOKED') return no;
  const about = { linkId: question.linkId, viewerId: question.viewer.viewerId, withinMs: refundOnRevokeMs };
  const paid = await findEndedPayment(database, payments.realm, about);
  if (paid === undefined) return no;
  const line = paid.isReturned
    ? `Your refund of ${formatMoney(paid.cents, paid.currency.toUpperCase())} is on its way.`
    : 'Not refundable – see terms shown at purchase.';
  return { ...no, refusal: { ...no.refusal, text: `${no.refusal.text} ${line}` } };
}
