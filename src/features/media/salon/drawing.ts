import { type ComingPack, type ComingTile, readComingPack } from './coming-pack.ts';

export type Canvas = OffscreenCanvas | HTMLCanvasElement;
type Pen = OffscreenCanvasRenderingContext2D | CanvasRenderingContext2D;

/** The visible mark, drawn into the picture itself so that nothing can be taken off it. */
export interface Mark {
  look: 'off' | 'corner' | 'tiled';
  text: string;
}

/** Ciphertext and keys of one rendition; both perhaps still coming. */
export interface Sealed {
  /** 32 bytes a tile, in tile order. */
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

async function openTile({ keys }: Sealed, { index, ciphertext }: ComingTile, type: string): Promise<ImageBitmap> {
  const raw = keys.subarray(32 * index, 32 * index + 32);
  const key = await crypto.subtle.importKey('raw', raw, 'AES-GCM', false, ['decrypt']);
  const plain = await crypto.subtle.decrypt({ name: 'AES-GCM', iv: zeroNonce }, key, ciphertext);
  return createImageBitmap(new Blob([plain], { type }));
}

/** Draws one sealed picture on one canvas, tile by tile as it comes. */
export function createDrawing(sealed: Sealed, canvas: Canvas, mark: Mark, { onFirst, onAll, onFailed }: DrawingEvents) {
  const pen = canvas.getContext('2d', { alpha: false }) as Pen | null;
  let coming: ComingPack | undefined;
  let state: 'drawing' | 'ended' = 'drawing';
  let drawn = 0;

  const end = (tell: () => void) => {
    if (state === 'ended') return;
    state = 'ended';
    tell();
  };
  const draw = async (pack: ComingPack, tile: ComingTile) => {
    const bitmap = await openTile(sealed, tile, pack.type);
    if (state === 'drawing') pen?.drawImage(bitmap, tile.left, tile.top);
    bitmap.close();
    drawn++;
    if (state === 'ended') return;
    if (tile.endsRow && tile.top === 0) onFirst();
    if (drawn < pack.tiles) return;
    if (pen !== null) drawMark(pen, pack, mark);
    end(onAll);
  };
  const begin = (filled: number) => {
    const pack = readComingPack(sealed.pack, filled);
    if (pack === undefined) return undefined;
    canvas.width = pack.width;
    canvas.height = pack.height;
    return pack;
  };
  return {
    /** More of the pack is there. @param filled its bytes so far */
    advance(filled: number): void {
      if (state === 'ended') return;
      try {
        coming ??= begin(filled);
        for (const tile of coming?.arrive(filled) ?? []) draw(coming as ComingPack, tile).catch(() => end(onFailed));
      } catch {
        end(onFailed); // not a pack: the picture cannot be shown, which is what is said
      }
    },
    /** Nothing more is put on the canvas. */
    stop: (): void => end(() => undefined),
  };
}

/** Tiled across the picture or once in its corner: light letters with a dark edge, so that it reads on anything. */
function drawMark(pen: Pen, { width, height }: { width: number; height: number }, { look, text }: Mark): void {
  if (look === 'off' || text === '') return;
  const size = Math.max(11, Math.round(Math.min(width, height) / 24));
  const write = (x: number, y: number) => {
    pen.strokeText(text, x, y);
    pen.fillText(text, x, y);
  };
  pen.save();
  pen.font = `500 ${size}px system-ui, sans-serif`;
  pen.lineWidth = size / 8;
  if (look === 'corner') {
    pen.textAlign = 'right';
    pen.fillStyle = 'rgb(255 255 255 / 0.55)';
    pen.strokeStyle = 'rgb(0 0 0 / 0.25)';
    write(width - size, height - size);
  } else {
    pen.fillStyle = 'rgb(255 255 255 / 0.16)';
    pen.strokeStyle = 'rgb(0 0 0 / 0.07)';
    const [across, down, reach] = [pen.measureText(text).width + 3 * size, 5 * size, width + height];
    pen.translate(width / 2, height / 2);
    pen.rotate(-Math.PI / 7);
    for (let y = -reach / 2, row = 0; y < reach / 2; y += down, row++)
      for (let x = -reach / 2 - (row % 2) * (across / 2); x < reach / 2; x += across) write(x, y);
  }
  pen.restore();
}
