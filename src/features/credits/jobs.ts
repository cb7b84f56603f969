import type { Engines } from '#engines/engines.ts';
import { settleCredits } from './lots/settling.ts';

/** What is earned, paid, given back and over, also of those who do not look. */
export function declareCreditJobs(engines: Engines): void {
  engines.jobs.every('*/5 * * * *', 'credits.settle', () => settleCredits(engines));
}
