import type { Engines } from '#engines/engines.ts';
import { billsChangedQueue } from '#features/plans/bills-changed.ts';
import { dayMs } from '#kit/time.ts';
import { forgetBillCards } from './cards-store.ts';
import { settleCommissions } from './commissions.ts';
import { billCardDays } from './same-card.ts';
import { forgetApplications } from './store.ts';

const keptDays = 365;

/** Shares of partners follow the bills; applications that nothing has come of are forgotten after a year, and cards after 13 months. */
export function declareAffiliateJobs(engines: Engines): void {
  engines.jobs.every('*/5 * * * *', billsChangedQueue, () => settleCommissions(engines));
  engines.jobs.every('33 4 * * *', 'affiliates.sweep', () => sweepApplications(engines));
}

export async function sweepApplications({ database, clock }: Pick<Engines, 'database' | 'clock'>): Promise<void> {
  const ago = (days: number) => new Date(clock() - days * dayMs);
  await database.work({ kind: 'system' }, async (tx) => {
    await forgetApplications(tx, ago(keptDays));
    await forgetBillCards(tx, ago(billCardDays));
  });
}
