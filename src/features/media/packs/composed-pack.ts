import type { PackHeader } from '../formats/pack.ts';

/**
 * The pack of one viewer: of every tile the variant that their codeword names, nothing else. No cryptography happens
 * here; this is the hot path of every photo that is looked at, so it is one allocation and plain copies.
 * @param pack the stored pack, two variants a tile
 * @param bits one 0 or 1 per tile
 */
export function composePack(pack: Buffer, header: PackHeader, bits: Uint8Array): Buffer {
  const { offsets, tiles, tableAt } = header;
  if (header.variants !== 2 || bits.length !== tiles) throw new RangeError('a codeword that does not fit the pack');
  let at = tableAt + 4 * tiles;
  const composed = Buffer.allocUnsafeSlow(composedLength(header, bits));
  pack.copy(composed, 0, 0, tableAt);
  composed[4] = 1;
  const table = new DataView(composed.buffer, tableAt, 4 * tiles);
  let [from, to] = [0, 0];
  for (let t = 0; t < tiles; t++) {
    const k = 2 * t + (bits[t] as number);
    const [start, end] = [offsets[k] as number, offsets[k + 1] as number];
    table.setUint32(4 * t, end - start);
    // A tile's slot 1 and the next tile's slot 0 are neighbours in the file: a quarter of all copies is saved.
    if (start !== to) {
      pack.copy(composed, at, from, to);
      at += to - from;
      from = start;
    }
    to = end;
  }
  pack.copy(composed, at, from, to);
  return composed;
}

/** Length of the pack that `composePack` will make; for `Content-Length` of a HEAD. */
export function composedLength({ offsets, tiles, tableAt }: PackHeader, bits: Uint8Array): number {
  let length = tableAt + 4 * tiles;
  for (let t = 0; t < tiles; t++) {
    const k = 2 * t + (bits[t] as number);
    length += (offsets[k + 1] as number) - (offsets[k] as number);
  }
  return length;
}
