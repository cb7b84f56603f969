import type Stripe from 'stripe';
import * as z from 'zod';
import { type Books, SandboxError } from './books.ts';
import { type Call, Declined, type Endpoints, expandable, flag, page, paged, read, show } from './calls.ts';
import { whyNotFinal, wordsOf } from './finalizing.ts';
import { collectFinal, payOpen } from './plan-billing.ts';
import { listByHidden, listObjects, platform } from './store.ts';

async function listInvoicePayments({ tx }: Books, call: Call): Promise<object> {
  const payment = z.strictObject({ type: z.literal('payment_intent'), payment_intent: z.string() }).optional();
  const shape = z.strictObject({ ...paged, invoice: z.string().optional(), payment });
  const { limit, starting_after: after, invoice, payment: paidBy } = read(shape, call);
  const all = await listObjects(tx, {
    type: 'invoice_payment',
    account: platform,
    where: { invoice },
    after,
    limit: 1000,
  });
  const data = all.filter(
    (one) =>
      paidBy === undefined ||
      (one as unknown as Stripe.InvoicePayment).payment.payment_intent === paidBy.payment_intent,
  );
  return page(data, limit, '/v1/invoice_payments');
}

async function listInvoices({ tx }: Books, call: Call): Promise<object> {
  const shape = z.strictObject({ ...paged, subscription: z.string(), status: z.string().optional() });
  const { limit, starting_after: after, subscription, status } = read(shape, call);
  const asked = { type: 'invoice', where: { subscription }, after, limit: status === undefined ? limit : 1000 };
  const all = (await listByHidden(tx, asked)) as Stripe.Invoice[];
  const data = all.filter((invoice) => status === undefined || invoice.status === status);
  return page(data.slice(0, limit + 1), limit, '/v1/invoices');
}

/** A bill is taken from a card that somebody names. That it was declined stays written down. */
async function payInvoiceNow(books: Books, call: Call): Promise<object> {
  const { payment_method } = read(z.strictObject({ ...expandable, payment_method: z.string() }), call);
  const invoice = await books.find<Stripe.Invoice>(call.id, 'invoice');
  if (invoice.status === 'paid') throw new SandboxError(400, 'invoice_already_paid', 'Invoice is already paid');
  if (invoice.status !== 'open') throw new SandboxError(400, 'invoice_not_open', 'This invoice can no longer be paid.');
  await books.find(payment_method, 'payment_method');
  if (await payOpen(books, invoice, payment_method)) return books.find(call.id, 'invoice');
  return new Declined('Your card was declined.');
}

/** A draft is made a bill now, and taken from the card at once. */
async function finalizeNow(books: Books, call: Call): Promise<object> {
  read(z.strictObject({ ...expandable, auto_advance: flag }), call);
  const draft = await books.find<Stripe.Invoice>(call.id, 'invoice');
  if (draft.status !== 'draft')
    throw new SandboxError(400, 'invoice_not_editable', "This invoice is already finalized, you can't re-finalize it.");
  const id = draft.parent?.subscription_details?.subscription;
  const subscription = await books.find<Stripe.Subscription>(
    typeof id === 'string' ? id : (id?.id ?? ''),
    'subscription',
  );
  const why = await whyNotFinal(books, subscription);
  if (why !== undefined) throw new SandboxError(400, why, wordsOf(why));
  await collectFinal(books, subscription, draft);
  return books.find(call.id, 'invoice');
}

/** What the sandbox answers about bills. */
export const invoiceEndpoints: Endpoints = {
  'GET /v1/invoices': listInvoices,
  'GET /v1/invoices/:id': show('invoice'),
  'POST /v1/invoices/:id/finalize': finalizeNow,
  'POST /v1/invoices/:id/pay': payInvoiceNow,
  'GET /v1/invoice_payments': listInvoicePayments,
};
