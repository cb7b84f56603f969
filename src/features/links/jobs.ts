import type { Engines } from '#engines/engines.ts';
import { notifyExpiring } from './expiring/expiring.ts';

/** What the room does by itself: it tells of links that are about to end. */
export function declareLinkJobs(engines: Engines): void {
  engines.jobs.every('*/10 * * * *', 'links.notifyExpiring', () => notifyExpiring(engines));
}
