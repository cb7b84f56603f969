/** One tile that has arrived: where it goes, its ciphertext. */
export interface ComingTile {
  index: number;
  left: number;
  top: number;
  height: number;
  ciphertext: Uint8Array<ArrayBuffer>;
}

/** A composed pack (format PFP1, one variant) that may still be coming. */
export interface ComingPack {
  width: number;
  height: number;
  columns: number;
  tiles: number;
  type: 'image/webp' | 'image/jpeg';
  /** Tiles that became whole since the last call. @param filled how many bytes of the pack are there */
  arrive(filled: number): ComingTile[];
}

const magic = 0x50465031; // "PFP1"

/**
 * Reads the header as soon as it is there; undefined until then.
 * @throws RangeError when the bytes are no composed pack
 */
export function readComingPack(pack: Uint8Array<ArrayBuffer>, filled: number): ComingPack | undefined {
  if (filled < 32) return undefined;
  const view = new DataView(pack.buffer, pack.byteOffset, pack.length);
  if (view.getUint32(0) !== magic || view.getUint8(4) !== 1) throw new RangeError('not a pack');
  const [width, height, columns, rows] = [6, 8, 10, 12].map((at) => view.getUint16(at)) as [
    number,
    number,
    number,
    number,
  ];
  const tiles = columns * rows;
  const tableAt = 32 + 2 * (columns + rows + 2);
  if (filled < tableAt + 4 * tiles) return undefined;
  let index = 0;
  let at = tableAt + 4 * tiles;
  return {
    width,
    height,
    columns,
    tiles,
    type: view.getUint8(5) === 2 ? 'image/jpeg' : 'image/webp',
    arrive(now) {
      const arrived: ComingTile[] = [];
      while (index < tiles && at + view.getUint32(tableAt + 4 * index) <= now) {
        const end = at + view.getUint32(tableAt + 4 * index);
        const column = index % columns;
        const left = view.getUint16(32 + 2 * column);
        const rowAt = 32 + 2 * (columns + 1 + Math.floor(index / columns));
        const top = view.getUint16(rowAt);
        const height = view.getUint16(rowAt + 2) - top;
        arrived.push({ index, left, top, height, ciphertext: pack.subarray(at, end) });
        at = end;
        index++;
      }
      return arrived;
    },
  };
}
