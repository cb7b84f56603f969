import { open } from 'node:fs/promises';
import type { CodedColours } from './heif-colours.ts';

/** Chunks that may stand before the pixels of a PNG; whatever comes behind so many is not looked for. */
const mostChunks = 64;
const [signatureBytes, frameBytes, colourBytes] = [8, 12, 4];

/** Which colours a PNG has, where it says so in numbers (PNG third edition §11.3.2.6); libvips does not tell. */
export async function readPngColours(path: string): Promise<CodedColours | undefined> {
  const file = await open(path);
  try {
    const head = Buffer.alloc(8 + colourBytes);
    let at = signatureBytes;
    for (let n = 0; n < mostChunks; n++) {
      const { bytesRead } = await file.read(head, 0, head.length, at);
      if (bytesRead < head.length) return undefined;
      const [size, type] = [head.readUInt32BE(0), head.toString('latin1', 4, 8)];
      if (type === 'IDAT' || type === 'IEND') return undefined;
      if (type === 'cICP' && size === colourBytes)
        return { primaries: head.readUInt8(8), transfer: head.readUInt8(9), isNarrow: head.readUInt8(11) === 0 };
      at += frameBytes + size;
    }
    return undefined;
  } finally {
    await file.close();
  }
}
