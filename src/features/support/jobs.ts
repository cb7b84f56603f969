import type { Engines } from '#engines/engines.ts';
import { forgetErrorLogs } from '#features/audit/store.ts';
import { dayMs } from '#kit/time.ts';
import { keptDays } from './rules.ts';
import { forgetSupportRequests } from './store.ts';

/** What the room does by itself: every night it forgets what is kept no longer. */
export function declareSupportJobs(engines: Engines): void {
  engines.jobs.every('53 3 * * *', 'support.forget', () => forgetOldSupport(engines));
}

export async function forgetOldSupport({ database, clock }: Pick<Engines, 'database' | 'clock'>): Promise<void> {
  const before = (days: number) => new Date(clock() - days * dayMs);
  await database.work({ kind: 'system' }, async (tx) => {
    await forgetSupportRequests(tx, before(keptDays.requests));
    await forgetErrorLogs(tx, before(keptDays.errors));
  });
}
