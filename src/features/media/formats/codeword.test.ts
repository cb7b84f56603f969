import { createHash, createHmac, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  codewordTrack,
  commitment,
  fairBits,
  grantSeed,
  linkSeed,
  packTag,
  segmentCodeword,
  tileCodeword,
} from './codeword.ts';

const traceKey = Buffer.alloc(32, 7);
const [mediaId, linkId, grantId, otherGrant] = [1, 2, 3, 4].map((n) => `0190c8a0-0000-7000-8000-00000000000${n}`) as [
  string,
  string,
  string,
  string,
];
const grid = { columns: 18, rows: 14 };
const seeds = { linkSeed: linkSeed(traceKey, linkId), grantSeed: grantSeed(traceKey, grantId) };
const places = Array.from({ length: 252 }, (_, t) => t);
const isLinks = (t: number) => ((t % 18) + Math.floor(t / 18)) % 2 === 0;

describe('the seeds of a codeword', () => {
  it('are HMACs of the trace key over the ids as text', () => {
    expect(seeds.linkSeed).toEqual(createHmac('sha256', traceKey).update(`pf1:link${linkId}`).digest());
    expect(seeds.grantSeed).toEqual(createHmac('sha256', traceKey).update(`pf1:grant${grantId}`).digest());
  });

  it('are committed to by a hash that reveals nothing and fits no other seed', () => {
    const expected = createHash('sha256').update(`pf1:commit${grantId}`).update(seeds.grantSeed).digest();
    expect(commitment(grantId, seeds.grantSeed)).toEqual(expected);
    expect(commitment(grantId, seeds.linkSeed).equals(expected)).toBe(false);
  });
});

describe('fair bits', () => {
  it('are the bits of numbered HMAC blocks, lowest bit of each byte first', () => {
    const blocks = [0, 1].map((n) => {
      const number = Buffer.alloc(4);
      number.writeUInt32BE(n);
      return createHmac('sha256', seeds.grantSeed).update(`pf1:fair${mediaId}p2048`).update(number).digest();
    });
    const bytes = Buffer.concat(blocks);
    const expected = Array.from({ length: 300 }, (_, t) => ((bytes[t >> 3] ?? 0) >> (t & 7)) & 1);
    expect(Array.from(fairBits(seeds.grantSeed, mediaId, 'p2048', 300))).toEqual(expected);
  });

  it('are fair', () => {
    const ones = Array.from({ length: 400 }, () => fairBits(randomBytes(32), mediaId, 'p2048', 256)).flatMap((b) =>
      Array.from(b),
    );
    const share = ones.reduce((sum, bit) => sum + bit, 0) / ones.length;
    expect(Math.abs(share - 0.5)).toBeLessThan(0.01);
  });
});

describe("a viewer's codeword", () => {
  it('is the same each time the link is opened', () => {
    expect(tileCodeword(seeds, mediaId, 'p2048', grid)).toEqual(tileCodeword(seeds, mediaId, 'p2048', grid));
  });

  it("carries the link's bits where column + row is even and the grant's elsewhere", () => {
    const link = fairBits(seeds.linkSeed, mediaId, 'p2048', 252);
    const grant = fairBits(seeds.grantSeed, mediaId, 'p2048', 252);
    const codeword = tileCodeword(seeds, mediaId, 'p2048', grid);
    for (const t of places) expect(codeword[t]).toBe((isLinks(t) ? link : grant)[t]);
  });

  it('shares the half of the link with every other browser that opens it, and differs in the rest', () => {
    const mine = tileCodeword(seeds, mediaId, 'p2048', grid);
    const other = tileCodeword({ ...seeds, grantSeed: grantSeed(traceKey, otherGrant) }, mediaId, 'p2048', grid);
    expect(places.filter((t) => isLinks(t) && mine[t] !== other[t])).toEqual([]);
    expect(places.filter((t) => mine[t] !== other[t]).length).toBeGreaterThan(30);
  });

  it("is the grant's in every tile of an owner's or admin's own look", () => {
    const own = tileCodeword({ grantSeed: seeds.grantSeed }, mediaId, 'p2048', grid);
    expect(own).toEqual(fairBits(seeds.grantSeed, mediaId, 'p2048', 252));
  });

  it('differs between renditions, media and creators', () => {
    const all = [
      tileCodeword(seeds, mediaId, 'p2048', grid),
      tileCodeword(seeds, mediaId, 'thumb512', grid),
      tileCodeword(seeds, linkId, 'p2048', grid),
      tileCodeword({ grantSeed: grantSeed(randomBytes(32), grantId) }, mediaId, 'p2048', grid),
    ].map((bits) => bits.join(''));
    expect(new Set(all).size).toBe(4);
  });

  it("is the same on every rung of a video, where even segments are the link's", () => {
    const video = segmentCodeword(seeds, mediaId, 'v720', 99);
    expect(segmentCodeword(seeds, mediaId, 'v480', 99)).toEqual(video);
    const link = fairBits(seeds.linkSeed, mediaId, 'v720', 99);
    const grant = fairBits(seeds.grantSeed, mediaId, 'v480', 99);
    expect(Array.from(video)).toEqual(Array.from(video, (_, n) => (n % 2 ? grant : link)[n]));
    expect(codewordTrack('v480')).toBe('video');
    expect(codewordTrack('poster')).toBe('poster');
  });

  it('begins alike however many segments are asked for', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3600 }), (count) => {
        const long = segmentCodeword(seeds, mediaId, 'v720', 3600);
        expect(segmentCodeword(seeds, mediaId, 'v720', count)).toEqual(long.subarray(0, count));
      }),
      { numRuns: 20 },
    );
  });
});

describe("the tag in a composed pack's address", () => {
  it('is 16 characters, and another for every grant and every pack', () => {
    const [pack, otherPack] = [randomBytes(16), randomBytes(16)];
    const tag = packTag(seeds.grantSeed, pack);
    expect(tag).toMatch(/^[A-Za-z0-9_-]{16}$/);
    expect(packTag(seeds.grantSeed, otherPack)).not.toBe(tag);
    expect(packTag(grantSeed(traceKey, otherGrant), pack)).not.toBe(tag);
  });
});
