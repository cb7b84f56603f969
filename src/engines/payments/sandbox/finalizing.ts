import type Stripe from 'stripe';
import type { Books } from './books.ts';
import { daySeconds } from './books.ts';
import { isUntaken } from './delivering-store.ts';
import { isReady } from './paying.ts';
import { numberOf } from './writing-invoices.ts';

/** A draft waits so much longer for each time that its event was not taken, */
const waitSeconds = 3600;
/** and no longer than that in all. */
const mostDraftSeconds = 3 * daySeconds;

const idOf = (value: string | { id: string } | null): string | undefined =>
  typeof value === 'string' ? value : value?.id;

/** The newest bill of a plan, while it is a draft. */
export async function draftOf(
  books: Books,
  { latest_invoice }: Stripe.Subscription,
): Promise<Stripe.Invoice | undefined> {
  const id = idOf(latest_invoice);
  const invoice = id === undefined ? undefined : await books.find<Stripe.Invoice>(id, 'invoice');
  return invoice?.status === 'draft' && invoice.automatically_finalizes_at !== null ? invoice : undefined;
}

/** Returns whether nobody has taken the event that tells of a draft: it waits for that, up to three days. */
export async function isUndelivered(books: Books, { id, created }: Stripe.Invoice): Promise<boolean> {
  const { told } = await books.hiddenOf(id);
  return books.now < created + mostDraftSeconds && (await isUntaken(books.tx, String(told)));
}

export async function postponeDraft(books: Books, draft: Stripe.Invoice): Promise<void> {
  const latest = draft.created + mostDraftSeconds;
  await books.keep({ ...draft, automatically_finalizes_at: Math.min(books.now + waitSeconds, latest) });
}

/** Returns whether what is paid can go where it has to: nothing is taken for an account that can't be paid. */
export async function canReach(
  books: Books,
  { transfer_data }: { transfer_data?: Stripe.PaymentIntent['transfer_data'] | Stripe.Subscription['transfer_data'] },
): Promise<boolean> {
  const destination = idOf(transfer_data?.destination ?? null);
  return destination === undefined || isReady(await books.find<Stripe.V2.Core.Account>(destination, 'account'));
}

/** Why a draft of a plan can't become a bill, by the provider's code; undefined where nothing is in its way. */
export async function whyNotFinal(books: Books, subscription: Stripe.Subscription): Promise<string | undefined> {
  const { spoiled } = await books.hiddenOf(subscription.id);
  if (typeof spoiled === 'string') return spoiled;
  return (await canReach(books, subscription)) ? undefined : 'transfers_not_allowed';
}

/** A draft that can't become a bill stays one, and is not tried again by itself. */
export async function failToFinalize(books: Books, draft: Stripe.Invoice, code: string): Promise<void> {
  const last_finalization_error = { code, type: 'invalid_request_error', message: wordsOf(code) } as const;
  const failed = { ...draft, automatically_finalizes_at: null, last_finalization_error };
  await books.publish('invoice.finalization_failed', await books.keep(failed));
}

export const wordsOf = (code: string): string => `The invoice could not be finalized: ${code}.`;

/** A draft becomes a bill that is open. */
export async function finalize(books: Books, draft: Stripe.Invoice): Promise<Stripe.Invoice> {
  const final = await books.keep({
    ...draft,
    status: 'open' as const,
    automatically_finalizes_at: null,
    last_finalization_error: null,
    number: await numberOf(books, idOf(draft.customer) ?? ''),
    status_transitions: { ...draft.status_transitions, finalized_at: books.now },
  });
  await books.publish('invoice.finalized', final);
  return final;
}

/** What is still a draft when its plan ends stays one. */
export async function leaveDraft(books: Books, { latest_invoice }: Stripe.Subscription): Promise<void> {
  const invoice = await books.find<Stripe.Invoice>(idOf(latest_invoice) ?? '', 'invoice');
  if (invoice.status === 'draft')
    await books.keep({ ...invoice, auto_advance: false, automatically_finalizes_at: null });
}
