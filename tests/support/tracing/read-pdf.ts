import {
  decodePDFRawStream,
  PDFArray,
  type PDFContext,
  PDFDict,
  PDFDocument,
  PDFName,
  PDFNumber,
  type PDFObject,
  type PDFPage,
  PDFRawStream,
} from 'pdf-lib';

/** A piece of text where it stands on its page, in points from the lower left corner. */
export interface PlacedText {
  page: number;
  text: string;
  left: number;
  right: number;
  /** The line that it stands on. */
  base: number;
  size: number;
}

/** A font as a page holds it: which letters its numbers stand for, and how wide they are. */
interface PageFont {
  letters: Map<number, string>;
  widths: Map<number, number>;
}

/** The words on the pages of a PDF by their own fonts and maps, as somebody who copies them gets them. */
export async function readPdf(pdf: Uint8Array): Promise<{ pages: number; texts: PlacedText[]; words: string }> {
  const document = await PDFDocument.load(pdf);
  const known = new Map<PDFObject, PageFont>();
  const texts = document.getPages().flatMap((page, at) => readPage(page, at + 1, known));
  return { pages: document.getPageCount(), texts, words: joinTexts(texts) };
}

/** Pieces of one line that touch are one word; all else has a space between. */
function joinTexts(texts: readonly PlacedText[]): string {
  return texts.reduce((words, { text, page, base, left }, at) => {
    const before = texts[at - 1];
    const doesTouch = before?.page === page && before.base === base && Math.abs(before.right - left) < 0.1;
    return `${words}${doesTouch ? '' : ' '}${text}`;
  }, '');
}

function readPage(page: PDFPage, number: number, known: Map<PDFObject, PageFont>): PlacedText[] {
  const fontOf = (reference: PDFObject) => {
    const font = known.get(reference) ?? readFont(page.doc, reference);
    known.set(reference, font);
    return font;
  };
  const fonts = new Map(
    page.node
      .normalizedEntries()
      .Font.entries()
      .map(([name, font]) => [name.asString(), fontOf(font)]),
  );
  const { Contents } = page.node.normalizedEntries();
  const content = (Contents?.asArray() ?? []).map((part) => textOf(page.doc, part)).join('\n');
  const pieces = /\/(\S+) ([\d.]+) Tf[^<]*?1 0 0 1 ([\d.]+) ([\d.]+) Tm\s*<([0-9A-F]*)> Tj/g;
  return [...content.matchAll(pieces)].map(([, name, size, x, y, hex = '']) => {
    const font = fonts.get(`/${name}`);
    const glyphs = (hex.match(/.{4}/g) ?? []).map((glyph) => Number.parseInt(glyph, 16));
    const width = glyphs.reduce((sum, glyph) => sum + (font?.widths.get(glyph) ?? 1000), 0) / 1000;
    return {
      page: number,
      text: glyphs.map((glyph) => font?.letters.get(glyph) ?? '\uFFFD').join(''),
      left: Number(x),
      right: Number(x) + width * Number(size),
      base: Number(y),
      size: Number(size),
    };
  });
}

function textOf({ context }: { context: PDFContext }, reference: PDFObject | undefined): string {
  const stream = context.lookup(reference);
  return stream instanceof PDFRawStream ? Buffer.from(decodePDFRawStream(stream).decode()).toString('latin1') : '';
}

function readFont({ context }: { context: PDFContext }, reference: PDFObject): PageFont {
  const font = context.lookup(reference, PDFDict);
  const map = textOf({ context }, font.get(PDFName.of('ToUnicode')));
  const letters = new Map<number, string>();
  for (const [, glyph = '', text = ''] of map.matchAll(/<([0-9A-F]{4})> <([0-9A-F]+)>/g)) {
    const units = (text.match(/.{4}/g) ?? []).map((unit) => Number.parseInt(unit, 16));
    letters.set(Number.parseInt(glyph, 16), String.fromCharCode(...units));
  }
  return { letters, widths: readWidths(font) };
}

/** "3 [600 610] 9 [300]": widths from glyph 3 on, and of glyph 9. @see PDF 32000-1, 9.7.4.3 */
function readWidths(font: PDFDict): Map<number, number> {
  const widths = new Map<number, number>();
  const [descendant] = font.lookup(PDFName.of('DescendantFonts'), PDFArray).asArray();
  const list = font.context.lookup(descendant, PDFDict).lookup(PDFName.of('W'), PDFArray).asArray();
  for (let at = 0; at < list.length; at += 2) {
    const [first, some] = [list[at], list[at + 1]];
    if (!(first instanceof PDFNumber && some instanceof PDFArray)) continue;
    for (const [n, width] of some.asArray().entries())
      if (width instanceof PDFNumber) widths.set(first.asNumber() + n, width.asNumber());
  }
  return widths;
}
