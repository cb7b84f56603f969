import { describe, expect, it } from 'vitest';
import { isSameFile, markOf, mostWholeBytes } from './file-fingerprint.tsx';

const video = 2.2 * 2 ** 30;

/** A video as a browser hands it over: its pieces can be read, all of it at once does not fit into memory. */
function bigFile({ size = video, letter = 'a', name = 'beach.mov' } = {}) {
  const read: [number, number][] = [];
  class BigFile extends File {
    override get size() {
      return size;
    }
    override slice(from = 0, to = size): Blob {
      read.push([from, to]);
      // Of this video only the middle differs from another.
      const isMiddle = from > 0 && to < size;
      return new Blob([(isMiddle ? letter : 'm').repeat(to - from)]);
    }
    override arrayBuffer(): Promise<never> {
      return Promise.reject(new DOMException('It could not be read', 'NotReadableError'));
    }
  }
  return { file: new BigFile([], name), read };
}

describe('which file it is', () => {
  it('is said by all bytes of a small one', async () => {
    // The first example of FIPS 180-2, appendix B.
    expect(await markOf(new File(['abc'], 'lamp.jpg'))).toEqual({
      sha256: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    });
  });

  it('is said by a few pieces of a large one, which is never held in memory', async () => {
    const { file, read } = bigFile();
    expect(await markOf(file)).toEqual({ sample: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(read.reduce((sum, [from, to]) => sum + to - from, 0)).toBeLessThan(mostWholeBytes);
    expect([read[0]?.[0], read.at(-1)?.[1]], 'its beginning and its end').toEqual([0, video]);
  });

  it('knows a large file again by its pieces, whatever it is called meanwhile', async () => {
    const { sample } = await markOf(bigFile().file);
    const entry = { name: 'beach.mov', sizeBytes: video };
    expect(await isSameFile(entry, sample, bigFile({ name: 'IMG_0001.MOV' }).file)).toBe(true);
    expect(await isSameFile(entry, sample, bigFile({ letter: 'b' }).file), 'other bytes').toBe(false);
    expect(await isSameFile(entry, sample, bigFile({ size: video + 1 }).file), 'another length').toBe(false);
  });

  it('is a matter of name and size where its sender said nothing', async () => {
    const entry = { name: 'beach.mov', sizeBytes: video };
    expect(await isSameFile(entry, undefined, bigFile().file)).toBe(true);
    expect(await isSameFile(entry, undefined, bigFile({ name: 'other.mov' }).file)).toBe(false);
  });

  it('is not said of a file that cannot be read', async () => {
    const gone = new File(['x'], 'gone.jpg');
    gone.arrayBuffer = () => Promise.reject(new DOMException('It is gone', 'NotFoundError'));
    await expect(markOf(gone)).rejects.toThrow('It is gone');
  });
});
