import { afterEach, describe, expect, test, vi } from 'vitest';
import { decodeTile } from './decode-tile.ts';

/* The browser's own parts stand here as they behave there; the journeys draw with the real ones. */
const plain = new Uint8Array([1, 2, 3]).buffer;
const frame = { close: () => undefined };

/** A browser's decoder. @param takes the types that it knows */
function plantDecoder(takes: readonly string[]) {
  const seen = { data: undefined as unknown, closed: 0 };
  vi.stubGlobal(
    'ImageDecoder',
    class {
      readonly type: string;
      constructor({ data, type }: { data: unknown; type: string }) {
        seen.data = data;
        this.type = type;
      }
      async decode() {
        if (!takes.includes(this.type)) throw new DOMException('not supported', 'NotSupportedError');
        return { image: frame };
      }
      close() {
        seen.closed++;
      }
    },
  );
  return seen;
}

/** A browser's bitmaps. @returns what they were made of */
function plantBitmaps() {
  const blobs: Blob[] = [];
  const bitmap = { close: () => undefined };
  vi.stubGlobal('createImageBitmap', async (blob: Blob) => {
    blobs.push(blob);
    return bitmap;
  });
  return { blobs, bitmap };
}

afterEach(() => vi.unstubAllGlobals());

describe('a tile', () => {
  test('is decoded from the bytes as they lie there, without a blob', async () => {
    const [decoder, { blobs }] = [plantDecoder(['image/webp']), plantBitmaps()];
    expect(await decodeTile(plain, 'image/webp')).toBe(frame);
    expect(decoder).toEqual({ data: plain, closed: 1 });
    expect(blobs).toEqual([]);
  });

  test('is decoded by way of a blob where there is no decoder', async () => {
    const { blobs, bitmap } = plantBitmaps();
    expect(await decodeTile(plain, 'image/webp')).toBe(bitmap);
    expect(blobs.map(({ type, size }) => [type, size])).toEqual([['image/webp', 3]]);
  });

  test('that the decoder does not take is given to the other way, and the decoder is closed', async () => {
    const [decoder, { blobs, bitmap }] = [plantDecoder(['image/jpeg']), plantBitmaps()];
    expect(await decodeTile(plain, 'image/webp')).toBe(bitmap);
    expect(decoder.closed).toBe(1);
    expect(blobs).toHaveLength(1);
  });

  test('that neither of them takes is refused', async () => {
    plantDecoder([]);
    vi.stubGlobal('createImageBitmap', async () => {
      throw new DOMException('damaged', 'InvalidStateError');
    });
    await expect(decodeTile(plain, 'image/webp')).rejects.toThrow('damaged');
  });
});
