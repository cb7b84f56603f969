import type Stripe from 'stripe';
import { availableOf } from './books.ts';
import { needsTransfers, sendTransfer } from './charging.ts';
import { refused } from './errors.ts';
import { pageOf } from './expanding.ts';
import { needAmount, needWord, numberAt, wordAt, wordsAt } from './params.ts';
import { refundFee, reverse } from './refunds.ts';
import { type Asked, route } from './route.ts';
import type { World } from './world.ts';

/** Returns what of a charge has not been sent on yet. */
function leftOf(world: World, charge: Stripe.Charge): number {
  const sent = world.all('transfer').filter(({ source_transaction }) => source_transaction === charge.id);
  return charge.amount - sent.reduce((sum, { amount }) => sum + amount, 0);
}

function makeTransfer({ world, params }: Asked): Stripe.Transfer {
  const [amount, destination] = [needAmount(params), needWord(params, 'destination')];
  needsTransfers(world, destination);
  const source = wordAt(params, 'source_transaction') ?? null;
  const charge = source === null ? undefined : world.find('charge', source, 'source_transaction');
  if (charge !== undefined && amount > leftOf(world, charge))
    throw refused('The transfers of this source_transaction would exceed its amount.', 'balance_insufficient');
  if (charge === undefined && amount > availableOf(world, undefined))
    throw refused('You have insufficient available funds in your Stripe account.', 'balance_insufficient');
  const line = world.all('balance_transaction').find((one) => one.source === source);
  return sendTransfer(world, {
    destination,
    amount,
    source,
    metadata: wordsAt(params, 'metadata'),
    group: wordAt(params, 'transfer_group') ?? null,
    ...(line !== undefined && { availableOn: line.available_on }),
  });
}

function makeReversal({ world, params, id }: Asked): Stripe.TransferReversal {
  const transfer = world.find('transfer', id);
  const before = transfer.amount_reversed;
  const amount = numberAt(params, 'amount') ?? transfer.amount - before;
  const made = reverse(world, id, amount, null, wordsAt(params, 'metadata'));
  const charge = world.all('charge').find((one) => one.transfer === id);
  const fee = charge?.application_fee;
  if (wordAt(params, 'refund_application_fee') === 'true' && fee)
    refundFee(world, String(fee), { of: transfer.amount, before, amount });
  return made;
}

function list({ world, params }: Asked) {
  const [group, destination] = [wordAt(params, 'transfer_group'), wordAt(params, 'destination')];
  const since = numberAt(params, 'created.gte') ?? 0;
  const all = world
    .all('transfer')
    .filter((one) => one.created >= since && (group ?? one.transfer_group) === one.transfer_group)
    .filter((one) => (destination ?? one.destination) === one.destination);
  const [limit, after] = [numberAt(params, 'limit'), wordAt(params, 'starting_after')];
  return pageOf(all, { limit, after, url: '/v1/transfers' });
}

function listReversals({ world, params, id }: Asked) {
  const all = world.all('transfer_reversal').filter(({ transfer }) => transfer === id);
  const [limit, after] = [numberAt(params, 'limit'), wordAt(params, 'starting_after')];
  return pageOf(all, { limit, after, url: `/v1/transfers/${id}/reversals` });
}

export const transferRoutes = [
  route('GET /v1/transfers', list),
  route('GET /v1/transfers/:id/reversals', listReversals),
  route('POST /v1/transfers', makeTransfer),
  route('GET /v1/transfers/:id', ({ world, id }) => world.find('transfer', id)),
  route('POST /v1/transfers/:id/reversals', makeReversal),
];
