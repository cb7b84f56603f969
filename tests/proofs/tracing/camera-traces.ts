import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { cameraExif, openPainting, paint } from '#tests/support/media/paint.ts';

/** One file as a camera wrote it. */
export interface Shot {
  name: string;
  bytes: Buffer;
}

const xmp = `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/" exif:GPSLatitude="48,51.498360N" exif:GPSLongitude="2,17.670000E"><dc:creator><rdf:Seq><rdf:li>Mara XMP-Canary</rdf:li></rdf:Seq></dc:creator></rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`;

/** A marker segment of a JPEG. */
const segment = (marker: number, body: Buffer) => {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(body.length + 2, 2);
  return Buffer.concat([head, body]);
};

/** IPTC as press photographers' programs write it: a caption and a city inside Photoshop's own block. */
function iptcSegment(): Buffer {
  const field = (number: number, text: string) => {
    const head = Buffer.from([0x1c, 2, number, 0, 0]);
    head.writeUInt16BE(text.length, 3);
    return Buffer.concat([head, Buffer.from(text)]);
  };
  const data = Buffer.concat([field(90, 'Paris-Canary'), field(80, 'Mara-Byline-Canary')]);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(data.length);
  return segment(
    0xed,
    Buffer.concat([
      Buffer.from('Photoshop 3.0\0'),
      Buffer.from('8BIM\x04\x04\0\0', 'latin1'),
      size,
      data,
      Buffer.alloc(data.length % 2),
    ]),
  );
}

/** Pictures with everything that a camera or a program writes beside the pixels, in every format that carries it. */
export async function drawShots(): Promise<Shot[]> {
  const painting = () =>
    openPainting(paint(23, 640, 480))
      .withExifMerge(cameraExif)
      .withIccProfile('p3');
  const jpeg = await painting().jpeg({ quality: 90 }).withXmp(xmp).toBuffer();
  const comment = segment(0xfe, Buffer.from('Comment-Canary 48.858306 2.294500'));
  const maker = segment(0xea, Buffer.from('MakerNote-Canary Serial-0815-4711'));
  const full = Buffer.concat([
    jpeg.subarray(0, 2),
    comment,
    maker,
    iptcSegment(),
    jpeg.subarray(2),
    Buffer.from('Trailer-Canary'),
  ]);
  return [
    { name: 'Mara-secret-name.jpg', bytes: full },
    { name: 'Mara-secret-name.png', bytes: await painting().png().withXmp(xmp).toBuffer() },
    { name: 'Mara-secret-name.webp', bytes: await painting().webp().withXmp(xmp).toBuffer() },
    { name: 'Mara-secret-name.avif', bytes: await sharp(full).keepMetadata().avif({ effort: 0 }).toBuffer() },
  ];
}

/** The canary position in every form in which a file could hold it, and words that stand in the drawn files. */
const always: readonly Buffer[] = [
  ...[
    '48.85830',
    '2.29450',
    '48,51.49',
    '2,17.67',
    '-Canary',
    'Mara-secret-name',
    'Exif\0\0',
    'http://ns.adobe.com',
    'Photoshop 3.0',
  ].map((text) => Buffer.from(text)),
  ...[48.858306, 2.2945].flatMap((degrees) => [
    Buffer.from(new Float64Array([degrees]).buffer),
    Buffer.from(new Float32Array([degrees]).buffer),
  ]),
  ...[
    [2990, 100],
    [4020, 100],
  ].flatMap(([over = 0, under = 0]) => {
    const [little, big] = [Buffer.alloc(8), Buffer.alloc(8)];
    little.writeUInt32LE(over, 0);
    little.writeUInt32LE(under, 4);
    big.writeUInt32BE(over, 0);
    big.writeUInt32BE(under, 4);
    return [little, big];
  }),
];

