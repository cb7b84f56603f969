import { createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { newMediaKey } from './formats/keys.ts';
import { decryptOriginal, decryptPart, encryptOriginal, storedOriginalBytes } from './original.ts';

const mebibyte = 2 ** 20;
const sealed = mebibyte + 16;
const mediaKey = newMediaKey();

/** Sends bytes through in pieces of an awkward size. */
const through = (bytes: Buffer, transform: ReturnType<typeof encryptOriginal>, piece = 70_001) =>
  buffer(
    Readable.from(
      Array.from({ length: Math.ceil(bytes.length / piece) }, (_, i) => bytes.subarray(i * piece, (i + 1) * piece)),
    ).pipe(transform),
  );
const encrypt = (bytes: Buffer) => through(bytes, encryptOriginal(mediaKey));
const decrypt = async (bytes: Buffer, key = mediaKey) => {
  const transform = decryptOriginal(key);
  const pieces = Readable.from([bytes.subarray(0, 3), bytes.subarray(3)]);
  pieces.on('error', () => {});
  return buffer(pieces.pipe(transform));
};

describe('an original at rest', () => {
  it.each([0, 1, mebibyte - 1, mebibyte, mebibyte + 1, 3 * mebibyte])(
    'of %i bytes comes back as it was',
    async (size) => {
      const original = randomBytes(size);
      const stored = await encrypt(original);
      expect(stored.length).toBe(storedOriginalBytes(size));
      expect((await decrypt(stored)).equals(original)).toBe(true);
    },
  );

  it.each([1, mebibyte, mebibyte + 5, 3 * mebibyte])('of %i bytes gives every part of itself', async (size) => {
    const original = randomBytes(size);
    const stored = await encrypt(original);
    const read = async ({ from, to }: { from: number; to: number }) => stored.subarray(from, to + 1);
    const ends = [0, 1, mebibyte - 1, mebibyte, mebibyte + 1, size - 1].filter((at) => at < size);
    for (const from of ends)
      for (const to of ends.filter((end) => end >= from)) {
        const part = await buffer(Readable.from(decryptPart(mediaKey, size, { from, to }, read)));
        expect([from, to, part.equals(original.subarray(from, to + 1))]).toEqual([from, to, true]);
      }
  });

  it('gives no part that was changed, and no chunk as the last that is none', async () => {
    const stored = await encrypt(randomBytes(2 * mebibyte + 9));
    stored[20 + sealed + 3] = (stored[20 + sealed + 3] ?? 0) ^ 1;
    const read = async ({ from, to }: { from: number; to: number }) => stored.subarray(from, to + 1);
    const part = (size: number, from: number, to: number) =>
      buffer(Readable.from(decryptPart(mediaKey, size, { from, to }, read)));
    expect((await part(2 * mebibyte + 9, 0, 99)).length).toBe(100);
    await expect(part(2 * mebibyte + 9, mebibyte, mebibyte + 9)).rejects.toThrow();
    await expect(part(mebibyte, 0, 9)).rejects.toThrow();
  });

  it('is laid out as PFO1 says: salt, then chunks whose nonce holds number and last flag', async () => {
    const original = randomBytes(mebibyte + 5);
    const stored = await encrypt(original);
    expect(stored.toString('latin1', 0, 4)).toBe('PFO1');
    const key = Buffer.from(hkdfSync('sha512', mediaKey, stored.subarray(4, 20), 'pf1:original', 32));
    const last = stored.subarray(20 + sealed);
    const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from('000000000000000000000101', 'hex'));
    decipher.setAuthTag(last.subarray(5));
    expect(Buffer.concat([decipher.update(last.subarray(0, 5)), decipher.final()])).toEqual(
      original.subarray(mebibyte),
    );
  });

  it('takes a new salt each time', async () => {
    const original = randomBytes(100);
    expect((await encrypt(original)).equals(await encrypt(original))).toBe(false);
  });

  it('fails when it is cut anywhere, also exactly between two chunks', async () => {
    const stored = await encrypt(randomBytes(2 * mebibyte + 9));
    for (const length of [0, 3, 19, 20, 30, 20 + sealed, 20 + 2 * sealed, stored.length - 1])
      await expect(decrypt(stored.subarray(0, length))).rejects.toThrow();
  });

  it('fails when chunks are swapped, repeated or appended', async () => {
    const stored = await encrypt(randomBytes(3 * mebibyte));
    const [head, a, b, c] = [
      stored.subarray(0, 20),
      stored.subarray(20, 20 + sealed),
      stored.subarray(20 + sealed, 20 + 2 * sealed),
      stored.subarray(20 + 2 * sealed),
    ];
    for (const order of [
      [b, a, c],
      [a, a, c],
      [a, b, c, c],
      [a, c],
    ])
      await expect(decrypt(Buffer.concat([head, ...order]))).rejects.toThrow();
  });

  it('fails when one bit is changed, or under another key', async () => {
    const stored = await encrypt(randomBytes(1000));
    const changed = Buffer.from(stored);
    changed[500] = (changed[500] ?? 0) ^ 1;
    await expect(decrypt(changed)).rejects.toThrow();
    await expect(decrypt(stored, newMediaKey())).rejects.toThrow();
  });
});
