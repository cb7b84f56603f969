import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countAt, counterSteps } from './counter-steps.ts';

describe('a counter', () => {
  it('takes 60 steps from where it was to the figure itself', () => {
    expect(counterSteps).toBe(60);
    expect([0, 15, 30, 60].map((step) => countAt(0, 1204, step))).toEqual([0, 301, 602, 1204]);
    expect(countAt(1204, 1198, 30)).toBe(1201);
  });
  it('never goes back, past the figure or into fractions', () => {
    const whole = fc.integer({ min: 0, max: 1e9 });
    fc.assert(
      fc.property(whole, whole, (one, other) => {
        const [from, to] = [Math.min(one, other), Math.max(one, other)];
        const shown = Array.from({ length: counterSteps + 2 }, (_, step) => countAt(from, to, step));
        return shown.every((value, at) => Number.isInteger(value) && value <= to && value >= (shown[at - 1] ?? from));
      }),
    );
  });
});