/** What says nothing about anybody: measures of the picture itself, and what exiftool says of the file on our disk. */
const harmless = /^(SourceFile|ExifTool|File|Composite|PNG|RIFF|JFIF|Meta|QuickTime|ICC_Profile|ICC-|MPF):?/;

let isThere: boolean | undefined;
/** Whether this machine can read what cameras write. */
export function hasExiftool(): boolean {
  if (isThere === undefined)
    try {
      execFileSync('exiftool', ['-ver'], { stdio: 'ignore' });
      isThere = true;
    } catch {
      isThere = false;
    }
  return isThere;
}

/** Everything that exiftool reads in some bytes, group and name → value. @param groups how finely; of one name only one is kept */
export function readTags(bytes: Buffer, groups = '-G'): Record<string, unknown> {
  const folder = mkdtempSync(path.join(tmpdir(), 'pf-tags-'));
  try {
    const file = path.join(folder, 'file');
    writeFileSync(file, bytes);
    const [tags] = JSON.parse(
      execFileSync('exiftool', ['-ee', groups, '-j', '-a', file], { encoding: 'utf8', maxBuffer: 2 ** 27 }),
    );
    return tags;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What of one file may be found nowhere: long enough to be nobody else's by chance. */
export function tracesOf({ name, bytes }: Shot): Buffer[] {
  const own = hasExiftool()
    ? Object.entries(readTags(bytes)).filter(
        ([tag]) =>
          !harmless.test(tag) &&
          /Serial|GPSPosition|GPSL|Owner|Artist|ImageUniqueID|DateTimeOriginal|ContentIdentifier|Make$|LensModel/.test(
            tag,
          ),
      )
    : [];
  const words = own.map(([, value]) => String(value)).filter((text) => text.length >= 8);
  return [...always, Buffer.from(name), ...words.map((text) => Buffer.from(text))];
}

/** Returns what tags of a delivered piece tell about anything but its pixels. */
export const tellingTags = (bytes: Buffer): string[] =>
  Object.keys(readTags(bytes)).filter((tag) => !harmless.test(tag));

/** A picture that was made for viewers, in the clear. */
export interface MadePicture {
  what: string;
  bytes: Buffer;
}
/** So many at a time: one start of exiftool reads them in far less time than it takes to start it for each. */
const atOnce = 2000;

/** Returns what exiftool reads in pictures besides their pixels, and those in which it finds no WebP at all. */
export function listTelling(pictures: readonly MadePicture[]): string[] {
  const reported: string[] = [];
  for (let from = 0; from < pictures.length; from += atOnce)
    for (const { what, tags } of readAll(pictures.slice(from, from + atOnce))) {
      const telling = Object.keys(tags).filter((tag) => !harmless.test(tag));
      if (tags['File:FileType'] !== 'WEBP') telling.push('no WebP');
      reported.push(...telling.map((tag) => `${tag} in ${what}`));
    }
  return reported;
}

/** @throws when exiftool has left one out */
function readAll(pictures: readonly MadePicture[]): { what: string; tags: Record<string, unknown> }[] {
  const folder = mkdtempSync(path.join(tmpdir(), 'pf-pictures-'));
  try {
    const files = pictures.map((_, n) => path.join(folder, String(n)));
    for (const [n, { bytes }] of pictures.entries()) writeFileSync(files[n] ?? '', bytes);
    const list = path.join(folder, 'list');
    writeFileSync(list, files.join('\n'));
    const options = { encoding: 'utf8', maxBuffer: 2 ** 28 } as const;
    const { stdout } = spawnSync('exiftool', ['-ee', '-G', '-j', '-a', '-@', list], options);
    const read: Record<string, unknown>[] = JSON.parse(stdout);
    if (read.length !== pictures.length) throw new Error(`exiftool has read ${read.length} of ${pictures.length}.`);
    return read.map((tags) => ({ what: pictures[Number(path.basename(String(tags.SourceFile)))]?.what ?? '', tags }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
