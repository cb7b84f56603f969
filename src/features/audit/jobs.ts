import type { Engines } from '#engines/engines.ts';
import { sweepRateLimits } from './store.ts';

/** What the room does by itself. */
export function declareAuditJobs({ database, jobs, clock }: Engines): void {
  jobs.every('17 * * * *', 'audit.sweepRateLimits', async () => {
    await database.work({ kind: 'system' }, (tx) => sweepRateLimits(tx, new Date(clock())));
  });
}
