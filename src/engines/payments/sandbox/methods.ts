import type Stripe from 'stripe';
import * as z from 'zod';
import type { Books } from './books.ts';
import { type Call, type Endpoints, expandable, page, paged, read } from './calls.ts';
import { newObjectId } from './objects.ts';
import { makeCard } from './plan-objects.ts';
import { listObjects, platform } from './store.ts';

type Configuration = Stripe.PaymentMethodConfiguration;
type Session = Stripe.Checkout.Session;

/** Who pays with the provider's wallet gives no card; it is typed where a card is. */
export const link = 'link';

/** The wallet as a payment method: it tells no card. */
export const makeLink = (about: Partial<Stripe.PaymentMethod>): Stripe.PaymentMethod => {
  const { card: _, ...method } = makeCard({ ...about, number: '' });
  return { ...method, type: link, link: { email: null } };
};

/** What the dashboard offers as long as nobody has said anything: a debit from a bank takes days. */
const usual = ['card', link, 'us_bank_account'];
/** Not a method of its own: a card in a phone. */
const wallets = ['apple_pay', 'google_pay'];

export const methodParams = {
  payment_method_configuration: z.string().optional(),
  allowed_payment_method_types: z.array(z.string()).optional(),
};

/** What a checkout offers. */
export async function offeredBy(
  books: Books,
  {
    payment_method_configuration: id,
    allowed_payment_method_types: allowed = usual,
  }: z.infer<z.ZodObject<typeof methodParams>>,
): Promise<Pick<Session, 'payment_method_types' | 'payment_method_configuration_details'>> {
  const none = { payment_method_configuration_details: null };
  if (id === undefined) return { ...none, payment_method_types: usual.filter((one) => allowed.includes(one)) };
  await books.find<Configuration>(id, 'payment_method_configuration');
  const { on } = (await books.hiddenOf(id)) as { on: string[] };
  return { payment_method_types: on, payment_method_configuration_details: { id, parent: null } };
}

export const isOffered = ({ payment_method_types: offered }: Session, card: string): boolean =>
  offered.includes(card === link ? link : 'card');

const Preference = z.strictObject({
  display_preference: z.strictObject({ preference: z.enum(['on', 'off', 'none']) }),
});
const ConfigurationParams = z.object({ ...expandable, name: z.string().max(100) }).catchall(Preference);

async function createConfiguration(books: Books, call: Call): Promise<object> {
  const { name, expand: _, ...methods } = read(ConfigurationParams, call);
  const isOn = (method: string) =>
    (methods as Record<string, z.infer<typeof Preference>>)[method]?.display_preference.preference === 'on';
  const on = Object.keys(methods).filter((method) => isOn(method) && !wallets.includes(method));
  const shown = { available: true, display_preference: { overridable: null, preference: 'on', value: 'on' } };
  const made: Configuration = {
    id: newObjectId('pmc'),
    object: 'payment_method_configuration',
    active: true,
    application: null,
    is_default: false,
    livemode: false,
    name,
    parent: null,
    // What is off need not be told.
    ...Object.fromEntries(on.map((method) => [method, shown])),
  };
  return books.keep(made, { hidden: { on } });
}

export const methodEndpoints: Endpoints = {
  'POST /v1/payment_method_configurations': createConfiguration,
  'GET /v1/payment_method_configurations': async ({ tx }, call) => {
    const { limit, starting_after: after } = read(z.strictObject(paged), call);
    const asked = { type: 'payment_method_configuration', account: platform, after, limit };
    return page(await listObjects(tx, asked), limit, '/v1/payment_method_configurations');
  },
};
