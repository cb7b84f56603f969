import type Stripe from 'stripe';
import { type Books, SandboxError, writeLine } from './books.ts';
import { isWithBank } from './disputing.ts';
import { makeFeeRefund, makeRefund, makeReversal, newObjectId } from './objects.ts';
import { platform } from './store.ts';
import { followWarning } from './warning.ts';

export interface RefundParams {
  payment_intent?: string | undefined;
  charge?: string | undefined;
  amount?: number | undefined;
  reason?: Stripe.Refund['reason'] | undefined;
  metadata?: Record<string, string> | undefined;
  reverse_transfer?: boolean | undefined;
  refund_application_fee?: boolean | undefined;
}

async function chargeOf({ find }: Books, { charge, payment_intent }: RefundParams): Promise<Stripe.Charge> {
  if (charge !== undefined) return find<Stripe.Charge>(charge, 'charge');
  const payment = await find<Stripe.PaymentIntent>(payment_intent ?? '', 'payment_intent');
  return find<Stripe.Charge>(String(payment.latest_charge), 'charge');
}

/** @throws SandboxError where it cannot be returned */
async function amountOf(books: Books, charge: Stripe.Charge, requested: number | undefined): Promise<number> {
  const { id, amount, amount_refunded, refunded, disputed } = charge;
  if (disputed && (await isWithBank(books, id)))
    throw new SandboxError(400, 'charge_disputed', `Charge ${id} has been charged back; cannot issue a refund.`);
  if (refunded) throw new SandboxError(400, 'charge_already_refunded', `Charge ${id} has already been refunded.`);
  const returned = requested ?? amount - amount_refunded;
  if (returned > 0 && amount_refunded + returned <= amount) return returned;
  throw new SandboxError(400, 'amount_too_large', `Refund amount is greater than unrefunded amount on charge ${id}`);
}

/** Returns money, and takes its parts back from whoever had them, in proportion to all that was returned so far. */
export async function refundCharge(books: Books, params: RefundParams): Promise<Stripe.Refund> {
  const charge = await chargeOf(books, params);
  const amount = await amountOf(books, charge, params.amount);
  const before = charge.amount_refunded;
  const after = before + amount;
  const { id, currency, payment_intent } = charge;
  const refunded = await books.keep({ ...charge, amount_refunded: after, refunded: after === charge.amount });
  const about = { amount, currency, charge: id, created: books.now, payment_intent };
  const name = id.startsWith('py_') ? { id: newObjectId('pyr') } : {};
  const refund = makeRefund({ ...about, ...name, reason: params.reason ?? null, metadata: params.metadata ?? {} });
  const type = id.startsWith('py_') ? ('payment_refund' as const) : ('refund' as const);
  const line = { type, amount: -amount, currency, source: refund.id };
  const balance_transaction = await writeLine(books, platform, line);
  const shareOf = (part: number) =>
    Math.round((part * after) / charge.amount) - Math.round((part * before) / charge.amount);
  const feeBack = params.refund_application_fee ? await returnFee(books, charge, shareOf) : 0;
  const transfer_reversal = params.reverse_transfer ? await reverseTransfer(books, charge, amount, feeBack) : null;
  const made = await books.keep({ ...refund, balance_transaction, transfer_reversal });
  await books.publish('refund.created', made);
  await books.publish('charge.refunded', refunded);
  await followWarning(books, refunded);
  return made;
}

/** The buyer's bank does not take a refund: the money is the platform's again, what was reversed for it stays so. */
export async function sendRefundBack(books: Books, id: string): Promise<void> {
  const refund = await books.find<Stripe.Refund>(id, 'refund');
  const charge = await books.find<Stripe.Charge>(String(refund.charge), 'charge');
  const { amount, currency } = refund;
  const failure_balance_transaction = await writeLine(books, platform, {
    type: 'refund_failure' as const,
    amount,
    currency,
    source: id,
    availableIn: 0,
  });
  const after = charge.amount_refunded - amount;
  await books.keep({ ...charge, amount_refunded: after, refunded: false });
  const failure = { failure_balance_transaction, failure_reason: 'expired_or_canceled_card', status: 'failed' };
  await books.publish('refund.failed', await books.keep({ ...refund, ...failure }));
}

async function returnFee(
  books: Books,
  { application_fee }: Stripe.Charge,
  shareOf: (part: number) => number,
): Promise<number> {
  if (typeof application_fee !== 'string') return 0;
  const fee = await books.find<Stripe.ApplicationFee>(application_fee, 'application_fee');
  const amount = shareOf(fee.amount);
  if (amount === 0) return 0;
  const { currency } = fee;
  const back = makeFeeRefund({ amount, currency, created: books.now, fee: fee.id });
  const line = { type: 'application_fee_refund' as const, amount: -amount, currency, source: back.id };
  await books.keep({ ...back, balance_transaction: await writeLine(books, platform, line) });
  const amount_refunded = fee.amount_refunded + amount;
  const returned = await books.keep({ ...fee, amount_refunded, refunded: amount_refunded === fee.amount });
  await books.publish('application_fee.refunded', returned);
  return amount;
}

async function reverseTransfer(books: Books, charge: Stripe.Charge, amount: number, feeBack: number): Promise<string> {
  if (typeof charge.transfer !== 'string')
    throw new SandboxError(400, 'parameter_invalid', 'This charge has no transfer to reverse.');
  const transfer = await books.find<Stripe.Transfer>(charge.transfer, 'transfer');
  if (transfer.amount_reversed + amount > transfer.amount)
    throw new SandboxError(400, 'parameter_invalid', 'The reversal is greater than what is left of the transfer.');
  return (await reverse(books, transfer, { amount, feeBack })).id;
}

/** Takes money back out of the account that it was transferred to. */
export async function reverse(
  books: Books,
  transfer: Stripe.Transfer,
  { amount, feeBack, metadata = {} }: { amount: number; feeBack: number; metadata?: Record<string, string> },
): Promise<Stripe.TransferReversal> {
  const { currency } = transfer;
  const bare = makeReversal({ amount, currency, created: books.now, transfer: transfer.id, metadata });
  const line = { type: 'transfer_refund' as const, amount, currency, source: bare.id };
  const reversal = await books.keep({ ...bare, balance_transaction: await writeLine(books, platform, line) });
  const source = String(transfer.destination_payment);
  const out = { type: 'payment_refund' as const, amount: -amount, currency, source, fee: -feeBack };
  await writeLine(books, String(transfer.destination), out);
  const amount_reversed = transfer.amount_reversed + amount;
  const reversed = await books.keep({ ...transfer, amount_reversed, reversed: amount_reversed === transfer.amount });
  await books.publish('transfer.reversed', reversed);
  return reversal;
}

/** The platform's part goes back with a transfer: all of it with all that is left, else in proportion. @returns how much */
export async function returnFeeOf(books: Books, transfer: Stripe.Transfer, amount: number): Promise<number> {
  if (typeof transfer.source_transaction !== 'string') return 0;
  const charge = await books.find<Stripe.Charge>(transfer.source_transaction, 'charge');
  const [before, after] = [transfer.amount_reversed, transfer.amount_reversed + amount];
  const shareOf = (part: number) =>
    Math.round((part * after) / transfer.amount) - Math.round((part * before) / transfer.amount);
  return returnFee(books, charge, shareOf);
}
