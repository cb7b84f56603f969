import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { composedLength, composePack } from '../packs/composed-pack.ts';
import { gridOf, tilesFor } from './grid.ts';
import { encodePack, readPackHeader, tileBytes } from './pack.ts';

function drawPack(width: number, height: number) {
  const geometry = { width, height, ...gridOf(width, height, tilesFor(width, height)) };
  const ciphertexts = Array.from({ length: 2 * geometry.tiles }, (_, i) => randomBytes(16 + ((i * 31) % 90)));
  const packId = randomBytes(16);
  const pack = Buffer.from(encodePack({ packId, codec: 'webp', geometry, ciphertexts }));
  return { geometry, ciphertexts, packId, pack };
}

describe('a stored pack', () => {
  it('is laid out byte for byte as PFP1 says', () => {
    const ciphertexts = [1, 2, 3, 4].map((n) => Buffer.alloc(n, n));
    const geometry = { width: 130, height: 64, columns: 2, rows: 1, tiles: 2, xs: [0, 64, 130], ys: [0, 64] };
    const pack = encodePack({ packId: Buffer.alloc(16, 0xab), codec: 'webp', geometry, ciphertexts });
    expect(Buffer.from(pack).toString('hex')).toBe(
      [
        '50465031 02 01 0082 0040 0002 0001 0000',
        'ab'.repeat(16),
        '0000 0040 0082 0000 0040',
        '00000001 00000002 00000003 00000004',
        '01 0202 030303 04040404',
      ]
        .join('')
        .replaceAll(' ', ''),
    );
  });

  it('is read back whole', () => {
    const { pack, packId, geometry, ciphertexts } = drawPack(2048, 1365);
    const header = readPackHeader(pack);
    expect(header).toMatchObject({ ...geometry, variants: 2, codec: 'webp' });
    expect(Buffer.from(header.packId)).toEqual(packId);
    for (const [k, ciphertext] of ciphertexts.entries())
      expect(Buffer.from(tileBytes(pack, header, k >> 1, (k & 1) as 0 | 1))).toEqual(ciphertext);
  });

  it('has a header of about 2 kB for 252 tiles', () => {
    const header = readPackHeader(drawPack(2048, 1536).pack);
    expect(header.offsets[0]).toBe(32 + 2 * 19 + 2 * 15 + 4 * 504);
  });

  it('is refused when it is cut short, longer than it says, or anything else', () => {
    const { pack } = drawPack(512, 384);
    for (const broken of [
      pack.subarray(0, pack.length - 1),
      Buffer.concat([pack, Buffer.from([0])]),
      pack.subarray(0, 20),
      Buffer.from('PFP2').fill(0, 4),
      Buffer.concat([pack.subarray(0, 10), Buffer.from([0xff, 0xff]), pack.subarray(12)]),
    ])
      expect(() => readPackHeader(broken)).toThrow(RangeError);
  });

  it('is refused when a cut goes backwards', () => {
    const { pack } = drawPack(512, 384);
    pack.writeUInt16BE(500, 34);
    expect(() => readPackHeader(pack)).toThrow('ascend');
  });
});

describe('a composed pack', () => {
  it('holds of every tile the variant of its bit, and no other byte of a ciphertext', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 700 }),
        fc.integer({ min: 1, max: 700 }),
        fc.infiniteStream(fc.nat(1)),
        (width, height, coin) => {
          const { pack, ciphertexts, geometry, packId } = drawPack(width, height);
          const bits = Uint8Array.from({ length: geometry.tiles }, () => coin.next().value);
          const composed = composePack(pack, readPackHeader(pack), bits);
          const header = readPackHeader(composed);
          expect(header).toMatchObject({ ...geometry, variants: 1, codec: 'webp' });
          expect(Buffer.from(header.packId)).toEqual(packId);
          for (const [t, bit] of bits.entries())
            expect(Buffer.from(tileBytes(composed, header, t, 0))).toEqual(ciphertexts[2 * t + bit]);
        },
      ),
      { numRuns: 50 },
    );
  });

  it('is as long as was said before it was made', () => {
    const { pack, geometry } = drawPack(512, 384);
    const header = readPackHeader(pack);
    const bits = new Uint8Array(geometry.tiles).fill(1);
    expect(composePack(pack, header, bits).length).toBe(composedLength(header, bits));
  });

  it('is not made of a codeword of another size, nor of a composed pack', () => {
    const { pack, geometry } = drawPack(512, 384);
    const header = readPackHeader(pack);
    expect(() => composePack(pack, header, new Uint8Array(3))).toThrow(RangeError);
    const composed = composePack(pack, header, new Uint8Array(geometry.tiles));
    expect(() => composePack(composed, readPackHeader(composed), new Uint8Array(geometry.tiles))).toThrow(RangeError);
  });
});
