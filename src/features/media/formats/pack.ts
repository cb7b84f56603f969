import { type Grid, maxTiles } from './grid.ts';

/** What stands in a pack: WebP or JPEG tiles. */
export type PackCodec = 'webp' | 'jpeg';

/** Where the tiles lie in the rendition. */
export type PackGeometry = Grid & { width: number; height: number };

/** A pack's header, read. `offsets[k]` is where ciphertext k begins; the last entry is the pack's length. */
export type PackHeader = PackGeometry & {
  /** 2 in a stored pack (slot 0 and slot 1 of each tile), 1 in a composed answer. */
  variants: 1 | 2;
  codec: PackCodec;
  packId: Uint8Array;
  /** Length of everything before the table of lengths: the part a composed answer repeats. */
  tableAt: number;
  offsets: Uint32Array;
};

/** What a stored pack is made of. `ciphertexts`: tile 0 slot 0, tile 0 slot 1, tile 1 slot 0, … */
export type PackParts = {
  packId: Uint8Array;
  codec: PackCodec;
  geometry: PackGeometry;
  ciphertexts: Uint8Array[];
};

const magic = 0x50465031; // "PFP1"
const codecs = { webp: 1, jpeg: 2 } as const;

/** Writes a stored pack, both variants of every tile (format PFP1, big-endian). */
export function encodePack({ packId, codec, geometry, ciphertexts }: PackParts): Uint8Array {
  const { width, height, columns, rows, tiles, xs, ys } = geometry;
  if (packId.length !== 16 || tiles > maxTiles || ciphertexts.length !== 2 * tiles)
    throw new RangeError(`not a pack: ${tiles} tiles, ${ciphertexts.length} ciphertexts`);
  const tableAt = 32 + 2 * (columns + 1) + 2 * (rows + 1);
  let at = tableAt + 4 * ciphertexts.length;
  const pack = new Uint8Array(ciphertexts.reduce((bytes, { length }) => bytes + length, at));
  const view = new DataView(pack.buffer);
  view.setUint32(0, magic);
  view.setUint8(4, 2);
  view.setUint8(5, codecs[codec]);
  for (const [i, value] of [width, height, columns, rows].entries()) view.setUint16(6 + 2 * i, value);
  pack.set(packId, 16);
  for (const [i, cut] of [...xs, ...ys].entries()) view.setUint16(32 + 2 * i, cut);
  for (const [i, ciphertext] of ciphertexts.entries()) {
    view.setUint32(tableAt + 4 * i, ciphertext.length);
    pack.set(ciphertext, at);
    at += ciphertext.length;
  }
  return pack;
}

/**
 * Reads and checks a pack's header, stored or composed.
 * @throws RangeError when the bytes are not exactly one pack
 */
export function readPackHeader(pack: Uint8Array): PackHeader {
  const view = new DataView(pack.buffer, pack.byteOffset, pack.byteLength);
  const variants = view.getUint8(4);
  const codec = view.getUint8(5) === codecs.webp ? 'webp' : view.getUint8(5) === codecs.jpeg ? 'jpeg' : undefined;
  if (view.getUint32(0) !== magic || (variants !== 1 && variants !== 2) || !codec)
    throw new RangeError('not a PFP1 pack');
  const [width, height, columns, rows] = [6, 8, 10, 12].map((at) => view.getUint16(at)) as [
    number,
    number,
    number,
    number,
  ];
  const tiles = columns * rows;
  if (tiles < 1 || tiles > maxTiles) throw new RangeError(`a pack of ${tiles} tiles`);
  const tableAt = 32 + 2 * (columns + 1) + 2 * (rows + 1);
  const xs = readCuts(view, 32, columns, width);
  const ys = readCuts(view, 32 + 2 * (columns + 1), rows, height);
  const offsets = readOffsets(view, tableAt, tiles * variants);
  return {
    variants,
    codec,
    width,
    height,
    columns,
    rows,
    tiles,
    xs,
    ys,
    packId: pack.subarray(16, 32),
    tableAt,
    offsets,
  };
}

/** The ciphertext of one tile. @param slot 0 or 1 in a stored pack, 0 in a composed answer */
export function tileBytes(pack: Uint8Array, { variants, offsets }: PackHeader, index: number, slot: 0 | 1): Uint8Array {
  const k = index * variants + slot;
  return pack.subarray(offsets[k], offsets[k + 1]);
}

/** A pack's id as rows and addresses name it: its 16 bytes in the form of a UUID. */
export function packIdText(packId: Uint8Array): string {
  const hex = Array.from(packId, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** A pack's 16 random bytes, out of the UUID form in which rows name them. */
export const packIdBytes = (packId: string): Buffer => Buffer.from(packId.replaceAll('-', ''), 'hex');

function readCuts(view: DataView, at: number, parts: number, length: number): number[] {
  const cuts = Array.from({ length: parts + 1 }, (_, i) => view.getUint16(at + 2 * i));
  if (cuts[0] !== 0 || cuts[parts] !== length || cuts.some((cut, i) => i > 0 && cut <= (cuts[i - 1] ?? 0)))
    throw new RangeError('cuts that do not ascend from 0 to the full length');
  return cuts;
}

function readOffsets(view: DataView, tableAt: number, count: number): Uint32Array {
  const offsets = new Uint32Array(count + 1);
  let at = tableAt + 4 * count;
  for (let k = 0; k < count; k++) {
    offsets[k] = at;
    at += view.getUint32(tableAt + 4 * k);
  }
  if (at !== view.byteLength) throw new RangeError(`a pack of ${view.byteLength} bytes that promises ${at}`);
  offsets[count] = at;
  return offsets;
}
