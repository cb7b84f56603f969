import type { Engines } from '#engines/engines.ts';
import { destroyQueue } from './queues.ts';
import { undoMs } from './rules.ts';
import { destroyMedium, listMediaToDestroy } from './store.ts';

/** Destroys the keys of media that were deleted three days ago, then their files; safe to repeat. */
export async function destroyDeletedMedia({ database, storage, clock }: Engines): Promise<void> {
  const before = new Date(clock() - undoMs);
  const media = await database.work({ kind: 'system' }, (tx) => listMediaToDestroy(tx, before));
  for (const medium of media) {
    // The key goes first: whatever happens to the files then, nobody can read them.
    await database.work({ kind: 'system' }, (tx) => destroyMedium(tx, medium));
    for await (const path of storage.list(`media/${medium.id}/`)) await storage.remove(path);
  }
}

/** Background work of media. */
export function declareMediaJobs(engines: Engines): void {
  engines.jobs.every('7 * * * *', destroyQueue, () => destroyDeletedMedia(engines));
}
