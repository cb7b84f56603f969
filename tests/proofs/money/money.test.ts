import { afterAll, beforeAll, expect, test } from 'vitest';
import { openExchangeCheck } from '#tests/support/money/exchange-check.ts';
import { drawPlans, openPlanWorld, type PlanWorld, type Step } from '#tests/support/money/plan-steps.ts';
import { type Take, tell } from '#tests/support/money/published-events.ts';
import { runPlan } from '#tests/support/money/run-plan.ts';
import { readRow, signUpCreator } from '#tests/support/people.ts';
import { openTestApp, type TestApp } from '#tests/support/test-app.ts';
import { countOf, guards, printProof } from '../counts.ts';

guards(
  'src/features/books/**',
  'src/features/plans/**',
  'src/features/payouts/**',
  'src/features/held/**',
  'src/features/orders/**',
  'src/features/returns/**',
  'src/features/money/**',
  'src/features/requests/**',
  'src/features/credits/**',
  'src/engines/payments/**',
  'tests/support/money/**',
);

/**
 * Payments, refunds, plans of creators and payouts in random order, of which is told late, doubled, reordered, at once and, in
 * every other plan, not at all. Each ends as the provider says, and the books with its balance.
 */
const asked = Number(process.env.PF_COUNT ?? Number.NaN);
const count = asked > 0 ? asked : countOf(6, 500, 2000);
const mostSteps = countOf(5, 14);
/** Of which plans there are in one installation: what has been kept for years is no part of this. */
const atOnce = 50;
const check = openExchangeCheck();
const counts = { plans: 0, events: 0, orders: 0, subscriptions: 0 };
let app: TestApp;
let world: PlanWorld;

async function moveIn(): Promise<void> {
  app = await openTestApp({ workJobs: false, onExchange: check.receive });
  world = await openPlanWorld(app);
}

async function moveOut(): Promise<void> {
  const found = await readRow<Record<'events' | 'orders' | 'subscriptions', number>>(
    app,
    `select (select count(*)::int from webhook_inbox) as events, (select count(*)::int from checkout_orders) as orders,
       (select count(*)::int from platform_subscriptions) as subscriptions`,
  );
  for (const name of ['events', 'orders', 'subscriptions'] as const) counts[name] += found[name];
  await app.close();
}

beforeAll(moveIn, 120_000);
afterAll(async () => {
  await moveOut();
  printProof('money', counts.events, counts);
});

test('plans of payments come to what the provider says, whatever is told of them and when', {
  timeout: 3_600_000,
}, async () => {
  const seed = Math.floor(Math.random() * 2 ** 31);
  for (const { name, ...plan } of drawPlans(count, mostSteps, seed)) {
    if (counts.plans > 0 && counts.plans % atOnce === 0) {
      await moveOut();
      await moveIn();
    }
    await runPlan(world, plan).catch((error: unknown) => {
      throw new Error(`plan ${name}: ${JSON.stringify(plan)}`, { cause: error });
    });
    counts.plans++;
  }
  expect(check.faults).toEqual([]);
});

test('custom work that nobody looks at, that is changed once, and of which somebody complains comes to its end', async () => {
  const steps = (['silent', 'revised', 'complained'] as const).map(
    (end) => ({ do: 'request', cents: 4000, end }) as const,
  );
  await runPlan(world, { steps, chaos: [], mayDrop: false });
});

test('planted: an event that is lost although it was acknowledged is found', async () => {
  const steps = [{ do: 'tip', cents: 1000 } as const];
  await expect(runPlan(world, { steps, chaos: [], mayDrop: false }, async () => undefined)).rejects.toThrow(
    'an order: pending,0 instead of paid,0',
  );
});

test('planted: a subscription that is given back and of which nobody hears is found', async () => {
  const steps = [{ do: 'fan', end: 'returned', months: 1 } as const];
  await expect(runPlan(world, { steps, chaos: [], mayDrop: false }, async () => undefined)).rejects.toThrow();
});

test('planted: a payment that its bank has reported and of which nobody hears stays paid, and is found', async () => {
  const steps = [{ do: 'tip', cents: 1000 } as const, { do: 'report', of: 0 } as const];
  const deaf: Take = (event) => (event.body.type.startsWith('radar.') ? Promise.resolve() : tell(app, event));
  await expect(runPlan(world, { steps, chaos: [], mayDrop: false }, deaf)).rejects.toThrow(
    'a reported payment: {"isActionable":true,"isSettled":false,',
  );
  await runPlan(world, { steps, chaos: [], mayDrop: false });
});

test('planted: a subscription whose last payment was reported goes on, and is found', async () => {
  const steps = [{ do: 'fan', end: 'stays', months: 1 } as const, { do: 'report', of: 0 } as const];
  const { payments } = app.engines;
  const { endPlan } = payments;
  payments.endPlan = async () => undefined;
  await expect(runPlan(world, { steps, chaos: [], mayDrop: false })).rejects.toThrow();
  payments.endPlan = endPlan;
});

