import type Stripe from 'stripe';
import { asksBank, awaitBank, requireAction } from './asking-bank.ts';
import { type Books, SandboxError, writeLine } from './books.ts';
import { cardDetailsOf } from './card-details.ts';
import { chargeRefusalOf, declinePayment } from './declining.ts';
import { disputeCharge, disputedCard } from './disputing.ts';
import { isOffered, link } from './methods.ts';
import { makeCharge, makeFee, makePayment, makeTransfer, newObjectId } from './objects.ts';
import { platform } from './store.ts';
import { reportLater } from './warning.ts';

/** What a checkout was opened with and does not tell: where its money goes. */
export interface PaymentData {
  application_fee_amount?: number | undefined;
  transfer_data?: { destination: string } | undefined;
  transfer_group?: string | undefined;
  metadata?: Record<string, string> | undefined;
}

const notOffered = 'This way to pay is not offered here.';

/** Returns what taking a card costs; assumed. */
const cardFee = (amount: number) => Math.round(amount * 0.029) + 30;

export const isReady = (account: Stripe.V2.Core.Account): boolean =>
  account.configuration?.recipient?.capabilities?.stripe_balance?.stripe_transfers?.status === 'active';

/** @throws SandboxError where an account cannot be paid */
export async function checkDestination({ find }: Books, accountId: string): Promise<void> {
  const account = await find<Stripe.V2.Core.Account>(accountId, 'destination');
  if (isReady(account)) return;
  const words =
    'Your destination account needs to have at least one of the following capabilities enabled: transfers, crypto_transfers, legacy_payments';
  throw new SandboxError(400, 'insufficient_capabilities_for_transfer', words);
}

/** Somebody pays on the sandbox's page. @returns what to tell them when the card was declined, or that their bank asks first */
export async function paySession(
  books: Books,
  sessionId: string,
  { email, card }: { email: string; card: string },
  isConfirmed = false,
): Promise<{ declined: string } | { asksBank: true } | { session: Stripe.Checkout.Session }> {
  const session = await books.find<Stripe.Checkout.Session>(sessionId, 'checkout.session');
  if (session.status !== 'open') return { session };
  const data = (await books.hiddenOf(sessionId)) as PaymentData;
  const payment = await paymentOf(books, session, data);
  // Another card is another try: what a bank was asked about before counts no more.
  const withPayment = await books.keep({ ...session, payment_intent: payment.id }, { hidden: { asked: null } });
  if (!isOffered(session, card)) return { declined: notOffered };
  const refusal = chargeRefusalOf(card);
  if (refusal !== undefined) {
    await declinePayment(books, payment, { number: card, refusal });
    return { declined: refusal.message };
  }
  if (asksBank(card) && !isConfirmed) {
    await requireAction(books, payment);
    return awaitBank(books, sessionId, { email, card });
  }
  const charge = await takePayment(books, payment, email, card);
  const customer = newObjectId('cus');
  const paid = await books.keep({
    ...withPayment,
    customer,
    customer_details: detailsOf(email),
    payment_status: 'paid' as const,
    status: 'complete' as const,
    client_secret: null,
    url: null,
  });
  await books.publish('checkout.session.completed', paid);
  if (card === disputedCard) await disputeCharge(books, charge.id);
  await reportLater(books, charge.id, card);
  return { session: paid };
}

export const detailsOf = (email: string | null): Stripe.Checkout.Session.CustomerDetails => ({
  address: null,
  business_name: null,
  email,
  individual_name: null,
  name: null,
  phone: null,
  tax_exempt: 'none',
  tax_ids: [],
});

async function paymentOf(
  { find, keep, now }: Books,
  { payment_intent, amount_total, currency }: Stripe.Checkout.Session,
  { application_fee_amount, transfer_data, transfer_group = '', metadata = {} }: PaymentData,
): Promise<Stripe.PaymentIntent> {
  if (typeof payment_intent === 'string') return find<Stripe.PaymentIntent>(payment_intent, 'payment_intent');
  const about = { amount: amount_total ?? 0, currency: currency ?? 'usd', created: now, metadata };
  const fee = application_fee_amount ?? null;
  const way = { ...(transfer_data && { transfer_data }), ...(transfer_group !== '' && { transfer_group }) };
  return keep(makePayment({ ...about, application_fee_amount: fee, ...way }));
}

