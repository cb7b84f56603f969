import type { Engines } from '#engines/engines.ts';
import { dayMs } from '#kit/time.ts';
import { checkAudit, sealAudit } from './chain/sealing.ts';
import { sweepCreations } from './creations.ts';
import { checkQueue } from './desk/looking.ts';
import { deleteOldMetrics } from './metrics-store.ts';
import { sweepRateLimits } from './store.ts';

const metricsDays = 30;

/** What the room does by itself. */
export function declareAuditJobs({ database, jobs, clock }: Engines): void {
  jobs.every('*/5 * * * *', 'audit.seal', async () => void (await sealAudit({ database })));
  jobs.handle(checkQueue, async () => void (await checkAudit({ database, clock })), { perKey: 'one' });
  jobs.every('41 2 * * *', 'audit.checkNightly', async () => void (await checkAudit({ database, clock })));
  jobs.every('17 * * * *', 'audit.sweepRateLimits', async () => {
    const now = new Date(clock());
    await database.work({ kind: 'system' }, async (tx) => {
      await sweepRateLimits(tx, now);
      await sweepCreations(tx, now);
      await deleteOldMetrics(tx, new Date(now.getTime() - metricsDays * dayMs));
    });
  });
}
