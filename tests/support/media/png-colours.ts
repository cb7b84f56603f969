import { crc32 } from 'node:zlib';

const endOfHeader = 33;

/** A PNG with a chunk behind its header that says in numbers of ITU-T H.273 which colours its levels are; the levels stay as they are. */
export function sayPngColours(png: Buffer, primaries: number, transfer: number, isFull = true): Buffer {
  const body = Buffer.from([...Buffer.from('cICP', 'latin1'), primaries, transfer, 0, isFull ? 1 : 0]);
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(body.length - 4);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), chunk.length - 4);
  return Buffer.concat([png.subarray(0, endOfHeader), chunk, png.subarray(endOfHeader)]);
}
