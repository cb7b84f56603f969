import type { FailCode, Medium, MediumState } from './contract.ts';
import type { PhotoLimit, PhotoLimits } from './formats/photo-shapes.ts';
import { fewestMarkedTiles } from './watermark/tile-marks.ts';

/** A medium's row as every list of the studio reads it. */
export interface MediumRow {
  id: string;
  kind: string;
  state: string;
  original_name: string;
  bytes: number;
  width: number | null;
  height: number | null;
  thumbhash: Buffer | null;
  removed: string[];
  fail_code: string | null;
  fail_text: string | null;
  progress: number | null;
  duration_ms: number | null;
  marked_tiles: number | null;
  created_at: Date;
}

/** The columns of `MediumRow`, under the alias `media`. */
export const mediumColumns = [
  'media.id',
  'media.kind',
  'media.state',
  'media.original_name',
  'media.bytes',
  'media.width',
  'media.height',
  'media.thumbhash',
  'media.removed',
  'media.fail_code',
  'media.fail_text',
  'media.progress',
  'media.duration_ms',
  'media.marked_tiles',
  'media.created_at',
] as const;

const failTexts: Record<FailCode, string> = {
  UNSUPPORTED: "This file type isn't supported",
  CORRUPT: 'This file is damaged – try exporting it again',
  TOO_LONG: 'This video is too long',
  TOO_BIG: 'This file is too large',
  NO_VIDEO_TRACK: "There's no video in this file",
  TIMEOUT: 'Processing took too long',
  UNMARKED: "The invisible mark couldn't be added to all of this video – try exporting it again",
  HASH_MATCH: 'Under review',
  NO_VIDEO_TIME: "This month's video time is used",
};

/** What may have been the machine's doing, a fault of ours that is mended since, or over with the month. */
const retried = new Set<string | null>(['TIMEOUT', 'CORRUPT', 'UNMARKED', 'NO_VIDEO_TIME'] satisfies FailCode[]);

/** A limit as it stands in a sentence. */
const sizeWords: Record<PhotoLimit, (limits: PhotoLimits) => string> = {
  fileBytes: ({ fileBytes }) => `${fileBytes / 1e6} MB`,
  sidePx: ({ sidePx }) => `${sidePx.toLocaleString('en')} pixels per side`,
  pixels: ({ pixels }) => `${pixels / 1e6} megapixels`,
  heicPixels: ({ heicPixels }) => `${heicPixels / 1e6} megapixels as HEIC`,
  avifPixels: ({ avifPixels }) => `${avifPixels / 1e6} megapixels as AVIF`,
};

/** The same with the limit that it failed by; undefined where there is none to say, as when its decoder grew too large. */
export const describeFailure = (limits: PhotoLimits, limit?: PhotoLimit): string | undefined =>
  limit && `Photos can be up to ${sizeWords[limit](limits)}.`;

/** Returns what a person reads when a medium failed: what was written down then. What is left of a failure before a retry says nothing. */
export const failTextOf = (code: string | null, kept: string | null = null): string | null =>
  code === null ? null : (kept ?? failTexts[code as FailCode] ?? 'Something went wrong');

/** @param markedTiles null of what was never counted: videos, and photos that are not ready or older than the count */
export const isHardlyTraceable = (markedTiles: number | null): boolean =>
  markedTiles !== null && markedTiles < fewestMarkedTiles;

/** A row as its creator sees it. */
export function showMedium(row: MediumRow): Medium {
  return {
    id: row.id,
    kind: row.kind === 'video' ? 'video' : 'photo',
    state: row.state as MediumState,
    originalName: row.original_name,
    sizeBytes: row.bytes,
    width: row.width,
    height: row.height,
    thumbhash: row.thumbhash?.toString('base64') ?? null,
    removed: row.removed,
    failCode: row.fail_code as FailCode | null,
    failText: failTextOf(row.fail_code, row.fail_text),
    progress: row.state === 'processing' ? row.progress : null,
    durationMs: row.duration_ms,
    isHardlyTraceable: isHardlyTraceable(row.marked_tiles),
    canRetry: row.state === 'failed' && retried.has(row.fail_code),
    createdAt: row.created_at,
  };
}
