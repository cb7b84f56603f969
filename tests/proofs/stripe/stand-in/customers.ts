import type Stripe from 'stripe';
import { cannotBeAttached, testMethods } from './cards.ts';
import { Refusal, refused } from './errors.ts';
import { needWord, wordAt, wordsAt } from './params.ts';
import { type Asked, route } from './route.ts';
import { shapeOf, type World } from './world.ts';

/** Keeps a card for a customer. */
export function attach(world: World, customer: string, name: string): Stripe.PaymentMethod {
  const test = testMethods[name];
  if (test === undefined) throw refused(`No such PaymentMethod: '${name}'`, 'resource_missing');
  if (cannotBeAttached(name))
    throw new Refusal(402, { type: 'card_error', code: 'card_declined', message: 'Your card was declined.' });
  const { card } = shapeOf<Stripe.PaymentMethod>('payment_method');
  const whole = card && { ...card, last4: test.last4, fingerprint: `standin${test.last4}` };
  return world.add('payment_method', 'pm', {
    customer,
    type: test.kind,
    metadata: { test_method: name },
    ...(whole && { card: whole }),
  });
}

function makeCustomer({ world, params }: Asked): Stripe.Customer {
  const clock = wordAt(params, 'test_clock');
  if (clock !== undefined) world.find('test_helpers.test_clock', clock, 'test_clock');
  const customer = world.add('customer', 'cus', {
    email: wordAt(params, 'email') ?? null,
    metadata: wordsAt(params, 'metadata'),
    test_clock: clock ?? null,
  });
  const method = wordAt(params, 'payment_method');
  const isDefault = wordAt(params, 'invoice_settings.default_payment_method') === method;
  if (method !== undefined) {
    const card = attach(world, customer.id, method);
    if (isDefault) customer.invoice_settings.default_payment_method = card.id;
  }
  return customer;
}

function updateCustomer({ world, params, id }: Asked): Stripe.Customer {
  const customer = world.find('customer', id);
  const method = wordAt(params, 'invoice_settings.default_payment_method');
  if (method !== undefined)
    customer.invoice_settings.default_payment_method = world.find('payment_method', method, 'payment_method').id;
  return customer;
}

export const customerRoutes = [
  route('POST /v1/customers', makeCustomer),
  route('GET /v1/customers/:id', ({ world, id }) => world.find('customer', id)),
  route('POST /v1/customers/:id', updateCustomer),
  route('POST /v1/payment_methods/:id/attach', ({ world, params, id }) =>
    attach(world, needWord(params, 'customer'), id),
  ),
  route('GET /v1/payment_methods/:id', ({ world, id }) => world.find('payment_method', id)),
];
