import type { PictureTrack } from './keys.ts';

/** The limits of one photo. Those of HEIC and AVIF are lower: their decoders hold the whole picture, AVIF's twice. */
export type PhotoLimits = Record<PhotoLimit, number>;
export const photoLimitNames = ['fileBytes', 'sidePx', 'pixels', 'heicPixels', 'avifPixels'] as const;
export type PhotoLimit = (typeof photoLimitNames)[number];

export const photoFailures = ['UNSUPPORTED', 'CORRUPT', 'TOO_BIG'] as const;

/** Why a file is not a photo of ours. */
export type PhotoFailure = (typeof photoFailures)[number];

/** The packs that a photo becomes. */
export const photoTracks = ['p2048', 'thumb512'] as const satisfies readonly PictureTrack[];
export type PhotoTrack = (typeof photoTracks)[number];
