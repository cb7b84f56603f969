import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';

/** Reads whole frames from descriptor 3; undefined at its end. */
export function readPatterns({ width, height }: { width: number; height: number }): () => Promise<Buffer | undefined> {
  const source: Readable = createReadStream('', { fd: 3 });
  const chunks = source[Symbol.asyncIterator]();
  const size = 2 * width * height;
  let held = Buffer.alloc(0);
  return async () => {
    while (held.length < size) {
      const { done, value } = await chunks.next();
      if (done) return undefined;
      held = Buffer.concat([held, value]);
    }
    const frame = held.subarray(0, size);
    held = held.subarray(size);
    return frame;
  };
}
