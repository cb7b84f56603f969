import { describe, expect, it } from 'vitest';
import { opens, orderStateOf, wasPaid } from './rules.ts';

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
