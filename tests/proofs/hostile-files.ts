import { crc32, deflateSync } from 'node:zlib';
import { paintJpeg } from '#tests/support/paint.ts';

/** A damaged or hostile file, and the name that its sender gave it. */
export interface HostileFile {
  what: string;
  name: string;
  bytes: Buffer;
}

/** Repeatable numbers from 0 to 1. */
export function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
}

function chunk(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(body.length);
  head.write(type, 4, 'latin1');
  const end = Buffer.alloc(4);
  end.writeUInt32BE(crc32(Buffer.concat([head.subarray(4), body])));
  return Buffer.concat([head, body, end]);
}

/** A PNG that promises more pixels than any machine has, in a few bytes. */
function pngOf(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(3000))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Names that a program, a shell, a database, a page or a file system could take for something else. */
export const hostileNames = [
  '../../etc/passwd',
  '..\\..\\film.mp4',
  '/etc/passwd',
  'a\u202Egpj.exe',
  '<img src=x onerror=alert(1)>.jpg',
  `${'n'.repeat(5000)}.jpg`,
  'CON',
  '=cmd|calc.jpg',
  '{{7*7}}.jpg',
  "';drop table media;--.jpg",
  'film\0.mp4',
  'film%00.mp4',
  '-i',
  '-f lavfi -i testsrc',
  'concat:a.mp4|b.mp4',
  'pipe:0',
  'two\nlines.mp4',
  '\ud800.mp4',
  // Cut to the longest name there may be, it ends in the middle of a letter.
  `n${'\u{1f600}'.repeat(200)}`,
  'photo.jpg',
];

/** Files that lie about what they are; `sink` is an address that nobody may ask. */
function liars(jpeg: Buffer, sink: string): HostileFile[] {
  const svg = `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="${sink}/a.png" width="9" height="9"/><text>&x;</text></svg>`;
  const texts: [string, string | Buffer][] = [
    ['svg with an outside image', svg],
    ['html', `<html><img src="${sink}/b"></html>`],
    ['playlist', `#EXTM3U\n#EXTINF:1,\n${sink}/c.ts\n`],
    ['concat list', `ffconcat version 1.0\nfile ${sink}/d.mp4\n`],
    ['mvg', `push graphic-context\nimage over 0,0 0,0 '${sink}/e'\npop graphic-context`],
    ['gif and script', 'GIF89a/*..*/=1;alert(1)'],
    ['jpeg with html behind it', Buffer.concat([jpeg, Buffer.from(`<script src="${sink}/f"></script>`)])],
    ['jpeg with a zip behind it', Buffer.concat([jpeg, Buffer.from('PK\x03\x04', 'latin1'), Buffer.alloc(200)])],
    ['empty', ''],
    ['one byte', 'a'],
    ['png of 900 megapixels', pngOf(30_000, 30_000)],
    ['png as wide as numbers go', pngOf(2 ** 31 - 1, 2 ** 31 - 1)],
    ['elf', Buffer.concat([Buffer.from('\x7fELF', 'latin1'), Buffer.alloc(400, 7)])],
    ['pdf', '%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj'],
    [
      'heic that is none',
      Buffer.concat([Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1'), Buffer.alloc(500, 0xff)]),
    ],
  ];
  return texts.map(([what, bytes]) => ({ what, name: `${what}.jpg`, bytes: Buffer.from(bytes) }));
}

/** A good file after an accident. */
export function damage(good: Buffer, random: () => number): { what: string; bytes: Buffer } {
  const bytes = Buffer.from(good);
  const at = Math.floor(random() * bytes.length);
  const kind = Math.floor(random() * 5);
  if (kind === 0) return { what: 'cut short', bytes: bytes.subarray(0, at) };
  if (kind === 1) for (let n = 0; n < 40; n++) bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
  if (kind === 2)
    for (let n = 0; n < Math.min(4096, bytes.length); n++) if (random() < 0.05) bytes[n] = Math.floor(random() * 256);
  if (kind === 3)
    return {
      what: 'a block twice',
      bytes: Buffer.concat([bytes.subarray(0, at), bytes.subarray(Math.max(0, at - 5000))]),
    };
  if (kind === 4) bytes.fill(0xff, at, Math.min(bytes.length, at + 4));
  return { what: ['', 'bit noise', 'noise in the head', '', 'lengths of 0xffff'][kind] ?? '', bytes };
}

/** `count` hostile files: every liar once, then accidents of a painted photo, under hostile names. */
export async function makeHostileFiles(seed: number, count: number, sink: string): Promise<HostileFile[]> {
  const random = numbersFrom(seed);
  const jpeg = await paintJpeg(seed, 400, 300);
  const files = liars(jpeg, sink);
  while (files.length < count)
    files.push({ ...damage(jpeg, random), name: hostileNames[files.length % hostileNames.length] ?? 'photo.jpg' });
  return files.slice(0, count);
}
