import type { Readable } from 'node:stream';

/** First and last byte of a part, both included. */
export interface ByteRange {
  from: number;
  to: number;
}

/**
 * Encrypted files by path: `media/<mediaId>/<packId>.pfp` and so on. Written once, never changed. Everything here throws
 * `StorageAway` when the store itself cannot be used.
 */
export interface Storage {
  /**
   * Stores all or nothing; a second put of the same path replaces it whole.
   * @param sizeBytes what a stream must come to
   * @throws when the stream breaks or does not come to `sizeBytes`: then nothing changed
   */
  put(path: string, bytes: Buffer | Readable, sizeBytes?: number): Promise<void>;
  /**
   * Reads a file, or a part of it.
   * @throws StorageMissing when there is nothing at `path`; StorageAway when it ends before the range does
   */
  read(path: string, range?: ByteRange): Promise<Buffer>;
  /** @throws StorageMissing when there is nothing at `path` */
  open(path: string): Promise<Readable>;
  /** Removing what is not there is no error. */
  remove(path: string): Promise<void>;
  /** Paths that begin with `prefix`, in no order. */
  list(prefix: string): AsyncIterable<string>;
  /** Returns how many bytes can still be stored; undefined where the store has no end that it would tell. */
  freeBytes(): Promise<number | undefined>;
  /** Where the files are, in words for the log. */
  place: string;
}

/** There is nothing stored under this path. */
export class StorageMissing extends Error {
  constructor(path: string) {
    super(`Nothing is stored under ${path}`);
    this.name = 'StorageMissing';
  }
}

/** The store cannot be used just now – gone, full, broken or too slow: answered as 503, and tried again by jobs. */
export class StorageAway extends Error {
  constructor(cause: unknown) {
    super('The store does not answer.', { cause });
    this.name = 'StorageAway';
  }
}

const part = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/;

/**
 * The path itself when it can name a stored file: parts of letters, digits, `.`, `_` and `-`, none beginning with a dot.
 * @throws for anything else, so that no path leads out of the store
 */
export function checkPath(path: string): string {
  if (path.length > 512 || !path.split('/').every((name) => part.test(name)))
    throw new Error('This is no path of the store.');
  return path;
}
