import type { Engines } from '#engines/engines.ts';
import { insertAudit } from '#features/audit/store.ts';
import { undoMs } from './rules.ts';
import { destroyMedium, listMediaToDestroy } from './store.ts';

/** Finds media whose time to think better of it is over. */
const destroyQueue = 'media.destroy';

/** Destroys the keys of media that were deleted three days ago, then their files; safe to repeat. */
export async function destroyDeletedMedia({ database, storage, clock, log }: Engines): Promise<void> {
  const before = new Date(clock() - undoMs);
  const media = await database.work({ kind: 'system' }, (tx) => listMediaToDestroy(tx, before));
  let files = 0;
  for (const medium of media) {
    // The key goes first: whatever happens to the files then, nobody can read them.
    await database.work({ kind: 'system' }, (tx) => destroyMedium(tx, medium));
    for await (const path of storage.list(`media/${medium.id}/`)) {
      await storage.remove(path);
      files++;
    }
  }
  if (media.length === 0) return;
  const details = { media: media.length, files };
  log.info(details, 'deleted media were destroyed');
  await database.work({ kind: 'system' }, (tx) =>
    insertAudit(tx, { actor: { type: 'system' }, action: 'media.destroyed', details }),
  );
}

/** Background work of media. */
export function declareMediaJobs(engines: Engines): void {
  engines.jobs.every('7 * * * *', destroyQueue, () => destroyDeletedMedia(engines));
}
