import type Stripe from 'stripe';
import { badParam } from './errors.ts';
import { collect, finalize } from './invoices.ts';
import { numberAt } from './params.ts';
import { type Asked, route } from './route.ts';
import { nextPeriodOf, rollOver } from './subscriptions.ts';
import type { World } from './world.ts';

interface Due {
  at: number;
  act(at: number): void;
}

function duesOfPlan(world: World, subscription: Stripe.Subscription): Due[] {
  const next = nextPeriodOf(subscription);
  const resumes = subscription.pause_collection?.resumes_at;
  const resume = () => {
    subscription.pause_collection = null;
  };
  return [
    ...(next === undefined ? [] : [{ at: next, act: (at: number) => rollOver(world, subscription, at) }]),
    ...(typeof resumes === 'number' ? [{ at: resumes, act: resume }] : []),
  ];
}

function duesOfBill(world: World, invoice: Stripe.Invoice): Due[] {
  const { status, automatically_finalizes_at: end, next_payment_attempt: again, auto_advance } = invoice;
  if (status === 'draft' && auto_advance && typeof end === 'number')
    return [{ at: end, act: (at) => finalize(world, invoice, at) }];
  if (status === 'open' && typeof again === 'number') return [{ at: again, act: (at) => collect(world, invoice, at) }];
  return [];
}

/** The next thing that happens by itself under a clock. */
function nextDue(world: World, clock: string): Due | undefined {
  const plans = world.all('subscription').filter(({ test_clock }) => test_clock === clock);
  const bills = world.all('invoice').filter(({ test_clock }) => test_clock === clock);
  const all = [...plans.flatMap((one) => duesOfPlan(world, one)), ...bills.flatMap((one) => duesOfBill(world, one))];
  return all.sort((a, b) => a.at - b.at)[0];
}

/** Lets time go by under a clock; what is due happens in order, each at its own moment. */
function advance({ world, params, id }: Asked): Stripe.TestHelpers.TestClock {
  const clock = world.find('test_helpers.test_clock', id);
  const until = numberAt(params, 'frozen_time') ?? 0;
  if (until <= clock.frozen_time) throw badParam('frozen_time', 'A clock only goes forward.');
  const before = structuredClone(clock);
  for (let due = nextDue(world, id); due !== undefined && due.at <= until; due = nextDue(world, id)) {
    clock.frozen_time = Math.max(clock.frozen_time, due.at);
    due.act(due.at);
  }
  clock.frozen_time = until;
  return { ...before, status: 'advancing' };
}

function makeClock({ world, params }: Asked): Stripe.TestHelpers.TestClock {
  const frozen_time = numberAt(params, 'frozen_time') ?? world.now();
  return world.add('test_helpers.test_clock', 'clock', {
    frozen_time,
    deletes_after: world.now() + 30 * 86_400,
    status: 'ready',
  });
}

export const clockRoutes = [
  route('POST /v1/test_helpers/test_clocks', makeClock),
  route('GET /v1/test_helpers/test_clocks/:id', ({ world, id }) => world.find('test_helpers.test_clock', id)),
  route('POST /v1/test_helpers/test_clocks/:id/advance', advance),
];
