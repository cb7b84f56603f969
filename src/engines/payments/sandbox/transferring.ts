import type Stripe from 'stripe';
import * as z from 'zod';
import { type Books, SandboxError } from './books.ts';
import { amount, type Call, expandable, metadata, read } from './calls.ts';
import { makeTransfer } from './objects.ts';
import { checkDestination, moveToAccount } from './paying.ts';
import { listObjects, platform } from './store.ts';

const TransferParams = z.strictObject({
  ...expandable,
  amount,
  currency: z.string(),
  destination: z.string(),
  transfer_group: z.string(),
  source_transaction: z.string(),
  metadata: metadata.optional(),
});

/** Many parts of one charge are nothing that we ask for. */
const mostOfCharge = 100;

/** Sends an account a part of what a charge brought, and never more than is left of it. */
export async function createTransfer(books: Books, call: Call): Promise<object> {
  const { currency, destination, transfer_group, source_transaction, ...params } = read(TransferParams, call);
  await checkDestination(books, destination);
  const charge = await books.find<Stripe.Charge>(source_transaction, 'charge');
  const where = { source_transaction };
  const asked = { type: 'transfer', account: platform, where, after: undefined, limit: mostOfCharge };
  const before = (await listObjects(books.tx, asked)) as unknown as Stripe.Transfer[];
  const sent = before.reduce((sum, transfer) => sum + transfer.amount - transfer.amount_reversed, 0);
  if (params.amount <= 0 || sent + params.amount > charge.amount - charge.amount_refunded)
    throw new SandboxError(
      400,
      'balance_insufficient',
      `Transfers using ${charge.id} as a source_transaction must not exceed the source amount.`,
    );
  const made = makeTransfer({
    ...{ amount: params.amount, currency, destination, transfer_group, source_transaction },
    metadata: params.metadata ?? {},
  });
  return (await moveToAccount(books, made, 0)).transfer;
}
