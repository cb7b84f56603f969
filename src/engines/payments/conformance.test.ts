import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { everyCall, findGaps, flows, type PaymentCall } from '#tests/support/money/conformance.ts';
import { openProvider, type Provider } from '#tests/support/money/provider.ts';
import { openNoPayments } from './off.ts';
import type { Payments } from './payments.ts';

let provider: Provider;
beforeAll(async () => {
  provider = await openProvider();
});
afterAll(() => provider.close());

/** The same adapter, short of some calls. */
const without = (...calls: readonly PaymentCall[]): Partial<Payments> =>
  Object.fromEntries(Object.entries(provider.payments).filter(([call]) => !calls.includes(call as PaymentCall)));

describe('an adapter of payments', () => {
  it('has every flow: the one of Stripe, and the one that takes no money', () => {
    expect(everyCall).toBe(true);
    expect([findGaps(provider.payments), findGaps(openNoPayments())]).toEqual([[], []]);
  });

  it('may lack connected accounts, payouts and whatever else has another way, each with what that means', () => {
    const { accounts, transfers, payouts, plans } = flows;
    const cards = without(...accounts.calls, ...transfers.calls, ...payouts.calls, ...plans.calls);
    expect(findGaps(cards)).toEqual([]);
    const needed = Object.entries(flows).filter(([, flow]) => !('without' in flow));
    expect(needed.map(([name]) => name)).toEqual(['checkouts', 'refunds', 'chargebacks', 'books']);
  });

  it('lacks none of what nothing works without, and half of nothing', () => {
    for (const name of ['checkouts', 'refunds', 'chargebacks', 'books'] as const)
      expect(findGaps(without(...flows[name].calls))).toEqual([`${name}: nothing works without`]);
    expect(findGaps(without('payOut'))).toEqual(['payouts: all of it or nothing, and payOut is missing']);
  });

  it('names each call in one flow alone', () => {
    const calls = Object.values(flows).flatMap((flow): readonly string[] => flow.calls);
    expect(new Set(calls).size).toBe(calls.length);
  });
});
