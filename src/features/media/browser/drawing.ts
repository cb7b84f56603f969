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

/** `first`: the first row is to be seen; `all`: everything is, the mark as well. */
export type Drawn = 'first' | 'all' | 'failed';

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

/** Draws one sealed picture on one canvas, row by row as it comes: a canvas is shown again after each stroke, so few are made. */
export function createDrawing(sealed: Sealed, canvas: Canvas, mark: Mark, report: (did: Drawn) => void) {
  const pen = canvas.getContext('2d') as Pen | null;
  const rows = new Map<number, Opened[]>();
  let paint: ReturnType<typeof mixMark> | null;
  let coming: ComingPack | undefined;
  let isOver = false;
  let drawn = 0;

  const end = (did?: Drawn) => {
    if (isOver) return;
    isOver = true;
    for (const row of rows.values()) for (const { clear } of row) clear.close();
    if (did) report(did);
  };
  const putRow = (pack: ComingPack, { top, height }: Pick<ComingTile, 'top' | 'height'>, row: readonly Opened[]) => {
    for (const { clear, left } of row) pen?.drawImage(clear, left, top);
    for (const { clear } of row) clear.close();
    rows.delete(top);
    drawn += row.length;
    if (!pen || !paint) return;
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
    if (top === 0) report('first');
    if (drawn === pack.tiles) end('all');
  };
  const begin = (filled: number) => {
    const pack = readComingPack(sealed.pack, filled);
    if (!pack) return undefined;
    canvas.width = pack.width;
    canvas.height = pack.height;
    paint = pen && mixMark(pen, pack, mark);
    return pack;
  };
  return {
    /** More of the pack is there. @param filled its bytes so far */
    advance(filled: number): void {
      if (isOver) return;
      try {
        coming ??= begin(filled);
        for (const tile of coming?.arrive(filled) ?? [])
          drawing.run(async () => isOver || draw(coming as ComingPack, tile)).catch(() => end('failed'));
      } catch {
        end('failed'); // not a pack: the picture cannot be shown, which is what is said
      }
    },
    /** Nothing more is put on the canvas. */
    stop: end,
  };
}
