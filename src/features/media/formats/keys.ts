import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, randomUUID } from 'node:crypto';

/** A rendition that is made of encrypted parts. */
export type Track = 'p2048' | 'thumb512' | 'poster' | 'posterthumb' | 'storyboard' | 'v720' | 'v480' | 'audio';

/** A rendition that is one picture. */
export type PictureTrack = Exclude<Track, 'v720' | 'v480' | 'audio'>;

/** Slot 1 holds variant A, slot 0 variant B; tracks of one variant use slot 0. */
export type Slot = 0 | 1;

/** Encrypts the parts of one new pack; made by `sealPack`. */
export type PackSeal = {
  /** The 16 bytes of a fresh random UUID: no second attempt ever encrypts under these keys. */
  packId: Buffer;
  /** Ciphertext and tag of one tile. @throws Error when this place was sealed before */
  encryptTile(slot: Slot, index: number, plaintext: Uint8Array): Buffer;
};

/** Encrypts the segments of one new track of a video; made by `sealVideo`. */
export type VideoSeal = {
  /** Fresh, as a pack's. */
  packId: Buffer;
  /** Ciphertext of one segment. @throws Error when this place was sealed before */
  encryptSegment(slot: Slot, index: number, plaintext: Uint8Array): Buffer;
};

const keysPerBlock = 256;
const keyBytes = 32;
const tagBytes = 16;
const segmentKeyBytes = 16;

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
  const packId = newPackId();
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
 * Begins a track of a video, as `sealPack` begins a pack. Whole segments under AES-128-CBC with PKCS#7, the first half of the
 * derived key, and their number as IV: what HLS players know as `METHOD=AES-128` without an IV of its own (RFC 8216 §5.2).
 */
export function sealVideo(mediaKey: Buffer, track: Track): VideoSeal {
  const packId = newPackId();
  const keyOf = keyReader(mediaKey, packId, track);
  const sealed = new Set<number>();
  return {
    packId,
    encryptSegment(slot, index, plaintext) {
      const place = 2 * index + slot;
      if (sealed.has(place)) throw new Error(`segment ${index} of slot ${slot} is sealed already`);
      sealed.add(place);
      const key = keyOf(slot, index).subarray(0, segmentKeyBytes);
      const cipher = createCipheriv('aes-128-cbc', key, segmentIv(index));
      return Buffer.concat([cipher.update(plaintext), cipher.final()]);
    },
  };
}

/** Length of a segment when it is encrypted: padding fills up to 16 bytes, and adds 16 where nothing is to be filled. */
export const sealedSegmentBytes = (sizeBytes: number): number => 16 * (Math.floor(sizeBytes / 16) + 1);

/** Opens one segment; the tracer and the tests read videos with it. @throws Error when its padding is not right */
export function decryptSegment(
  mediaKey: Buffer,
  packId: Uint8Array,
  track: Track,
  slot: Slot,
  index: number,
  segment: Uint8Array,
): Buffer {
  const key = keyReader(mediaKey, packId, track)(slot, index).subarray(0, segmentKeyBytes);
  const decipher = createDecipheriv('aes-128-cbc', key, segmentIv(index));
  return Buffer.concat([decipher.update(segment), decipher.final()]);
}

/**
 * The keys of a stretch of a video, 16 bytes a segment, each of the slot that its bit names.
 * @param bits one 0 or 1 per segment; all 0 for sound, which has one variant
 * @param from number of the first segment that `bits` speaks of
 */
export function segmentKeysOf(
  mediaKey: Buffer,
  packId: Uint8Array,
  track: Track,
  bits: Uint8Array,
  from: number,
): Buffer {
  const keyOf = keyReader(mediaKey, packId, track, from + bits.length);
  const keys = Buffer.allocUnsafe(segmentKeyBytes * bits.length);
  for (const [i, bit] of bits.entries())
    keys.set(keyOf(bit ? 1 : 0, from + i).subarray(0, segmentKeyBytes), segmentKeyBytes * i);
  return keys;
}

function segmentIv(index: number): Buffer {
  const iv = Buffer.alloc(16);
  iv.writeUInt32BE(index, 12);
  return iv;
}

const newPackId = () => Buffer.from(randomUUID().replaceAll('-', ''), 'hex');

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
