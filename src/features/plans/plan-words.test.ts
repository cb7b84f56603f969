import { expect, it } from 'vitest';
import { describeCard } from './plan-words.ts';

it('a card is told by its last digits, and what is no card by its name', () => {
  expect(describeCard({ brand: 'visa', last4: '4242' })).toBe('Visa ending in 4242');
  expect(describeCard({ brand: 'newer', last4: '1111' })).toBe('Card ending in 1111');
  expect(describeCard({ brand: 'link', last4: '' })).toBe('Link');
  expect(describeCard({ brand: 'newer', last4: '' })).toBe('Not a card');
});
