import { Upload } from 'tus-js-client';
import { callsOf } from '#wire/client.ts';
import { albumsContract } from './contract.ts';
import { mostWholeBytes } from './file-mark.tsx';
import type { UploadEntry } from './upload-rules.ts';

const albums = callsOf('albums', albumsContract);

/** An upload that has begun and whose file this browser does not hold any more. */
export interface LostUpload {
  uploadId: string;
  /** Which file it is: its SHA-256, or that of pieces of it; undefined when its sender said neither. */
  mark: string | undefined;
}

/** Where an upload goes on. */
export const addressOf = ({ uploadId }: LostUpload): string => `/files/${uploadId}`;

/** Open uploads of an album that no file of the list belongs to, as entries that ask for it. */
export async function findLostUploads(
  albumId: string,
  held: readonly UploadEntry[],
): Promise<(Omit<UploadEntry, 'before'> & { lost: LostUpload })[]> {
  const open = await albums.openUploads.call({ albumId }).catch(() => []);
  const isHeld = (name: string, sizeBytes: number) =>
    held.some((entry) => entry.albumId === albumId && entry.name === name && entry.sizeBytes === sizeBytes);
  return open
    .filter(
      ({ originalName, sizeBytes, receivedBytes }) => receivedBytes < sizeBytes && !isHeld(originalName, sizeBytes),
    )
    .map(({ uploadId, originalName, sizeBytes, receivedBytes, sha256, sample }) => ({
      key: uploadId,
      albumId,
      name: originalName,
      sizeBytes,
      sentBytes: receivedBytes,
      state: 'missing',
      lost: { uploadId, mark: sample ?? (sizeBytes <= mostWholeBytes ? sha256 : null) ?? undefined },
    }));
}

/** Gives up what was sent of an upload; what cannot be removed now expires within a day. */
export const giveUp = (lost: LostUpload): Promise<void> => Upload.terminate(addressOf(lost)).catch(() => undefined);
