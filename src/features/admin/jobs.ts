import type { Engines } from '#engines/engines.ts';
import { dayMs } from '#kit/time.ts';
import { cleanPlan, cleanQueue, lookForJunk, lookQueue } from './junk/junk.ts';
import type { JunkDoing } from './junk/kinds.ts';
import { forgetNotes } from './users/notes-store.ts';

/** What the room does by itself: it looks for rubbish and cleans it when an owner asks, and forgets jobs that are done and old notes. */
export function declareAdminJobs(engines: Engines, doing: JunkDoing): void {
  const one = { perKey: 'one_running' } as const;
  engines.jobs.handle<{ planId: string }>(
    lookQueue,
    ({ planId }, _signal, isLastTry) => lookForJunk(engines, doing, planId, isLastTry),
    one,
  );
  engines.jobs.handle<{ planId: string }>(
    cleanQueue,
    ({ planId }, _signal, isLastTry) => cleanPlan(engines, doing, planId, isLastTry),
    one,
  );
  engines.jobs.every('23 * * * *', 'admin.forgetDoneJobs', () => engines.jobs.forgetDone());
  engines.jobs.every('27 3 * * *', 'admin.forgetNotes', () => forgetOldNotes(engines));
}

const notesKeptMs = 2 * 365 * dayMs;

/** Forgets what was noted about accounts two years ago. */
export async function forgetOldNotes({ database, clock }: Pick<Engines, 'database' | 'clock'>): Promise<void> {
  await database.work({ kind: 'system' }, (tx) => forgetNotes(tx, new Date(clock() - notesKeptMs)));
}
