import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { Transform, type TransformCallback } from 'node:stream';
import type { ByteRange } from '#engines/storage/storage.ts';

/**
 * An original at rest, format PFO1: magic, 16 bytes of salt, then chunks of 1 MiB, each AES-256-GCM with its number and
 * whether it is the last in the nonce. So a missing, swapped or repeated chunk fails like a changed byte (the STREAM
 * construction of Hoang, Reyhanitabar, Rogaway and Vizár, 2015).
 */
const magic = Buffer.from('PFO1');
const saltBytes = 16;
const chunkBytes = 2 ** 20;
const tagBytes = 16;
const headerBytes = magic.length + saltBytes;

/** Returns how many bytes an original of this size takes in storage. */
export function storedOriginalBytes(sizeBytes: number): number {
  return headerBytes + sizeBytes + tagBytes * Math.max(1, Math.ceil(sizeBytes / chunkBytes));
}

/** Plaintext in, PFO1 out, one chunk in memory. */
export function encryptOriginal(mediaKey: Buffer): Transform {
  const salt = randomBytes(saltBytes);
  const key = originalKey(mediaKey, salt);
  const seal = (number: number, last: boolean, chunk: Buffer): Buffer => {
    const cipher = createCipheriv('aes-256-gcm', key, nonceOf(number, last));
    return Buffer.concat([cipher.update(chunk), cipher.final(), cipher.getAuthTag()]);
  };
  const stream = inChunks(chunkBytes, seal);
  stream.push(Buffer.concat([magic, salt]));
  return stream;
}

/**
 * PFO1 in, plaintext out; every chunk is authentic when it comes out, but the file is whole only when the stream has ended.
 * Fails with an error when the file is truncated, reordered, changed, or not under this key.
 */
export function decryptOriginal(mediaKey: Buffer): Transform {
  let header = Buffer.alloc(0);
  let key: Buffer | undefined;
  const open = (number: number, last: boolean, chunk: Buffer): Buffer => {
    if (!key) throw new Error('a truncated original');
    return openChunk(key, number, last, chunk);
  };
  return inChunks(chunkBytes + tagBytes, open, (bytes) => {
    if (key) return bytes;
    header = Buffer.concat([header, bytes]);
    if (header.length < headerBytes) return Buffer.alloc(0);
    if (!header.subarray(0, magic.length).equals(magic)) throw new Error('not an original');
    key = originalKey(mediaKey, header.subarray(magic.length, headerBytes));
    return header.subarray(headerBytes);
  });
}

/**
 * A part of an original: only the chunks that hold it are read and opened, one in memory at a time.
 * @param read reads a part of what is stored
 * @throws as `decryptOriginal` does
 */
export async function* decryptPart(
  mediaKey: Buffer,
  sizeBytes: number,
  { from, to }: ByteRange,
  read: (range: ByteRange) => Promise<Buffer>,
): AsyncGenerator<Buffer> {
  const header = await read({ from: 0, to: headerBytes - 1 });
  if (!header.subarray(0, magic.length).equals(magic)) throw new Error('not an original');
  const key = originalKey(mediaKey, header.subarray(magic.length));
  const lastNumber = Math.max(1, Math.ceil(sizeBytes / chunkBytes)) - 1;
  for (let number = Math.floor(from / chunkBytes); number <= Math.floor(to / chunkBytes); number++) {
    const [beginsAt, isLast] = [number * chunkBytes, number === lastNumber];
    const length = isLast ? sizeBytes - beginsAt : chunkBytes;
    const storedAt = headerBytes + number * (chunkBytes + tagBytes);
    const chunk = openChunk(key, number, isLast, await read({ from: storedAt, to: storedAt + length + tagBytes - 1 }));
    yield chunk.subarray(Math.max(0, from - beginsAt), Math.min(length, to - beginsAt + 1));
  }
}

function openChunk(key: Buffer, number: number, last: boolean, chunk: Buffer): Buffer {
  if (chunk.length < tagBytes) throw new Error('a truncated original');
  const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(number, last));
  decipher.setAuthTag(chunk.subarray(chunk.length - tagBytes));
  return Buffer.concat([decipher.update(chunk.subarray(0, chunk.length - tagBytes)), decipher.final()]);
}

function originalKey(mediaKey: Buffer, salt: Uint8Array): Buffer {
  return Buffer.from(hkdfSync('sha512', mediaKey, salt, 'pf1:original', 32));
}

function nonceOf(number: number, last: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUInt32BE(number, 7);
  nonce.writeUInt8(last ? 1 : 0, 11);
  return nonce;
}

type ChunkStep = (number: number, last: boolean, chunk: Buffer) => Buffer;

/**
 * Cuts a stream into chunks of `size` bytes and passes each through `step`. A full chunk waits until the next byte arrives,
 * because only then is it known not to be the last; an empty stream is one empty last chunk.
 * @param strip takes a header off the front before the chunks begin
 */
function inChunks(size: number, step: ChunkStep, strip = (bytes: Buffer): Buffer => bytes): Transform {
  let parts: Buffer[] = [];
  let held = 0;
  let number = 0;
  const emit = (stream: Transform, last: boolean): void => {
    stream.push(step(number++, last, Buffer.concat(parts, held)));
    parts = [];
    held = 0;
  };
  const take = (stream: Transform, bytes: Buffer): void => {
    for (let at = 0; at < bytes.length; ) {
      if (held === size) emit(stream, false);
      const part = bytes.subarray(at, at + size - held);
      parts.push(part);
      held += part.length;
      at += part.length;
    }
  };
  const attempt = (work: () => void, done: TransformCallback): void => {
    try {
      work();
    } catch (error) {
      done(error as Error);
      return;
    }
    done();
  };
  return new Transform({
    transform(this: Transform, bytes: Buffer, _encoding, done) {
      attempt(() => take(this, strip(bytes)), done);
    },
    flush(this: Transform, done) {
      attempt(() => emit(this, true), done);
    },
  });
}
