import { randomUUID } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** A file that somebody sent, whole and on disk. */
export interface ReceivedFile {
  sizeBytes: number;
  read(): Promise<Buffer>;
  /** Gives its room back. */
  close(): Promise<void>;
}

class TooBig extends Error {}

/**
 * Receives a file onto the disk, so that whoever sends slowly costs no memory and holds no place that others need. It has no
 * name there: it is gone with the process, whatever ends that.
 * @returns undefined when it is larger than `mostBytes`
 * @throws when it breaks off
 */
export async function receiveFile(bytes: Readable, mostBytes: number): Promise<ReceivedFile | undefined> {
  const name = path.join(tmpdir(), `pf-received-${randomUUID()}`);
  const file = await open(name, 'wx+', 0o600);
  // Windows removes no open file: there it goes when it is closed.
  const isNameless = await rm(name).then(
    () => true,
    () => false,
  );
  const close = async () => {
    await file.close();
    if (!isNameless) await rm(name, { force: true });
  };
  try {
    const sizeBytes = await write(file, bytes, mostBytes);
    const read = async () => {
      const whole = Buffer.alloc(sizeBytes);
      await file.read(whole, 0, sizeBytes, 0);
      return whole;
    };
    return { sizeBytes, read, close };
  } catch (error) {
    await close();
    if (error instanceof TooBig) return undefined;
    throw error;
  }
}

async function write(file: FileHandle, bytes: Readable, mostBytes: number): Promise<number> {
  let at = 0;
  await pipeline(bytes, async (parts: AsyncIterable<Buffer>) => {
    for await (const part of parts) {
      if (at + part.length > mostBytes) throw new TooBig();
      await file.write(part, 0, part.length, at);
      at += part.length;
    }
  });
  return at;
}
