import type { Engines } from '#engines/engines.ts';
import { dayMs } from '#kit/time.ts';
import { forgetClicks } from './store.ts';

const keptDays = 400;

/** Clicks are forgotten after 13 months. */
export function declareReferralJobs(engines: Engines): void {
  engines.jobs.every('41 4 * * *', 'referrals.sweep', () => sweepClicks(engines));
}

export async function sweepClicks({ database, clock }: Pick<Engines, 'database' | 'clock'>): Promise<void> {
  const before = new Date(clock() - keptDays * dayMs);
  await database.work({ kind: 'system' }, (tx) => forgetClicks(tx, before));
}
