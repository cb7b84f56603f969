import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { readBoxes } from './boxes.ts';

const box = (type: string, ...bodies: (Buffer | string)[]): Buffer => {
  const body = Buffer.concat(bodies.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)));
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + body.length);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, body]);
};
const full = (type: string, version: number, ...bodies: (Buffer | string)[]) =>
  box(type, Buffer.from([version, 0, 0, 0]), ...bodies);
const u16 = (...values: number[]) => Buffer.concat(values.map((value) => Buffer.from([value >> 8, value & 255])));
const u32 = (...values: number[]) => Buffer.concat(values.map((value) => u16(value >>> 16, value & 0xffff)));

/** Colours in the numbers of ITU-T H.273, and the bits of a level. */
interface HeicColours {
  primaries: number;
  transfer: number;
  bits: 8 | 10;
}

/**
 * A picture as telephones keep them: one frame of HEVC, which ffmpeg codes, in a HEIF file (ISO/IEC 23008-12).
 * @param colours what its levels are said to be; they stay as they are
 */
export async function makeHeic(picture: Buffer, colours?: HeicColours): Promise<Buffer> {
  const folder = mkdtempSync(path.join(tmpdir(), 'pf-heic-'));
  const { width, height } = await sharp(picture).metadata();
  try {
    writeFileSync(path.join(folder, 'in.png'), await sharp(picture).png().toBuffer());
    const pixels = colours?.bits === 10 ? 'yuv420p10le' : 'yuv420p';
    const range = ['-vf', `scale=out_range=pc:out_color_matrix=bt601,format=${pixels}`, '-color_range', 'pc'];
    const hevc = ['-c:v', 'libx265', '-crf', '14', '-x265-params', 'log-level=error:range=full', '-tag:v', 'hvc1'];
    const args = ['-v', 'error', '-i', 'in.png', '-frames:v', '1', ...range, ...hevc, 'out.mp4'];
    execFileSync('ffmpeg', args, { cwd: folder });
    const coded = readFileSync(path.join(folder, 'out.mp4'));
    const boxes = readBoxes(coded);
    const frame = boxes.find((each) => each.path === '/mdat')?.body ?? Buffer.alloc(0);
    const entry = boxes.find(({ path: name }) => name.endsWith('/stsd'))?.body ?? Buffer.alloc(0);
    const at = entry.indexOf('hvcC') - 4;
    return pictureOf(entry.subarray(at, at + entry.readUInt32BE(at)), frame, { width, height }, colours);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function pictureOf(
  decoder: Buffer,
  frame: Buffer,
  { width, height }: { width: number; height: number },
  colours?: HeicColours,
): Buffer {
  const item = 1;
  // BT.601 in full range, as above.
  const reported = colours && box('colr', 'nclx', u16(colours.primaries, colours.transfer, 6), Buffer.from([0x80]));
  const properties = reported === undefined ? [0x81, 0x02] : [0x81, 0x02, 0x03];
  const metaFor = (offset: number) =>
    full(
      'meta',
      0,
      full('hdlr', 0, u32(0), 'pict', Buffer.alloc(13)),
      full('pitm', 0, u16(item)),
      full('iloc', 0, Buffer.from([0x44, 0]), u16(1, item, 0, 1), u32(offset, frame.length)),
      full('iinf', 0, u16(1), full('infe', 2, u16(item, 0), 'hvc1\0')),
      box(
        'iprp',
        box('ipco', decoder, full('ispe', 0, u32(width, height)), reported ?? ''),
        full('ipma', 0, u32(1), u16(item), Buffer.from([properties.length, ...properties])),
      ),
    );
  const kind = box('ftyp', 'heic', u32(0), 'mif1heic');
  const before = kind.length + metaFor(0).length + 8;
  return Buffer.concat([kind, metaFor(before), box('mdat', frame)]);
}

/** Where the first item of a HEIC file as small as those above lies, and how it is decoded. */
function firstItem(heic: Buffer): { decoder: Buffer; frame: Buffer } {
  const [decoderAt, places] = [heic.indexOf('hvcC') - 4, heic.indexOf('iloc') + 4];
  // Version and flags, sizes of the fields, number of items, id, where its data is, number of extents.
  const [offset, length] = [heic.readUInt32BE(places + 14), heic.readUInt32BE(places + 18)];
  return {
    decoder: heic.subarray(decoderAt, decoderAt + heic.readUInt32BE(decoderAt)),
    frame: heic.subarray(offset, offset + length),
  };
}

/** A large picture as telephones keep them: a grid of tiles that are decoded one by one, here the same one again and again. */
export function makeGridHeic(
  tile: Buffer,
  size: { width: number; height: number },
  of: { width: number; height: number },
) {
  const { decoder, frame } = firstItem(tile);
  const [columns, rows] = [Math.ceil(of.width / size.width), Math.ceil(of.height / size.height)];
  const tiles = Array.from({ length: columns * rows }, (_, n) => n + 2);
  const grid = Buffer.concat([Buffer.from([0, 0, rows - 1, columns - 1]), u16(of.width, of.height)]);
  const items = [1, ...tiles];
  const metaFor = (offset: number) =>
    full(
      'meta',
      0,
      full('hdlr', 0, u32(0), 'pict', Buffer.alloc(13)),
      full('pitm', 0, u16(1)),
      full(
        'iloc',
        0,
        Buffer.from([0x44, 0]),
        u16(items.length),
        ...items.map((id) =>
          Buffer.concat([u16(id, 0, 1), id === 1 ? u32(offset, grid.length) : u32(offset + grid.length, frame.length)]),
        ),
      ),
      full(
        'iinf',
        0,
        u16(items.length),
        ...items.map((id) => full('infe', 2, u16(id, 0), id === 1 ? 'grid\0' : 'hvc1\0')),
      ),
      full('iref', 0, box('dimg', u16(1, tiles.length), u16(...tiles))),
      box(
        'iprp',
        box('ipco', decoder, full('ispe', 0, u32(size.width, size.height)), full('ispe', 0, u32(of.width, of.height))),
        full(
          'ipma',
          0,
          u32(items.length),
          ...items.map((id) => Buffer.concat([u16(id), Buffer.from(id === 1 ? [1, 0x03] : [2, 0x81, 0x02])])),
        ),
      ),
    );
  const kind = box('ftyp', 'heic', u32(0), 'mif1heic');
  const before = kind.length + metaFor(0).length + 8;
  return Buffer.concat([kind, metaFor(before), box('mdat', grid, frame)]);
}
