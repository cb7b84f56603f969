import { expect, test } from 'vitest';
import { describeAsked } from './asked-words.ts';

const tiers = [
  { id: 'a', name: 'Inner circle', priceCents: 999 },
  { id: 'b', name: 'Small', priceCents: 500 },
];

test('what a link asks for is a word of its sentence, with the price first', () => {
  expect(describeAsked({}, tiers)).toBe('free');
  expect(describeAsked({ priceCents: 1500 }, tiers)).toBe('$15');
  expect(describeAsked({ tipCents: 1000 }, tiers)).toBe('$10 or more as a tip');
  expect(describeAsked({ priceCents: 1500, tipCents: 1000 }, tiers)).toBe('$15, or $10 or more as a tip,');
});

test('a subscription is told by what a month costs: one tier, several, or one that is gone', () => {
  expect(describeAsked({ tierIds: ['a'] }, tiers)).toBe('$9.99 a month');
  expect(describeAsked({ tierIds: [] }, tiers)).toBe('$5 a month or more');
  expect(describeAsked({ tierIds: ['gone'] }, tiers)).toBe('a subscription');
  expect(describeAsked({ priceCents: 1500, tipCents: 1000, tierIds: ['a'] }, tiers)).toBe(
    '$15, $10 or more as a tip, or $9.99 a month,',
  );
});

test('the creator’s yes stands before what is paid, or beside it', () => {
  expect(describeAsked({ approval: 'first' }, tiers)).toBe('asking me first');
  expect(describeAsked({ priceCents: 1500, approval: 'first' }, tiers)).toBe('asking me first, then $15');
  expect(describeAsked({ priceCents: 1500, approval: 'instead' }, tiers)).toBe('$15, or asking me,');
  expect(describeAsked({ priceCents: 1500, tipCents: 1000, isAll: true }, tiers)).toBe('$15 and $10 or more as a tip');
});
