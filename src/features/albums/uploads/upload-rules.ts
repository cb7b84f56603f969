import type { Settings } from '#features/settings/rules.ts';
import { hourMs } from '#kit/time.ts';

/** What became of one file of the list. */
export type UploadState =
  | 'queued'
  | 'checking'
  | 'duplicate'
  | 'uploading'
  | 'paused'
  | 'finishing'
  | 'processing'
  | 'ready'
  | 'failed'
  | 'missing';

/** One file of the list, as the page shows it. */
export interface UploadEntry {
  key: string;
  albumId: string;
  name: string;
  sizeBytes: number;
  sentBytes: number;
  state: UploadState;
  /** Bytes per second. */
  speed?: number | undefined;
  /** Why it failed, ready to show. */
  reason?: string | undefined;
  /** Another try would fail like this one. */
  isFinal?: boolean | undefined;
  /** A device thumbnail, an address of this page only. */
  preview?: string | undefined;
  /** The medium that has the same bytes already. */
  sameAs?: string | undefined;
  /** The medium it has become. */
  mediaId?: string | undefined;
  /** What the album held when the file was chosen. */
  before: ReadonlySet<string>;
}

/** Whether the album shows the medium that a file has become: from then on the file has no place of its own. */
export function isShown(
  { state, mediaId, name, sizeBytes, before }: UploadEntry,
  items: readonly { id: string; originalName: string; sizeBytes: number }[],
): boolean {
  if (mediaId !== undefined) return items.some(({ id }) => id === mediaId);
  if (state !== 'finishing' && state !== 'processing') return false;
  // The album may hear of the medium before the file does.
  return items.some((item) => !before.has(item.id) && item.originalName === name && item.sizeBytes === sizeBytes);
}

/** States in which bytes or work are still to come. */
export const isBusy = (state: UploadState): boolean =>
  ['queued', 'checking', 'uploading', 'finishing', 'processing'].includes(state);

/** Statuses that another try will not change; everything else, a proxy's 408 or 429 too, is tried again. */
const finalStatuses = new Set([401, 403, 404, 410, 413, 415, 422]);

/** Returns whether a part that failed is worth sending again. @param status 0 or undefined when no answer came */
export const isWorthRetry = (status: number | undefined): boolean => !finalStatuses.has(status ?? 0);

/** Pauses before further tries, in ms; the last one repeats through a lost network of hours. */
export const retryDelaysMs: number[] = [0, 1000, 3000, 5000, ...Array.from({ length: 500 }, () => 15_000)];

/** So many parts may be stopped on their way, one after the other, before it is clear that none will get through. */
export const mostStops = 6;

/** What is said then. */
export const blockedFailure: Failure = {
  reason:
    "Your network doesn't let uploads through. Switch to another one – mobile data instead of Wi-Fi, for example – and try again.",
  isFinal: false,
};

/**
 * Whether a part was answered by the server, and not by something on the way that knows nothing of uploads: a proxy, a filter.
 * @param tusVersion its header, which every answer about an upload has; a browser says null where there is none
 * @param body refusals that come before tus have a code of ours instead
 */
export function isOurAnswer(tusVersion: string | null | undefined, body: string | undefined): boolean {
  if (tusVersion) return true;
  try {
    return typeof (JSON.parse(body ?? '') as { code?: unknown } | null)?.code === 'string';
  } catch {
    return false; // a proxy's page, or nothing at all
  }
}

/** One measurement of how much was sent. */
export interface Sent {
  atMs: number;
  sentBytes: number;
}

/** Speed over the last five seconds. @returns bytes per second, undefined while there is too little to tell */
export function measureSpeed(samples: readonly Sent[]): number | undefined {
  const last = samples.at(-1);
  const first = last && samples.find(({ atMs }) => atMs >= last.atMs - 5000);
  if (last === undefined || first === undefined || last.atMs - first.atMs < 500) return undefined;
  return ((last.sentBytes - first.sentBytes) / (last.atMs - first.atMs)) * 1000;
}

/** Why an upload failed, and whether it would fail again. */
export type Failure = Required<Pick<UploadEntry, 'reason' | 'isFinal'>>;

/** Why an upload failed, in the server's own words when it sent any, and whether it would fail again. */
export function readRefusal(status: number | undefined, body: string | undefined): Failure {
  const { code, message } = readAnswer(body);
  const usual =
    status === 413 ? 'This file is too big.' : status ? 'The upload was refused.' : 'The connection was lost.';
  // Room in the account can be made, and a session begun again; what a file is stays.
  const isFinal = !isWorthRetry(status) && status !== 401 && code !== 'STORAGE_FULL';
  return { reason: typeof message === 'string' ? message : usual, isFinal };
}

function readAnswer(body: string | undefined): { code?: unknown; message?: unknown } {
  try {
    return (JSON.parse(body ?? '') as { code?: unknown; message?: unknown } | null) ?? {};
  } catch {
    return {}; // no words of ours: a proxy's page, or nothing at all
  }
}

/** Said of a file without any bytes: phones show files of a cloud that they do not hold. */
export const emptyFile =
  "This file is empty. If it's in the cloud, download it to your device first, then add it again.";

/** What a picker offers: pictures and videos, by their endings too where systems have no name for them, or another one. */
export const acceptedFiles = 'image/*,video/*,.heic,.heif,.avif,.mkv,.ts,.mts,.m2ts,.avi';

type PhotoAndVideo = Pick<Settings, 'limits.photoBytes' | 'limits.videoBytes'>;
interface Refused {
  code: 'UNSUPPORTED_MEDIA' | 'FILE_TOO_BIG' | 'VALIDATION';
  message?: string;
}

/**
 * Returns why an upload is refused before anything of it is here. What kind of file it is its bytes will say: browsers go by its ending, and
 * call the videos of camcorders translations (".ts").
 */
export function refuseBySize(settings: PhotoAndVideo, sizeBytes: number): Refused | undefined {
  if (sizeBytes === 0) return { code: 'VALIDATION', message: emptyFile };
  const most = settings['limits.videoBytes'];
  if (sizeBytes <= Math.max(most, settings['limits.photoBytes'])) return undefined;
  return { code: 'FILE_TOO_BIG', message: `Videos can be up to ${most / 1e9} GB.` };
}

/** Returns why a file is not worth the rest of its way, by its first bytes. What a photo may weigh is sent whole, and its decoder decides. */
export function refuseByHead(
  settings: PhotoAndVideo,
  kind: 'photo' | 'video' | undefined,
  sizeBytes: number,
): Refused | undefined {
  const most = settings['limits.photoBytes'];
  if (kind === 'video' || sizeBytes <= most) return undefined;
  if (kind === undefined) return { code: 'UNSUPPORTED_MEDIA' };
  return { code: 'FILE_TOO_BIG', message: `Photos can be up to ${Math.round(most / 1e6)} MB.` };
}

/** Returns until when an upload is kept that nobody continues. */
export const expiryOf = (settings: Pick<Settings, 'limits.uploadLifeHours'>, now: Date): Date =>
  new Date(now.getTime() + settings['limits.uploadLifeHours'] * hourMs);
