import type { Engines } from '#engines/engines.ts';
import { billsChangedQueue } from '#features/plans/bills-changed.ts';
import { dayMs } from '#kit/time.ts';
import { settleCommissions } from './commissions.ts';
import { forgetApplications } from './store.ts';

const keptDays = 365;

/** Shares of partners follow the bills; applications that nothing has come of are forgotten after a year. */
export function declareAffiliateJobs(engines: Engines): void {
  engines.jobs.every('*/5 * * * *', billsChangedQueue, () => settleCommissions(engines));
  engines.jobs.every('33 4 * * *', 'affiliates.sweep', () => sweepApplications(engines));
}

export async function sweepApplications({ database, clock }: Pick<Engines, 'database' | 'clock'>): Promise<void> {
  const before = new Date(clock() - keptDays * dayMs);
  await database.work({ kind: 'system' }, (tx) => forgetApplications(tx, before));
}
