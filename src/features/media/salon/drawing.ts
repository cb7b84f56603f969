import { type ComingPack, type ComingTile, readComingPack } from './coming-pack.ts';
import { createTurns } from './turns.ts';
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

/** Enough to keep the decoders busy, few enough that pictures come one after another. */
const inTurn = createTurns(24);

async function openTile({ keys }: Sealed, { index, ciphertext }: ComingTile, type: string): Promise<ImageBitmap> {
  const raw = keys.subarray(32 * index, 32 * index + 32);
  const key = await crypto.subtle.importKey('raw', raw, 'AES-GCM', false, ['decrypt']);
  const plain = await crypto.subtle.decrypt({ name: 'AES-GCM', iv: zeroNonce }, key, ciphertext);
  return createImageBitmap(new Blob([plain], { type }));
}

/** Draws one sealed picture on one canvas, tile by tile as it comes. */
export function createDrawing(sealed: Sealed, canvas: Canvas, mark: Mark, { onFirst, onAll, onFailed }: DrawingEvents) {
  const pen = canvas.getContext('2d') as Pen | null;
  let paint: CanvasPattern | undefined;
  let coming: ComingPack | undefined;
  let isOver = false;
  let drawn = 0;

  const end = (tell: () => void) => {
    if (isOver) return;
    isOver = true;
    tell();
  };
  const put = (bitmap: ImageBitmap, { left, top }: ComingTile) => {
    pen?.drawImage(bitmap, left, top);
    if (pen === null || paint === undefined) return;
    pen.fillStyle = paint;
    pen.fillRect(left, top, bitmap.width, bitmap.height);
  };
  const draw = async (pack: ComingPack, tile: ComingTile) => {
    const bitmap = await openTile(sealed, tile, pack.type);
    if (!isOver) put(bitmap, tile);
    bitmap.close();
    drawn++;
    if (isOver) return;
    if (tile.endsRow && tile.top === 0) onFirst();
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
          inTurn(async () => isOver || draw(coming as ComingPack, tile)).catch(() => end(onFailed));
      } catch {
        end(onFailed); // not a pack: the picture cannot be shown, which is what is said
      }
    },
    /** Nothing more is put on the canvas. */
    stop: (): void => end(() => undefined),
  };
}
