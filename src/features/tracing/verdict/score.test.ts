import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cap, lnInnocent, lowCap, openScore } from './score.ts';

const evidenceOf = (most: number) =>
  fc.array(fc.double({ min: -3, max: 3, noNaN: true }), { minLength: 1, maxLength: most });
const scoreOf = (evidence: readonly number[], codeword: number) =>
  evidence.reduce((sum, says, t) => sum + ((codeword >> t) & 1 ? says : -says), 0);

describe('a score', () => {
  it('adds what a codeword is right about and takes off what it is wrong about, eight tiles at a time', () => {
    fc.assert(
      fc.property(evidenceOf(20), fc.nat(2 ** 24 - 1), fc.nat(5), (evidence, bits, at) => {
        const packed = new Uint8Array(at + 3);
        for (let byte = 0; byte < 3; byte++) packed[at + byte] = bits >> (8 * byte);
        expect(openScore(Float64Array.from(evidence))(packed, at)).toBeCloseTo(scoreOf(evidence, bits), 9);
      }),
    );
  });

  it('takes no tile for more than its cap', () => {
    expect(cap(Float64Array.of(-9, -1, 0, 2, 50), 3)).toEqual(Float64Array.of(-3, -1, 0, 2, 3));
  });

  it('has a low cap where four of five tiles that were read say less, never above the steady one', () => {
    expect(lowCap(Float64Array.of(0, 0, 0.5, -0.5, 0.6, -0.7, 2.5))).toBe(2.5);
    expect(lowCap(Float64Array.of(0, 0, 0.5, -0.5, 0.6, -0.7, 1, 2.5, -2.6, 0.1, 0.2, 0.2))).toBe(2.5);
    expect(lowCap(new Float64Array(4))).toBe(3);
    expect(lowCap(Float64Array.of(8, 9, 10))).toBe(3);
  });
});

describe('the bound on an innocent', () => {
  /** The chance itself, by going through every codeword there is. */
  const chanceOf = (evidence: readonly number[], score: number) => {
    const codewords = 2 ** evidence.length;
    let count = 0;
    for (let codeword = 0; codeword < codewords; codeword++) if (scoreOf(evidence, codeword) >= score - 1e-12) count++;
    return count / codewords;
  };

  it('is never below the true chance, whatever the evidence', () => {
    fc.assert(
      fc.property(evidenceOf(10), fc.nat(), (evidence, codeword) => {
        const score = scoreOf(evidence, codeword);
        expect(Math.exp(lnInnocent(evidence, score))).toBeGreaterThanOrEqual(chanceOf(evidence, score) * (1 - 1e-9));
      }),
      { numRuns: 300 },
    );
  });

  it('is one in 2^n when n tiles all agree', () => {
    for (const tiles of [1, 20, 252])
      expect(
        lnInnocent(
          Array.from({ length: tiles }, () => -3),
          3 * tiles,
        ) / Math.LN2,
      ).toBeCloseTo(-tiles, 6);
  });

  it('is nothing at all for a score that anybody reaches', () => {
    expect(lnInnocent([3, 3, -3], 0)).toBe(0);
    expect(lnInnocent([3, 3, -3], -5)).toBe(0);
    expect(lnInnocent([], 0)).toBe(0);
  });

  it('falls as the score rises', () => {
    const evidence = Array.from({ length: 60 }, (_, t) => 0.1 + (t % 30) / 10);
    const bounds = [10, 20, 40, 60, 80].map((score) => lnInnocent(evidence, score));
    expect(bounds).toEqual(bounds.toSorted((a, b) => b - a));
  });
});
