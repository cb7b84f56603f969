import type Stripe from 'stripe';
import { cleanLine } from '#kit/clean-text.ts';
import type { Amounts, CardFailure, Checkout, HookEvent, HookName, Movement } from './payments.ts';
import type { PaymentState } from './plan-payments.ts';
import { givenAgain, isFeeBorne } from './stripe-disputes.ts';
import { isActedUpon } from './stripe-events.ts';

const idOf = (value: string | { id: string } | null | undefined): string | undefined =>
  typeof value === 'string' ? value : value?.id;

/** Words of the provider's, or of whoever typed them there, as they may be stored. */
export const readWords = (words: string | null | undefined): string | undefined =>
  words === null || words === undefined ? undefined : cleanLine(words);

const moment = (seconds: number) => new Date(seconds * 1000);

/** Returns what became of a payment; it and its charge have to be expanded. */
export function readPayment(payment: string | Stripe.PaymentIntent | null | undefined): PaymentState {
  const latest = typeof payment === 'string' ? null : payment?.latest_charge;
  const whole = typeof latest === 'string' ? null : latest;
  // A card that was declined leaves a charge as well.
  const charge = whole?.status === 'failed' ? null : whole;
  return {
    paymentId: idOf(payment),
    chargeId: whole?.status === 'failed' ? undefined : idOf(latest),
    ...(charge != null && { chargedAt: moment(charge.created) }),
    refundedCents: charge?.amount_refunded ?? 0,
    isDisputed: charge?.disputed ?? false,
  };
}

/** Returns the card that a payment was taken from, which has to be expanded as well. */
export function readCard(payment: string | Stripe.PaymentIntent | null | undefined): string | undefined {
  const charge = typeof payment === 'string' ? null : payment?.latest_charge;
  if (charge === null || typeof charge !== 'object' || charge.status === 'failed') return undefined;
  return charge.payment_method_details?.card?.fingerprint ?? undefined;
}

const hasFailed = (payment: Stripe.Checkout.Session['payment_intent']): boolean =>
  typeof payment !== 'string' && (payment?.last_payment_error ?? null) !== null;

/** A checkout as it stands. @param payment of what is paid every month: that of its first bill */
export function readCheckout(session: Stripe.Checkout.Session, payment?: PaymentState): Checkout {
  return {
    sessionId: session.id,
    orderId: session.client_reference_id ?? undefined,
    kind: session.metadata?.kind,
    state: stateOf(session),
    url: session.url ?? undefined,
    email: readWords(session.customer_details?.email),
    amountCents: session.amount_total ?? 0,
    currency: session.currency ?? 'usd',
    subscriptionId: idOf(session.subscription),
    ...(payment ?? readPayment(session.payment_intent)),
    hasFailed: hasFailed(session.payment_intent),
  };
}

/** What is not known to be paid is not: a state that came with a newer provider opens nothing. */
function stateOf({ status, payment_status, payment_intent: payment }: Stripe.Checkout.Session): Checkout['state'] {
  if (payment_status === 'paid') return 'paid';
  if (status === 'expired') return 'expired';
  if (status !== 'complete') return 'open';
  const isOver = payment !== null && typeof payment !== 'string' && isRefused(payment.status);
  return isOver ? 'failed' : 'processing';
}

const refusedWords = ['requires_payment_method', 'canceled', 'incomplete_expired'];

/** Returns whether a bank has said no, of a payment or a subscription whose checkout is complete: nothing can be paid there any more. */
export const isRefused = (status: string): boolean => refusedWords.includes(status);

export const readFailure = ({ id, created, payment_method_details }: Stripe.Charge): CardFailure => ({
  chargeId: id,
  card: payment_method_details?.card?.fingerprint ?? undefined,
  at: moment(created),
});

export function readAmounts({ available, pending }: Stripe.Balance): Amounts {
  const sums = (parts: readonly { amount: number; currency: string }[]) =>
    new Map(parts.map(({ amount, currency }) => [currency, amount]));
  return { available: sums(available), pending: sums(pending) };
}

/** What a movement is about, as far as its source has to be asked for. */
export interface SourceReader {
  transferOf(transferId: string): Promise<Stripe.Transfer>;
  feeOf(feeId: string): Promise<Stripe.ApplicationFee>;
  chargeOf(chargeId: string): Promise<Stripe.Charge>;
}

type Source = Pick<
  Movement,
  'chargeId' | 'accountId' | 'feeShareCents' | 'sold' | 'isOwnSale' | 'heldFor' | 'isGivenAgain'
> & { kind?: Movement['kind'] };
const nothing: Source = { chargeId: undefined, accountId: undefined, feeShareCents: 0, isOwnSale: false };

/** Nothing of it goes to anybody else, now or later. */
const isOwnSale = ({ transfer_data, transfer_group }: Stripe.Charge): boolean =>
  transfer_data === null && transfer_group === null;

