import { Upload } from 'tus-js-client';
import { callsOf } from '#wire/client.ts';
import { albumsContract } from '../contract.ts';
import { mostWholeBytes } from './file-fingerprint.tsx';
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

type OpenUpload = Awaited<ReturnType<typeof albums.openUploads.call>>[number];
type Named = Pick<OpenUpload, 'originalName' | 'sizeBytes'>;

/** Everything of an album that no file of the list belongs to, as entries that ask for it. @param kept what this browser wrote down */
export async function findAsking(
  albumId: string,
  kept: readonly KeptFile[],
  held: readonly UploadEntry[],
): Promise<Asking[]> {
  const open = await albums.openUploads.call({ albumId }).catch(() => []);
  const isAnyLong = kept.some(({ file }) => file === undefined);
  const { items } = isAnyLong ? await albums.one.call({ albumId }).catch(() => ({ items: [] })) : { items: [] };
  // One that failed there may have been picked once more.
  const { waiting, known } = sortKept(kept, [...open, ...items.filter(({ state }) => state !== 'failed')]);
  for (const { key } of known) void forgetFile(key);
  return [
    ...listLost(albumId, open, held),
    ...waiting.map(({ key, name, sizeBytes }) => ({
      key,
      albumId,
      name,
      sizeBytes,
      sentBytes: 0,
      state: 'missing' as const,
    })),
  ];
}

/**
 * Long videos that were picked, whose file no page holds: those that still wait to be sent, and those that the server knows.
 * @param there what it has of the album, whole or not
 */
export function sortKept(
  kept: readonly KeptFile[],
  there: readonly Named[],
): { waiting: KeptFile[]; known: KeptFile[] } {
  const long = kept.filter(({ file }) => file === undefined);
  const isKnown = ({ name, sizeBytes }: KeptFile) =>
    there.some((one) => one.originalName === name && one.sizeBytes === sizeBytes);
  return { waiting: long.filter((one) => !isKnown(one)), known: long.filter(isKnown) };
}

/** Those that have begun and are not whole on the server. */
function listLost(albumId: string, open: readonly OpenUpload[], held: readonly UploadEntry[]): Asking[] {
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
