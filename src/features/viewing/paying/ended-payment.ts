import type { Engines } from '#engines/engines.ts';
import type { Reason } from '#features/access/contract.ts';
import type { Decision } from '#features/access/rules.ts';
import type { Question } from '#features/access/store.ts';
import { refundOnRevokeMs } from '#features/orders/rules.ts';
import { type EndedPayment, findEndedPayment } from '#features/returns/withholding-store.ts';
import { describeSaleEnd, type SaleEnd } from '#features/sales/rules.ts';
import { formatMoney } from '#kit/text.ts';
import type { No } from '../refusals.ts';

type Needs = Pick<Engines, 'database' | 'payments'>;
interface Payer {
  linkId: string;
  viewerId: string;
}

const findPayment = ({ database, payments }: Needs, payer: Payer) =>
  findEndedPayment(database, payments.realm, { ...payer, withinMs: refundOnRevokeMs });

const amountOf = ({ cents, currency }: EndedPayment) => formatMoney(cents, currency.toUpperCase());

const moneyOf = (paid: EndedPayment): string =>
  paid.isReturned ? `Your refund of ${amountOf(paid)} is on its way.` : 'Not refundable – see terms shown at purchase.';

/** What becomes of the money of somebody who had paid for a link before it was revoked, in a sentence; empty for whoever has not. */
export async function describeRevokedMoney(engines: Needs, payer: Payer): Promise<string> {
  const paid = await findPayment(engines, payer);
  return paid === undefined ? '' : moneyOf(paid);
}

/** Why nobody is let in any more, as far as somebody who has paid is told so. */
const endOf: Readonly<Partial<Record<Reason, SaleEnd>>> = { REVOKED: 'link_revoked', VIEWER_BLOCKED: 'viewer_blocked' };

/**
 * Tells whoever paid for a link that was ended that it was, whether they ever opened it or not, and whether their money comes back;
 * and whoever paid too late that it does. Everybody else learns nothing.
 */
export async function withRefund(
  engines: Needs,
  question: Question | undefined,
  decision: Decision,
  no: No,
): Promise<No> {
  if (question?.viewer === undefined || decision.ok) return no;
  const paid = await findPayment(engines, { linkId: question.linkId, viewerId: question.viewer.viewerId });
  if (paid === undefined) return no;
  const end = endOf[decision.reason];
  if (end !== undefined && (end === 'link_revoked' || paid.isByEnd)) return sayEnded(no, end, paid);
  if (paid.endedWhy === null) return no;
  const { text } = no.refusal;
  return { ...no, refusal: { ...no.refusal, text: `${text} ${lateLine(paid)}`.trim() } };
}

const lateLine = (paid: EndedPayment) =>
  `Your payment of ${amountOf(paid)} arrived when this was not for sale: it goes back to your card.`;

const sayEnded = (no: No, end: SaleEnd, paid: EndedPayment): No => ({
  status: 410,
  refusal: {
    ...no.refusal,
    reason: 'REVOKED',
    title: 'Access ended',
    text: `${describeSaleEnd(end)} ${paid.endedWhy === null ? moneyOf(paid) : lateLine(paid)}`,
  },
});
