import type { Engines } from '#engines/engines.ts';
import { sweepCreations } from './creations.ts';
import { sweepRateLimits } from './store.ts';

/** What the room does by itself. */
export function declareAuditJobs({ database, jobs, clock }: Engines): void {
  jobs.every('17 * * * *', 'audit.sweepRateLimits', async () => {
    const now = new Date(clock());
    await database.work({ kind: 'system' }, async (tx) => {
      await sweepRateLimits(tx, now);
      await sweepCreations(tx, now);
    });
  });
}
