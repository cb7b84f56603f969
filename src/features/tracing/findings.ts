import type { Readable } from 'node:stream';
import type { Seed } from '#features/media/formats/codeword.ts';
import type { PictureTrack, Track } from '#features/media/formats/keys.ts';
import type { PhotoFailure, PhotoLimits } from '#features/media/formats/photo-shapes.ts';

/** What was read out of one rendition of one item: it was made without looking at any codeword, and must stay so. */
export interface Reading {
  mediaId: string;
  track: Track;
  columns: number;
  rows: number;
  /** Per tile how clearly variant A (above 0) or B (below) was seen, in standard deviations of what no mark would give. */
  z: Float64Array;
  /** Per tile the share of it that lies in the leak, 0 to 1. */
  visible: Float64Array;
}

/** Somebody who was shown an item: a row of `deliveries`. The creator's own looks and an admin's have no link. */
export interface Suspect {
  grantId: string;
  grantSeed: Seed;
  link?: { linkId: string; linkSeed: Seed } | undefined;
}

/** What was tried for one leak; every try makes it likelier that chance alone names somebody. */
export interface Tries {
  /** Items that the leak was compared with, found in it or not. */
  candidates: number;
  /** Traces that were made of the found items before this one; they count as tries of this one. */
  earlierTraces: number;
  /** In how many of them each link, or look of the creator's own, was named; whoever is missing was in none. */
  timesNamed?: ReadonlyMap<string, number> | undefined;
}

/** A copy that somebody found elsewhere: bytes of a stranger. */
export interface Leak {
  sizeBytes: number;
  /** Opens it from its beginning; every step reads it again. */
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
  /** Forms in which it may have leaked, each by its sizes, the largest first. */
  forms: readonly (readonly PictureTrack[])[];
  /** The stored pack of a rendition, both variants. */
  pack(track: PictureTrack): Promise<Buffer>;
}

/** How far a trace has come. */
export interface TraceProgress {
  step: 'matching' | 'reading';
  done: number;
  of: number;
  /** Those that look alike as a whole are read; if it is none of them, all the others are compared. */
  isFirstLook?: boolean | undefined;
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

/** Everything that a leak gave away; no `items` means that it is a copy of none of the candidates. */
export interface ReadLeak {
  items: FoundItem[];
  /** A moment of a video was kept, for people. */
  hasOriginal?: boolean | undefined;
  /** Of a clip with photos: the seconds of the pictures out of it that were laid side by side and read. */
  stills?: readonly number[] | undefined;
  /** How many candidates the leak was compared with: every one makes chance likelier and belongs into the judgement. */
  compared: number;
}

/** What stops a trace: the file's own fault, or the machine's limits. */
export type TraceFailure = PhotoFailure | 'TIMEOUT' | 'NO_ENGINE';

/** What came of one step; `words` are the decoder's own, for the log and never for people. */
export type Traced<T> = { outcome: 'read'; result: T } | { outcome: 'failed'; code: TraceFailure; words: string };

export interface ReadOptions {
  onProgress?(progress: TraceProgress): void;
  signal?: AbortSignal | undefined;
}
