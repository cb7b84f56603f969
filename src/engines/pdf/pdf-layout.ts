import type { Color, PDFDocument, PDFFont, PDFPage } from 'pdf-lib';
import { hasNumber, readFace, spell, splitRuns } from './pdf-glyphs.ts';

/** A4 in points, and its margins. */
const [pageWidth, pageHeight, margin, footing] = [595.28, 841.89, 56, 34];
export const textWidth: number = pageWidth - 2 * margin;
/** Red, green and blue from 0 to 1. */
const colors = { ink: [0.16, 0.11, 0.16], quiet: [0.42, 0.36, 0.42], hair: [0.82, 0.78, 0.82] } as const;
type Inks = Record<keyof typeof colors, Color>;

interface Style {
  size: number;
  isBold?: boolean;
  isQuiet?: boolean;
  /** Space above. */
  above?: number;
  /** So much is left below it, or it begins the next page. */
  below?: number;
}
const styles = {
  title: { size: 19, isBold: true },
  lead: { size: 12, above: 12 },
  heading: { size: 12.5, isBold: true, above: 16, below: 120 },
  name: { size: 9.5, isBold: true, above: 9, below: 84 },
  text: { size: 9, above: 3 },
  note: { size: 9, above: 9 },
  warning: { size: 9, isBold: true, above: 6 },
  small: { size: 7.5, isQuiet: true, above: 3 },
} satisfies Record<string, Style>;

/** A text in its place of a row. */
interface Cell {
  text: string | readonly string[];
  left: number;
  width: number;
  style: Style;
}

/** A column of a table; the widths of all fill the page. */
export interface Column {
  title: string;
  width: number;
}

/** One weight of the face, and how wide words are in it: each is measured once. */
class Face {
  readonly font: PDFFont;
  readonly #widths = new Map<string, number>();

  constructor(font: PDFFont) {
    this.font = font;
  }

  /** Returns how wide a text is at size 1. */
  measure(text: string): number {
    let width = 0;
    for (const run of splitRuns(text)) for (const part of run.split(/( )/)) width += this.#measurePart(part);
    return width;
  }

  #measurePart(part: string): number {
    const width = this.#widths.get(part) ?? (part === '' ? 0 : this.font.widthOfTextAtSize(part, 1));
    this.#widths.set(part, width);
    return width;
  }

  /** A text in lines that are no wider than this at size 1; a word that is wider itself is cut. */
  wrap(text: string, width: number): string[] {
    const lines: string[] = [];
    let line = '';
    let lineWidth = 0;
    const gap = this.measure(' ');
    for (const word of text.split(' ').flatMap((whole) => this.#cut(whole, width))) {
      const wordWidth = this.measure(word);
      const isFirst = line === '';
      if (!isFirst && lineWidth + gap + wordWidth > width) {
        lines.push(line);
        [line, lineWidth] = [word, wordWidth];
      } else {
        line = isFirst ? word : `${line} ${word}`;
        lineWidth += (isFirst ? 0 : gap) + wordWidth;
      }
    }
    return [...lines, line];
  }

  #cut(word: string, width: number): string[] {
    if (this.measure(word) <= width) return [word];
    const pieces: string[] = [];
    let piece = '';
    for (const letter of word) {
      if (piece !== '' && this.measure(piece + letter) > width) {
        pieces.push(piece);
        piece = '';
      }
      piece += letter;
    }
    return [...pieces, piece];
  }
}

/** Sets text on pages, from the top to the bottom and on to the next. */
export class PdfLayout {
  readonly #document: PDFDocument;
  readonly #faces: { plain: Face; bold: Face };
  readonly #inks: Inks;
  /** The letters of the face. */
  readonly known: ReadonlySet<number>;
  #page: PDFPage;
  #y = pageHeight - margin;
  /** Stands again at the top of each further page of a table. */
  #tableHead: readonly Cell[] | undefined;
  #hasNumber = false;

  private constructor(document: PDFDocument, faces: { plain: Face; bold: Face }, inks: Inks) {
    this.#document = document;
    this.#faces = faces;
    this.#inks = inks;
    this.known = new Set(faces.plain.font.getCharacterSet());
    this.#page = document.addPage([pageWidth, pageHeight]);
  }

  /** The first page, empty. @param madeAt ISO 8601 */
  static async open(title: string, madeAt: string): Promise<PdfLayout> {
    // Some 20 MB of modules, and 30 MB of tables, for the few processes that ever write a page.
    const [{ PDFDocument, rgb }, { default: fontkit }] = await Promise.all([
      import('pdf-lib'),
      import('@pdf-lib/fontkit'),
    ]);
    const document = await PDFDocument.create();
    document.setTitle(title, { showInWindowTitleBar: true });
    document.setLanguage('en');
    document.setProducer('PrivateFans');
    document.setCreator('PrivateFans');
    document.setCreationDate(new Date(madeAt));
    document.setModificationDate(new Date(madeAt));
    document.registerFontkit(fontkit);
    const embed = async (weight: 'plain' | 'bold') =>
      new Face(await document.embedFont(await readFace(weight), { subset: true, features: { ...plainFeatures } }));
    const inks = { ink: rgb(...colors.ink), quiet: rgb(...colors.quiet), hair: rgb(...colors.hair) };
    return new PdfLayout(document, { plain: await embed('plain'), bold: await embed('bold') }, inks);
  }

