import type { Engines } from '#engines/engines.ts';
import { insertAudit } from '#features/audit/store.ts';
import { findOtherMoney, retireTestOrders, retireTestPlans } from '#features/books/retiring-store.ts';
import { formatCount } from '#kit/text.ts';
import { sumEarned } from './payments/link-earnings-store.ts';

const system = { kind: 'system' } as const;
const real = { provider: 'stripe', livemode: true } as const;

/**
 * Before real money is taken nothing may be open that a test card opened.
 * @throws a sentence that says what to do
 */
export async function refuseOtherMoney({ database, payments }: Pick<Engines, 'database' | 'payments'>): Promise<void> {
  const { realm, isOff } = payments;
  if (isOff || realm.provider === 'sandbox') return;
  const { hasTests, hasReal } = await database.work(system, (tx) => findOtherMoney(tx, realm));
  if (hasReal)
    throw new Error(
      'STRIPE_SECRET_KEY: people have paid real money here. Set the live key of Stripe, or use another database for tests.',
    );
  if (hasTests)
    throw new Error(
      'STRIPE_SECRET_KEY: test payments still open links here, as if they were real. End them first: npm run pf -- retire-test-payments',
    );
}

/** `pf retire-test-payments`: ends what was paid with test cards. @returns what to print */
export async function retireTestPayments({ database, clock }: Pick<Engines, 'database' | 'clock'>): Promise<string> {
  const count = await database.work(system, async (tx) => {
    const links = await retireTestOrders(tx, new Date(clock()));
    for (const linkId of new Set(links)) if (linkId !== null) await sumEarned(tx, linkId, real);
    const plans = await retireTestPlans(tx, new Date(clock()));
    const details = { count: links.length, plans };
    await insertAudit(tx, { actor: { type: 'system' }, action: 'orders.tests_retired', details });
    return links.length + plans;
  });
  if (count === 0) return 'There are no test payments.';
  return `${formatCount(count, 'test payment')} retired: what they opened is closed, and they no longer count as earnings.`;
}
