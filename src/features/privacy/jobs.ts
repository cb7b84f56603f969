import type { Engines } from '#engines/engines.ts';
import { eraseAgain } from './again/erased-list.ts';
import { eraseDueAccounts } from './deletion/erasing.ts';
import { stopPlan, stopPlanQueue } from './deletion/stopping-plan.ts';
import { buildExport, exportQueue } from './exports/build-export.ts';
import { sweepExports } from './exports/sweep-exports.ts';
import { stopRenewals, stopRenewalsQueue } from './people/beginning.ts';
import { dataCodes } from './people/data-codes-store.ts';
import { eraseDuePeople } from './people/erasing.ts';
import { forgetOldAudit, forgetOldOrders } from './retention/retaining.ts';

/** What the room does by itself: plans of accounts that leave run out, accounts whose grace is over are erased, exports are built and end, and old orders forget whose they were. */
export function declarePrivacyJobs(engines: Engines): void {
  engines.jobs.handle<{ userId: string }>(stopPlanQueue, ({ userId }) => stopPlan(engines, userId), { retryLimit: 12 });
  engines.jobs.handle<{ erasureId: string }>(stopRenewalsQueue, ({ erasureId }) => stopRenewals(engines, erasureId), {
    retryLimit: 12,
  });
  const erase = async () => {
    await eraseAgain(engines);
    await eraseDueAccounts(engines);
    await eraseDuePeople(engines);
  };
  engines.jobs.every('*/10 * * * *', 'privacy.erase', erase, { expireInSeconds: 3600 });
  engines.jobs.handle<{ exportId: string }>(
    exportQueue,
    ({ exportId }, _signal, isLastTry) => buildExport(engines, exportId, { isLastTry }),
    { atOnce: 1, perKey: 'one_running', retryLimit: 5, retryDelaySeconds: 60, expireInSeconds: 6 * 3600 },
  );
  const sweep = async () => {
    await sweepExports(engines);
    await engines.database.work({ kind: 'system' }, (tx) => dataCodes.sweep(tx, new Date(engines.clock())));
  };
  engines.jobs.every('41 * * * *', 'privacy.sweepExports', sweep, { expireInSeconds: 3600 });
  engines.jobs.every('29 4 * * *', 'privacy.retain', async () => {
    await forgetOldOrders(engines);
    await forgetOldAudit(engines);
  });
}
