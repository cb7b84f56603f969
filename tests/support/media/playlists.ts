import { createDecipheriv } from 'node:crypto';

/** One segment of a playlist. */
export interface Listed {
  key: string;
  /** Its first byte in the file of its variant. */
  from: number;
  length: number;
  url: string;
  slot: number;
}

/** A playlist as a player reads it. */
export const readPlaylist = (text: string): Listed[] =>
  [...text.matchAll(/URI="(pfkey:[^"]+)"\n#EXTINF:[\d.]+,\n#EXT-X-BYTERANGE:(\d+)@(\d+)\n(\S+)/g)].map(
    ([, key = '', length, from, url = '']) => ({
      key,
      length: Number(length),
      from: Number(from),
      url,
      slot: Number(url.at(-1)),
    }),
  );

/** Opens a segment with its key, as HLS has it: its number is the vector. */
export const openSegment = (key: Buffer, n: number, bytes: Buffer) => {
  const iv = Buffer.alloc(16);
  iv.writeUInt32BE(n, 12);
  const decipher = createDecipheriv('aes-128-cbc', key, iv);
  return Buffer.concat([decipher.update(bytes), decipher.final()]);
};
