import { createCipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  decryptSegment,
  decryptTile,
  keysOf,
  newMediaKey,
  type Slot,
  sealedSegmentBytes,
  sealPack,
  sealVideo,
  segmentKeysOf,
} from './keys.ts';

/** The derivation word for word as it is written down, one block at a time. */
function keyByTheBook(mediaKey: Buffer, packId: Uint8Array, track: string, slot: number, i: number): Buffer {
  const block = Buffer.from(hkdfSync('sha512', mediaKey, packId, `pf1:${track}:${slot}:${i >> 8}`, 8192));
  return block.subarray(32 * (i & 255), 32 * (i & 255) + 32);
}

describe('tile keys', () => {
  it('are those of the slots that the bits choose, in tile order, over block borders', () => {
    const [mediaKey, packId] = [newMediaKey(), randomBytes(16)];
    const bits = Uint8Array.from({ length: 300 }, (_, i) => ((i * 7) % 3) & 1);
    const keys = keysOf(mediaKey, packId, 'p2048', bits);
    expect(keys.length).toBe(32 * 300);
    for (const i of [0, 1, 2, 255, 256, 299])
      expect(keys.subarray(32 * i, 32 * i + 32)).toEqual(keyByTheBook(mediaKey, packId, 'p2048', bits[i] ?? 0, i));
  });

  it('begin at any segment of a video', () => {
    const [mediaKey, packId] = [newMediaKey(), randomBytes(16)];
    const keys = keysOf(mediaKey, packId, 'v720', Uint8Array.of(1, 0), 255);
    expect(keys.subarray(32)).toEqual(keyByTheBook(mediaKey, packId, 'v720', 0, 256));
  });

  it('are all different between media keys, packs, tracks, slots and tiles', () => {
    const mediaKey = newMediaKey();
    const packId = randomBytes(16);
    const all = [
      keysOf(mediaKey, packId, 'p2048', new Uint8Array(512)),
      keysOf(mediaKey, packId, 'p2048', new Uint8Array(512).fill(1)),
      keysOf(mediaKey, packId, 'thumb512', new Uint8Array(512)),
      keysOf(mediaKey, randomBytes(16), 'p2048', new Uint8Array(512)),
      keysOf(newMediaKey(), packId, 'p2048', new Uint8Array(512)),
    ].flatMap((keys) => Array.from({ length: 512 }, (_, i) => keys.toString('hex', 32 * i, 32 * i + 32)));
    expect(new Set(all).size).toBe(all.length);
  });
});

describe('sealing a pack', () => {
  const plaintext = Buffer.from('RIFF tile');

  it('is AES-256-GCM under the derived key with a zero nonce and the tag at the end', () => {
    const mediaKey = newMediaKey();
    const { packId, encryptTile } = sealPack(mediaKey, 'p2048');
    const cipher = createCipheriv('aes-256-gcm', keyByTheBook(mediaKey, packId, 'p2048', 1, 5), Buffer.alloc(12));
    const expected = Buffer.concat([cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
    expect(encryptTile(1, 5, plaintext)).toEqual(expected);
  });

  it('draws a new pack id each time, so a retry never meets an old key', () => {
    const mediaKey = newMediaKey();
    const [first, second] = [sealPack(mediaKey, 'p2048'), sealPack(mediaKey, 'p2048')];
    expect(first.packId.equals(second.packId)).toBe(false);
    expect(first.encryptTile(0, 0, plaintext).equals(second.encryptTile(0, 0, plaintext))).toBe(false);
  });

  it('refuses a second plaintext for the same tile and slot', () => {
    const seal = sealPack(newMediaKey(), 'p2048');
    seal.encryptTile(0, 3, plaintext);
    seal.encryptTile(1, 3, plaintext);
    expect(() => seal.encryptTile(0, 3, plaintext)).toThrow('sealed already');
  });

  it('gives A and B unrelated ciphertexts: their XOR is not the mark', () => {
    const seal = sealPack(newMediaKey(), 'p2048');
    expect(seal.encryptTile(0, 0, plaintext).equals(seal.encryptTile(1, 0, plaintext))).toBe(false);
  });

  it('binds a ciphertext to its place', () => {
    const mediaKey = newMediaKey();
    const { packId, encryptTile } = sealPack(mediaKey, 'p2048');
    const tile = encryptTile(1, 7, plaintext);
    const open = (pack: Uint8Array, track: 'p2048' | 'thumb512', slot: Slot, index: number) =>
      decryptTile(mediaKey, pack, track, slot, index, tile);
    expect(open(packId, 'p2048', 1, 7)).toEqual(plaintext);
    expect(() => open(packId, 'p2048', 0, 7)).toThrow();
    expect(() => open(packId, 'p2048', 1, 8)).toThrow();
    expect(() => open(packId, 'thumb512', 1, 7)).toThrow();
    expect(() => open(randomBytes(16), 'p2048', 1, 7)).toThrow();
  });
});

describe('sealing a video', () => {
  const plaintext = Buffer.from('a segment of a video');

  it('is AES-128-CBC under the first half of the derived key, with the number of the segment as its IV', () => {
    const mediaKey = newMediaKey();
    const { packId, encryptSegment } = sealVideo(mediaKey, 'v480');
    for (const [slot, n] of [
      [0, 0],
      [1, 0],
      [1, 300],
    ] as const) {
      const iv = Buffer.alloc(16);
      iv.writeUInt32BE(n, 12);
      const key = keyByTheBook(mediaKey, packId, 'v480', slot, n).subarray(0, 16);
      const cipher = createCipheriv('aes-128-cbc', key, iv);
      const ciphertext = encryptSegment(slot, n, plaintext);
      expect(ciphertext).toEqual(Buffer.concat([cipher.update(plaintext), cipher.final()]));
      expect(decryptSegment(mediaKey, packId, 'v480', slot, n, ciphertext)).toEqual(plaintext);
    }
  });

  it('draws a new pack id each time, and refuses a second plaintext for the same place', () => {
    const mediaKey = newMediaKey();
    const [first, second] = [sealVideo(mediaKey, 'v720'), sealVideo(mediaKey, 'v720')];
    expect(first.packId.equals(second.packId)).toBe(false);
    expect(first.encryptSegment(1, 0, plaintext).equals(second.encryptSegment(1, 0, plaintext))).toBe(false);
    expect(first.encryptSegment(0, 0, plaintext).equals(first.encryptSegment(0, 1, plaintext))).toBe(false);
    expect(() => first.encryptSegment(1, 0, Buffer.alloc(5))).toThrow('sealed already');
  });

  it('says beforehand how long a ciphertext will be', () => {
    const { encryptSegment } = sealVideo(newMediaKey(), 'audio');
    for (const [n, size] of [0, 1, 15, 16, 17, 1000].entries())
      expect(encryptSegment(0, n, Buffer.alloc(size))).toHaveLength(sealedSegmentBytes(size));
  });

  it('lends keys of a stretch, half as long as those of tiles, of the slots that the bits choose', () => {
    const [mediaKey, packId] = [newMediaKey(), randomBytes(16)];
    const bits = Uint8Array.of(1, 0, 1);
    const keys = segmentKeysOf(mediaKey, packId, 'v720', bits, 255);
    for (const [i, bit] of bits.entries())
      expect(keys.subarray(16 * i, 16 * i + 16)).toEqual(
        keyByTheBook(mediaKey, packId, 'v720', bit, 255 + i).subarray(0, 16),
      );
  });
});
