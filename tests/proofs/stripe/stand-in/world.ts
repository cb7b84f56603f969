import type Stripe from 'stripe';
import { missing } from './errors.ts';
import shapes from './shapes.json' with { type: 'json' };

/** Every kind of object that the server keeps, by the word of its field `object`. */
export interface Things {
  charge: Stripe.Charge;
  refund: Stripe.Refund;
  transfer: Stripe.Transfer;
  transfer_reversal: Stripe.TransferReversal;
  application_fee: Stripe.ApplicationFee;
  fee_refund: Stripe.FeeRefund;
  balance_transaction: Stripe.BalanceTransaction;
  dispute: Stripe.Dispute;
  payout: Stripe.Payout;
  payment_intent: Stripe.PaymentIntent;
  payment_method: Stripe.PaymentMethod;
  customer: Stripe.Customer;
  price: Stripe.Price;
  subscription: Stripe.Subscription;
  subscription_item: Stripe.SubscriptionItem;
  invoice: Stripe.Invoice;
  invoice_payment: Stripe.InvoicePayment;
  event: Stripe.Event;
  bank_account: Stripe.BankAccount;
  'checkout.session': Stripe.Checkout.Session;
  'radar.early_fraud_warning': Stripe.Radar.EarlyFraudWarning;
  'billing_portal.session': Stripe.BillingPortal.Session;
  'billing_portal.configuration': Stripe.BillingPortal.Configuration;
  payment_method_configuration: Stripe.PaymentMethodConfiguration;
  'test_helpers.test_clock': Stripe.TestHelpers.TestClock;
  'v2.core.account': Stripe.V2.Core.Account;
}
export type Kind = keyof Things;

/** Ways in which the server can be made to differ from Stripe, so that the command has something to find. */
export type Fault = 'fee_too_high' | 'refuses_second_refund' | 'line_too_many' | 'forgets_keys' | 'no_permission';

/** Everything that the server knows. */
export interface World {
  faults: ReadonlySet<Fault>;
  /** In whole seconds. */
  now(): number;
  /** Keeps a new object. */
  add<K extends Kind>(kind: K, prefix: string, fields: Partial<Things[K]>): Things[K];
  /** @throws Refusal where there is none */
  find<K extends Kind>(kind: K, id: string, param?: string): Things[K];
  /** Any object by its name alone. */
  findAny(id: string): object | undefined;
  /** Newest first. */
  all<K extends Kind>(kind: K): Things[K][];
  /** The connected account that an object is of; undefined for the platform's own. */
  accounts: WeakMap<object, string>;
  /** What banks do by themselves, before the next call is answered. */
  later: (() => void)[];
  /** Settings of balances by account, the platform's under an empty name. */
  settings: Map<string, Stripe.BalanceSettings>;
}

const known = shapes as unknown as Partial<Record<Kind | 'balance_settings', object>>;

export const shapeOf = <T>(kind: Kind | 'balance_settings'): T => structuredClone(known[kind] ?? {}) as T;

/** Objects that do not say when they were made. */
const undated: readonly Kind[] = ['payment_method_configuration'];

/** An account with nothing in it. */
export function openWorld(faults: ReadonlySet<Fault>): World {
  const kept = new Map<string, { kind: Kind; thing: object }>();
  let made = 0;
  const now = () => Math.floor(Date.now() / 1000);
  return {
    faults,
    now,
    accounts: new WeakMap(),
    later: [],
    settings: new Map(),
    add<K extends Kind>(kind: K, prefix: string, fields: Partial<Things[K]>): Things[K] {
      made += 1;
      const id = `${prefix}_standin${String(made).padStart(8, '0')}`;
      const dated = undated.includes(kind) ? {} : { created: now() };
      const thing = { ...shapeOf<Things[K]>(kind), id, object: kind, ...dated, ...fields } as Things[K];
      kept.set(thing.id, { kind, thing });
      return thing;
    },
    find<K extends Kind>(kind: K, id: string, param = 'id'): Things[K] {
      const found = kept.get(id);
      if (found?.kind !== kind) throw missing(kind, id, param);
      return found.thing as Things[K];
    },
    findAny: (id) => kept.get(id)?.thing,
    all: <K extends Kind>(kind: K) =>
      [...kept.values()].flatMap((one) => (one.kind === kind ? [one.thing as Things[K]] : [])).toReversed(),
  };
}
