import type Stripe from 'stripe';
import { keyOf } from './idempotency-keys.ts';
import { kindOf } from './object-kinds.ts';
import { PaymentRefused } from './payments.ts';
import type { PlanOrder, PlanPayments } from './plan-payments.ts';
import type { Ask } from './stripe-ask.ts';
import { withDisputes } from './stripe-disputes.ts';
import type { Methods } from './stripe-methods.ts';
import {
  readInvoice,
  readPlanCheckout,
  readSubscription,
  resumeLeadSeconds,
  subscriptionOf,
} from './stripe-plan-reading.ts';
import { readCard, readPayment } from './stripe-reading.ts';

const cards = ['default_payment_method', 'customer.invoice_settings.default_payment_method'];
const mostInvoices = 100;

const sessionParams = (order: PlanOrder, price: string, methods: Methods): Stripe.Checkout.SessionCreateParams => {
  const { orderId, trialDays, asksForCard, email, customerId, returnUrl } = order;
  const metadata = { order_id: orderId, kind: 'platform_sub' };
  return {
    mode: 'subscription',
    ui_mode: 'embedded_page',
    line_items: [{ price, quantity: 1 }],
    ...methods,
    ...(customerId === undefined ? { customer_email: email } : { customer: customerId }),
    payment_method_collection: asksForCard ? 'always' : 'if_required',
    subscription_data: {
      ...(trialDays !== undefined && {
        trial_period_days: trialDays,
        trial_settings: { end_behavior: { missing_payment_method: 'cancel' } },
      }),
      metadata,
    },
    return_url: returnUrl,
    client_reference_id: orderId,
    metadata,
  };
};

/** The price of a month, made when it is first needed and found by its name from then on. */
function openPrices(ask: Ask) {
  const known = new Map<string, Promise<string>>();
  async function find({ productName, amountCents, currency }: PlanOrder, lookup_key: string): Promise<string> {
    const { data } = await ask(({ prices }) => prices.list({ lookup_keys: [lookup_key], active: true, limit: 1 }));
    if (data[0] !== undefined) return data[0].id;
    const month = { unit_amount: amountCents, currency, recurring: { interval: 'month' } } as const;
    const params = { ...month, lookup_key, product_data: { name: productName } };
    const idempotencyKey = `price:${lookup_key}`;
    return (await ask(({ prices }) => prices.create(params, { idempotencyKey }))).id;
  }
  return (order: PlanOrder): Promise<string> => {
    const name = `creator_monthly_${order.amountCents}_${order.currency}`;
    const price = known.get(name) ?? find(order, name);
    known.set(name, price);
    price.catch(() => known.delete(name));
    return price;
  };
}

const isOver = (error: unknown): error is PaymentRefused => error instanceof PaymentRefused;
const ignoreOver = (error: unknown): void => {
  if (!isOver(error)) throw error;
};

type Checkouts =
  | 'openPlanCheckout'
  | 'findPlanCheckout'
  | 'findSubscription'
  | 'listInvoices'
  | 'finalizeInvoice'
  | 'findSubscriptionOf'
  | 'findInvoiceOf'
  | 'findInvoicePayment';

function readingOf(ask: Ask, methods: () => Promise<Methods>): Pick<PlanPayments, Checkouts> {
  const priceOf = openPrices(ask);
  const ofInvoice = async (id: string) => subscriptionOf(await ask(({ invoices }) => invoices.retrieve(id)));
  const findInvoiceOf = (objectId: string) => invoiceOf(ask, objectId);
  return {
    async openPlanCheckout(order) {
      const params = sessionParams(order, await priceOf(order), await methods());
      const idempotencyKey = `co:${order.orderId}`;
      return readPlanCheckout(await ask(({ checkout }) => checkout.sessions.create(params, { idempotencyKey })));
    },
    async findPlanCheckout(sessionId) {
      return readPlanCheckout(await ask(({ checkout }) => checkout.sessions.retrieve(sessionId)));
    },
    async findSubscription(subscriptionId) {
      return readSubscription(
        await ask(({ subscriptions }) => subscriptions.retrieve(subscriptionId, { expand: cards })),
      );
    },
    async finalizeInvoice(id) {
      const { status } = await ask(({ invoices }) => invoices.retrieve(id));
      if (status === 'draft') await ask(({ invoices }) => invoices.finalizeInvoice(id, { auto_advance: true }));
    },
    async listInvoices(subscription) {
      const { data } = await ask(({ invoices }) => invoices.list({ subscription, limit: mostInvoices }));
      return data.map(readInvoice);
    },
    findInvoiceOf,
    async findSubscriptionOf(objectId) {
      if (kindOf(objectId) === 'subscription') return objectId;
      const invoiceId = await findInvoiceOf(objectId);
      return invoiceId === undefined ? undefined : ofInvoice(invoiceId);
    },
    async findInvoicePayment(invoice) {
      const params = { invoice, limit: mostInvoices, expand: ['data.payment.payment_intent.latest_charge'] };
      const { data } = await ask(({ invoicePayments }) => invoicePayments.list(params));
      const paid = data.find(({ status }) => status === 'paid') ?? data[0];
      const { payment_intent } = paid?.payment ?? {};
      return { ...(await withDisputes(ask, readPayment(payment_intent))), card: readCard(payment_intent) };
    },
  };
}

