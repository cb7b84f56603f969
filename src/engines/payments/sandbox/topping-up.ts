import type Stripe from 'stripe';
import { type Books, writeLine } from './books.ts';
import { newObjectId } from './objects.ts';
import { platform } from './store.ts';

/** The platform adds money of its own to its balance, where it is available at once. */
export async function topUp(books: Books, amount: number): Promise<void> {
  const id = newObjectId('tu');
  const line = { type: 'topup' as const, amount, currency: 'usd', source: id, availableIn: 0 };
  const made: Stripe.Topup = {
    id,
    object: 'topup',
    amount,
    currency: 'usd',
    created: books.now,
    livemode: false,
    metadata: {},
    balance_transaction: await writeLine(books, platform, line),
    description: null,
    expected_availability_date: books.now,
    failure_code: null,
    failure_message: null,
    initiated_by: 'user',
    source: null,
    statement_descriptor: null,
    status: 'succeeded',
    transfer_group: null,
  };
  await books.keep(made);
}
