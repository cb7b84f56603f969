import type Stripe from 'stripe';
import type { World } from './world.ts';

interface Line {
  /** Undefined for the platform's own books. */
  account?: string | undefined;
  type: Stripe.BalanceTransaction.Type;
  amount: number;
  fee?: number;
  source: string;
  availableOn?: number | undefined;
}

/** Writes one line into the books. */
export function post(world: World, { account, type, amount, fee = 0, source, availableOn }: Line): string {
  const line = world.add('balance_transaction', 'txn', {
    amount,
    fee,
    net: amount - fee,
    type,
    source,
    currency: 'usd',
    available_on: availableOn ?? world.now(),
    status: (availableOn ?? 0) > world.now() ? 'pending' : 'available',
    reporting_category: type,
    fee_details:
      fee === 0 ? [] : [{ amount: fee, application: null, currency: 'usd', description: null, type: 'stripe_fee' }],
  });
  if (account !== undefined) world.accounts.set(line, account);
  return line.id;
}

export const linesOf = (world: World, account: string | undefined): Stripe.BalanceTransaction[] =>
  world.all('balance_transaction').filter((line) => world.accounts.get(line) === account);

export function balanceOf(world: World, account: string | undefined): Stripe.Balance {
  const lines = linesOf(world, account);
  const sum = (isPending: boolean) =>
    lines.filter((line) => line.available_on > world.now() === isPending).reduce((all, { net }) => all + net, 0);
  const amounts = (amount: number) => [{ amount, currency: 'usd', source_types: { card: amount } }];
  const none = account === undefined && { connect_reserved: [{ amount: 0, currency: 'usd' }] };
  return {
    object: 'balance',
    livemode: false,
    available: amounts(sum(false)),
    pending: amounts(sum(true)),
    ...none,
  };
}

export const availableOf = (world: World, account: string | undefined): number =>
  balanceOf(world, account).available[0]?.amount ?? 0;
