import type { Engines } from '#engines/engines.ts';
import { dayMs } from '#kit/time.ts';
import { forgetDemoEvents } from './demo/demo-events-store.ts';

const keptDays = 90;

/** What the room does without being asked: once a day it forgets scenes that were seen long ago. */
export function declareMarketingJobs(engines: Pick<Engines, 'database' | 'jobs' | 'clock'>): void {
  engines.jobs.every('41 4 * * *', 'marketing.sweep', () => forgetOldScenes(engines));
}

/** Forgets scenes of the demo that were seen more than ninety days ago. */
export function forgetOldScenes({ database, clock }: Pick<Engines, 'database' | 'clock'>): Promise<void> {
  return database.work({ kind: 'system' }, (tx) => forgetDemoEvents(tx, new Date(clock() - keptDays * dayMs)));
}
