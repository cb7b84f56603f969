import { describe, expect, it } from 'vitest';
import { describeSaleEnd, endedBy, isPaidLate, type SaleKind, saleEnds } from './rules.ts';

/** Who is told that a sale is over, by what was being paid for. */
const endsOf = (kind: SaleKind) => saleEnds.filter((end) => endedBy[end].includes(kind));

describe('what ends a sale', () => {
  it('of credits and of a plan is only what happens to the account that buys', () => {
    for (const kind of ['credits', 'plan'] as const) expect(endsOf(kind)).toEqual(['seller_gone', 'seller_suspended']);
  });
  it('of a price or a tip at a link is never its expiry: whoever pays is let in past it', () => {
    for (const kind of ['link_tip', 'album', 'bundle'] as const) {
      expect(endsOf(kind)).not.toContain('link_expired');
      expect(endsOf(kind)).toEqual(
        expect.arrayContaining(['viewer_blocked', 'taken_down', 'album_deleted', 'link_revoked', 'link_free']),
      );
    }
    expect(endsOf('link_fan')).toContain('link_expired');
  });
  it('of a tip on a page is nothing that happens to albums, for it opens none', () => {
    expect(endsOf('page_tip')).toEqual(['seller_gone', 'seller_suspended', 'viewer_blocked', 'page_closed']);
  });
  it('of a subscription is its tier, and on a page the albums that it opens', () => {
    for (const kind of ['link_fan', 'page_fan'] as const)
      expect(endsOf(kind)).toEqual(expect.arrayContaining(['tier_stopped', 'album_deleted', 'viewer_blocked']));
    expect(endsOf('page_fan')).not.toContain('tier_changed');
    expect(endsOf('page_fan')).toContain('page_closed');
  });
  it('of a request is a change of it', () => {
    expect(endsOf('request')).toEqual(['seller_gone', 'seller_suspended', 'viewer_blocked', 'request_changed']);
  });
  it('is told in a sentence of its own', () => {
    const reported = saleEnds.map(describeSaleEnd);
    expect(new Set(reported).size).toBe(saleEnds.length);
    for (const sentence of reported) expect(sentence).toMatch(/^[A-Z].*\.$/);
  });
});

describe('a payment', () => {
  const end = new Date('2026-11-21T12:00:00.700Z');
  it.each([
    ['2026-11-21T11:59:59.999Z', false],
    // The provider tells whole seconds: of the same one, nobody waits for their money.
    ['2026-11-21T12:00:00.000Z', true],
    ['2026-11-21T12:00:01.000Z', true],
  ])('taken at %s, of a sale that ended at 12:00:00.7, is late: %s', (chargedAt, isLate) => {
    expect(isPaidLate(end, new Date(chargedAt))).toBe(isLate);
  });
  it('of a sale that goes on is never late; of an ended one it is where nobody knows when it was taken', () => {
    expect(isPaidLate(null, end)).toBe(false);
    expect(isPaidLate(null, undefined)).toBe(false);
    expect(isPaidLate(end, undefined)).toBe(true);
  });
});
