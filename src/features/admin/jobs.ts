import type { Engines } from '#engines/engines.ts';
import { cleanPlan, cleanQueue, lookForJunk, lookQueue } from './junk/junk.ts';
import type { JunkDoing } from './junk/kinds.ts';

/** What the room does by itself: it looks for rubbish and cleans it when an owner asks, and forgets jobs that are done. */
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
}
