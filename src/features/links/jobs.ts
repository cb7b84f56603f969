import type { Engines } from '#engines/engines.ts';
import { tellExpiring } from './expiring/expiring.ts';

/** What the room does by itself: it tells of links that are about to end. */
export function declareLinkJobs(engines: Engines): void {
  engines.jobs.every('*/10 * * * *', 'links.tellExpiring', () => tellExpiring(engines));
}
