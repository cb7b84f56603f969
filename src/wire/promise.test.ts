import { expect, it } from 'vitest';
import * as z from 'zod';
import './promise.ts';

const faultOf = (shape: z.ZodType, value: unknown) =>
  z.object({ field: shape }).safeParse({ field: value }).error?.issues[0]?.message;

it.each([
  [z.int().min(3), 2, 'Enter 3 or more'],
  [z.int().max(3), 4, 'Enter 3 or less'],
  [z.int(), 'two', 'Enter a number'],
  [z.int(), Number.NaN, 'Enter a number'],
  [z.string(), undefined, 'Fill this in'],
  [z.string().min(1), '', 'Fill this in'],
  [z.string().min(6), 'short', 'Use 6 characters or more'],
  [z.string().max(3), 'long', 'Use 3 characters or less'],
  [z.array(z.int()).min(2), [1], 'Choose 2 or more'],
  [z.enum(['a', 'b']), 'c', 'Choose one of what is offered'],
  [z.email(), 'nobody', 'Enter an email address'],
  [z.iso.date(), 'soon', 'Choose a day'],
  [z.uuid(), 'x', 'Check how this is written'],
  [z.boolean(), 'yes', 'Check this'],
  [z.string().min(6, 'Choose a longer one'), 'short', 'Choose a longer one'],
])('what a contract refuses is said in plain words: %#', (shape, value, words) => {
  expect(faultOf(shape, value)).toBe(words);
});

it('an amount of money is said in dollars', () => {
  const shape = z.object({ items: z.array(z.object({ priceCents: z.int().min(500).max(50_000) })) });
  const reported = (priceCents: unknown) => shape.safeParse({ items: [{ priceCents }] }).error?.issues[0]?.message;
  expect([reported(499), reported(50_001), reported(Number.NaN)]).toEqual([
    'Enter $5.00 or more',
    'Enter $500.00 or less',
    'Enter an amount',
  ]);
});
