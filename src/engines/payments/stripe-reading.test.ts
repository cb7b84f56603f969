import type Stripe from 'stripe';
import { expect, it } from 'vitest';
import { isActedUpon } from './stripe-events.ts';
import { isRefused, readCheckout } from './stripe-reading.ts';

const stateOf = (session: object): string =>
  readCheckout({
    id: 'cs_1',
    metadata: {},
    payment_intent: null,
    subscription: null,
    ...session,
  } as Stripe.Checkout.Session).state;
const later = { status: 'complete', payment_status: 'unpaid' };

it('a complete checkout is paid, still with a bank, or refused by it', () => {
  expect(stateOf({ ...later, payment_status: 'paid' })).toBe('paid');
  expect(stateOf({ ...later, payment_intent: { id: 'pi_1', status: 'processing' } })).toBe('processing');
  expect(stateOf({ ...later, payment_intent: 'pi_1' })).toBe('processing');
  expect(stateOf({ ...later, payment_intent: { id: 'pi_1', status: 'requires_payment_method' } })).toBe('failed');
  expect(['incomplete', 'past_due', 'incomplete_expired'].map(isRefused)).toEqual([false, false, true]);
  const open = { status: 'open', payment_status: 'unpaid', payment_intent: { status: 'requires_payment_method' } };
  expect(stateOf(open), 'a card was declined, and another one may be given').toBe('open');
});

it('a customer is of interest when the card that they gave for everything has changed, and for nothing else', () => {
  const said = { type: 'customer.updated', objectId: 'cus_1' };
  const before = {
    invoice_settings: { default_payment_method: null },
  } as unknown as Stripe.Event.Data.PreviousAttributes;
  const other = { email: 'a@example.com' } as unknown as Stripe.Event.Data.PreviousAttributes;
  expect([before, other, undefined].map((was) => isActedUpon('stripe', { ...said, before: was }))).toEqual([
    ...[true, false, false],
  ]);
});
