import { describe, expect, it } from 'vitest';
import { coverDays } from '#features/money/earning-rules.ts';
import { priceLimitsOf } from '#features/payouts/rules.ts';
import { maskEmail } from '#kit/text.ts';
import { dayMs } from '#kit/time.ts';
import { isEndedHere, isRefundWhy, mostTipCents, mostTipFor, orderStateOf } from './rules.ts';
import { feePercentOf, splitPayment } from './split-rules.ts';

const now = new Date('2026-11-21T12:00:00Z');
const ago = (ms: number) => new Date(now.getTime() - ms);

describe('what a creator may ask for', () => {
  const terms = { mostCents: 50_000, newCents: 10_000, days: 30, sales: 10 };
  const proven = { since: ago(30 * dayMs), sales: 10, disputes: 0 };
  const later = { mostCents: 50_000, days: 30, sales: 10 };

  it('is everything once she is here for a month and has sold ten times', () => {
    expect(priceLimitsOf(proven, now, terms)).toEqual({ mostCents: 50_000, later: null });
  });
  it.each([
    ['is here a moment too short', { ...proven, since: ago(30 * dayMs - 1) }],
    ['has sold once too few', { ...proven, sales: 9 }],
    ['had a single dispute', { ...proven, disputes: 1 }],
    ['is known for nothing', undefined],
  ])('is less while she %s, and she is told what she may later', (_, record) => {
    expect(priceLimitsOf(record, now, terms)).toEqual({ mostCents: 10_000, later });
  });
  it('is the same for everybody where nobody new is held to less', () => {
    expect(priceLimitsOf(undefined, now, { ...terms, newCents: 50_000 })).toEqual({ mostCents: 50_000, later: null });
    expect(priceLimitsOf(undefined, now, { ...terms, newCents: 60_000 })).toEqual({ mostCents: 50_000, later: null });
  });
});

it('a buyer may tip more from the very day on which they have been one for long', () => {
  const known = { days: 120, mostCents: 20_000 };
  expect(mostTipFor(undefined, now, known)).toBe(mostTipCents);
  expect(mostTipFor(ago(120 * dayMs - 1), now, known)).toBe(mostTipCents);
  expect(mostTipFor(ago(120 * dayMs), now, known)).toBe(20_000);
});

it('the percent by which a payment was divided is found again, for every price', () => {
  for (const percent of [0, 5, 10, 15, 50])
    for (const amountCents of [500, 999, 1501, 50_000]) {
      const { feeCents } = splitPayment(amountCents, percent);
      expect(feePercentOf({ amountCents, feeCents })).toBe(percent);
    }
});

describe('what went back', () => {
  const days = [
    { day: 'mon', cents: 500 },
    { day: 'tue', cents: 300 },
    { day: 'wed', cents: 200 },
  ];
  it('is taken from the first days on which something becomes available', () => {
    expect(coverDays(days, 0)).toEqual(days);
    expect(coverDays(days, 100)).toEqual([{ day: 'mon', cents: 400 }, days[1], days[2]]);
    expect(coverDays(days, 500)).toEqual([days[1], days[2]]);
    expect(coverDays(days, 600)).toEqual([{ day: 'tue', cents: 200 }, days[2]]);
    expect(coverDays(days, 1000)).toEqual([]);
    expect(coverDays(days, 5000)).toEqual([]);
  });
});

describe('an order', () => {
  it('that failed or expired stays so, whatever went back of it', () => {
    const facts = { amountCents: 1000, refundedCents: 1000, isDisputed: true };
    expect(orderStateOf({ ...facts, state: 'failed' })).toBe('failed');
    expect(orderStateOf({ ...facts, state: 'expired' })).toBe('expired');
  });
  it('that we ended may still be paid: of it the provider is asked', () => {
    expect((['canceled', 'failed'] as const).map(isEndedHere)).toEqual([true, true]);
    expect((['pending', 'paid', 'refunded', 'expired'] as const).some(isEndedHere)).toBe(false);
  });
  it('goes back for one of the reasons that there are', () => {
    expect(isRefundWhy('duplicate')).toBe(true);
    expect(['', 'because', 'Duplicate'].some(isRefundWhy)).toBe(false);
  });
});

it('an address of one letter is masked as well, and one without a name tells nothing', () => {
  expect(maskEmail('b@example.com')).toBe('b•••@example.com');
  expect(maskEmail('@example.com')).toBe('•••');
});