const groupPrefix = 'req_';

/** Returns what a charge that is held and the transfer that releases it have in common. */
export const groupOf = (requestId: string): string => `${groupPrefix}${requestId}`;

const heldBy = (group: string | null): string | undefined =>
  group?.startsWith(groupPrefix) === true ? group.slice(groupPrefix.length) : undefined;

/** The payment that takes the fee of a dispute from a creator belongs to the payment that was disputed. */
const ofFeeBorne = ({ charge, account }: Stripe.Metadata): Source => ({
  ...nothing,
  kind: 'dispute_fee',
  chargeId: charge,
  accountId: account,
});

const ofTransfer = ({ destination, source_transaction, transfer_group, metadata }: Stripe.Transfer): Source => {
  if (isFeeBorne(metadata)) return ofFeeBorne(metadata);
  const isGivenAgain = metadata.kind === givenAgain;
  return {
    ...nothing,
    chargeId: idOf(source_transaction) ?? metadata.charge,
    accountId: idOf(destination),
    heldFor: heldBy(transfer_group),
    ...(isGivenAgain && { isGivenAgain }),
  };
};

const ofFee = ({ account, originating_transaction }: Stripe.ApplicationFee): Source => ({
  ...nothing,
  chargeId: idOf(originating_transaction),
  accountId: idOf(account),
});

/** What went back of a payment is booked where the payment was. */
async function ofRefund({ charge }: Stripe.Refund, reader: SourceReader): Promise<Source> {
  const chargeId = idOf(charge);
  if (chargeId === undefined) return nothing;
  const paid = await reader.chargeOf(chargeId);
  if (isFeeBorne(paid.metadata)) return ofFeeBorne(paid.metadata);
  if (!isOwnSale(paid)) return { ...nothing, chargeId, heldFor: heldBy(paid.transfer_group) };
  return { ...nothing, chargeId, sold: paid.metadata.kind, isOwnSale: true };
}

async function sourceOf(source: Stripe.BalanceTransaction['source'], reader: SourceReader): Promise<Source> {
  if (source === null || typeof source === 'string') return nothing;
  switch (source.object) {
    case 'charge':
      if (isFeeBorne(source.metadata)) return ofFeeBorne(source.metadata);
      return {
        chargeId: source.id,
        accountId: idOf(source.transfer_data?.destination),
        feeShareCents: source.application_fee_amount ?? 0,
        // The bill of a month carries no word of ours, and nothing else of a creator's has none.
        sold: source.metadata.kind ?? (source.transfer_data === null ? undefined : 'fan_sub'),
        isOwnSale: isOwnSale(source),
        heldFor: heldBy(source.transfer_group),
      };
    case 'refund':
      return ofRefund(source, reader);
    case 'dispute':
      return { ...nothing, chargeId: idOf(source.charge) };
    case 'transfer':
      return ofTransfer(source);
    case 'application_fee':
      return ofFee(source);
    case 'transfer_reversal':
      return ofTransfer(await reader.transferOf(idOf(source.transfer) ?? ''));
    case 'fee_refund':
      return ofFee(await reader.feeOf(idOf(source.fee) ?? ''));
    default:
      return nothing;
  }
}

const kinds: Readonly<Partial<Record<string, Movement['kind']>>> = {
  charge: 'charge',
  payment: 'charge',
  transfer: 'transfer',
  application_fee: 'application_fee',
  refund: 'refund',
  payment_refund: 'refund',
  // What came back stands where it was when it left.
  refund_failure: 'refund',
  transfer_refund: 'transfer_refund',
  application_fee_refund: 'application_fee_refund',
  adjustment: 'adjustment',
  payout: 'payout',
  payout_cancel: 'payout',
  payout_failure: 'payout',
  // Money of the platform's own that comes from its bank.
  topup: 'payout',
  topup_reversal: 'payout',
  stripe_fee: 'stripe_fee',
};

export async function readMovement(line: Stripe.BalanceTransaction, reader: SourceReader): Promise<Movement> {
  return {
    id: line.id,
    kind: kinds[line.type] ?? 'other',
    amountCents: line.amount,
    feeCents: line.fee,
    netCents: line.net,
    currency: line.currency,
    at: moment(line.created),
    availableAt: moment(line.available_on),
    ...(await sourceOf(line.source, reader)),
  };
}

/** Of an event only what it is about: its contents may be older than what is known. */
export function readEvent(event: Stripe.Event, hook: HookName): HookEvent {
  const { type } = event;
  // A balance, for one, has no id.
  const objectId = String((event.data.object as { id?: string }).id ?? '');
  return {
    eventId: event.id,
    type,
    objectId,
    isActedUpon: isActedUpon(hook, { type, objectId, before: event.data.previous_attributes }),
    accountId: event.account,
    livemode: event.livemode,
    createdAt: moment(event.created),
  };
}
