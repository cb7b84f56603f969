import type Stripe from 'stripe';
import { bankOf } from './accounts.ts';
import { availableOf, post } from './books.ts';
import { refused } from './errors.ts';
import { pageOf } from './expanding.ts';
import { needAmount, numberAt, wordAt, wordsAt } from './params.ts';
import { type Asked, route } from './route.ts';
import type { World } from './world.ts';

/** The published numbers of bank accounts that take nothing, by their end. */
const failures: Readonly<Record<string, { code: string; message: string }>> = {
  '1116': { code: 'no_account', message: 'The bank account details on file are probably incorrect.' },
  '1113': { code: 'account_closed', message: 'The bank account has been closed.' },
};

function makePayout({ world, params, account }: Asked): Stripe.Payout {
  const amount = needAmount(params);
  const bank = account === undefined ? undefined : bankOf(world, account);
  if (bank === undefined) throw refused("Sorry, you don't have any external accounts in that currency (usd).");
  if (availableOf(world, account) < amount)
    throw refused('You have insufficient funds in your Stripe account for this payout.', 'balance_insufficient');
  const payout = world.add('payout', 'po', {
    amount,
    currency: 'usd',
    destination: bank.id,
    metadata: wordsAt(params, 'metadata'),
    arrival_date: world.now() + 2 * 86_400,
  });
  if (account !== undefined) world.accounts.set(payout, account);
  payout.balance_transaction = post(world, { account, type: 'payout', amount: -amount, source: payout.id });
  const failure = failures[bank.last4];
  if (failure !== undefined) world.later.push(() => fail(world, payout, failure));
  return payout;
}

/** The bank sends it back. */
function fail(world: World, payout: Stripe.Payout, { code, message }: { code: string; message: string }): void {
  const account = world.accounts.get(payout);
  const id = post(world, { account, type: 'payout_failure', amount: payout.amount, source: payout.id });
  const reported = { status: 'failed', failure_code: code, failure_message: message, failure_balance_transaction: id };
  Object.assign(payout, reported);
}

function findOne({ world, account, id }: Asked): Stripe.Payout {
  const payout = world.find('payout', id);
  if (world.accounts.get(payout) !== account) throw refused(`No such payout: '${id}'`, 'resource_missing');
  return payout;
}

function list({ world, params, account }: Asked) {
  const since = numberAt(params, 'created.gte') ?? 0;
  const all = world.all('payout').filter((one) => world.accounts.get(one) === account && one.created >= since);
  return pageOf(all, {
    limit: numberAt(params, 'limit'),
    after: wordAt(params, 'starting_after'),
    url: '/v1/payouts',
  });
}

export const payoutRoutes = [
  route('POST /v1/payouts', makePayout),
  route('GET /v1/payouts', list),
  route('GET /v1/payouts/:id', findOne),
];
