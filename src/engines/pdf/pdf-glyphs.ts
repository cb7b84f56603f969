import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { inflate } from 'node:zlib';

const require = createRequire(import.meta.url);
const files = {
  plain: () => require.resolve('@fontsource/dejavu-sans/files/dejavu-sans-latin-400-normal.woff'),
  bold: () => require.resolve('@fontsource/dejavu-sans/files/dejavu-sans-latin-700-normal.woff'),
};

/** The face of the pages: DejaVu Sans, whose hashes are easy to read and which has the letters of most names. */
export async function readFace(weight: keyof typeof files): Promise<Buffer> {
  return unpackWoff(await readFile(files[weight]()));
}

/** A font as it was before it was packed for the web. @see https://www.w3.org/TR/WOFF/ (4, table directory) */
async function unpackWoff(woff: Buffer): Promise<Buffer> {
  const count = woff.readUInt16BE(12);
  const widest = 2 ** Math.floor(Math.log2(count));
  const head = Buffer.alloc(12 + 16 * count);
  woff.copy(head, 0, 4, 8);
  for (const [at, value] of [count, 16 * widest, Math.log2(widest), 16 * (count - widest)].entries())
    head.writeUInt16BE(value, 4 + 2 * at);
  const tables: Buffer[] = [];
  let offset = head.length;
  for (let n = 0; n < count; n++) {
    const entry = woff.subarray(44 + 20 * n, 64 + 20 * n);
    const [from, packedBytes, sizeBytes] = [entry.readUInt32BE(4), entry.readUInt32BE(8), entry.readUInt32BE(12)];
    const stored = woff.subarray(from, from + packedBytes);
    const table = packedBytes < sizeBytes ? await promisify(inflate)(stored) : stored;
    const row = head.subarray(12 + 16 * n, 28 + 16 * n);
    entry.copy(row, 0, 0, 4);
    entry.copy(row, 4, 16, 20);
    row.writeUInt32BE(offset, 8);
    row.writeUInt32BE(sizeBytes, 12);
    tables.push(table, Buffer.alloc(-sizeBytes & 3));
    offset += sizeBytes + (-sizeBytes & 3);
  }
  return Buffer.concat([head, ...tables]);
}

/** Scripts that the face has and that are set without more than joining; others would come out in pieces. */
const isSet =
  /^[\p{sc=Zyyy}\p{sc=Zinh}\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}\p{sc=Armn}\p{sc=Geor}\p{sc=Hebr}\p{sc=Arab}]$/u;
/** Letters that show nothing, or turn round what stands beside them. */
const isUnseen = /^[\p{C}\p{DI}]$/u;
/** These only choose between forms of the letter before them. */
const variants = /\p{Variation_Selector}/gu;

/**
 * A text in letters that the face has. Every other one stands as its number in Unicode, "[U+4F60 U+597D]", so that two names never
 * look alike because of it; a bracket that somebody wrote before "U+" stands as its number too.
 */
export function spell(text: string, known: ReadonlySet<number>): string {
  const letters = text.normalize('NFC').replace(/\s+/g, ' ').replace(variants, '').replaceAll('[U+', '[U+005B]U+');
  const isKnown = (letter: string) =>
    known.has(letter.codePointAt(0) ?? 0) && isSet.test(letter) && !isUnseen.test(letter);
  return Array.from(letters, (letter) => (isKnown(letter) ? letter : `[${numberOf(letter)}]`))
    .join('')
    .replaceAll(/\](?<=\[U\+[0-9A-F]{1,6}\])\[(?=U\+[0-9A-F]{1,6}\])/g, ' ');
}

const numberOf = (letter: string) => `U+${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

/** Returns whether a spelled text holds a letter that stands as its number. */
export const hasNumber = (text: string): boolean => /\[U\+[0-9A-F]+/.test(text);

const fromTheRight = /([\p{sc=Hebr}\p{sc=Arab}](?:[\p{sc=Hebr}\p{sc=Arab}\p{M} ]*[\p{sc=Hebr}\p{sc=Arab}\p{M}])?)/u;

/** The parts of a line that are set by themselves: what is written from right to left, and what is not. */
export const splitRuns = (line: string): string[] => line.split(fromTheRight).filter(Boolean);
