import type { Engines } from '#engines/engines.ts';
import { dayMs } from '#kit/time.ts';
import { keptDays } from './rules.ts';
import { forgetReports } from './store.ts';

/** What the room does by itself: every night it forgets what was decided long ago. */
export function declareReportJobs(engines: Engines): void {
  engines.jobs.every('57 3 * * *', 'reports.forget', () => forgetOldReports(engines));
}

export async function forgetOldReports({ database, clock }: Pick<Engines, 'database' | 'clock'>): Promise<void> {
  const before = new Date(clock() - keptDays * dayMs);
  await database.work({ kind: 'system' }, (tx) => forgetReports(tx, before));
}
