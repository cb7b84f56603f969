import type Stripe from 'stripe';
import { emptyList, newObjectId } from './objects.ts';

/** What one object has and the next may not have: the fields that the caller knows. */
type About<T> = Partial<T>;

export const makeCustomer = (about: About<Stripe.Customer>): Stripe.Customer => ({
  id: newObjectId('cus'),
  object: 'customer',
  balance: 0,
  created: 0,
  default_source: null,
  description: null,
  email: null,
  invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
  livemode: false,
  metadata: {},
  shipping: null,
  ...about,
});

/** A card that was given, as far as it is told again: never its number. */
export const makeCard = (about: About<Stripe.PaymentMethod> & { last4: string }): Stripe.PaymentMethod => {
  const { last4, ...more } = about;
  return {
    id: newObjectId('pm'),
    object: 'payment_method',
    billing_details: { address: null, email: null, name: null, phone: null, tax_id: null },
    card: {
      brand: 'visa',
      checks: null,
      country: 'US',
      display_brand: 'visa',
      exp_month: 12,
      exp_year: 2040,
      funding: 'credit',
      generated_from: null,
      last4,
      networks: null,
      regulated_status: null,
      three_d_secure_usage: null,
      wallet: null,
    },
    created: 0,
    customer: null,
    customer_account: null,
    livemode: false,
    metadata: {},
    type: 'card',
    ...more,
  };
};

/** The provider's wallet, which tells no card. */
export const makeLink = (about: About<Stripe.PaymentMethod>): Stripe.PaymentMethod => {
  const { card: _, ...method } = makeCard({ ...about, last4: '' });
  return { ...method, type: 'link', link: { email: null } };
};

export const makePrice = (about: About<Stripe.Price>): Stripe.Price => ({
  id: newObjectId('price'),
  object: 'price',
  active: true,
  billing_scheme: 'per_unit',
  created: 0,
  currency: 'usd',
  custom_unit_amount: null,
  livemode: false,
  lookup_key: null,
  metadata: {},
  nickname: null,
  product: newObjectId('prod'),
  recurring: { interval: 'month', interval_count: 1, meter: null, trial_period_days: null, usage_type: 'licensed' },
  tax_behavior: 'unspecified',
  tiers_mode: null,
  transform_quantity: null,
  type: 'recurring',
  unit_amount: 0,
  unit_amount_decimal: null,
  ...about,
});

/** A price in the words of before prices, which an item still has beside it. */
const planOf = ({ id, created, currency, product, unit_amount, recurring }: Stripe.Price): Stripe.Plan => ({
  id,
  object: 'plan',
  active: true,
  amount: unit_amount,
  amount_decimal: null,
  billing_scheme: 'per_unit',
  created,
  currency,
  interval: 'month',
  interval_count: recurring?.interval_count ?? 1,
  livemode: false,
  metadata: {},
  meter: null,
  nickname: null,
  product: typeof product === 'string' ? product : product.id,
  tiers_mode: null,
  transform_usage: null,
  trial_period_days: null,
  usage_type: 'licensed',
});

export interface Period {
  start: number;
  end: number;
}

export const makeItem = (
  subscription: string,
  price: Stripe.Price,
  { start, end }: Period,
): Stripe.SubscriptionItem => ({
  id: newObjectId('si'),
  object: 'subscription_item',
  billing_thresholds: null,
  created: start,
  current_period_end: end,
  current_period_start: start,
  current_trial: null,
  discounts: [],
  metadata: {},
  plan: planOf(price),
  price,
  quantity: 1,
  subscription,
  tax_rates: [],
});

const automaticTax = { disabled_reason: null, enabled: false, liability: null } as const;

