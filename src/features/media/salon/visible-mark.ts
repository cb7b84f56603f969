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

/** How large the letters are: a thumbnail is shown small, so its letters are larger in it. */
const lettersOf = ({ width, height }: Size) =>
  Math.round(Math.min(width, height) / (Math.max(width, height) <= 512 ? 17 : 34));

/**
 * The mark as a paint over the whole picture: light letters with a dark edge, so that it reads on anything. Each tile is
 * painted with its part in the moment it is drawn; no pixel is ever to be seen without it.
 */
export function mixMark(pen: Pen, size: Size, { look, text }: Mark): CanvasPattern | undefined {
  if (look === 'off' || text === '') return undefined;
  const letters = Math.max(11, lettersOf(size));
  const font = `500 ${letters}px system-ui, sans-serif`;
  pen.font = font;
  const across = Math.ceil(pen.measureText(text).width);
  return look === 'corner'
    ? corner(pen, size, { text, font, letters, across })
    : tiled(pen, size, { text, font, letters, across });
}

interface Writing {
  text: string;
  font: string;
  /** Height of a letter, px. */
  letters: number;
  /** Width of the text, px. */
  across: number;
}

/** Once, above the lower right corner. */
function corner(pen: Pen, { width, height }: Size, writing: Writing): CanvasPattern | undefined {
  const { letters, across } = writing;
  const sheet = newSheet(across + 2 * letters, 2 * letters);
  write(sheet, writing, letters, 0.6);
  const pattern = pen.createPattern(sheet.canvas, 'no-repeat') ?? undefined;
  pattern?.setTransform(new DOMMatrix().translate(width - across - 2 * letters, height - 2 * letters));
  return pattern;
}

/** All over, rising, every second line moved by half. */
function tiled(pen: Pen, { width, height }: Size, writing: Writing): CanvasPattern | undefined {
  const { letters, across } = writing;
  const [step, line] = [across + 4 * letters, 6 * letters];
  const sheet = newSheet(step, 2 * line);
  write(sheet, writing, 2 * letters, 0.17);
  sheet.translate(-step / 2, line);
  write(sheet, writing, 2 * letters, 0.17);
  sheet.translate(step, 0);
  write(sheet, writing, 2 * letters, 0.17);
  const pattern = pen.createPattern(sheet.canvas, 'repeat') ?? undefined;
  pattern?.setTransform(new DOMMatrix().translate(width / 2, height / 2).rotate(-24));
  return pattern;
}

function write(sheet: Pen, { text, font, letters }: Writing, left: number, strength: number): void {
  sheet.font = font;
  sheet.lineWidth = letters / 10;
  sheet.strokeStyle = `rgb(0 0 0 / ${strength / 3})`;
  sheet.fillStyle = `rgb(255 255 255 / ${strength})`;
  sheet.strokeText(text, left, 1.4 * letters);
  sheet.fillText(text, left, 1.4 * letters);
}

/** A small canvas to draw the pattern on; a page without `OffscreenCanvas` lends one of its own. */
function newSheet(width: number, height: number): Pen {
  const isOff = typeof OffscreenCanvas !== 'undefined';
  const canvas = isOff
    ? new OffscreenCanvas(width, height)
    : Object.assign(document.createElement('canvas'), { width, height });
  return canvas.getContext('2d') as Pen;
}
