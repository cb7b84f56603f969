import { readFileSync } from 'node:fs';
import { crc32, deflateSync } from 'node:zlib';
import { findCameraMaterial } from '#tests/support/media/camera-material.ts';
import { openPainting, paint, paintJpeg } from '#tests/support/media/paint.ts';
import { accidentCount, damage, type HostileFile, numbersFrom } from './hostile-files.ts';

/** Every kind of photo that is taken, and where lengths stand in it. */
const kinds = {
  jpeg: { mark: /\xff[\xc0-\xcf\xda-\xef]/g, offset: 2, bytes: 2 },
  png: { mark: /IHDR|PLTE|IDAT|IEND/g, offset: -4, bytes: 4 },
  webp: { mark: /RIFF|VP8[ LX]/g, offset: 4, bytes: 4 },
  avif: { mark: /ftyp|meta|hdlr|pitm|iloc|iinf|infe|iprp|ipco|ispe|av1C|ipma|mdat/g, offset: -4, bytes: 4 },
  gif: { mark: /GIF8|\x21[\xf9\xfe\xff]|,\0\0\0\0/g, offset: 6, bytes: 2 },
  heic: { mark: /ftyp|meta|hdlr|pitm|iloc|iinf|infe|iprp|ipco|ispe|hvcC|ipma|mdat/g, offset: -4, bytes: 4 },
  // The entries of its directory whose type is a number of 16 bits: then stands how many of them there are.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: bytes are looked for
  tiff: { mark: /\x01\x03\0/g, offset: 3, bytes: 4 },
} as const;
export type PhotoKind = keyof typeof kinds;
export const photoKinds = Object.keys(kinds) as PhotoKind[];

const [width, height] = [240, 180];

const drawn = new Map<number, Promise<Record<PhotoKind, Buffer>>>();

/** A good photo of every kind; the same seed paints the same. */
export function drawPhotos(seed: number): Promise<Record<PhotoKind, Buffer>> {
  const photos = drawn.get(seed) ?? drawAnew(seed);
  drawn.set(seed, photos);
  return photos;
}

async function drawAnew(seed: number): Promise<Record<PhotoKind, Buffer>> {
  const painted = () => openPainting(paint(seed, width, height));
  const [jpeg, png, webp, avif, gif, tiff] = await Promise.all([
    paintJpeg(seed, width, height),
    painted().png().toBuffer(),
    painted().webp().toBuffer(),
    painted().avif({ effort: 0 }).toBuffer(),
    painted().gif().toBuffer(),
    painted().tiff({ compression: 'lzw' }).toBuffer(),
  ]);
  return { jpeg, png, webp, avif, gif, tiff, heic: readFileSync('tests/support/media/quarters.heic') };
}

/** One of the lengths that stand in a photo, as long as it can be written. */
function lengthened(kind: PhotoKind, good: Buffer, random: () => number): Buffer {
  const { mark, offset, bytes } = kinds[kind];
  const places = [...good.toString('latin1').matchAll(mark)].map(({ index }) => index + offset);
  const at = places[Math.floor(random() * places.length)] ?? 0;
  return Buffer.from(good).fill(0xff, at, at + bytes);
}

