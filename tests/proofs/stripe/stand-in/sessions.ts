import type Stripe from 'stripe';
import { absentParam, badParam, refused } from './errors.ts';
import { pageOf } from './expanding.ts';
import { readSplit } from './intents.ts';
import { branchAt, listAt, needAmount, needWord, numberAt, type Params, wordAt, wordsAt } from './params.ts';
import { readPriceData } from './prices.ts';
import { type Asked, route } from './route.ts';
import type { World } from './world.ts';

type Session = Stripe.Checkout.Session;
const [shortest, longest] = [30 * 60, 24 * 60 * 60];

/** Sums up what is to be paid; a plan whose first days are free costs nothing yet. */
function amountOf(world: World, params: Params): number {
  const [line, ...more] = listAt(params, 'line_items');
  if (typeof line !== 'object') throw absentParam('line_items');
  if (more.length > 0) throw badParam('line_items', 'Only one line is known here.');
  const price = wordAt(line, 'price');
  if (price === undefined && branchAt(line, 'price_data') === undefined) throw absentParam('line_items[0][price]');
  const unit =
    price === undefined
      ? needAmount(line, 'price_data.unit_amount')
      : (world.find('price', price, 'line_items[0][price]').unit_amount ?? 0);
  if (price === undefined) readPriceData(branchAt(line, 'price_data') ?? {});
  return unit * (numberAt(line, 'quantity') ?? 1);
}

function expiryOf(world: World, params: Params): number {
  const at = numberAt(params, 'expires_at');
  if (at === undefined) return world.now() + longest;
  const left = at - world.now();
  if (left < shortest - 60) throw badParam('expires_at', 'The timestamp must be at least 30 minutes from now.');
  if (left > longest + 60) throw badParam('expires_at', 'The timestamp must be less than 24 hours from now.');
  return at;
}

const pagesOf = (params: Params, id: string): Partial<Session> => {
  const isFramed = wordAt(params, 'ui_mode') === 'embedded_page';
  if (isFramed) {
    needWord(params, 'return_url');
    return { ui_mode: 'embedded_page', client_secret: `${id}_secret_standin`, url: null };
  }
  needWord(params, 'success_url');
  return { ui_mode: 'hosted_page', client_secret: null, url: `https://checkout.stripe.com/c/pay/${id}` };
};

const modes: readonly string[] = ['payment', 'subscription', 'setup'];

function makeSession({ world, params }: Asked): Session {
  const mode = needWord(params, 'mode');
  if (!modes.includes(mode)) throw badParam('mode', 'Invalid mode.');
  const amount = amountOf(world, params);
  const part = branchAt(params, mode === 'payment' ? 'payment_intent_data' : 'subscription_data') ?? {};
  readSplit(world, part, amount);
  const isLater = mode === 'subscription' && wordAt(part, 'trial_period_days') !== undefined;
  const expires_at = expiryOf(world, params);
  pagesOf(params, '');
  const session = world.add('checkout.session', 'cs_test', {
    mode: mode as Session['mode'],
    amount_total: isLater ? 0 : amount,
    amount_subtotal: isLater ? 0 : amount,
    currency: 'usd',
    expires_at,
    client_reference_id: wordAt(params, 'client_reference_id') ?? null,
    customer_email: wordAt(params, 'customer_email') ?? null,
    customer: wordAt(params, 'customer') ?? null,
    metadata: wordsAt(params, 'metadata'),
    success_url: wordAt(params, 'success_url') ?? null,
    cancel_url: wordAt(params, 'cancel_url') ?? null,
    return_url: wordAt(params, 'return_url') ?? '',
    status: 'open',
  });
  return Object.assign(session, pagesOf(params, session.id));
}

/** Ends a checkout that nobody has finished. */
function expire({ world, id }: Asked): Session {
  const session = world.find('checkout.session', id);
  if (session.status !== 'open')
    throw refused(`Only Checkout Sessions with a status in ["open"] can be expired. This one is ${session.status}.`);
  world.add('event', 'evt', {
    type: 'checkout.session.expired',
    data: { object: session },
  } as unknown as Partial<Stripe.Event>);
  return Object.assign(session, { status: 'expired', url: null });
}

function list({ world, params }: Asked) {
  const [intent, subscription] = [wordAt(params, 'payment_intent'), wordAt(params, 'subscription')];
  const all = world
    .all('checkout.session')
    .filter((one) => intent === undefined || one.payment_intent === intent)
    .filter((one) => subscription === undefined || one.subscription === subscription);
  return pageOf(all, {
    limit: numberAt(params, 'limit'),
    after: wordAt(params, 'starting_after'),
    url: '/v1/checkout/sessions',
  });
}

export const sessionRoutes = [
  route('POST /v1/checkout/sessions', makeSession),
  route('GET /v1/checkout/sessions', list),
  route('GET /v1/checkout/sessions/:id', ({ world, id }) => world.find('checkout.session', id)),
  route('POST /v1/checkout/sessions/:id/expire', expire),
  route('GET /v1/payment_method_configurations', ({ world }) =>
    pageOf(world.all('payment_method_configuration'), { url: '/v1/payment_method_configurations' }),
  ),
  route('POST /v1/payment_method_configurations', ({ world, params }) =>
    world.add('payment_method_configuration', 'pmc', {
      name: needWord(params, 'name'),
      active: true,
      application: null,
      is_default: false,
      livemode: false,
      parent: null,
    }),
  ),
];
