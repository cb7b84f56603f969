import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { keyRingOf } from '#engines/keys/key-ring.ts';
import { newId } from '#kit/ids.ts';
import { readLease, signLease } from './lease-token.ts';

const key = (id: string) => ({ id, key: randomBytes(32) });
const [oldest, older, newest] = [key('a'), key('b'), key('c')];
const ring = keyRingOf([newest]);
const noon = Date.parse('2026-11-21T12:00:00Z');
const claim = { leaseId: newId(noon), packId: newId(noon), grantId: newId(noon) };
const until = new Date(noon + 30_000);

describe('the token of a lease', () => {
  it.each([0, 1, 999])(
    'says which grant may fetch which pack, until its very millisecond (%i after a second)',
    (ms) => {
      const token = signLease(ring, claim, new Date(until.getTime() + ms));
      expect(token).toMatch(/^[\w-]{94}$/);
      expect(readLease(ring, token, noon)).toEqual(claim);
      expect(readLease(ring, token, noon + 29_999 + ms)).toEqual(claim);
      expect(readLease(ring, token, noon + 30_000 + ms)).toBeUndefined();
    },
  );

  it('is void when a single bit of it was changed', () => {
    const bytes = Buffer.from(signLease(ring, claim, until), 'base64url');
    for (let bit = 0; bit < 8 * bytes.length; bit++) {
      const forged = Buffer.from(bytes);
      forged[bit >> 3] = (forged[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(readLease(ring, forged.toString('base64url'), noon)).toBeUndefined();
    }
    for (const wrong of ['', 'x', 'A'.repeat(94), `${bytes.toString('base64url')}=`])
      expect(readLease(ring, wrong, noon)).toBeUndefined();
  });

  it('is void before its time: a clock that is set back does not let it live longer', () => {
    const token = signLease(ring, claim, until);
    expect(readLease(ring, token, until.getTime() - 180_000)).toEqual(claim);
    expect(readLease(ring, token, until.getTime() - 180_001)).toBeUndefined();
    expect(readLease(ring, token, noon - 30 * 86_400_000)).toBeUndefined();
  });

  it('outlives one rotation of the master key, and no second one', () => {
    const token = signLease(keyRingOf([oldest]), claim, until);
    expect(readLease(keyRingOf([older, oldest]), token, noon)).toEqual(claim);
    expect(readLease(keyRingOf([newest, older, oldest]), token, noon)).toBeUndefined();
    expect(readLease(ring, token, noon)).toBeUndefined();
  });
});
