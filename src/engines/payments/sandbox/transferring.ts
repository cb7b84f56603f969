import type Stripe from 'stripe';
import * as z from 'zod';
import { type Books, SandboxError, writeLine } from './books.ts';
import { amount, type Call, type Endpoints, expandable, flag, metadata, read, show } from './calls.ts';
import { makeCharge, makeTransfer, newObjectId } from './objects.ts';
import { checkDestination } from './paying.ts';
import { returnFeeOf, reverse } from './refunding.ts';
import { platform } from './store.ts';

const TransferParams = z.strictObject({
  ...expandable,
  amount,
  currency: z.string(),
  destination: z.string(),
  source_transaction: z.string().optional(),
  transfer_group: z.string().optional(),
  metadata: metadata.optional(),
});

/** Money of the platform goes to an account, where it can be used at once. */
async function createTransfer(books: Books, call: Call): Promise<object> {
  const { amount: cents, currency, destination, metadata: words = {}, ...more } = read(TransferParams, call);
  if (cents < 1) throw new SandboxError(400, 'parameter_invalid', 'Invalid amount');
  await checkDestination(books, destination);
  const about = { amount: cents, currency, created: books.now };
  const received = makeCharge({ ...about, id: newObjectId('py'), amount_captured: cents });
  const made = makeTransfer({
    ...{ ...about, destination, destination_payment: received.id, metadata: words },
    source_transaction: more.source_transaction ?? null,
    transfer_group: more.transfer_group ?? null,
  });
  const line = { currency, availableIn: 0 };
  const out = { ...line, type: 'transfer' as const, amount: -cents, source: made.id };
  const transfer = await books.keep({ ...made, balance_transaction: await writeLine(books, platform, out) });
  const into = { ...line, type: 'payment' as const, amount: cents, source: received.id };
  const balance_transaction = await writeLine(books, destination, into);
  await books.keep({ ...received, balance_transaction, source_transfer: transfer.id }, { account: destination });
  await books.tell('transfer.created', transfer);
  return transfer;
}

const ReversalParams = z.strictObject({
  ...expandable,
  amount: amount.optional(),
  refund_application_fee: flag.optional(),
  metadata: metadata.optional(),
});

/** An account gives back what it was transferred, and is given the platform's part of that. */
async function createReversal(books: Books, call: Call): Promise<object> {
  const { amount: wished, refund_application_fee, metadata: words = {} } = read(ReversalParams, call);
  const transfer = await books.find<Stripe.Transfer>(call.id, 'transfer');
  const left = transfer.amount - transfer.amount_reversed;
  const cents = wished ?? left;
  if (cents < 1 || cents > left)
    throw new SandboxError(400, 'parameter_invalid', 'The reversal is greater than what is left of the transfer.');
  const feeBack = refund_application_fee === true ? await returnFeeOf(books, transfer, cents) : 0;
  return reverse(books, transfer, { amount: cents, feeBack, metadata: words });
}

export const transferEndpoints: Endpoints = {
  'POST /v1/transfers': createTransfer,
  'GET /v1/transfers/:id': show('transfer'),
  'POST /v1/transfers/:id/reversals': createReversal,
};