/** `count` accidents of photos, each kind and each accident as often as the others. */
export async function damagePhotos(seed: number, count: number): Promise<HostileFile[]> {
  const random = numbersFrom(seed);
  const good = await drawPhotos(seed);
  return Array.from({ length: count }, (_, n) => {
    const kind = photoKinds[n % photoKinds.length] ?? 'jpeg';
    const which = Math.floor(n / photoKinds.length) % (accidentCount + 1);
    const { what, bytes } =
      which < accidentCount
        ? damage(good[kind], random, which)
        : { what: 'a length of 0xffff', bytes: lengthened(kind, good[kind], random) };
    return { what: `${kind}: ${what}`, name: 'photo.jpg', bytes };
  });
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
function pngOf(side: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(3000))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** The same photo with other numbers behind the first of these words. */
function rewritten(good: Buffer, word: string, offset: number, numbers: Buffer): Buffer {
  const bytes = Buffer.from(good);
  const at = bytes.indexOf(word, 0, 'latin1');
  if (at < 0) throw new Error(`There is no ${word} in this photo.`);
  numbers.copy(bytes, at + offset);
  return bytes;
}

const [most16, most32] = [Buffer.alloc(4, 0xff), Buffer.alloc(8, 0xff)];
/** The most that JPEG's usual reader takes. */
const side65500 = Buffer.from([0xff, 0xdc, 0xff, 0xdc]);
const side65535 = Buffer.from([0, 0, 0xff, 0xff, 0, 0, 0xff, 0xff]);

/** Photos that promise more pixels than there are. */
function giants({ jpeg, gif, webp, avif, heic }: Record<PhotoKind, Buffer>): [string, Buffer, string][] {
  return [
    ['png of 900 megapixels', pngOf(30_000), 'TOO_BIG'],
    ['png as wide as numbers go', pngOf(2 ** 31 - 1), 'CORRUPT'],
    ['jpeg of 65,535 pixels a side', rewritten(jpeg, '\xff\xc0', 5, most16), 'CORRUPT'],
    ['jpeg of 65,500 pixels a side', rewritten(jpeg, '\xff\xc0', 5, side65500), 'TOO_BIG'],
    ['gif of 65,535 pixels a side', rewritten(rewritten(gif, 'GIF8', 6, most16), ',\0\0\0\0', 5, most16), 'TOO_BIG'],
    [
      'webp as wide as it can be written',
      rewritten(webp, '\x9d\x01\x2a', 3, Buffer.from([0xff, 0x3f, 0xff, 0x3f])),
      'TOO_BIG',
    ],
    ['avif of 65,535 pixels a side', rewritten(avif, 'ispe', 8, side65535), 'TOO_BIG'],
    ['avif as wide as numbers go', rewritten(avif, 'ispe', 8, most32), 'CORRUPT'],
    ['heic of 65,535 pixels a side', rewritten(heic, 'ispe', 8, side65535), 'TOO_BIG'],
    ['heic as wide as numbers go', rewritten(heic, 'ispe', 8, most32), 'CORRUPT'],
  ];
}

/** Boxes of ISO/IEC 14496-12, each inside the one before. */
function nested(depth: number): Buffer {
  return Buffer.concat(
    Array.from({ length: depth }, (_, n) => {
      const head = Buffer.from('\0\0\0\0meta\0\0\0\0', 'latin1');
      head.writeUInt32BE(12 * (depth - n));
      return head;
    }),
  );
}

/** Containers that lead their reader elsewhere or nowhere (ISO/IEC 23008-12). */
function hostileHeics(heic: Buffer): [string, Buffer][] {
  const head = heic.subarray(0, heic.indexOf('meta') - 4);
  const longBox = Buffer.from('\0\0\0\x01meta\x7f\xff\xff\xff\xff\xff\xff\xff', 'latin1');
  return [
    ['heic that is none', Buffer.concat([head, Buffer.alloc(500, 0xff)])],
    ['heic of nothing but its head', head],
    ['heic whose boxes are each inside another', Buffer.concat([head, nested(10_000)])],
    ['heic with a box of 2^63 bytes', Buffer.concat([head, longBox])],
    ['heic whose pieces lie behind its end', rewritten(heic, 'iloc', 16, most16)],
    ['heic whose first picture is not there', rewritten(heic, 'pitm', 8, Buffer.from([0x7f, 0xff]))],
    ['heic whose decoder has no parameters', rewritten(heic, 'hvcC', 4, Buffer.alloc(24))],
  ];
}

const drawing = (inside: string, before = '') =>
  `<?xml version="1.0"?>${before}<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${inside}</svg>`;
const laughs = `<!DOCTYPE svg [<!ENTITY a "ha">${[...'bcdefghij']
  .map((name, n) => `<!ENTITY ${name} "${`&${'abcdefghij'[n]};`.repeat(10)}">`)
  .join('')}]>`;

/** Files of other kinds; `sink` is an address that nobody may ask. */
function foreigners(sink: string): [string, string][] {
  return [
    [
      'svg with an outside entity',
      drawing('<text>&x;</text>', '<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>'),
    ],
    ['svg with ten thousand million laughs', drawing('<text>&j;</text>', laughs)],
    ['svg with a script', drawing(`<script>fetch('${sink}/s')</script>`)],
    ['svg with an outside image', drawing(`<image href="${sink}/a.png" width="9" height="9"/>`)],
    ['html', `<html><img src="${sink}/b"></html>`],
    ['playlist', `#EXTM3U\n#EXTINF:1,\n${sink}/c.ts\n`],
    ['concat list', `ffconcat version 1.0\nfile ${sink}/d.mp4\n`],
    ['mvg', `push graphic-context\nviewbox 0 0 9 9\nimage over 0,0 0,0 '${sink}/e'\npop graphic-context`],
    ['elf', `\x7fELF${'\x07'.repeat(400)}`],
    ['pdf', '%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj'],
    ['libvips file', `\xb6\xa6\xf2\x08${'a'.repeat(400)}`],
    ['zip', `PK\x03\x04${'\0'.repeat(200)}`],
    ['one byte', 'a'],
  ];
}

/** Photos that are something else as well: whatever is in them is shown to nobody, because only their pixels go on. */
function polyglots(jpeg: Buffer, sink: string): [string, Buffer][] {
  const html = Buffer.from(`<html><script src="${sink}/f"></script></html>`);
  const comment = Buffer.from([0xff, 0xfe, 0, html.length + 2]);
  return [
    ['jpeg with html behind it', Buffer.concat([jpeg, html])],
    ['jpeg with html in a comment', Buffer.concat([jpeg.subarray(0, 2), comment, html, jpeg.subarray(2)])],
    ['jpeg with a zip behind it', Buffer.concat([jpeg, Buffer.from('PK\x03\x04', 'latin1'), Buffer.alloc(200)])],
  ];
}

/** Files that lie about what they are or how much they hold, each with the end that is right. */
export async function makePhotoLiars(sink: string): Promise<HostileFile[]> {
  const good = await drawPhotos(7);
  const html = Buffer.from(`<html><img src="${sink}/g"></html>`);
  const files: [string, Buffer, string | null][] = [
    ...foreigners(sink).map(([what, text]): [string, Buffer, string] => [
      what,
      Buffer.from(text, 'latin1'),
      'UNSUPPORTED',
    ]),
    ['html with a jpeg behind it', Buffer.concat([html, good.jpeg]), 'UNSUPPORTED'],
    ['gif and script', Buffer.from('GIF89a/*..*/=1;alert(1)'), 'CORRUPT'],
    ['empty', Buffer.alloc(0), 'UNSUPPORTED'],
    ...polyglots(good.jpeg, sink).map(([what, bytes]): [string, Buffer, null] => [what, bytes, null]),
    ...giants(good),
    ...hostileHeics(good.heic).map(([what, bytes]): [string, Buffer, string] => [what, bytes, 'CORRUPT']),
  ];
  return files.map(([what, bytes, code]) => ({ what, name: `${what}.jpg`, bytes, code }));
}

const hostileMaterial = /^made__(bomb|polyglot|truncated|bitflip|script).*\.(png|jpg|gif|heic|svg)$|^mdx__.*Exception/;

/** Deliberately broken photos of others, where there are any. */
export function findHostilePhotos(): HostileFile[] {
  const material = findCameraMaterial();
  if (material === undefined)
    process.stdout.write('No hostile photos of others: set PF_MEDIA to a folder that has some.\n');
  return (material ?? [])
    .filter(({ name }) => hostileMaterial.test(name))
    .map(({ name, path }) => ({ what: name, name, bytes: readFileSync(path) }));
}
