import { createSemaphore } from '#kit/semaphore.ts';
import { type ComingPack, type ComingTile, readComingPack } from './coming-pack.ts';
import { type ClearTile, decodeTile } from './decode-tile.ts';
import { type Mark, mixMark, type Pen } from './visible-mark.ts';

export type Canvas = OffscreenCanvas | HTMLCanvasElement;

/** Ciphertext and keys of one rendition; both perhaps still coming. */
export interface Sealed {
  /** 32 bytes a tile, in tile order; empty once they were forgotten. */
  keys: Uint8Array<ArrayBuffer>;
  pack: Uint8Array<ArrayBuffer>;
}

export interface DrawingEvents {
  /** The first row is to be seen. */
  onFirst(): void;
  /** Everything is to be seen, the mark as well. */
  onAll(): void;
  onFailed(): void;
}

/** Each key encrypts one tile only, so the nonce may be all zero (NIST SP 800-38D §8). */
const zeroNonce = new Uint8Array(12);

/** All tiles of a thumbnail at once, few enough that pictures come one after another. */
const drawing = createSemaphore(64);

/** A tile that is clear and waits for the rest of its row. */
interface Opened {
  clear: ClearTile;
  left: number;
}

type Tile = Pick<ComingTile, 'index' | 'ciphertext'>;

async function openTile({ keys }: Sealed, { index, ciphertext }: Tile, type: string): Promise<ClearTile> {
  const raw = keys.subarray(32 * index, 32 * index + 32);
  const key = await crypto.subtle.importKey('raw', raw, 'AES-GCM', false, ['decrypt']);
  const plain = await crypto.subtle.decrypt({ name: 'AES-GCM', iv: zeroNonce }, key, ciphertext);
  return decodeTile(plain, type);
}

/** Draws one sealed picture on one canvas, row by row as it comes: a canvas is shown anew after each stroke, so few are made. */
export function createDrawing(sealed: Sealed, canvas: Canvas, mark: Mark, { onFirst, onAll, onFailed }: DrawingEvents) {
  const pen = canvas.getContext('2d') as Pen | null;
  const rows = new Map<number, Opened[]>();
  let paint: CanvasPattern | undefined;
  let coming: ComingPack | undefined;
  let isOver = false;
  let drawn = 0;

  const end = (tell: () => void) => {
    if (isOver) return;
    isOver = true;
    for (const row of rows.values()) for (const { clear } of row) clear.close();
    tell();
  };
  const putRow = (pack: ComingPack, { top, height }: Pick<ComingTile, 'top' | 'height'>, row: readonly Opened[]) => {
    for (const { clear, left } of row) pen?.drawImage(clear, left, top);
    for (const { clear } of row) clear.close();
    rows.delete(top);
    drawn += row.length;
    if (pen === null || paint === undefined) return;
    pen.fillStyle = paint;
    pen.fillRect(0, top, pack.width, height);
  };
  const draw = async (pack: ComingPack, { top, left, height, ...tile }: ComingTile) => {
    const clear = await openTile(sealed, tile, pack.type);
    if (isOver) return clear.close();
    const row = [...(rows.get(top) ?? []), { clear, left }];
    rows.set(top, row);
    if (row.length < pack.columns) return;
    putRow(pack, { top, height }, row);
    if (top === 0) onFirst();
    if (drawn === pack.tiles) end(onAll);
  };
  const begin = (filled: number) => {
    const pack = readComingPack(sealed.pack, filled);
    if (pack === undefined) return undefined;
    canvas.width = pack.width;
    canvas.height = pack.height;
    paint = pen === null ? undefined : mixMark(pen, pack, mark);
    return pack;
  };
  return {
    /** More of the pack is there. @param filled its bytes so far */
    advance(filled: number): void {
      if (isOver) return;
      try {
        coming ??= begin(filled);
        for (const tile of coming?.arrive(filled) ?? [])
          drawing.run(async () => isOver || draw(coming as ComingPack, tile)).catch(() => end(onFailed));
      } catch {
        end(onFailed); // not a pack: the picture cannot be shown, which is what is said
      }
    },
    /** Nothing more is put on the canvas. */
    stop: (): void => end(() => undefined),
  };
}
