import type Stripe from 'stripe';
import { availableOf, post } from './books.ts';
import { needsTransfers, takeCharge } from './charging.ts';
import { badParam, Refusal, refused } from './errors.ts';
import { pageOf } from './expanding.ts';
import { needAmount, needWord, numberAt, type Params, wordAt, wordsAt } from './params.ts';
import { type Asked, route } from './route.ts';
import type { World } from './world.ts';

/** Reads what a payment is to do with its money, as it stands in a payment or in the part of a checkout that is about it. */
export function readSplit(world: World, params: Params, amount: number) {
  const destination = wordAt(params, 'transfer_data.destination');
  const applicationFee = numberAt(params, 'application_fee_amount');
  if (destination !== undefined) needsTransfers(world, destination);
  if (applicationFee !== undefined && destination === undefined)
    throw badParam('application_fee_amount', 'Can only apply an application_fee_amount together with a destination.');
  if ((applicationFee ?? 0) > amount)
    throw badParam('application_fee_amount', 'The application fee cannot be greater than the total amount.');
  return {
    destination,
    applicationFee,
    group: wordAt(params, 'transfer_group'),
    metadata: wordsAt(params, 'metadata'),
  };
}

/** Makes a payment and takes it at once. @throws Refusal where the card is declined */
export function payIntent(
  world: World,
  payment: { amount: number; methodId: string; customer: string | null } & ReturnType<typeof readSplit>,
): Stripe.PaymentIntent {
  const { amount, methodId, customer, destination, applicationFee, group, metadata } = payment;
  const intent = world.add('payment_intent', 'pi', {
    amount,
    currency: 'usd',
    customer,
    metadata,
    payment_method: methodId,
    application_fee_amount: applicationFee ?? null,
    transfer_data: destination === undefined ? null : { destination },
    transfer_group: group ?? null,
  });
  intent.client_secret = `${intent.id}_secret_standin`;
  const charge = takeCharge(world, { ...payment, intentId: intent.id });
  intent.latest_charge = charge.id;
  if (charge.status === 'failed') {
    intent.status = 'requires_payment_method';
    intent.payment_method = null;
    throw declinedOf(intent, charge);
  }
  intent.status = 'succeeded';
  intent.amount_received = amount;
  return intent;
}

function declinedOf(intent: Stripe.PaymentIntent, charge: Stripe.Charge): Refusal {
  const error = { code: charge.failure_code ?? 'card_declined', message: charge.failure_message ?? '' };
  intent.last_payment_error = { ...error, type: 'card_error', charge: charge.id } as never;
  const words = { ...error, type: 'card_error', declineCode: 'generic_decline' } as const;
  return new Refusal(402, { ...words, more: { charge: charge.id, payment_intent: intent } });
}

function makeIntent({ world, params }: Asked): Stripe.PaymentIntent {
  const amount = needAmount(params);
  needWord(params, 'currency');
  const methodId = needWord(params, 'payment_method');
  const isCard = wordAt(params, 'allowed_payment_method_types.0') !== 'us_bank_account';
  if (!isCard && wordAt(params, 'mandate_data.customer_acceptance.type') === undefined)
    throw badParam('mandate_data', 'A mandate is needed for this payment method.');
  return payIntent(world, {
    amount,
    methodId,
    customer: wordAt(params, 'customer') ?? null,
    ...readSplit(world, params, amount),
  });
}

/** Takes money from a connected account: what Stripe calls an account debit. */
function debitAccount({ world, params }: Asked): Stripe.Charge {
  const [amount, account] = [needAmount(params), needWord(params, 'source')];
  world.find('v2.core.account', account, 'source');
  if (availableOf(world, account) < amount)
    throw refused('Insufficient funds in the account that is to be debited.', 'balance_insufficient');
  const metadata = wordsAt(params, 'metadata');
  const charge = world.add('charge', 'py', {
    amount,
    amount_captured: amount,
    currency: 'usd',
    metadata,
    status: 'succeeded',
    paid: true,
    payment_method_details: { type: 'stripe_account', stripe_account: {} },
  });
  charge.balance_transaction = post(world, { type: 'payment', amount, source: charge.id });
  post(world, { account, type: 'payment', amount: -amount, source: charge.id });
  return charge;
}

function listCharges({ world, params, account }: Asked) {
  const [intent, since] = [wordAt(params, 'payment_intent'), numberAt(params, 'created.gte') ?? 0];
  const all = world
    .all('charge')
    .filter((one) => one.created >= since && world.accounts.get(one) === account)
    .filter((one) => intent === undefined || one.payment_intent === intent);
  const [limit, after] = [numberAt(params, 'limit'), wordAt(params, 'starting_after')];
  return pageOf(all, { limit, after, url: '/v1/charges' });
}

export const intentRoutes = [
  route('POST /v1/payment_intents', makeIntent),
  route('GET /v1/payment_intents/:id', ({ world, id }) => world.find('payment_intent', id)),
  route('GET /v1/charges', listCharges),
  route('POST /v1/charges', debitAccount),
  route('GET /v1/charges/:id', ({ world, id }) => world.find('charge', id)),
];
