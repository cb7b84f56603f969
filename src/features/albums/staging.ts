import { readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { stagingOf } from './uploads-store.ts';

/** How much of an upload is in the staging that this process has; undefined when nothing of it is. */
export const sizeOfStaged = (dataDir: string, id: string): Promise<number | undefined> =>
  stat(path.join(stagingOf(dataDir), id)).then(
    ({ size }) => size,
    () => undefined,
  );

/** What the sender said of a file, as tus noted it beside the bytes. */
export async function readNoted(dataDir: string, id: string): Promise<Record<string, string | null> | undefined> {
  const noted = await readFile(path.join(stagingOf(dataDir), `${id}.json`), 'utf8').catch(() => '{}');
  return (JSON.parse(noted) as { metadata?: Record<string, string | null> }).metadata;
}

/** The SHA-256 in hex that the sender gave, or null. */
export async function readSha256(dataDir: string, id: string): Promise<string | null> {
  const sha256 = (await readNoted(dataDir, id))?.sha256 ?? '';
  return /^[0-9a-f]{64}$/.test(sha256) ? sha256 : null;
}

/** Removes the bytes of an upload and what was noted of it. */
export async function removeStaged(dataDir: string, id: string): Promise<void> {
  for (const ending of ['', '.json']) await rm(path.join(stagingOf(dataDir), `${id}${ending}`), { force: true });
}
