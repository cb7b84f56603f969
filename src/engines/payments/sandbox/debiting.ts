import type Stripe from 'stripe';
import * as z from 'zod';
import { type Books, SandboxError, writeLine } from './books.ts';
import { amount, type Call, type Endpoints, expandable, metadata, read } from './calls.ts';
import { makeCharge, makeTransfer, newObjectId } from './objects.ts';
import { platform, sumBalance } from './store.ts';

const DebitParams = z.strictObject({
  ...expandable,
  amount: amount.min(50),
  currency: z.string(),
  source: z.string().startsWith('acct_'),
  metadata: metadata.optional(),
});

/** An account as it stands in a payment that it was made to pay. */
const sourceOf = (id: string): Stripe.Account => ({
  id,
  object: 'account',
  charges_enabled: false,
  details_submitted: true,
  email: null,
  payouts_enabled: true,
  type: 'express',
});

/** Money of an account goes to the platform, where there is enough of it: a payment here, and a transfer there. */
async function debitAccount(books: Books, call: Call): Promise<object> {
  const { amount: cents, currency, source: account, metadata: words = {} } = read(DebitParams, call);
  await books.find(account, 'account');
  const sums = await sumBalance(books.tx, account, books.now);
  const available = sums.find((sum) => sum.currency === currency)?.available ?? 0;
  if (cents > available)
    throw new SandboxError(400, 'balance_insufficient', 'The account has insufficient funds for this debit.');
  const about = { amount: cents, currency, created: books.now };
  const made = makeCharge({ ...about, id: newObjectId('py'), amount_captured: cents, metadata: words });
  const sent = makeTransfer({ ...about, destination: platform, destination_payment: made.id });
  const out = { type: 'transfer' as const, amount: -cents, currency, source: sent.id, availableIn: 0 };
  await books.keep({ ...sent, balance_transaction: await writeLine(books, account, out) }, { account });
  const into = { type: 'payment' as const, amount: cents, currency, source: made.id, availableIn: 0 };
  const balance_transaction = await writeLine(books, platform, into);
  const paid = { ...made, balance_transaction, source: sourceOf(account), source_transfer: sent.id };
  const kept = await books.keep(paid);
  await books.publish('charge.succeeded', kept);
  return kept;
}

export const debitEndpoints: Endpoints = { 'POST /v1/charges': debitAccount };
