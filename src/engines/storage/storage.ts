import type { Readable } from 'node:stream';

/** Encrypted files by path: `media/<mediaId>/<packId>.pfp` and so on. Written once, never changed. */
export interface Storage {
  /** Stores all or nothing; a second put of the same path replaces it whole. */
  put(path: string, bytes: Buffer | Readable, sizeBytes?: number): Promise<void>;
  /** @throws StorageMissing when there is nothing at `path` */
  read(path: string): Promise<Buffer>;
  /** @throws StorageMissing when there is nothing at `path` */
  open(path: string, range?: { from: number; to: number }): Promise<Readable>;
  /** Removing what is not there is no error. */
  remove(path: string): Promise<void>;
  /** Paths below `prefix`, in no order. */
  list(prefix: string): AsyncIterable<string>;
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
