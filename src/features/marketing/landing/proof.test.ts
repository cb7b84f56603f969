import { describe, expect, it } from 'vitest';
import { listShownClaims } from '../claims/claims.ts';
import { usualFacts } from '../facts.ts';
import { proofOf } from './proof.ts';

const now = new Date('2026-11-21T12:00:00Z');
const claims = listShownClaims([], { isSandbox: true, now });

describe.each([
  ['hero', 3, 3],
  ['figures', 6, 6],
] as const)('the figures of the %s', (place, ofSettings, ofOperator) => {
  it('are what the settings say, whether an operator adds to it or not', () => {
    const alone = proofOf(usualFacts, place);
    expect([alone.computed.length, alone.claimed]).toEqual([ofSettings, []]);
    const both = proofOf({ ...usualFacts, claims }, place);
    expect(both.computed).toEqual(alone.computed);
    expect(both.claimed.map((claim) => claim.place)).toEqual(Array(ofOperator).fill(place));
  });

  it('have room for no more claims than fit beside them', () => {
    expect(proofOf({ ...usualFacts, claims: [...claims, ...claims] }, place).claimed).toHaveLength(ofOperator);
  });
});