/** The charge, its way to the creator where one has a part in it, and what the platform keeps. */
export async function takePayment(
  books: Books,
  payment: Stripe.PaymentIntent,
  email: string | null,
  card: string,
): Promise<Stripe.Charge> {
  const { amount, currency, metadata, customer, transfer_data, transfer_group, application_fee_amount: fee } = payment;
  const destination = idOf(transfer_data?.destination);
  const charge = makeCharge({
    amount,
    amount_captured: amount,
    currency,
    metadata,
    created: books.now,
    payment_intent: payment.id,
    application_fee_amount: fee,
    customer: idOf(customer) ?? null,
    ...(card === link
      ? { id: newObjectId('py'), payment_method_details: { type: link, link: { country: 'US' } } }
      : { payment_method_details: cardDetailsOf(card) }),
    billing_details: { address: null, email, name: null, phone: null, tax_id: null },
    transfer_data: destination === undefined ? null : { amount: null, destination },
    transfer_group,
  });
  const type = card === link ? ('payment' as const) : ('charge' as const);
  const line = { type, amount, currency, source: charge.id, fee: cardFee(amount) };
  const balance_transaction = await writeLine(books, platform, line);
  const passed = destination === undefined ? {} : await passOn(books, charge, destination, fee ?? 0);
  const paid = await books.keep({ ...charge, balance_transaction, ...passed });
  await books.publish('charge.succeeded', paid);
  const succeeded = { status: 'succeeded' as const, amount_received: amount, latest_charge: charge.id };
  await books.publish(
    'payment_intent.succeeded',
    await books.keep({ ...payment, ...succeeded, last_payment_error: null, next_action: null }),
  );
  return paid;
}

const idOf = (value: string | { id: string } | null | undefined): string | undefined =>
  typeof value === 'string' ? value : value?.id;

async function passOn(
  books: Books,
  { id, amount, currency }: Stripe.Charge,
  destination: string,
  fee: number,
): Promise<{ transfer: string; application_fee?: string }> {
  const about = { amount, currency, destination, source_transaction: id };
  const { transfer, receivedId } = await moveToAccount(books, makeTransfer(about), fee);
  if (fee === 0) return { transfer: transfer.id };
  const kept = makeFee({
    account: destination,
    amount: fee,
    charge: receivedId,
    currency,
    created: books.now,
    originating_transaction: id,
  });
  const line = { type: 'application_fee' as const, amount: fee, currency, source: kept.id };
  await books.keep({ ...kept, balance_transaction: await writeLine(books, platform, line) });
  await books.publish('application_fee.created', kept);
  return { transfer: transfer.id, application_fee: kept.id };
}

/** Moves money from the platform to an account, where it is received as a payment of its own. @param availableIn seconds */
export async function moveToAccount(
  books: Books,
  made: Stripe.Transfer,
  fee: number,
  availableIn?: number,
): Promise<{ transfer: Stripe.Transfer; receivedId: string }> {
  const { amount, currency } = made;
  const destination = String(made.destination);
  const received = makeCharge({
    amount,
    currency,
    created: books.now,
    id: newObjectId('py'),
    amount_captured: amount,
  });
  const transfer = { ...made, created: books.now, destination_payment: received.id };
  const line = { currency, ...(availableIn !== undefined && { availableIn }) };
  const out = { ...line, type: 'transfer' as const, amount: -amount, source: transfer.id };
  const written = await books.keep({ ...transfer, balance_transaction: await writeLine(books, platform, out) });
  const into = { ...line, type: 'payment' as const, amount, source: received.id, fee };
  const balance_transaction = await writeLine(books, destination, into);
  await books.keep({ ...received, balance_transaction, source_transfer: transfer.id }, { account: destination });
  await books.publish('transfer.created', transfer);
  return { transfer: written, receivedId: received.id };
}
