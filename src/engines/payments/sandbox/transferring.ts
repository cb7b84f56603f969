import type Stripe from 'stripe';
import * as z from 'zod';
import { type Books, SandboxError } from './books.ts';
import { amount, type Call, type Endpoints, expandable, flag, metadata, page, paged, read, show } from './calls.ts';
import { makeTransfer } from './objects.ts';
import { checkDestination, moveToAccount } from './paying.ts';
import { returnFeeOf, reverse } from './refunding.ts';
import { listObjects, platform, sumBalance } from './store.ts';

const TransferParams = z.strictObject({
  ...expandable,
  amount,
  currency: z.string(),
  destination: z.string(),
  source_transaction: z.string().optional(),
  transfer_group: z.string().optional(),
  metadata: metadata.optional(),
});

/** Many parts of one charge are nothing that we ask for. */
const mostOfCharge = 100;

/** What a charge brought is sent on once. @throws SandboxError where less is left of it */
async function checkLeft(books: Books, source_transaction: string, cents: number): Promise<void> {
  const charge = await books.find<Stripe.Charge>(source_transaction, 'charge');
  const where = { source_transaction };
  const asked = { type: 'transfer', account: platform, where, after: undefined, limit: mostOfCharge };
  const before = (await listObjects(books.tx, asked)) as unknown as Stripe.Transfer[];
  const sent = before.reduce((sum, transfer) => sum + transfer.amount - transfer.amount_reversed, 0);
  if (sent + cents <= charge.amount - charge.amount_refunded) return;
  const words = `Transfers using ${charge.id} as a source_transaction must not exceed the source amount.`;
  throw new SandboxError(400, 'balance_insufficient', words);
}

/** @throws SandboxError where the platform has less that is available than is to be sent */
async function checkAvailable({ tx, now }: Books, currency: string, cents: number): Promise<void> {
  const sums = await sumBalance(tx, platform, now);
  if (cents <= (sums.find((sum) => sum.currency === currency)?.available ?? 0)) return;
  const words =
    'You have insufficient available funds in your Stripe account. Try adding funds directly to your available balance.';
  throw new SandboxError(400, 'balance_insufficient', words);
}

/** In how many seconds what a charge has brought is available. */
async function waitOf({ find, now }: Books, chargeId: string): Promise<number> {
  const { balance_transaction } = await find<Stripe.Charge>(chargeId, 'charge');
  const line = await find<Stripe.BalanceTransaction>(String(balance_transaction), 'balance_transaction');
  return Math.max(0, line.available_on - now);
}

/** Money of the platform goes to an account: at once, or with that of the charge that it comes from. */
async function createTransfer(books: Books, call: Call): Promise<object> {
  const { amount: cents, currency, destination, metadata: words = {}, ...more } = read(TransferParams, call);
  if (cents < 1) throw new SandboxError(400, 'parameter_invalid', 'Invalid amount');
  await checkDestination(books, destination);
  const { source_transaction = null, transfer_group = null } = more;
  if (source_transaction === null) await checkAvailable(books, currency, cents);
  else await checkLeft(books, source_transaction, cents);
  const made = makeTransfer({
    amount: cents,
    currency,
    destination,
    metadata: words,
    source_transaction,
    transfer_group,
  });
  const availableIn = source_transaction === null ? 0 : await waitOf(books, source_transaction);
  return (await moveToAccount(books, made, 0, availableIn)).transfer;
}

const ReversalParams = z.strictObject({
  ...expandable,
  amount: amount.optional(),
  refund_application_fee: flag.optional(),
  metadata: metadata.optional(),
});

/** Returns whether a transfer was made with its charge, whose account may go below zero for it. */
async function isOfCharge(books: Books, { id, source_transaction }: Stripe.Transfer): Promise<boolean> {
  if (typeof source_transaction !== 'string') return false;
  return (await books.find<Stripe.Charge>(source_transaction, 'charge')).transfer === id;
}

/** @throws SandboxError where an account has less that is available than what is taken back of a transfer of its own */
async function checkFunds(
  { tx, now }: Books,
  { destination, currency }: Stripe.Transfer,
  cents: number,
): Promise<void> {
  const sums = await sumBalance(tx, String(destination), now);
  if (cents <= (sums.find((sum) => sum.currency === currency)?.available ?? 0)) return;
  const words = 'The connected account has insufficient funds to cover this reversal.';
  throw new SandboxError(400, 'balance_insufficient', words);
}

/** An account gives back what it was transferred, and is given the platform's part of that. */
async function createReversal(books: Books, call: Call): Promise<object> {
  const { amount: requested, refund_application_fee, metadata: words = {} } = read(ReversalParams, call);
  const transfer = await books.find<Stripe.Transfer>(call.id, 'transfer');
  const left = transfer.amount - transfer.amount_reversed;
  const cents = requested ?? left;
  if (cents < 1 || cents > left)
    throw new SandboxError(400, 'parameter_invalid', 'The reversal is greater than what is left of the transfer.');
  if (!(await isOfCharge(books, transfer))) await checkFunds(books, transfer, cents);
  const feeBack = refund_application_fee === true ? await returnFeeOf(books, transfer, cents) : 0;
  return reverse(books, transfer, { amount: cents, feeBack, metadata: words });
}

async function listTransfers({ tx }: Books, call: Call): Promise<object> {
  const created = z.strictObject({ gte: amount }).optional();
  const asked = { destination: z.string(), transfer_group: z.string() };
  const shape = z.strictObject({ ...paged, created, ...z.object(asked).partial().shape });
  const { limit, starting_after: after, created: from, destination, transfer_group } = read(shape, call);
  const where = { destination, transfer_group };
  const data = await listObjects(tx, { type: 'transfer', account: platform, where, since: from?.gte, after, limit });
  return page(data, limit, '/v1/transfers');
}

async function listReversals({ tx, find }: Books, call: Call): Promise<object> {
  const { limit, starting_after: after } = read(z.strictObject(paged), call);
  await find(call.id, 'transfer');
  const where = { transfer: call.id };
  const data = await listObjects(tx, { type: 'transfer_reversal', account: platform, where, after, limit });
  return page(data, limit, `/v1/transfers/${call.id}/reversals`);
}

export const transferEndpoints: Endpoints = {
  'GET /v1/transfers': listTransfers,
  'GET /v1/transfers/:id/reversals': listReversals,
  'POST /v1/transfers': createTransfer,
  'GET /v1/transfers/:id': show('transfer'),
  'POST /v1/transfers/:id/reversals': createReversal,
};
