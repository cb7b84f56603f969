import { randomBytes } from 'node:crypto';
import type { Engines } from '#engines/engines.ts';
import { exportReadyEmail } from '#features/notices/account-state-emails.ts';
import { queueEmail } from '#features/notices/store.ts';
import { exportKeptMs, mayHoldExport } from '../rules.ts';
import { listEntries } from './entries.ts';
import { type Attempt, beginAttempt, type DataExport, failExport, markReady, noteProgress } from './exports-store.ts';
import { folderOf, removeFiles, storeVolumes } from './volumes.ts';
import { streamZip } from './write-zip.ts';

/** Builds an export, as soon as the transaction that asked for it has committed. */
export const exportQueue = 'privacy.export';

const system = { kind: 'system' } as const;

/**
 * Builds an export from the start, in files of its own attempt, and names them in one transaction when they are whole: cut off
 * anywhere, the next attempt begins again, and nobody is ever given half a file.
 */
export async function buildExport(
  engines: Engines,
  exportId: string,
  { isLastTry, volumeBytes }: { isLastTry: boolean; volumeBytes?: number },
): Promise<void> {
  const { database, storage, keys, clock } = engines;
  const key = randomBytes(32);
  const attempt = await database.work(system, (tx) => beginAttempt(tx, keys, exportId, key));
  if (attempt === undefined) return;
  const folder = folderOf(exportId, attempt.attempt);
  try {
    await removeFiles(storage, folderOf(exportId));
    if (!mayHoldExport(await storage.freeBytes(), attempt.totalBytes))
      return await database.work(system, (tx) => failExport(tx, exportId, 'no_room', new Date(clock())));
    const zip = streamZip(listEntries(engines, wantedBy(engines, attempt)));
    const volumes = { storage, key, folder, ...(volumeBytes !== undefined && { volumeBytes }) };
    const sizeBytes = await storeVolumes(volumes, zip);
    if (!(await finish(engines, attempt, sizeBytes))) await removeFiles(storage, folder);
  } catch (error) {
    // Its files stay until the next attempt or the sweep: who was cut off while finishing cannot know whether they are named.
    if (isLastTry) await database.work(system, (tx) => failExport(tx, exportId, 'broken', new Date(clock())));
    throw error;
  }
}

/** Progress is written down at every hundredth, which is as fine as it is shown. */
function wantedBy({ database, clock }: Engines, { id, attempt, userId, hasOriginals, totalBytes }: DataExport) {
  let written = 0;
  return {
    userId,
    hasOriginals,
    now: new Date(clock()),
    async onBytes(bytes: number) {
      if (bytes - written < totalBytes / 100) return;
      written = bytes;
      await database.work(system, (tx) => noteProgress(tx, { id, attempt }, Math.min(bytes, totalBytes)));
    },
  };
}

/** @returns false when the account was erased meanwhile, or another attempt was begun */
async function finish(engines: Engines, attempt: Attempt & { userId: string }, sizeBytes: number): Promise<boolean> {
  const { database, jobs, clock, installation } = engines;
  const now = new Date(clock());
  const expiresAt = new Date(now.getTime() + exportKeptMs);
  return database.work(system, async (tx) => {
    const person = await markReady(tx, attempt, { sizeBytes, now, expiresAt });
    if (person === undefined) return false;
    const { email, timeZone } = person;
    const words = exportReadyEmail({
      day: new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone }).format(expiresAt),
      page: `${installation.publicUrl}/account/data`,
    });
    await queueEmail(tx, jobs, { userId: attempt.userId, to: email, now, ...words });
    return true;
  });
}
