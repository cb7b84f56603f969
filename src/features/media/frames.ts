import { once } from 'node:events';
import type { ServerResponse } from 'node:http';

/** Kinds of frame in an answer of keys and pictures: [u32 length][u8 kind][body], big-endian. */
export const frameKind = { head: 0, picture: 1, refusal: 2 } as const;

/** A reader that takes nothing for so long is gone; keys that old are dead anyway. */
const stalledMs = 30_000;

/**
 * Writes one frame and waits until the socket has taken it, so that an answer never holds more than one picture.
 * @param parts of the body, written one after another without being copied together
 * @returns false when the reader has gone
 */
export async function writeFrame(response: ServerResponse, kind: number, parts: readonly Buffer[]): Promise<boolean> {
  if (response.destroyed) return false;
  const head = Buffer.allocUnsafe(5);
  head.writeUInt32BE(parts.reduce((bytes, { length }) => bytes + length, 0));
  head[4] = kind;
  // Not corked by us: a corked answer says "full" by its own count, and then no `drain` comes when the socket takes all.
  let isTaken = response.write(head);
  for (const part of parts) isTaken = response.write(part);
  return isTaken || drained(response);
}

async function drained(response: ServerResponse): Promise<boolean> {
  const ended = new AbortController();
  const timer = setTimeout(() => response.destroy(), stalledMs);
  try {
    const { signal } = ended;
    await Promise.race([once(response, 'drain', { signal }), once(response, 'close', { signal })]);
    return !response.destroyed;
  } catch {
    return false; // the connection broke while we waited: there is nobody to answer
  } finally {
    clearTimeout(timer);
    ended.abort();
  }
}

/** A frame of kind 0 or 2. */
export const writeJson = (response: ServerResponse, kind: number, body: object): Promise<boolean> =>
  writeFrame(response, kind, [Buffer.from(JSON.stringify(body))]);

/** Keys and, unless the browser still has it, the composed pack of item `n`. */
export function writePicture(
  response: ServerResponse,
  n: number,
  keys: Buffer,
  pack: Buffer | undefined,
): Promise<boolean> {
  const head = Buffer.allocUnsafe(4);
  head.writeUInt16BE(n, 0);
  head.writeUInt16BE(keys.length / 32, 2);
  return writeFrame(response, frameKind.picture, pack === undefined ? [head, keys] : [head, keys, pack]);
}

/** One frame of an answer that has come whole. */
export interface WholeFrame {
  kind: number;
  body: Buffer;
}

/** Cuts a whole answer into its frames. @throws when it ends inside one */
export function readFrames(bytes: Buffer): WholeFrame[] {
  const frames: WholeFrame[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = at + 5 + bytes.readUInt32BE(at);
    if (end > bytes.length) throw new Error('a stream that ends inside a frame');
    frames.push({ kind: bytes.readUInt8(at + 4), body: bytes.subarray(at + 5, end) });
    at = end;
  }
  return frames;
}

/** The number of the item asked for, keys and pack out of the body of a frame of kind 1. */
export function readPicture(body: Buffer): { n: number; keys: Buffer; pack: Buffer } {
  const packAt = 4 + 32 * body.readUInt16BE(2);
  return { n: body.readUInt16BE(0), keys: body.subarray(4, packAt), pack: body.subarray(packAt) };
}
