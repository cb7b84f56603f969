import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readComingPack } from './coming-pack.ts';
import { createFrameCutter } from './frames.ts';
import { readPictureStream } from './picture-stream.ts';
import type { Pictures } from './pictures.ts';

/** [u32 length][u8 kind][body] */
function frame(kind: number, body: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(5 + body.length);
  new DataView(bytes.buffer).setUint32(0, body.length);
  bytes[4] = kind;
  bytes.set(body, 5);
  return bytes;
}
const json = (value: object) => new TextEncoder().encode(JSON.stringify(value));
const join = (parts: readonly Uint8Array[]) => Uint8Array.from(parts.flatMap((part) => [...part]));

/** A composed pack of `columns` tiles in one row, tile n of n + 1 bytes. */
function packOf(columns: number): Uint8Array<ArrayBuffer> {
  const tableAt = 32 + 2 * (columns + 3);
  const lengths = Array.from({ length: columns }, (_, n) => n + 1);
  const pack = new Uint8Array(tableAt + 4 * columns + lengths.reduce((sum, length) => sum + length, 0));
  const view = new DataView(pack.buffer);
  view.setUint32(0, 0x50465031);
  pack.set([1, 1], 4);
  for (const [n, value] of [16 * columns, 16, columns, 1].entries()) view.setUint16(6 + 2 * n, value);
  pack.fill(0xab, 16, 32);
  for (let n = 0; n <= columns; n++) view.setUint16(32 + 2 * n, 16 * n);
  view.setUint16(32 + 2 * (columns + 1) + 2, 16);
  for (const [n, length] of lengths.entries()) view.setUint32(tableAt + 4 * n, length);
  return pack;
}

describe('frames', () => {
  it('come out the same however the bytes were cut on their way', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 2 }), fc.uint8Array({ maxLength: 60 })), { maxLength: 8 }),
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 60 }),
        (frames, cuts) => {
          const stream = join(frames.map(([kind, body]) => frame(kind, body)));
          const whole: [number, number[]][] = [];
          const { push } = createFrameCutter(({ kind, body, filled }) => {
            if (filled === body.length) whole.push([kind, [...body]]);
          });
          for (let at = 0, n = 0; at < stream.length; n++) {
            const size = cuts[n % cuts.length] ?? 1;
            push(stream.subarray(at, at + size));
            at += size;
          }
          expect(whole).toEqual(frames.map(([kind, body]) => [kind, [...body]]));
        },
      ),
    );
  });

  it('are refused when a length is no length of ours', () => {
    const { push } = createFrameCutter(() => undefined);
    expect(() => push(new Uint8Array([255, 255, 255, 255, 1]))).toThrow('not a stream');
  });
});

describe('a pack that is coming', () => {
  it('gives each tile once, in order, as soon as its last byte is there', () => {
    const pack = packOf(5);
    const coming = readComingPack(pack, pack.length);
    const tiles = Array.from({ length: pack.length + 1 }, (_, filled) => coming?.arrive(filled) ?? []).flat();
    expect(tiles.map(({ index, left, height, ciphertext }) => [index, left, height, ciphertext.length])).toEqual(
      Array.from({ length: 5 }, (_, n) => [n, 16 * n, 16, n + 1]),
    );
  });

  it('is not begun before its table is whole', () => {
    const pack = packOf(5);
    expect(readComingPack(pack, 31)).toBeUndefined();
    expect(readComingPack(pack, 32 + 16 + 19)).toBeUndefined();
    expect(readComingPack(pack, 32 + 16 + 20)).toBeDefined();
    expect(() => readComingPack(new Uint8Array(100), 100)).toThrow('not a pack');
  });
});

describe('a stream of pictures', () => {
  const lease = (mediaId: string) => ({
    mediaId,
    rendition: 'thumb512',
    packId: 'abababab-abab-abab-abab-abababababab',
  });
  const picture = (n: number, tiles: number, pack: Uint8Array) =>
    join([new Uint8Array([0, n, 0, tiles]), new Uint8Array(32 * tiles).fill(n + 1), pack]);
  const read = (parts: readonly Uint8Array[], keeps = true) => {
    const seen: unknown[] = [];
    const pictures = {
      begin: (name: string, { keys, pack }: { keys: Uint8Array; pack: Uint8Array }) =>
        seen.push(['begin', name, keys.length, pack.length]),
      grow: (name: string, filled: number) => seen.push(['grow', name, filled]),
      renew(name: string, keys: Uint8Array) {
        seen.push(['renew', name, keys[0]]);
        return keeps;
      },
    };
    const stream = readPictureStream(pictures as unknown as Pictures, {
      onHead: ({ leases }) => seen.push(['head', leases.length]),
      onRefused: (refusal) => seen.push(['refused', refusal]),
    });
    for (const part of parts) stream.push(part);
    for (const { mediaId } of stream.stale()) seen.push(['stale', mediaId]);
    return seen;
  };

  it('begins each picture under the name of its lease when its keys are whole', () => {
    const pack = packOf(2);
    const body = frame(1, picture(0, 2, pack));
    const head = frame(0, json({ leases: [lease('one')] }));
    expect(read([head, body.subarray(0, 40), body.subarray(40, 80), body.subarray(80)])).toEqual([
      ['head', 1],
      ['begin', 'one/thumb512', 64, pack.length],
      ['grow', 'one/thumb512', pack.length],
    ]);
  });

  it('gives new keys to ciphertext that is kept, and asks again when it does not fit', () => {
    const head = frame(0, json({ leases: [lease('one'), lease('other')] }));
    const parts = [head, frame(1, picture(0, 2, new Uint8Array(0))), frame(1, picture(1, 2, new Uint8Array(0)))];
    expect(read(parts)).toEqual([
      ['head', 2],
      ['renew', 'one/thumb512', 1],
      ['renew', 'other/thumb512', 2],
    ]);
    expect(read(parts, false)).toContainEqual(['stale', 'other']);
  });

  it('keeps the places of the others when a picture is gone meanwhile', () => {
    const pack = packOf(2);
    const head = frame(0, json({ leases: [lease('one'), lease('gone'), lease('other')] }));
    const pictures = [picture(0, 2, pack), new Uint8Array([0, 1, 0, 0]), picture(2, 2, pack)];
    expect(read([head, ...pictures.map((body) => frame(1, body))])).toEqual([
      ['head', 3],
      ['begin', 'one/thumb512', 64, pack.length],
      ['begin', 'other/thumb512', 64, pack.length],
    ]);
  });

  it('says why when the server ends it in the middle', () => {
    const parts = [frame(0, json({ leases: [lease('one')] })), frame(2, json({ reason: 'REVOKED' }))];
    expect(read(parts)).toEqual([
      ['head', 1],
      ['refused', { reason: 'REVOKED' }],
    ]);
  });
});
