import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { leastTierCents, mostAtOnceCents } from './fan-rules.ts';
import { leastCents } from './rules.ts';
import { feeOfPart, feePercentOf, shareOfReturned, splitMonth, splitPayment } from './split-rules.ts';

describe('a payment', () => {
  it('is divided to the cent for every amount from $5 to $500: 90 % or a part of a cent more is the creator’s', () => {
    for (let cents = leastCents; cents <= 50_000; cents++) {
      const { feeCents, shareCents } = splitPayment(cents, 10);
      expect(feeCents + shareCents).toBe(cents);
      const more = shareCents * 10 - cents * 9;
      if (more < 0 || more >= 10) expect.fail(`${shareCents} of ${cents}`);
    }
    expect(splitPayment(999, 10)).toEqual({ feeCents: 99, shareCents: 900 });
  });

  it('of a subscription is divided as the provider does, for every price: the creator’s part is at most half a cent off 90 %', () => {
    for (let cents = leastTierCents; cents <= mostAtOnceCents; cents++) {
      const { feeCents, shareCents } = splitMonth(cents, 10);
      expect(feeCents + shareCents).toBe(cents);
      const more = shareCents * 10 - cents * 9;
      if (Math.abs(more) > 5 || (cents % 10 === 0 && more !== 0)) expect.fail(`${shareCents} of ${cents}`);
    }
    expect(splitMonth(999, 10)).toEqual({ feeCents: 100, shareCents: 899 });
    expect(splitMonth(505, 10)).toEqual({ feeCents: 51, shareCents: 454 });
    expect(splitMonth(500, 0)).toEqual({ feeCents: 0, shareCents: 500 });
  });

  it('of a subscription leaves the creator the same or a cent less, at every percent that may be set', () => {
    for (let percent = 0; percent <= 50; percent++)
      for (let cents = leastCents; cents <= 3000; cents++) {
        const less = splitPayment(cents, percent).shareCents - splitMonth(cents, percent).shareCents;
        const isHalf = (cents * percent) % 100 >= 50;
        if (less !== (isHalf ? 1 : 0)) expect.fail(`${less} of ${cents} at ${percent} %`);
      }
  });

  it('tells the percent by which it was divided, in either way', () => {
    for (let percent = 0; percent <= 50; percent++)
      for (let amountCents = leastCents; amountCents <= 3000; amountCents++)
        for (const { feeCents } of [splitPayment(amountCents, percent), splitMonth(amountCents, percent)])
          if (feePercentOf({ amountCents, feeCents }) !== percent) expect.fail(`${feeCents} of ${amountCents}`);
  });

  type Back = (part: number, returned: number, of: { amountCents: number; feeCents: number }) => number;
  /** A payment goes back in parts, the last of them what is left; true when the fee came back whole and never more than it. */
  const goesBackWhole = (backOf: Back) =>
    fc.property(
      fc.integer({ min: 500, max: 50_000 }),
      fc.array(fc.integer({ min: 1, max: 99 }), { maxLength: 6 }),
      (amountCents, percents) => {
        const { feeCents } = splitPayment(amountCents, 10);
        let [returned, fees] = [0, 0];
        for (const percent of [...percents, 100]) {
          const left = amountCents - returned;
          const part = percent === 100 ? left : Math.floor((left * percent) / 100);
          const back = backOf(part, returned, { amountCents, feeCents });
          if (back < 0 || back > part) return false;
          returned += part;
          fees += back;
        }
        return returned === amountCents && fees === feeCents;
      },
    );

  it('that goes back in parts goes back whole: 20,000 splittings, by all that went back so far', () => {
    const byAll: Back = (part, returned, of) => part - shareOfReturned(of, returned, returned + part);
    fc.assert(goesBackWhole(byAll), { numRuns: 20_000 });
  });

  it('planted: each part is rounded by itself, and the splittings find it', () => {
    const byItself: Back = (part, _returned, of) => feeOfPart(of, part);
    expect(fc.check(goesBackWhole(byItself), { numRuns: 1000 }).failed).toBe(true);
  });
});
