import { describe, expect, it } from 'vitest';
import type { CreatorDispute } from '#features/returns/disputes-contract.ts';
import { describeFee, describeNext, describeRate, stateNames } from './dispute-words.ts';

const now = new Date('2026-11-21T12:00:00Z');
const dispute: CreatorDispute = {
  id: 'd',
  orderId: 'o',
  kind: 'album',
  amountCents: 5000,
  shareCents: 4500,
  isOwed: false,
  currency: 'usd',
  state: 'open',
  answer: 'planned',
  openedAt: now,
  dueBy: new Date('2026-11-28T12:00:00Z'),
  fee: null,
};
const tell = (more: Partial<CreatorDispute>) => describeNext({ ...dispute, ...more }, now);

describe('the page tells a creator of a dispute', () => {
  it('that was won: that her part is hers again, or never left', () => {
    expect(tell({ state: 'won' })).toBe('The bank decided for you. Your $45.00 is in your balance again.');
    expect(tell({ state: 'won', shareCents: 0 })).toBe('The bank decided for you. Nothing has left your balance.');
    expect(tell({ state: 'won', isOwed: true })).toBe(
      "The bank decided for you. Your $45.00 is sent to your balance again as soon as the platform's own covers it.",
    );
    expect(describeFee({ cents: 1500, state: 'returning' }, 'usd')).toBe(
      "The bank's dispute fee of $15.00 was taken from your balance, and is given back as soon as the platform's own covers it.",
    );
  });
  it('that was lost: that the money stays with the buyer, whatever was planned', () => {
    const lost = 'The bank decided for the buyer, and the money stays with them.';
    for (const answer of ['planned', 'undecided', 'none'] as const) expect(tell({ state: 'lost', answer })).toBe(lost);
  });
  it('that was answered: how long her money waits', () => {
    expect(tell({ state: 'answered' })).toBe(
      "We've answered. Your $45.00 of it is held back until the bank has decided, usually within two months.",
    );
    expect(tell({ state: 'answered', shareCents: 0 })).toMatch(/^We've answered\. The payment is held back/);
  });
  it('that nobody contests: that nothing is said to the bank', () => {
    expect(tell({ answer: 'none' })).toMatch(/until the bank has decided\. We don't contest this one\.$/);
    expect(tell({ dueBy: null })).toMatch(/We don't contest this one\.$/);
  });
  it('by a word that says how it stands', () => {
    expect(stateNames).toEqual({ open: 'Disputed', answered: 'With the bank', won: 'Won', lost: 'Lost' });
  });
});

describe('the page tells a creator of whose sales many are disputed', () => {
  const terms = { restDays: 14, mostCents: 10_000, isHeld: true };
  it('what it costs from now on, and what comes at 1%', () => {
    expect(describeRate('warned', terms)).toMatch(
      /^At least 0\.75% .* you pay the bank's fee for each new dispute, usually \$15\./,
    );
    expect(describeRate('warned', terms)).toContain('your sales rest for 14 days');
  });
  it('what is held and how much she may ask for, from 1% on', () => {
    expect(describeRate('limited', terms)).toContain(
      'your payouts are held, money from a sale is held for 14 days, and an album or a new request costs $100 at most.',
    );
    expect(describeRate('limited', { ...terms, isHeld: false })).toContain('were disputed: money from a sale');
  });
});
