import type Stripe from 'stripe';
import { pageOf } from './expanding.ts';
import { needWord, wordAt } from './params.ts';
import { type Asked, route } from './route.ts';
import { shapeOf } from './world.ts';

/** The settings that an operator has saved once: cards may be changed. */
function listConfigurations({ world }: Asked) {
  const known = world.all('billing_portal.configuration');
  const { features } = shapeOf<Stripe.BillingPortal.Configuration>('billing_portal.configuration');
  const payment_method_update = { ...features.payment_method_update, enabled: true };
  const saved = known[0] ?? world.add('billing_portal.configuration', 'bpc', { is_default: true });
  saved.features = { ...features, payment_method_update };
  return pageOf([saved], { url: '/v1/billing_portal/configurations' });
}

function makeSession({ world, params }: Asked): Stripe.BillingPortal.Session {
  const customer = world.find('customer', needWord(params, 'customer'), 'customer');
  const return_url = wordAt(params, 'return_url') ?? null;
  const session = world.add('billing_portal.session', 'bps', { customer: customer.id, return_url });
  session.url = `https://billing.stripe.com/p/session/${session.id}`;
  return session;
}

export const portalRoutes = [
  route('GET /v1/billing_portal/configurations', listConfigurations),
  route('POST /v1/billing_portal/sessions', makeSession),
];
