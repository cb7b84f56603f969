import { describe, expect, it } from 'vitest';
import type { Invoice } from '#engines/payments/plan-payments.ts';
import { dayMs, hourMs } from '#kit/time.ts';
import { type Draft, findDraft, isDraftOver, isUnpaid, statusWith } from './draft-rules.ts';

const start = new Date('2027-03-01T10:00:00Z');
const at = (ms: number) => new Date(start.getTime() + ms);
const bill = (invoiceId: string, status: string, days: number, more: Partial<Invoice> = {}): Invoice => ({
  invoiceId,
  status,
  isFirst: false,
  number: undefined,
  finalizationError: undefined,
  amountCents: 399,
  paidCents: status === 'paid' ? 399 : 0,
  currency: 'usd',
  createdAt: at(days * dayMs),
  paidAt: undefined,
  nextAttemptAt: undefined,
  pageUrl: undefined,
  isOfPeriod: true,
  ...more,
});
const going = { endedAt: undefined, isPaused: false };

describe('the draft that a subscription waits for', () => {
  it.each([
    ['none without a draft', going, [bill('b', 'paid', 30), bill('a', 'paid', 0)], undefined],
    ['the newest bill', going, [bill('b', 'draft', 30), bill('a', 'paid', 0)], 'b'],
    [
      'the oldest since anything was paid',
      going,
      [bill('c', 'draft', 60), bill('b', 'draft', 30), bill('a', 'paid', 0)],
      'b',
    ],
    ['none that is older than what was paid', going, [bill('b', 'paid', 30), bill('a', 'draft', 0)], undefined],
    [
      'none that was written by hand',
      going,
      [bill('b', 'draft', 30, { isOfPeriod: false }), bill('a', 'paid', 0)],
      undefined,
    ],
    ['none that costs nothing', going, [bill('b', 'draft', 30, { amountCents: 0 })], undefined],
    ['after a free trial', going, [bill('b', 'draft', 7), bill('a', 'paid', 0, { amountCents: 0 })], 'b'],
    ['none of what is over', { ...going, endedAt: at(0) }, [bill('a', 'draft', 0)], undefined],
    ['none of what is paused', { ...going, isPaused: true }, [bill('a', 'draft', 0)], undefined],
  ])('is %s', (_name, subscription, invoices, wanted) => {
    expect(findDraft(subscription, invoices)?.invoiceId).toBe(wanted);
  });
});

describe('a subscription with a draft', () => {
  const draft: Draft = { invoiceId: 'in', since: start, finalizationError: undefined };
  it('is active for three days, then late, and over after sixteen', () => {
    const status = (ms: number) => statusWith('active', draft, at(ms));
    expect([status(hourMs), status(3 * dayMs - 1), status(3 * dayMs)]).toEqual(['active', 'active', 'past_due']);
    expect([isDraftOver(draft, at(16 * dayMs - 1)), isDraftOver(draft, at(16 * dayMs))]).toEqual([false, true]);
    expect(isDraftOver(undefined, at(99 * dayMs))).toBe(false);
  });

  it('is late at once when its bill could not be made, and never better than the provider says', () => {
    expect(statusWith('active', { ...draft, finalizationError: 'x' }, at(0))).toBe('past_due');
    for (const status of ['trialing', 'past_due', 'canceled', 'unpaid'])
      expect(statusWith(status, { ...draft, finalizationError: 'x' }, at(0))).toBe(status);
  });
});

describe('the period that runs', () => {
  it.each([
    ['was paid', 'active', [bill('b', 'paid', 30), bill('a', 'paid', 0)], false],
    ['is free as in a trial', 'trialing', [bill('a', 'paid', 0, { amountCents: 0 })], false],
    ['is a draft', 'active', [bill('b', 'draft', 30), bill('a', 'paid', 0)], true],
    ['is being charged', 'active', [bill('b', 'open', 30), bill('a', 'paid', 0)], true],
    ['was declined', 'past_due', [bill('a', 'paid', 0)], true],
    ['was declined for the last time', 'active', [bill('b', 'uncollectible', 30)], true],
    ['cost nothing in a pause', 'active', [bill('b', 'void', 30), bill('a', 'paid', 0)], false],
    [
      'has a bill by hand beside it',
      'active',
      [bill('b', 'draft', 30, { isOfPeriod: false }), bill('a', 'paid', 0)],
      false,
    ],
  ])('%s', (_name, status, invoices, wanted) => {
    expect(isUnpaid(status, invoices)).toBe(wanted);
  });
});
