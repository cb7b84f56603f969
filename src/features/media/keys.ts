import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, randomUUID } from 'node:crypto';

/** A rendition that is made of encrypted parts. */
export type Track = 'p2048' | 'thumb512' | 'poster' | 'posterthumb' | 'storyboard' | 'v720' | 'v480' | 'audio';

/** Slot 1 holds variant A, slot 0 variant B; tracks of one variant use slot 0. */
export type Slot = 0 | 1;

/** Encrypts the parts of one new pack; made by `sealPack`. */
export type PackSeal = {
  /** The 16 bytes of a fresh random UUID: no second attempt ever encrypts under these keys. */
  packId: Buffer;
  /** Ciphertext and tag of one tile. @throws Error when this place was sealed before */
  encryptTile(slot: Slot, index: number, plaintext: Uint8Array): Buffer;
};

const keysPerBlock = 256;
const keyBytes = 32;
const tagBytes = 16;

/** All zero on purpose: GCM forbids repeating (key, nonce), and every key here encrypts exactly one plaintext. */
const zeroNonce = Buffer.alloc(12);

/** A new media key, 32 random bytes. */
export function newMediaKey(): Buffer {
  return randomBytes(keyBytes);
}

/**
 * Begins a pack. The only way to encrypt tiles: it draws the pack's id and derives every key itself, so neither a repeated
 * job nor a caller's slip can put two plaintexts under one key (NIST SP 800-38D §8).
 */
export function sealPack(mediaKey: Buffer, track: Track): PackSeal {
  const packId = Buffer.from(randomUUID().replaceAll('-', ''), 'hex');
  const keyOf = keyReader(mediaKey, packId, track);
  const sealed = new Set<number>();
  return {
    packId,
    encryptTile(slot, index, plaintext) {
      const place = 2 * index + slot;
      if (sealed.has(place)) throw new Error(`tile ${index} of slot ${slot} is sealed already`);
      sealed.add(place);
      const cipher = createCipheriv('aes-256-gcm', keyOf(slot, index), zeroNonce);
      return Buffer.concat([cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
    },
  };
}

/**
 * Opens one tile; the tracer and the tests read packs with it, viewers decrypt in the browser.
 * @throws Error when the ciphertext does not belong to this place
 */
export function decryptTile(
  mediaKey: Buffer,
  packId: Uint8Array,
  track: Track,
  slot: Slot,
  index: number,
  tile: Uint8Array,
): Buffer {
  const body = tile.subarray(0, tile.length - tagBytes);
  const decipher = createDecipheriv('aes-256-gcm', keyReader(mediaKey, packId, track)(slot, index), zeroNonce);
  decipher.setAuthTag(tile.subarray(tile.length - tagBytes));
  return Buffer.concat([decipher.update(body), decipher.final()]);
}

/**
 * The keys of one codeword: 32 bytes a tile in tile order, each of the slot that its bit names.
 * @param bits one 0 or 1 per tile or segment
 * @param from number of the first tile or segment that `bits` speaks of
 */
export function keysOf(mediaKey: Buffer, packId: Uint8Array, track: Track, bits: Uint8Array, from = 0): Buffer {
  const keyOf = keyReader(mediaKey, packId, track, from + bits.length);
  const keys = Buffer.allocUnsafe(keyBytes * bits.length);
  for (const [i, bit] of bits.entries()) keys.set(keyOf(bit ? 1 : 0, from + i), keyBytes * i);
  return keys;
}

/**
 * Keys come in blocks of 256, because one long HKDF costs less than forty short ones.
 * @param end no key from this number on is asked for: a shorter output of HKDF is the beginning of the longer one
 */
function keyReader(
  mediaKey: Buffer,
  packId: Uint8Array,
  track: Track,
  end = Number.POSITIVE_INFINITY,
): (slot: Slot, index: number) => Uint8Array {
  const blocks = new Map<string, Uint8Array>();
  return (slot, index) => {
    const info = `pf1:${track}:${slot}:${index >> 8}`;
    let block = blocks.get(info);
    if (!block) {
      const count = Math.min(keysPerBlock, end - keysPerBlock * (index >> 8));
      block = new Uint8Array(hkdfSync('sha512', mediaKey, packId, info, keyBytes * count));
      blocks.set(info, block);
    }
    const at = keyBytes * (index % keysPerBlock);
    return block.subarray(at, at + keyBytes);
  };
}
