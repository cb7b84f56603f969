import { expect, it } from 'vitest';
import { tellCard } from './plan-words.ts';

it('a card is told by its last digits, and what is no card by its name', () => {
  expect(tellCard({ brand: 'visa', last4: '4242' })).toBe('Visa ending in 4242');
  expect(tellCard({ brand: 'newer', last4: '1111' })).toBe('Card ending in 1111');
  expect(tellCard({ brand: 'link', last4: '' })).toBe('Link');
  expect(tellCard({ brand: 'newer', last4: '' })).toBe('Not a card');
});
