import type { Engines } from '#engines/engines.ts';
import { eraseDueAccounts } from './deletion/erasing.ts';
import { stopPlan, stopPlanQueue } from './deletion/stopping-plan.ts';
import { buildExport, exportQueue } from './exports/build-export.ts';
import { sweepExports } from './exports/sweep-exports.ts';
import { forgetOldAudit, forgetOldOrders } from './retention/retaining.ts';

/** What the room does by itself: plans of accounts that leave run out, accounts whose grace is over are erased, exports are built and end, and old orders forget whose they were. */
export function declarePrivacyJobs(engines: Engines): void {
  engines.jobs.handle<{ userId: string }>(stopPlanQueue, ({ userId }) => stopPlan(engines, userId), { retryLimit: 12 });
  engines.jobs.every('*/10 * * * *', 'privacy.erase', () => eraseDueAccounts(engines), { expireInSeconds: 3600 });
  engines.jobs.handle<{ exportId: string }>(
    exportQueue,
    ({ exportId }, _signal, isLastTry) => buildExport(engines, exportId, { isLastTry }),
    { atOnce: 1, perKey: 'one_running', retryLimit: 5, retryDelaySeconds: 60, expireInSeconds: 6 * 3600 },
  );
  engines.jobs.every('41 * * * *', 'privacy.sweepExports', () => sweepExports(engines), { expireInSeconds: 3600 });
  engines.jobs.every('29 4 * * *', 'privacy.retain', async () => {
    await forgetOldOrders(engines);
    await forgetOldAudit(engines);
  });
}
