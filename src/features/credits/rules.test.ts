import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { monthOf } from '#kit/time.ts';
import { centsBack, creditsBack, describeReason, grantEndsAt, packBackUntil, packs, splitSpend } from './rules.ts';

const lots = fc.array(fc.record({ id: fc.uuid(), remaining: fc.nat(40) }), { maxLength: 8 });

describe('credits', () => {
  it('are cheaper the larger the pack: fifty for five dollars, and never above ten cents each', () => {
    expect(packs).toEqual([
      { credits: 50, cents: 500 },
      { credits: 120, cents: 1000 },
      { credits: 300, cents: 2000 },
    ]);
    const each = packs.map(({ credits, cents }) => cents / credits);
    expect(each).toEqual(each.toSorted((a, b) => b - a));
    expect(Math.max(...each)).toBe(10);
  });

  it('that were given end a year later, to the instant, and on the last day of a shorter month', () => {
    expect(grantEndsAt(new Date('2026-11-21T12:34:56.789Z'))).toEqual(new Date('2027-11-21T12:34:56.789Z'));
    expect(grantEndsAt(new Date('2028-02-29T10:00:00Z'))).toEqual(new Date('2029-02-28T10:00:00Z'));
  });

  it('are spent out of the first lots first, all that was asked for or nothing', () => {
    fc.assert(
      fc.property(lots, fc.integer({ min: 1, max: 200 }), (all, credits) => {
        const has = all.reduce((sum, { remaining }) => sum + remaining, 0);
        const parts = splitSpend(all, credits);
        if (parts === undefined) {
          expect(has).toBeLessThan(credits);
          return;
        }
        expect(parts.reduce((sum, part) => sum + part.credits, 0)).toBe(credits);
        // Every lot before the last one that was touched is empty.
        const full = all.filter(({ remaining }) => remaining > 0).slice(0, parts.length - 1);
        expect(parts.slice(0, -1)).toEqual(full.map(({ id, remaining }) => ({ lot: id, credits: remaining })));
      }),
    );
  });

  it('of a pack go back with its money, and never for more than what they cost', () => {
    const pack = { credits: 120, amountCents: 1000, state: 'paid', refundedCents: 0, backCredits: 0 };
    expect(creditsBack(pack)).toBe(0);
    expect(creditsBack({ ...pack, state: 'disputed' })).toBe(120);
    expect(creditsBack({ ...pack, state: 'refunded', refundedCents: 1000 })).toBe(120);
    fc.assert(
      fc.property(fc.constantFrom(...packs), fc.nat(300), ({ credits, cents }, some) => {
        const unused = Math.min(some, credits);
        const refundedCents = centsBack({ credits, amountCents: cents }, unused);
        expect(refundedCents * credits).toBeLessThanOrEqual(unused * cents);
        const after = { credits, amountCents: cents, state: 'partially_refunded', refundedCents, backCredits: unused };
        expect(creditsBack(after)).toBe(unused);
      }),
    );
  });

  it('can be had back for fourteen days, and come monthly by the calendar', () => {
    expect(packBackUntil(new Date('2026-11-21T12:00:00Z'))).toEqual(new Date('2026-12-05T12:00:00Z'));
    expect(monthOf(new Date('2026-12-31T23:59:59.999Z'))).toEqual(new Date('2026-12-01T00:00:00Z'));
  });

  it('say in the history why they came and went', () => {
    expect(describeReason('trace')).toBe('Leak trace');
    expect(describeReason('something newer')).toBe('Credits');
  });
});