/** The payment that an object belongs to, if there is one: what the provider takes by itself has none. */
export async function paymentOf(ask: Ask, objectId: string): Promise<string | undefined> {
  const kind = kindOf(objectId);
  if (kind === 'payment') return objectId;
  if (kind !== 'charge' && kind !== 'refund') return undefined;
  const { payment_intent } =
    kind === 'charge'
      ? await ask(({ charges }) => charges.retrieve(objectId))
      : await ask(({ refunds }) => refunds.retrieve(objectId));
  return payment_intent === null ? undefined : idOf(payment_intent);
}

/** The bill that a payment, charge or refund paid. */
async function invoiceOf(ask: Ask, objectId: string): Promise<string | undefined> {
  if (kindOf(objectId) === 'invoice') return objectId;
  const payment_intent = await paymentOf(ask, objectId);
  if (payment_intent === undefined) return undefined;
  const payment = { type: 'payment_intent', payment_intent } as const;
  const { data } = await ask(({ invoicePayments }) => invoicePayments.list({ payment, limit: 1 }));
  const invoice = data[0]?.invoice;
  return invoice === undefined ? undefined : idOf(invoice);
}

const idOf = (value: string | { id: string }): string => (typeof value === 'string' ? value : value.id);

const secondsOf = (moment: Date): number => Math.floor(moment.getTime() / 1000);

function pausingOf(ask: Ask): Pick<PlanPayments, 'pausePlan' | 'resumePlan'> {
  return {
    async pausePlan(id, { from, until }) {
      const pause_collection = { behavior: 'void', resumes_at: secondsOf(until) - resumeLeadSeconds } as const;
      const metadata = { paused_from: String(secondsOf(from)), paused_until: String(secondsOf(until)) };
      await ask(({ subscriptions }) => subscriptions.update(id, { pause_collection, metadata }));
    },
    async resumePlan(id, charge) {
      const going = { pause_collection: '', metadata: { paused_from: '', paused_until: '' } } as const;
      // One change, so that nobody goes on without paying because something broke between two.
      const paid = { billing_cycle_anchor: { type: 'now' }, proration_behavior: 'none' } as const;
      const params = charge === undefined ? going : { ...going, ...paid };
      const options = charge === undefined ? {} : { idempotencyKey: keyOf(charge.key, charge) };
      await ask(({ subscriptions }) => subscriptions.update(id, params, options));
    },
  };
}

/** The plan's part of the provider, by its official library. */
export function plansOf(ask: Ask, methods: () => Promise<Methods>, browser: PlanPayments['browser']): PlanPayments {
  return {
    browser,
    ...readingOf(ask, methods),
    ...pausingOf(ask),
    async setPlanEnding(id, cancel_at_period_end) {
      await ask(({ subscriptions }) => subscriptions.update(id, { cancel_at_period_end }));
    },
    async setPrice(id, { amountCents, currency, months }) {
      const { items } = await ask(({ subscriptions }) => subscriptions.retrieve(id));
      const [item] = items.data;
      if (item === undefined) throw new PaymentRefused('unknown', `Nothing is paid for in ${id}.`);
      const product = idOf(item.price.product);
      const recurring = { interval: 'month', interval_count: months } as const;
      const price_data = { currency, product, unit_amount: amountCents, recurring };
      const params = { items: [{ id: item.id, price_data }], proration_behavior: 'none' } as const;
      await ask(({ subscriptions }) => subscriptions.update(id, { ...params, items: [...params.items] }));
    },
    async endPlan(id) {
      await ask(({ subscriptions }) => subscriptions.cancel(id)).catch(ignoreOver);
    },
    async refundInvoice(invoice, { key, reason = 'requested_by_customer', ...tried }) {
      const idempotencyKey = keyOf(key, tried);
      const { data } = await ask(({ invoicePayments }) => invoicePayments.list({ invoice, limit: mostInvoices }));
      const paid = data.find(({ status, payment }) => status === 'paid' && payment.payment_intent !== undefined);
      const payment_intent = paid?.payment.payment_intent;
      if (payment_intent === undefined) throw new PaymentRefused('unknown', `Nothing was paid for ${invoice}.`);
      const params = { payment_intent: idOf(payment_intent), reason };
      await ask(({ refunds }) => refunds.create(params, { idempotencyKey })).catch((error: unknown) => {
        if (!isOver(error) || error.why !== 'already_refunded') throw error;
      });
    },
    async cardUrl(customer, return_url) {
      const params = { customer, return_url, flow_data: { type: 'payment_method_update' } } as const;
      return (await ask(({ billingPortal }) => billingPortal.sessions.create(params))).url;
    },
  };
}
