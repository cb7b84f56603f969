import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Movement } from '#engines/payments/payments.ts';
import { entriesOf } from './posting.ts';

describe('the books', () => {
  const kinds = [
    'charge',
    'transfer',
    'application_fee',
    'refund',
    'transfer_refund',
    'application_fee_refund',
    'dispute_fee',
  ] as const;
  const movement = fc.record({
    id: fc.constant('txn_1'),
    kind: fc.constantFrom(...kinds, 'adjustment' as const, 'payout' as const, 'stripe_fee' as const, 'other' as const),
    amountCents: fc.integer({ min: -100_000, max: 100_000 }),
    feeCents: fc.integer({ min: 0, max: 3000 }),
    feeShareCents: fc.integer({ min: 0, max: 10_000 }),
    accountId: fc.constantFrom('acct_1', undefined),
    isOwnSale: fc.boolean(),
  });
  it('get entries that add up to nothing from every movement, also from those that nobody understands', () => {
    fc.assert(
      fc.property(movement, (made) => {
        const isFree = !['charge', 'refund', 'adjustment', 'dispute_fee'].includes(made.kind);
        const feeCents = isFree ? 0 : made.feeCents;
        const at = new Date(0);
        const rest = { netCents: made.amountCents - feeCents, currency: 'usd', at, availableAt: at, chargeId: 'ch_1' };
        const entries = entriesOf({ ...made, ...rest, feeCents } satisfies Movement);
        return entries.reduce((sum, { amountCents }) => sum + amountCents, 0) === 0;
      }),
    );
  });
  it('hold of a tip of $10 what is the creator’s, the platform’s and the card’s', () => {
    const at = new Date(0);
    const tip = {
      id: 'txn_1',
      kind: 'charge',
      amountCents: 1000,
      feeCents: 59,
      netCents: 941,
      feeShareCents: 100,
    } as const;
    const about = { currency: 'usd', at, availableAt: at, chargeId: 'ch_1', accountId: 'acct_1', isOwnSale: false };
    const entries = entriesOf({ ...tip, ...about });
    expect(Object.fromEntries(entries.map(({ key, amountCents }) => [key, amountCents]))).toEqual({
      'asset:stripe': 941,
      'expense:processor': 59,
      'liability:creator:acct_1': -900,
      'income:platform_fee': -100,
    });
  });
  it('hold of a month of a plan what came in, what the card cost, and the rest as income; a refund takes it back', () => {
    const at = new Date(0);
    const about = { currency: 'usd', at, availableAt: at, chargeId: 'ch_1', accountId: undefined, feeShareCents: 0 };
    const month = { ...about, id: 'txn_1', isOwnSale: true, amountCents: 399, feeCents: 42, netCents: 357 };
    const reported = (movement: Movement) =>
      Object.fromEntries(entriesOf(movement).map(({ key, amountCents }) => [key, amountCents]));
    expect(reported({ ...month, kind: 'charge' })).toEqual({
      'asset:stripe': 357,
      'expense:processor': 42,
      'income:subscription': -399,
    });
    expect(reported({ ...month, kind: 'refund', amountCents: -399, feeCents: 0, netCents: -399 })).toEqual({
      'asset:stripe': -399,
      'income:subscription': 399,
    });
  });
});
