import type Stripe from 'stripe';
import { post } from './books.ts';
import { type TestMethod, testMethods } from './cards.ts';
import { openDispute, openWarning } from './disputes.ts';
import { refused } from './errors.ts';
import { shapeOf, type World } from './world.ts';

const daySeconds = 86_400;

/** A payment that is to be taken. */
export interface Payment {
  amount: number;
  methodId: string;
  intentId: string;
  customer: string | null;
  metadata: Record<string, string>;
  /** The account that the money goes to. */
  destination: string | undefined;
  applicationFee: number | undefined;
  group: string | undefined;
}

/** Stripe's own fee of a payment. */
export function feeOf(world: World, amount: number, kind: TestMethod['kind']): number {
  const fee = kind === 'card' ? Math.round(amount * 0.029) + 30 : Math.min(500, Math.round(amount * 0.008));
  return fee + (world.faults.has('fee_too_high') ? 1 : 0);
}

/** The test method behind a payment method, whether it was kept for somebody or named directly. */
export function methodOf(world: World, id: string): { name: string; test: TestMethod } {
  const known = testMethods[id];
  if (known !== undefined) return { name: id, test: known };
  const name = world.find('payment_method', id, 'payment_method').metadata?.test_method ?? '';
  const test = testMethods[name];
  if (test === undefined) throw refused(`No such PaymentMethod: '${id}'`, 'resource_missing');
  return { name, test };
}

function detailsOf({ kind, last4 }: TestMethod): Stripe.Charge.PaymentMethodDetails {
  const card = shapeOf<Stripe.Charge>('charge').payment_method_details?.card;
  if (kind === 'card' && card) return { type: kind, card: { ...card, last4, fingerprint: `standin${last4}` } };
  const person = { account_holder_type: 'individual', account_type: 'checking' } as const;
  const bank = { bank_name: 'STRIPE TEST BANK', fingerprint: `standin${last4}`, routing_number: '110000000' };
  return { type: kind, us_bank_account: { ...person, ...bank, last4, payment_reference: null } };
}

export const needsTransfers = (world: World, account: string): void => {
  const { configuration } = world.find('v2.core.account', account, 'destination');
  if (configuration?.recipient?.capabilities?.stripe_balance?.stripe_transfers?.status === 'active') return;
  throw refused(
    'Your destination account needs to have at least one of the following capabilities enabled: transfers, crypto_transfers, legacy_payments',
    'insufficient_capabilities_for_transfer',
  );
};

/** Keeps the charge of a payment, which is a failed one where the card is declined. */
function addCharge(world: World, payment: Payment, test: TestMethod): Stripe.Charge {
  const { amount, destination, applicationFee = 0, intentId, group } = payment;
  const { declines } = test;
  return world.add('charge', test.kind === 'card' ? 'ch' : 'py', {
    amount,
    amount_captured: declines ? 0 : amount,
    currency: 'usd',
    customer: payment.customer,
    metadata: payment.metadata,
    payment_intent: intentId,
    payment_method: payment.methodId,
    payment_method_details: detailsOf(test),
    application_fee_amount: applicationFee > 0 ? applicationFee : null,
    transfer_group: group ?? (destination === undefined ? null : `group_${intentId}`),
    ...(destination !== undefined && { transfer_data: { amount: null, destination } }),
    status: declines ? 'failed' : 'succeeded',
    paid: !declines,
    failure_code: declines?.code ?? null,
    failure_message: declines?.message ?? null,
  });
}

/** Takes a payment, or leaves a failed charge behind. */
export function takeCharge(world: World, payment: Payment): Stripe.Charge {
  const { test } = methodOf(world, payment.methodId);
  const { amount, destination, applicationFee = 0 } = payment;
  const charge = addCharge(world, payment, test);
  if (test.declines) return charge;
  const availableOn = world.now() + (test.isAvailable ? 0 : 2 * daySeconds);
  const type = test.kind === 'card' ? 'charge' : 'payment';
  const fee = feeOf(world, amount, test.kind);
  charge.balance_transaction = post(world, { type, amount, fee, source: charge.id, availableOn });
  if (destination !== undefined) passOn(world, charge, { destination, applicationFee, availableOn });
  const { afterwards } = test;
  if (afterwards === 'dispute' || afterwards === 'inquiry') openDispute(world, charge, afterwards);
  if (afterwards === 'warning') openWarning(world, charge);
  return charge;
}

/** Sends all of a payment to an account, and takes the platform's part back from there. */
function passOn(
  world: World,
  charge: Stripe.Charge,
  { destination, applicationFee, availableOn }: { destination: string; applicationFee: number; availableOn: number },
): void {
  const transfer = sendTransfer(world, {
    destination,
    amount: charge.amount,
    metadata: {},
    group: charge.transfer_group,
    source: charge.id,
    availableOn,
    fee: applicationFee,
  });
  charge.transfer = transfer.id;
  if (applicationFee === 0) return;
  const fee = world.add('application_fee', 'fee', {
    account: destination,
    amount: applicationFee,
    charge: String(transfer.destination_payment),
    originating_transaction: charge.id,
  });
  charge.application_fee = fee.id;
  const line = { type: 'application_fee', amount: applicationFee, source: fee.id, availableOn } as const;
  fee.balance_transaction = post(world, line);
  if (world.faults.has('line_too_many')) post(world, line);
}

/** Moves money of the platform to an account. */
export function sendTransfer(
  world: World,
  transfer: {
    destination: string;
    amount: number;
    metadata: Record<string, string>;
    group: string | null;
    source: string | null;
    availableOn?: number;
    fee?: number;
  },
): Stripe.Transfer {
  const { destination, amount, metadata, group, source, availableOn, fee = 0 } = transfer;
  const made = world.add('transfer', 'tr', {
    amount,
    currency: 'usd',
    destination,
    metadata,
    transfer_group: group,
    source_transaction: source,
  });
  made.balance_transaction = post(world, { type: 'transfer', amount: -amount, source: made.id, availableOn });
  const payment = world.add('charge', 'py', {
    amount,
    amount_captured: amount,
    currency: 'usd',
    source_transfer: made.id,
    status: 'succeeded',
    paid: true,
    application_fee_amount: fee > 0 ? fee : null,
    payment_method_details: null,
  });
  world.accounts.set(payment, destination);
  made.destination_payment = payment.id;
  post(world, { account: destination, type: 'payment', amount, fee, source: payment.id, availableOn });
  return made;
}
