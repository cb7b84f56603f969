import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { AV_PIX_FMT_GRAY12LE, FFmpegError, Frame } from 'node-av';
import { pictureSegmentSeconds } from './plan.ts';
import type { Size } from './video.ts';

/** Reads whole frames from descriptor 3; undefined at its end. */
export function readPatterns({ width, height }: Size): () => Promise<Buffer | undefined> {
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

/**
 * A second's pattern as a frame with memory of its own. The one that the library makes of bytes goes on reading those bytes, and nobody
 * but us keeps them: a graph that holds it for a while, as it does before it has begun, would find there whatever came after them.
 */
export function patternFrame(bytes: Buffer, { width, height }: Size, second: number): Frame {
  const timeBase = { num: pictureSegmentSeconds, den: 1 };
  const format = AV_PIX_FMT_GRAY12LE;
  const lent = Frame.fromVideoBuffer(bytes, { width, height, format, timeBase, pts: BigInt(second) });
  const own = new Frame();
  own.alloc();
  Object.assign(own, { width, height, format });
  FFmpegError.throwIfError(own.getBuffer(), 'no memory for a pattern');
  FFmpegError.throwIfError(own.copy(lent), 'a pattern could not be copied');
  own.copyProps(lent);
  own.timeBase = lent.timeBase;
  lent.free();
  return own;
}
