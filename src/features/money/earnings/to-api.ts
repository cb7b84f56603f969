import { writeCursor } from '#features/albums/rules.ts';
import { termsOf } from '#features/notices/refund-promise.ts';
import type { OrderRow } from '#features/orders/orders-store.ts';
import { type OrderState, opens } from '#features/orders/rules.ts';
import { formatDevice, maskEmail } from '#kit/text.ts';
import type { EarningOrder, EarningRow, Receipt } from '../contract.ts';
import type { EarningOrderRow } from './earning-order-store.ts';
import type { EarningLine } from './earnings-store.ts';
import type { PayoutLine } from './payout-lines-store.ts';

/** A line of what a creator earned, as they see it: never who paid. */
export function showLine(line: EarningLine): EarningRow {
  const { id, orderId, at, amountCents, grossCents, currency, message, signedBy, isOnPage, availableAt } = line;
  const { months } = line;
  const state = (line.isReturning ? 'returning' : line.state) as EarningRow['state'];
  return {
    id,
    orderId,
    at,
    amountCents,
    grossCents,
    currency,
    message,
    signedBy,
    isOnPage,
    availableAt,
    state,
    months,
    kind: kindOf(line),
    isSubscription: line.kind === 'fan_sub',
    isReported: line.isReported,
    link: line.linkId === null ? null : { id: line.linkId, name: line.linkName ?? '' },
    // What was held is given back on the page of the request, and not once it was released.
    canRefund:
      line.kind !== 'request' && kindOf(line) === line.kind && !line.isReturning && opens(line.state as OrderState),
  };
}

function kindOf({ isFee, isRefund, isDisputeFee, kind }: EarningLine): EarningRow['kind'] {
  if (isDisputeFee) return 'dispute_fee';
  if (isFee) return 'fee';
  return isRefund ? 'refund' : kind;
}

/** A payout, as a line beside what was earned. */
export const showPayoutLine = ({ id, at, amountCents, currency }: PayoutLine): EarningRow => ({
  id,
  orderId: null,
  kind: 'payout',
  at,
  amountCents,
  currency,
  grossCents: Math.abs(amountCents),
  state: 'paid',
  message: '',
  signedBy: '',
  isOnPage: false,
  link: null,
  isSubscription: false,
  months: 1,
  availableAt: at,
  canRefund: false,
  isReported: false,
});

/** After every visit that began in the same moment. */
const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** One payment, with the visit that it belongs to. */
export function showEarningOrder(row: EarningOrderRow): EarningOrder {
  const { linkId, linkName, visitLinkId, visitAt, country, source, browser, system, ...order } = row;
  return {
    ...order,
    link: linkId === null ? null : { id: linkId, name: linkName ?? '' },
    visit:
      visitLinkId === null || visitAt === null
        ? null
        : {
            linkId: visitLinkId,
            at: visitAt,
            country,
            isCountryEstimated: source === 'timezone',
            device: formatDevice({ browser, system }),
            cursor: writeCursor({ at: visitAt.toISOString(), id: lastId }),
          },
  };
}

/** A receipt, for whoever holds its code. */
export function showReceipt(
  order: OrderRow & { receiptNumber: number; paidAt: Date },
  {
    asking,
    why,
    isSandbox,
    statementDescriptor,
  }: Pick<Receipt, 'asking' | 'why' | 'isSandbox' | 'statementDescriptor'>,
): Receipt {
  const {
    kind,
    isOnPage,
    receiptNumber,
    paidAt,
    termsShown,
    creatorName,
    amountCents,
    refundedCents,
    currency,
    email,
  } = order;
  return {
    number: receiptNumber,
    at: paidAt,
    kind,
    isOnPage,
    creatorName,
    amountCents,
    refundedCents,
    currency,
    asking,
    why,
    terms: termsShown ?? termsOf(kind, isOnPage),
    isSandbox,
    statementDescriptor,
    email: email === null ? null : maskEmail(email),
  };
}
