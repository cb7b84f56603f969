import { type Canvas, createDrawing, type Sealed } from './drawing.ts';
import { type Mark, writeAhead } from './visible-mark.ts';

/** What becomes of one picture, named `mediaId/rendition`; `dropped`: it made room and must be asked for again. */
export type PictureReport = { did: 'first' | 'all' | 'failed' | 'dropped'; picture: string };

interface Picture extends Sealed {
  /** How much of the pack is there. */
  filled: number;
}

/** Ciphertext that is kept for another look, so that only keys are asked for again. */
const mostKeptBytes = 24 * 2 ** 20;

/** The pictures that came, the canvases that wait for them, and the drawing where both meet. */
export function createPictures(report: (report: PictureReport) => void) {
  const pictures = new Map<string, Picture>();
  const canvases = new Map<string, Canvas>();
  const drawings: Drawings = new Map();
  let mark: Mark = { look: 'off', text: '' };

  const draw = (name: string) => {
    const [picture, canvas] = [pictures.get(name), canvases.get(name)];
    if (!picture?.keys.length || !canvas) return;
    drawings.get(name)?.stop();
    const drawing = createDrawing(picture, canvas, mark, (did) => report({ did, picture: name }));
    drawings.set(name, drawing);
    drawing.advance(picture.filled);
  };
  return {
    setMark: (next: Mark): void => {
      mark = next;
      writeAhead(mark);
    },
    /** A picture begins to come. */
    begin(name: string, sealed: Sealed, filled: number): void {
      pictures.delete(name);
      pictures.set(name, { ...sealed, filled });
      for (const dropped of dropOldest(pictures, name)) report({ did: 'dropped', picture: dropped });
      draw(name);
    },
    /** More of a picture is there. */
    grow(name: string, filled: number): void {
      const picture = pictures.get(name);
      if (picture === undefined) return;
      picture.filled = filled;
      drawings.get(name)?.advance(filled);
    },
    /** New keys for ciphertext that was kept; false when it is not that one. */
    renew(name: string, keys: Uint8Array<ArrayBuffer>, packId: string): boolean {
      const picture = pictures.get(name);
      if (picture === undefined || idOf(picture) !== packId.replaceAll('-', '')) {
        pictures.delete(name);
        return false;
      }
      picture.keys = keys;
      draw(name);
      return true;
    },
    /** Returns whether a picture's whole ciphertext is kept. */
    isKept(name: string): boolean {
      const picture = pictures.get(name);
      return picture !== undefined && picture.filled === picture.pack.length;
    },
    attach(name: string, canvas: Canvas): void {
      canvases.set(name, canvas);
      draw(name);
    },
    ...createClosing(pictures, canvases, drawings),
  };
}
export type Pictures = ReturnType<typeof createPictures>;

type Drawings = Map<string, ReturnType<typeof createDrawing>>;

/** Returns how pictures leave the screen. */
function createClosing(pictures: Map<string, Picture>, canvases: Map<string, Canvas>, drawings: Drawings) {
  return {
    free(name: string): void {
      drawings.get(name)?.stop();
      drawings.delete(name);
      clear(canvases.get(name), 0);
      canvases.delete(name);
    },
    /** Nothing is to be seen any more, and no key is left; the ciphertext is noise and may stay. */
    blank(): void {
      for (const drawing of drawings.values()) drawing.stop();
      for (const picture of pictures.values()) {
        picture.keys.fill(0);
        picture.keys = new Uint8Array(0);
      }
      for (const canvas of canvases.values()) clear(canvas, 1);
      drawings.clear();
    },
  };
}

/** @param side 0 gives the canvas' memory back, 1 leaves an empty one */
function clear(canvas: Canvas | undefined, side: 0 | 1): void {
  if (canvas === undefined) return;
  canvas.width = side;
  canvas.height = side;
}

const idOf = ({ pack }: Picture) =>
  Array.from(pack.subarray(16, 32), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Forgets the oldest until all fit, and names them. */
function dropOldest(pictures: Map<string, Picture>, newest: string): string[] {
  let bytes = [...pictures.values()].reduce((sum, { pack }) => sum + pack.length, 0);
  const dropped: string[] = [];
  for (const [name, { pack }] of pictures) {
    if (bytes <= mostKeptBytes || name === newest) break;
    bytes -= pack.length;
    pictures.delete(name);
    dropped.push(name);
  }
  return dropped;
}
