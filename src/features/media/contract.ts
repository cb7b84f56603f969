import * as z from 'zod';
import { boundedText } from '#kit/bounded-text.ts';
import { Uuid } from '#kit/uuid.ts';
import { signedInPromise } from '#wire/promise.ts';
import { refusing } from '#wire/refusals.ts';

/** States of a medium that its creator can see. */
export const MediumState = z.enum(['uploaded', 'scanning', 'processing', 'ready', 'failed', 'quarantined']);
export type MediumState = z.infer<typeof MediumState>;

export const FailCode = z.enum([
  'UNSUPPORTED',
  'CORRUPT',
  'TOO_LONG',
  'TOO_BIG',
  'NO_VIDEO_TRACK',
  'TIMEOUT',
  'UNMARKED',
  'HASH_MATCH',
  'NO_VIDEO_TIME',
]);

/** Why a medium could not be made ready. */
export type FailCode = z.infer<typeof FailCode>;

/** A photo or video as its creator sees it. */
export const Medium = z.object({
  id: Uuid,
  kind: z.enum(['photo', 'video']),
  state: MediumState,
  originalName: z.string(),
  sizeBytes: z.int(),
  width: z.int().nullable(),
  height: z.int().nullable(),
  /** base64; null until ready */
  thumbhash: z.string().nullable(),
  /** What was taken out of the file: location, device, time … */
  removed: z.array(z.string()),
  failCode: FailCode.nullable(),
  failText: z.string().nullable(),
  /** Percent of a video that is being made; null where nothing is to be counted. */
  progress: z.int().min(0).max(100).nullable(),
  /** Of a video. */
  durationMs: z.int().nullable(),
  canRetry: z.boolean(),
  /** A photo with room for so little of the mark that a whole and perfect copy can hardly name anybody. */
  isHardlyTraceable: z.boolean(),
  createdAt: z.date(),
});
export type Medium = z.infer<typeof Medium>;

/** What became of an upload whose bytes are here. */
export const UploadOutcome = z.object({
  state: z.enum(['open', 'finishing', 'uploaded', 'processing', 'ready', 'failed', 'expired']),
  mediaId: Uuid.nullable(),
  failText: z.string().nullable(),
});

const MediumInput = z.object({ mediaId: Uuid });

/** What of a video is played. */
const VideoTrack = z.enum(['v720', 'v480', 'audio']);
export type VideoTrack = z.infer<typeof VideoTrack>;

/** Of each track some segments: a second of picture, four of sound each. */
export const WantedSegments = z
  .array(
    z
      .object({ track: VideoTrack, from: z.int().min(0).max(100_000), count: z.int().min(1).max(10) })
      .refine(({ track, count }) => track !== 'audio' || count <= 4, 'of sound four segments at most'),
  )
  .min(1)
  .max(3)
  .refine((parts) => new Set(parts.map(({ track }) => track)).size === parts.length, 'each track once');
export type WantedSegments = z.infer<typeof WantedSegments>;

/** The keys of some segments of one rendition, and the right to fetch its bytes. */
const VideoLease = z.object({
  leaseId: Uuid,
  track: VideoTrack,
  packId: Uuid,
  /** Header `PF-Lease` for GET /m/s/:packId/:part. */
  token: z.string(),
  /** Number of the first segment that `keys` opens. */
  from: z.int(),
  /** base64url, 16 bytes a segment. */
  keys: z.string(),
});
export type VideoLease = z.infer<typeof VideoLease>;

export const VideoLeases = z.object({ leases: z.array(VideoLease), expiresInMs: z.int() });
export type VideoLeases = z.infer<typeof VideoLeases>;

export const mediaContract = {
  /** The list of uploads asks this after "the bytes are here" until the medium is known. */
  byUpload: signedInPromise('upload')
    .route({ method: 'GET', path: '/uploads/{uploadId}', tags: ['media'] })
    .input(z.object({ uploadId: Uuid }))
    .output(UploadOutcome),
  /** Media of the same bytes in this account: "You already uploaded this". */
  findSame: signedInPromise('none')
    .route({ method: 'GET', path: '/media/same', tags: ['media'] })
    .input(z.object({ sha256: boundedText(64).regex(/^[0-9a-f]{64}$/) }))
    .output(z.object({ medium: Medium.nullable() })),
  /** Keys of some seconds of one's own video, as viewers get them, under a codeword of one's own; never counted. */
  videoKeys: signedInPromise('medium')
    .route({ method: 'POST', path: '/media/{mediaId}/video-keys', tags: ['media'] })
    .input(MediumInput.extend({ tracks: WantedSegments }))
    .output(VideoLeases),
  /** Tries a failed medium once more. */
  retry: signedInPromise('medium')
    .route({ method: 'POST', path: '/media/{mediaId}/retry', tags: ['media'] })
    .errors(refusing('CONFLICT'))
    .input(MediumInput)
    .output(Medium),
  /** Takes a medium out of everything; 72 hours to think better of it. */
  remove: signedInPromise('medium')
    .route({ method: 'DELETE', path: '/media/{mediaId}', tags: ['media'] })
    .input(MediumInput)
    .output(z.object({ undoUntil: z.date() })),
  restore: signedInPromise('medium')
    .route({ method: 'POST', path: '/media/{mediaId}/restore', tags: ['media'] })
    .errors(refusing('GONE', 'CONFLICT'))
    .input(MediumInput)
    .output(Medium),
};
