import type { Readable } from 'node:stream';
import type { Walls } from '#engines/children/walls.ts';
import type { PhotoFailure, PhotoLimits, PhotoTrack } from '#features/media/photo-job.ts';
import type { Reading } from './evidence.ts';

/** A copy that somebody found elsewhere: bytes of a stranger. */
export interface Leak {
  sizeBytes: number;
  /** Opens it from its beginning; every step reads it anew. */
  open(): Readable | Promise<Readable>;
  limits?: PhotoLimits | undefined;
}

/** What can be said of a leak before anything is compared. */
export interface Fingerprint {
  mime: string;
  /** Size as one looks at it. */
  width: number;
  height: number;
  /** 256 bits in hex, like `media.phash`. */
  blockhash: string;
  /** WebP of 1024 px at most without any metadata: the form in which a browser may show the leak. */
  preview: Buffer;
}

/** An item that the leak may be a copy of. Its key and packs are asked for only when it is looked at. */
export interface Candidate {
  mediaId: string;
  /** `media.phash` and `media.phash_mirrored`; null where an item has none. */
  blockhash: string | null;
  mirroredBlockhash: string | null;
  mediaKey(): Promise<Buffer>;
  /** The stored pack of a rendition, both variants. */
  pack(track: PhotoTrack): Promise<Buffer>;
}

/** How far a trace has come. */
export interface TraceProgress {
  step: 'matching' | 'reading';
  done: number;
  of: number;
}

/** One item that was found in the leak. */
export interface FoundItem {
  mediaId: string;
  isMirrored: boolean;
  /** Where the item's corners lie in the leak, clockwise from its upper left, as shares of the leak's width and height. */
  corners: [x: number, y: number][];
  /** One a rendition. */
  readings: Reading[];
}

/** What stops a trace that ran: the file's own fault, or the machine's limits. */
export type TraceFailure = PhotoFailure | 'TIMEOUT';

/** Everything that a leak gave away; empty `items` means that it is a copy of none of the candidates. */
export interface ReadLeak {
  items: FoundItem[];
  /** How many candidates the leak was compared with: it makes chance likelier and belongs into the judgement. */
  compared: number;
}

/** `words` are the decoder's own, for the log and never for people. */
export type Traced<T> = { outcome: 'read'; result: T } | { outcome: 'failed'; code: TraceFailure; words: string };

export interface ReadOptions {
  onProgress?(progress: TraceProgress): void;
  signal?: AbortSignal | undefined;
}

/**
 * Reads the mark out of leaked copies in walled children. It knows no codeword, no link and no viewer: whom the reading points at
 * is decided by `judge`.
 */
export interface Tracer {
  /** @throws Error when the leak cannot be opened, the signal fires or the tracer closes: nothing is decided then */
  fingerprint(leak: Leak, signal?: AbortSignal): Promise<Traced<Fingerprint>>;
  /**
   * Looks for the candidates in the leak, those of a similar blockhash first, and reads the mark of those that are in it.
   * @throws Error as `fingerprint`, and when a pack or key cannot be read
   */
  read(
    leak: Leak,
    blockhash: string,
    candidates: readonly Candidate[],
    options?: ReadOptions,
  ): Promise<Traced<ReadLeak>>;
  close(): Promise<void>;
}

/** Opens the tracer; its child starts with the first leak and goes when there are no more. */
export declare function openTracer(walls: Walls): Tracer;
