import type Stripe from 'stripe';
import { availableOf, post } from './books.ts';
import { isTaken } from './disputes.ts';
import { badParam, refused } from './errors.ts';
import { pageOf } from './expanding.ts';
import { needWord, numberAt, wordAt, wordsAt } from './params.ts';
import { type Asked, route } from './route.ts';
import type { World } from './world.ts';

/** Checks what may be given back. @returns how much */
function amountOf(world: World, charge: Stripe.Charge, wanted: number | undefined): number {
  const left = charge.amount - charge.amount_refunded;
  if (isTaken(world, charge.id))
    throw refused(`Charge ${charge.id} has been charged back; cannot issue a refund.`, 'charge_disputed');
  if (left === 0) throw refused(`Charge ${charge.id} has already been refunded.`, 'charge_already_refunded');
  const amount = wanted ?? left;
  if (amount > left) throw refused(`Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`);
  if (world.faults.has('refuses_second_refund') && charge.amount_refunded > 0)
    throw refused('This charge cannot be refunded again.');
  return amount;
}

function makeRefund({ world, params }: Asked): Stripe.Refund {
  const intent = world.find('payment_intent', needWord(params, 'payment_intent'), 'payment_intent');
  const charge = world.find('charge', String(intent.latest_charge));
  const amount = amountOf(world, charge, numberAt(params, 'amount'));
  const [isReversed, isFeeBack] = ['reverse_transfer', 'refund_application_fee'].map(
    (name) => wordAt(params, name) === 'true',
  );
  if (isReversed && !charge.transfer) throw badParam('reverse_transfer', 'There is no transfer to reverse.');
  if (isFeeBack && !charge.application_fee) throw badParam('refund_application_fee', 'There is no fee to refund.');
  const isCard = charge.id.startsWith('ch_');
  const refund = world.add('refund', isCard ? 're' : 'pyr', {
    amount,
    currency: 'usd',
    charge: charge.id,
    payment_intent: intent.id,
    metadata: wordsAt(params, 'metadata'),
    reason: (wordAt(params, 'reason') ?? null) as Stripe.Refund['reason'],
    status: isCard ? 'succeeded' : 'pending',
  });
  const before = charge.amount_refunded;
  charge.amount_refunded += amount;
  charge.refunded = charge.amount_refunded === charge.amount;
  const type = isCard ? 'refund' : 'payment_refund';
  refund.balance_transaction = post(world, { type, amount: -amount, source: refund.id });
  if (isReversed) refund.transfer_reversal = reverse(world, String(charge.transfer), amount, refund.id).id;
  if (isFeeBack) refundFee(world, String(charge.application_fee), { of: charge.amount, before, amount });
  return refund;
}

/** Takes a part of a transfer back; with a refund, the account may go below zero. */
export function reverse(
  world: World,
  transferId: string,
  amount: number,
  refund: string | null,
  metadata: Record<string, string> = {},
): Stripe.TransferReversal {
  const transfer = world.find('transfer', transferId);
  const [account, left] = [String(transfer.destination), transfer.amount - transfer.amount_reversed];
  if (amount > left) throw refused(`Reversal amount (${amount}) is greater than unreversed amount (${left})`);
  const mayOwe = isOfDestination(world, transfer);
  if (!mayOwe && availableOf(world, account) < amount)
    throw refused('The account does not have sufficient funds to cover this reversal.', 'balance_insufficient');
  const made = world.add('transfer_reversal', 'trr', {
    amount,
    currency: 'usd',
    transfer: transfer.id,
    source_refund: refund,
    metadata,
  });
  transfer.amount_reversed += amount;
  transfer.reversed = transfer.amount_reversed === transfer.amount;
  made.balance_transaction = post(world, { type: 'transfer_refund', amount, source: made.id });
  post(world, { account, type: 'payment_refund', amount: -amount, source: made.id });
  return made;
}

/** A transfer that came with its payment; all others were made by themselves. */
const isOfDestination = (world: World, { id }: Stripe.Transfer): boolean =>
  world.all('charge').some(({ transfer }) => transfer === id);

/** Gives the platform's part back in the proportion in which the payment went back so far. */
export function refundFee(
  world: World,
  feeId: string,
  { of, before, amount }: { of: number; before: number; amount: number },
): void {
  const fee = world.find('application_fee', feeId);
  const share = (part: number) => Math.round((fee.amount * part) / of);
  const back = Math.min(share(before + amount) - share(before), fee.amount - fee.amount_refunded);
  if (back <= 0) return;
  fee.amount_refunded += back;
  fee.refunded = fee.amount_refunded === fee.amount;
  const made = world.add('fee_refund', 'fr', { amount: back, currency: 'usd', fee: fee.id });
  made.balance_transaction = post(world, { type: 'application_fee_refund', amount: -back, source: made.id });
  post(world, { account: String(fee.account), type: 'application_fee_refund', amount: back, source: made.id });
}

function list({ world, params }: Asked) {
  const intent = wordAt(params, 'payment_intent');
  const all = world.all('refund').filter((one) => intent === undefined || one.payment_intent === intent);
  const [limit, after] = [numberAt(params, 'limit'), wordAt(params, 'starting_after')];
  return pageOf(all, { limit, after, url: '/v1/refunds' });
}

export const refundRoutes = [
  route('GET /v1/refunds', list),
  route('POST /v1/refunds', makeRefund),
  route('GET /v1/refunds/:id', ({ world, id }) => world.find('refund', id)),
];
