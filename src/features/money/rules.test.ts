import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Movement } from '#engines/payments/payments.ts';
import { entriesOf } from '#features/books/posting.ts';
import { maskEmail } from '#kit/text.ts';
import { coverByPending, opens, orderStateOf, wasPaid } from './rules.ts';

describe('an order', () => {
  const facts = { state: 'paid', amountCents: 1000, refundedCents: 0, isDisputed: false } as const;
  it.each([
    [{}, 'paid'],
    [{ refundedCents: 1 }, 'partially_refunded'],
    [{ refundedCents: 1000 }, 'refunded'],
    [{ isDisputed: true }, 'disputed'],
    [{ isDisputed: true, refundedCents: 1000 }, 'disputed'],
    [{ isDisputed: true, isLost: true }, 'charged_back'],
    [{ isDisputed: false, isLost: false, refundedCents: 400 }, 'partially_refunded'],
    [{ state: 'open' }, 'pending'],
    [{ state: 'processing' }, 'pending'],
    [{ state: 'expired' }, 'expired'],
  ] as const)('%j is %s', (more, state) => {
    expect(orderStateOf({ ...facts, ...more })).toBe(state);
  });
  it('opens while it is paid, wholly or in part, and never otherwise', () => {
    const all = ['pending', 'paid', 'partially_refunded', 'refunded', 'disputed', 'charged_back', 'expired'] as const;
    expect(all.filter(opens)).toEqual(['paid', 'partially_refunded']);
    expect(all.filter(wasPaid)).toEqual(['paid', 'partially_refunded', 'refunded', 'disputed', 'charged_back']);
  });
});

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
    const told = (movement: Movement) =>
      Object.fromEntries(entriesOf(movement).map(({ key, amountCents }) => [key, amountCents]));
    expect(told({ ...month, kind: 'charge' })).toEqual({
      'asset:stripe': 357,
      'expense:processor': 42,
      'income:subscription': -399,
    });
    expect(told({ ...month, kind: 'refund', amountCents: -399, feeCents: 0, netCents: -399 })).toEqual({
      'asset:stripe': -399,
      'income:subscription': 399,
    });
  });
});

it('what went back is taken from what is pending before anything is short', () => {
  expect(coverByPending({ available: 500, pending: 900 })).toEqual({ available: 500, pending: 900 });
  expect(coverByPending({ available: -900, pending: 900 })).toEqual({ available: 0, pending: 0 });
  expect(coverByPending({ available: -400, pending: 900 })).toEqual({ available: 0, pending: 500 });
  expect(coverByPending({ available: -1400, pending: 900 })).toEqual({ available: -500, pending: 0 });
  expect(coverByPending({ available: -5, pending: 0 })).toEqual({ available: -5, pending: 0 });
});

it('an address is shown so that its owner knows it and nobody else does', () => {
  expect(maskEmail('bob@example.com')).toBe('b•••@example.com');
  expect(maskEmail('nothing')).toBe('•••');
});
