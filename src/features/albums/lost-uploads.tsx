import { Upload } from 'tus-js-client';
import { callsOf } from '#wire/client.ts';
import { albumsContract } from './contract.ts';
import { mostWholeBytes } from './file-mark.tsx';
import { forgetFile, type KeptFile } from './kept-files.tsx';
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

/** Something that a page left behind and that asks for its file: an upload that has begun, or one that was still waiting. */
export type Asking = Omit<UploadEntry, 'before'> & { lost?: LostUpload };

/** Everything of an album that no file of the list belongs to, as entries that ask for it. @param kept what this browser wrote down */
export async function findAsking(
  albumId: string,
  kept: readonly KeptFile[],
  held: readonly UploadEntry[],
): Promise<Asking[]> {
  const open = await findLostUploads(albumId, held);
  const waiting: Asking[] = [];
  for (const { key, name, sizeBytes, file } of kept) {
    if (file !== undefined) continue;
    const isSame = (one: Pick<UploadEntry, 'name' | 'sizeBytes'>) => one.name === name && one.sizeBytes === sizeBytes;
    // What the server knows of it is enough from now on.
    if (open.some(isSame)) void forgetFile(key);
    else waiting.push({ key, albumId, name, sizeBytes, sentBytes: 0, state: 'missing' });
  }
  return [...open, ...waiting];
}

async function findLostUploads(albumId: string, held: readonly UploadEntry[]): Promise<Asking[]> {
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
