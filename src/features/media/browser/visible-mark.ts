/** A drawing context, in a worker or on the page. */
export type Pen = OffscreenCanvasRenderingContext2D | CanvasRenderingContext2D;

/** The visible mark, drawn into the picture itself so that nothing can be taken off it. */
export interface Mark {
  look: 'off' | 'corner' | 'tiled';
  text: string;
}

interface Size {
  width: number;
  height: number;
}

/** The mark as written once, with room around it. */
interface Sheet {
  canvas: Pen['canvas'];
  width: number;
  height: number;
}

/** Letters are dear to write and every thumbnail wants the same ones. */
const sheets = new Map<string, Sheet>();
const mostSheets = 8;

/** Returns how tall the letters are: a thumbnail is shown small, so its letters are larger in it. */
const lettersOf = ({ width, height }: Size) => {
  const longer = Math.max(width, height);
  return Math.max(11, Math.round(longer <= 512 ? longer / 22 : longer / 44));
};

/**
 * The mark as a paint over the whole picture: light letters with a dark edge, so that it reads on anything. Each tile is
 * painted with its part in the moment it is drawn; no pixel is ever to be seen without it.
 */
export function mixMark(pen: Pen, size: Size, mark: Mark): CanvasPattern | undefined {
  const sheet = sheetFor(size, mark);
  if (sheet === undefined) return undefined;
  const pattern = pen.createPattern(sheet.canvas, mark.look === 'corner' ? 'no-repeat' : 'repeat') ?? undefined;
  const place = new DOMMatrix();
  if (mark.look === 'tiled') place.rotateSelf(-24);
  else place.translateSelf(size.width - sheet.width, size.height - sheet.height);
  pattern?.setTransform(place);
  return pattern;
}

/** Writes what every thumbnail will want, while nothing else is to be done: the first letters take a font to be found. */
export const writeAhead = (mark: Mark): void => void sheetFor({ width: 512, height: 512 }, mark);

function sheetFor(size: Size, { look, text }: Mark): Sheet | undefined {
  if (look === 'off' || text === '') return undefined;
  const letters = lettersOf(size);
  const name = `${look} ${letters} ${text}`;
  const sheet = sheets.get(name) ?? (look === 'corner' ? corner(text, letters) : tiled(text, letters));
  if (sheets.size >= mostSheets) sheets.clear();
  sheets.set(name, sheet);
  return sheet;
}

/** Once, for the lower right corner. */
function corner(text: string, letters: number): Sheet {
  const [pen, sheet] = newSheet(text, letters, 2, 2);
  write(pen, text, letters, { left: letters, strength: 0.6 });
  return sheet;
}

/** To be repeated all over: two lines, the second moved by half. */
function tiled(text: string, letters: number): Sheet {
  const [pen, sheet] = newSheet(text, letters, 4, 12);
  const writing = { left: 2 * letters, strength: 0.17 };
  write(pen, text, letters, writing);
  pen.translate(-sheet.width / 2, sheet.height / 2);
  write(pen, text, letters, writing);
  pen.translate(sheet.width, 0);
  write(pen, text, letters, writing);
  return sheet;
}

const fontOf = (letters: number) => `500 ${letters}px system-ui, sans-serif`;

function write(pen: Pen, text: string, letters: number, { left, strength }: { left: number; strength: number }): void {
  pen.font = fontOf(letters);
  pen.lineWidth = letters / 10;
  pen.strokeStyle = `rgb(0 0 0 / ${strength / 3})`;
  pen.fillStyle = `rgb(255 255 255 / ${strength})`;
  pen.strokeText(text, left, 1.4 * letters);
  pen.fillText(text, left, 1.4 * letters);
}

/** @param room beside the text, and in all downwards, in letters */
function newSheet(text: string, letters: number, room: number, down: number): [Pen, Sheet] {
  const ruler = newPen(1, 1);
  ruler.font = fontOf(letters);
  const width = Math.ceil(ruler.measureText(text).width) + room * letters;
  const pen = newPen(width, down * letters);
  return [pen, { canvas: pen.canvas, width, height: down * letters }];
}

/** A small canvas to write on; a page without `OffscreenCanvas` lends one of its own. */
function newPen(width: number, height: number): Pen {
  const isOff = typeof OffscreenCanvas !== 'undefined';
  const canvas = isOff
    ? new OffscreenCanvas(width, height)
    : Object.assign(document.createElement('canvas'), { width, height });
  return canvas.getContext('2d') as Pen;
}
