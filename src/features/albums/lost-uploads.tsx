import { Upload } from 'tus-js-client';
import { callsOf } from '#wire/client.ts';
import { albumsContract } from './contract.ts';
import type { UploadEntry } from './upload-rules.ts';

const albums = callsOf('albums', albumsContract);

/** An upload that has begun and whose file this browser does not hold any more. */
export interface LostUpload {
  uploadId: string;
  sha256: string | undefined;
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
    .map(({ uploadId, originalName, sizeBytes, receivedBytes, sha256 }) => ({
      key: uploadId,
      albumId,
      name: originalName,
      sizeBytes,
      sentBytes: receivedBytes,
      state: 'missing',
      lost: { uploadId, sha256: sha256 ?? undefined },
    }));
}

/** Gives up what was sent of an upload; what cannot be removed now expires within a day. */
export const giveUp = (lost: LostUpload): Promise<void> => Upload.terminate(addressOf(lost)).catch(() => undefined);

/** SHA-256 of a file in hex. */
export async function hashOf(file: File): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', await file.arrayBuffer()));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Whether a file that was chosen again is the one that was begun: by its bytes where they are known, else by its name. */
export async function isSameFile(
  { name, sizeBytes }: UploadEntry,
  sha256: string | undefined,
  file: File,
): Promise<boolean> {
  if (file.size !== sizeBytes) return false;
  return sha256 === undefined ? file.name === name : (await hashOf(file)) === sha256;
}