test('planted: what was held for a request leaves a second time, and is found', async () => {
  const steps = [{ do: 'request', cents: 4000, end: 'released' } as const];
  await expect(runPlan({ ...world, isOnce: false }, { steps, chaos: [], mayDrop: false })).rejects.toThrow(
    'a request (released): [[3600,400],0,0,4000] instead of [[3600],0,0,3600]',
  );
});

test('planted: a release that nobody has written down is not taken back by a dispute, and is found', async () => {
  const steps = [{ do: 'request', cents: 4000, end: 'released' } as const, { do: 'dispute', of: 0 } as const];
  await expect(runPlan({ ...world, isNoted: false }, { steps, chaos: [], mayDrop: false })).rejects.toThrow(
    'a request (released): [[3600],0,0,3600] instead of [[3600],0,-3600,0]',
  );
});

const buying = [
  { do: 'subscribe', keepsPaying: true } as const,
  { do: 'pack', of: 0 } as const,
  // Long enough for its credits to be given.
  { do: 'wait', days: 1 } as const,
];

/** Somebody who has no plan yet buys a pack, and this happens to it. @returns what became of it */
async function runPack(more: readonly Step[], isPackFollowed = true): Promise<string> {
  const taker = await signUpCreator(app);
  const plan = { steps: [...buying, ...more], chaos: [], mayDrop: false };
  await runPlan({ ...world, takers: [taker], isPackFollowed }, plan);
  return (await readRow<{ state: string }>(app, 'select state from credit_orders where user_id = $1', [taker.userId]))
    .state;
}

test('the credits of a pack are gone while a bank has its payment, and there again once it was won', async () => {
  const dispute = { do: 'dispute', of: 0 } as const;
  const decide = { do: 'decide', of: 0, returnsFee: false } as const;
  expect(await runPack([dispute])).toBe('disputed');
  expect(await runPack([dispute, { ...decide, isWon: false }])).toBe('charged_back');
  expect(await runPack([dispute, { do: 'wait', days: 1 }, { ...decide, isWon: true }])).toBe('paid');
});

test.each(['dispute', 'report'] as const)(
  'planted: the credits of a pack are kept after its %s, and are found',
  { timeout: 120_000 },
  async (what) => {
    await expect(runPack([{ do: what, of: 0 }], false)).rejects.toThrow('its credits: 50 instead of 0');
  },
);

test('planted: the fee of a dispute that its creator bears is never taken, and is found', async () => {
  const tip = { do: 'tip', cents: 9000 } as const;
  const steps = [
    tip,
    tip,
    tip,
    tip,
    ...[0, 1, 2].map((of) => ({ do: 'dispute', of }) as const),
    { do: 'wait', days: 3 } as const,
  ];
  await expect(runPlan({ ...world, isFeeTaken: false }, { steps, chaos: [], mayDrop: false })).rejects.toThrow(
    /the fee of du_\w+: 0,0 instead of 1500,1500/,
  );
  await runPlan(world, { steps: [], chaos: [], mayDrop: false });
});

// The last ones: this world is worth nothing afterwards.
test.each(['ended', 'reported'] as const)(
  'planted: a request that was released and is %s goes back from the platform alone, and is found',
  {
    timeout: 120_000,
  },
  async (end) => {
    const steps = [{ do: 'request', cents: 4000, end } as const];
    const own = app.engines.payments;
    app.engines.payments = { ...own, takeGivenBack: async () => 'trr_planted' };
    await expect(
      runPlan(world, { steps, chaos: [], mayDrop: false }).finally(() => {
        app.engines.payments = own;
      }),
    ).rejects.toThrow(`a request (${end}): [[3600],4000,3600,3600] instead of [[3600],4000,0,0]`);
  },
);

const decide = { do: 'decide', of: 0, returnsFee: false } as const;
test.each([
  ['takeBack', 'is open', [], 'its share: 900 instead of 0'],
  ['takeBack', 'was lost', [{ ...decide, isWon: false }], 'its share: 900 instead of 0'],
  // What was won before anybody had heard of it moves nothing.
  [
    'giveAgain',
    'was won',
    [
      { do: 'wait', days: 1 },
      { ...decide, isWon: true },
    ],
    'its share: 0 instead of 900',
  ],
] as const)(
  'planted: %s moves nothing though a dispute %s, and is found',
  { timeout: 120_000 },
  async (call, _how, decided, found) => {
    const steps = [{ do: 'tip', cents: 1000 } as const, { do: 'dispute', of: 0 } as const, ...decided];
    const own = app.engines.payments;
    app.engines.payments = { ...own, [call]: async () => 'tr_planted' };
    await expect(
      runPlan(world, { steps, chaos: [], mayDrop: false }).finally(() => {
        app.engines.payments = own;
      }),
    ).rejects.toThrow(found);
  },
);