  /** Sets a paragraph over the whole width. */
  write(text: string, style: keyof typeof styles = 'text'): void {
    const { below = 0 } = styles[style] as Style;
    if (this.#y - below < margin) this.#turn();
    this.#setRow([{ text, left: 0, width: textWidth, style: styles[style] }]);
  }

  /** Sets what is known of something, each with its label before it; a value may be several lines. */
  list(facts: readonly (readonly [label: string, value: string | readonly string[]])[]): void {
    const left = 104;
    for (const [label, text] of facts)
      this.#setRow([
        { text: label, left: 0, width: left - 8, style: { ...styles.text, isQuiet: true } },
        { text, left, width: textWidth - left, style: styles.text },
      ]);
  }

  /** Begins a table; its rows follow by `writeRow`. */
  openTable(columns: readonly Column[]): (values: readonly (string | readonly string[])[]) => void {
    const lefts = columns.map((_, n) => columns.slice(0, n).reduce((sum, { width }) => sum + width, 0));
    const cellsOf = (values: readonly (string | readonly string[])[], style: Style): Cell[] =>
      columns.map(({ width }, n) => ({ text: values[n] ?? '', left: lefts[n] ?? 0, width: width - 6, style }));
    const titles = columns.map(({ title }) => title);
    const head = cellsOf(titles, { size: 7.5, isQuiet: true, above: 5 });
    this.#setRow(head);
    return (values) => {
      this.#tableHead = head;
      this.#setRow(cellsOf(values, { size: 7.5, above: 4 }), 'ruled');
      this.#tableHead = undefined;
    };
  }

  /** Whether some letter of what was set stands as its number in Unicode. */
  get hasNumber(): boolean {
    return this.#hasNumber;
  }

  /** Ends the last page and numbers all. @param footer stands at the bottom of each */
  async close(footer: string): Promise<Buffer> {
    const pages = this.#document.getPages();
    for (const [at, page] of pages.entries()) {
      const count = `Page ${at + 1} of ${pages.length}`;
      const style = { size: 7.5, isQuiet: true };
      this.#draw(page, footer, margin, footing, style);
      const width = this.#faces.plain.measure(count) * style.size;
      this.#draw(page, count, pageWidth - margin - width, footing, style);
    }
    return Buffer.from(await this.#document.save());
  }

  /** Sets cells beside each other, line by line; what fits on one page is not parted. */
  #setRow(cells: readonly Cell[], ruled?: 'ruled'): void {
    const set = cells.map((cell) => ({ ...cell, lines: this.#linesOf(cell) }));
    const above = Math.max(...cells.map(({ style }) => style.above ?? 0));
    const lineHeight = Math.max(...cells.map(({ style }) => style.size)) * 1.42;
    const count = Math.max(...set.map(({ lines }) => lines.length));
    const isShort = above + count * lineHeight < pageHeight / 3;
    if (this.#y - above - (isShort ? count : 1) * lineHeight < margin) this.#turn();
    if (ruled) this.#rule(this.#y - above / 2);
    this.#y -= above;
    for (let n = 0; n < count; n++) {
      if (this.#y - lineHeight < margin) this.#turn();
      this.#y -= lineHeight;
      for (const { lines, left, style } of set)
        this.#draw(this.#page, lines[n] ?? '', margin + left, this.#y + 0.3 * style.size, style);
    }
  }

  #linesOf({ text, width, style }: Cell): string[] {
    return [text].flat().flatMap((line) => {
      const spelled = spell(line, this.known);
      this.#hasNumber ||= hasNumber(spelled);
      return this.#faceOf(style).wrap(spelled, width / style.size);
    });
  }

  #draw(page: PDFPage, line: string, left: number, y: number, style: Style): void {
    const face = this.#faceOf(style);
    let x = left;
    for (const run of splitRuns(line)) {
      page.drawText(run, {
        x,
        y,
        size: style.size,
        font: face.font,
        color: style.isQuiet ? this.#inks.quiet : this.#inks.ink,
      });
      x += face.measure(run) * style.size;
    }
  }

  #rule(y: number): void {
    this.#page.drawLine({
      start: { x: margin, y },
      end: { x: pageWidth - margin, y },
      thickness: 0.5,
      color: this.#inks.hair,
    });
  }

  #faceOf = ({ isBold = false }: Style): Face => (isBold ? this.#faces.bold : this.#faces.plain);

  #turn(): void {
    this.#page = this.#document.addPage([pageWidth, pageHeight]);
    this.#y = pageHeight - margin;
    const head = this.#tableHead;
    this.#tableHead = undefined;
    if (head) this.#setRow(head);
    this.#tableHead = head;
  }
}

/** Only what joins letters: places of marks and pairs are not kept in the pages, and looking them up takes ten times as long. */
const plainFeatures = {
  liga: false,
  clig: false,
  calt: false,
  rclt: false,
  rvrn: false,
  ccmp: false,
  locl: false,
  kern: false,
  mark: false,
  mkmk: false,
};
