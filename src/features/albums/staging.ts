import { readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { cleanLine } from '#kit/clean-text.ts';
import { stagingOf } from './uploads-store.ts';

/** Returns how much of an upload is in the staging that this process has; undefined when nothing of it is. */
export const sizeOfStaged = (dataDir: string, id: string): Promise<number | undefined> =>
  stat(path.join(stagingOf(dataDir), id)).then(
    ({ size }) => size,
    () => undefined,
  );

/** What the sender said of a file, as tus noted it beside the bytes; undefined when the note is gone or was cut off with its machine. */
export async function readNoted(dataDir: string, id: string): Promise<Record<string, string | null> | undefined> {
  try {
    const noted = await readFile(path.join(stagingOf(dataDir), `${id}.json`), 'utf8');
    return (JSON.parse(noted) as { metadata?: Record<string, string | null> }).metadata;
  } catch {
    return undefined;
  }
}

const mostUnits = 255;

/** A name that is too long is cut before its ending, which says what it is, and never in the middle of a letter. */
export function shortenName(name: string): string {
  if (name.length <= mostUnits) return name;
  const [ending = ''] = /\.[\p{L}\p{N}]{1,10}$/u.exec(name) ?? [];
  let stem = '';
  for (const { segment } of new Intl.Segmenter().segment(name.slice(0, mostUnits + 50)))
    if (stem.length + segment.length <= mostUnits - ending.length) stem += segment;
    else break;
  return `${stem}${ending}`;
}

/** What a browser may say about a file; hints only, the bytes decide later. */
export function readMetadata(metadata: Record<string, string | null> | undefined) {
  const { albumId, filename, sha256, sample } = metadata ?? {};
  return {
    albumId: albumId ?? '',
    originalName:
      shortenName(
        cleanLine(filename ?? '')
          .replaceAll('\u007f', '')
          .trim(),
      ) || 'file',
    sha256: readHash(sha256),
    sample: readHash(sample),
  };
}

const readHash = (hash: string | null | undefined): string | undefined =>
  /^[0-9a-f]{64}$/.test(hash ?? '') ? (hash ?? undefined) : undefined;

/** Which file an upload is, as its sender said. */
export async function readMarks(dataDir: string, id: string) {
  const { sha256 = null, sample = null } = readMetadata(await readNoted(dataDir, id));
  return { sha256, sample };
}

/** Removes the bytes of an upload and what was noted of it. */
export async function removeStaged(dataDir: string, id: string): Promise<void> {
  for (const ending of ['', '.json']) await rm(path.join(stagingOf(dataDir), `${id}${ending}`), { force: true });
}
