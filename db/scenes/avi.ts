/** What a video of JPEG frames is made of. */
interface JpegVideo {
  width: number;
  height: number;
  framesPerSecond: number;
  frames: readonly Buffer[];
}

const words = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [n, value] of values.entries()) bytes.writeUInt32LE(value, 4 * n);
  return bytes;
};
const chunk = (name: string, body: Buffer): Buffer =>
  Buffer.concat([Buffer.from(name), words(body.length), body, Buffer.alloc(body.length % 2)]);
const list = (kind: 'RIFF' | 'LIST', name: string, parts: readonly Buffer[]): Buffer =>
  chunk(kind, Buffer.concat([Buffer.from(name), ...parts]));

/** A video as an AVI file of JPEG frames: what every engine reads, and what takes no encoder to write. */
export function writeAvi({ width, height, framesPerSecond, frames }: JpegVideo): Buffer {
  const [hasIndex, keyFrame] = [0x10, 0x10];
  const largest = Math.max(...frames.map(({ length }) => length));
  const count = frames.length;
  const fileHead = words(
    1e6 / framesPerSecond,
    largest * framesPerSecond,
    0,
    hasIndex,
    count,
    0,
    1,
    largest,
    width,
    height,
  );
  const whole = Buffer.alloc(8);
  whole.writeUInt16LE(width, 4);
  whole.writeUInt16LE(height, 6);
  const streamHead = [Buffer.from('vidsMJPG'), words(0, 0, 0, 1, framesPerSecond, 0, count, largest, 0xffffffff, 0)];
  const format = [words(40, width, height, 1 + (24 << 16)), Buffer.from('MJPG'), words(3 * width * height, 0, 0, 0, 0)];
  const stream = [chunk('strh', Buffer.concat([...streamHead, whole])), chunk('strf', Buffer.concat(format))];
  const pictures = frames.map((frame) => chunk('00dc', frame));
  let at = 4;
  const index = frames.map((frame, n) => {
    const entry = Buffer.concat([Buffer.from('00dc'), words(keyFrame, at, frame.length)]);
    at += pictures[n]?.length ?? 0;
    return entry;
  });
  const head = [chunk('avih', Buffer.concat([fileHead, words(0, 0, 0, 0)])), list('LIST', 'strl', stream)];
  return list('RIFF', 'AVI ', [
    list('LIST', 'hdrl', head),
    list('LIST', 'movi', pictures),
    chunk('idx1', Buffer.concat(index)),
  ]);
}