export const makeSubscription = (
  about: About<Stripe.Subscription> & Pick<Stripe.Subscription, 'customer'>,
): Stripe.Subscription => ({
  id: newObjectId('sub'),
  object: 'subscription',
  application: null,
  application_fee_percent: null,
  automatic_tax: automaticTax,
  billing_cycle_anchor: 0,
  billing_cycle_anchor_config: null,
  billing_mode: { flexible: { proration_discounts: 'itemized' }, type: 'flexible' },
  billing_schedules: [],
  billing_thresholds: null,
  cancel_at: null,
  cancel_at_period_end: false,
  canceled_at: null,
  cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
  collection_method: 'charge_automatically',
  created: 0,
  currency: 'usd',
  customer_account: null,
  days_until_due: null,
  default_payment_method: null,
  default_source: null,
  default_tax_rates: [],
  description: null,
  discounts: [],
  ended_at: null,
  invoice_settings: {
    account_tax_ids: null,
    custom_fields: null,
    description: null,
    footer: null,
    issuer: { type: 'self' },
  },
  items: emptyList('/v1/subscription_items'),
  latest_invoice: null,
  livemode: false,
  managed_payments: null,
  metadata: {},
  next_pending_invoice_item_invoice: null,
  on_behalf_of: null,
  pause_collection: null,
  payment_settings: null,
  pending_invoice_item_interval: null,
  pending_setup_intent: null,
  pending_update: null,
  schedule: null,
  start_date: 0,
  status: 'active',
  test_clock: null,
  transfer_data: null,
  trial_end: null,
  trial_settings: null,
  trial_start: null,
  ...about,
});

/** What no bill of the sandbox has, or has always the same. */
const usualInvoice = {
  account_country: 'US',
  account_name: 'PF DIGITAL',
  account_tax_ids: null,
  application: null,
  automatic_tax: { ...automaticTax, provider: null, status: null },
  automatically_finalizes_at: null,
  collection_method: 'charge_automatically',
  custom_fields: null,
  customer_account: null,
  customer_address: null,
  customer_email: null,
  customer_name: null,
  customer_phone: null,
  customer_shipping: null,
  customer_tax_exempt: 'none',
  default_payment_method: null,
  default_source: null,
  description: null,
  due_date: null,
  effective_at: null,
  ending_balance: 0,
  footer: null,
  from_invoice: null,
  hosted_invoice_url: null,
  invoice_pdf: null,
  issuer: { type: 'self' },
  last_finalization_error: null,
  latest_revision: null,
  on_behalf_of: null,
  payment_settings: { default_mandate: null, payment_method_options: null, payment_method_types: null },
  post_payment_credit_notes_amount: 0,
  pre_payment_credit_notes_amount: 0,
  receipt_number: null,
  rendering: null,
  shipping_cost: null,
  shipping_details: null,
  starting_balance: 0,
  statement_descriptor: null,
  test_clock: null,
  webhooks_delivered_at: null,
} as const satisfies Partial<Stripe.Invoice>;

export const makeInvoice = (
  about: About<Stripe.Invoice> & Pick<Stripe.Invoice, 'customer' | 'period_start' | 'period_end' | 'total'>,
): Stripe.Invoice => ({
  ...usualInvoice,
  id: newObjectId('in'),
  object: 'invoice',
  amount_overpaid: 0,
  amount_paid: 0,
  amount_shipping: 0,
  attempt_count: 0,
  attempted: false,
  billing_reason: 'subscription_cycle',
  created: 0,
  currency: 'usd',
  lines: emptyList('/v1/invoices/lines'),
  livemode: false,
  metadata: {},
  next_payment_attempt: null,
  number: null,
  parent: null,
  status: 'open',
  status_transitions: { finalized_at: null, marked_uncollectible_at: null, paid_at: null, voided_at: null },
  amount_due: about.total,
  amount_remaining: about.total,
  subtotal: about.total,
  subtotal_excluding_tax: about.total,
  total_excluding_tax: about.total,
  default_tax_rates: [],
  discounts: [],
  total_discount_amounts: [],
  total_pretax_credit_amounts: [],
  total_taxes: [],
  ...about,
});

export const makeInvoicePayment = (
  about: About<Stripe.InvoicePayment> & Pick<Stripe.InvoicePayment, 'invoice' | 'payment'>,
): Stripe.InvoicePayment => ({
  id: newObjectId('inpay'),
  object: 'invoice_payment',
  amount_paid: 0,
  amount_requested: 0,
  created: 0,
  currency: 'usd',
  is_default: true,
  livemode: false,
  status: 'paid',
  status_transitions: { canceled_at: null, paid_at: null },
  ...about,
});

export const makePortal = (
  about: About<Stripe.BillingPortal.Session> & Pick<Stripe.BillingPortal.Session, 'customer'>,
): Stripe.BillingPortal.Session => ({
  id: newObjectId('bps'),
  object: 'billing_portal.session',
  configuration: 'bpc_sandbox',
  created: 0,
  customer_account: null,
  flow: null,
  livemode: false,
  locale: null,
  on_behalf_of: null,
  return_url: null,
  url: '',
  ...about,
});
