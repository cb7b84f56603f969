import type Stripe from 'stripe';
import { badParam } from './errors.ts';
import { pageOf } from './expanding.ts';
import { listAt, needAmount, needWord, numberAt, type Params, wordAt } from './params.ts';
import { type Asked, route } from './route.ts';
import type { World } from './world.ts';

const intervals: readonly string[] = ['day', 'week', 'month', 'year'];

/** Reads a price that is made on the spot; it is of a known product or names a new one. */
export function readPriceData(params: Params) {
  const amount = needAmount(params, 'unit_amount');
  needWord(params, 'currency');
  const product = wordAt(params, 'product');
  if (product === undefined) needWord(params, 'product_data.name');
  const interval = wordAt(params, 'recurring.interval');
  if (interval !== undefined && !intervals.includes(interval)) throw badParam('interval', 'Invalid interval.');
  const count = numberAt(params, 'recurring.interval_count') ?? 1;
  return { amount, product, months: interval === undefined ? undefined : count };
}

/** Keeps a price. */
export function addPrice(world: World, params: Params): Stripe.Price {
  const { amount, product, months } = readPriceData(params);
  const recurring = { interval: 'month', interval_count: months ?? 1, meter: null, usage_type: 'licensed' } as const;
  return world.add('price', 'price', {
    currency: 'usd',
    unit_amount: amount,
    unit_amount_decimal: String(amount) as never,
    lookup_key: wordAt(params, 'lookup_key') ?? null,
    product: product ?? `prod_standin${world.all('price').length}`,
    recurring: months === undefined ? null : { ...recurring, trial_period_days: null },
    type: months === undefined ? 'one_time' : 'recurring',
  });
}

function list({ world, params }: Asked) {
  const names = listAt(params, 'lookup_keys');
  const all = world.all('price').filter((one) => names.length === 0 || names.includes(one.lookup_key ?? ''));
  return pageOf(all, { limit: numberAt(params, 'limit'), url: '/v1/prices' });
}

export const priceRoutes = [
  route('GET /v1/prices', list),
  route('POST /v1/prices', ({ world, params }) => addPrice(world, params)),
];
