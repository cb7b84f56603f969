import type { Engines } from '#engines/engines.ts';
import { firstIdAt } from '#kit/ids.ts';
import { monthsLater } from '#kit/time.ts';
import { deleteOldEvents } from './recording-store.ts';

const keptMonths = 13;

/** Forgets events after 13 months; safe to repeat. */
export async function forgetOldEvents({ database, linkClock }: Pick<Engines, 'database' | 'linkClock'>): Promise<void> {
  const before = monthsLater(new Date(linkClock()), -keptMonths);
  while ((await deleteOldEvents(database, firstIdAt(before), before)) > 0);
}

/** What the room does by itself. */
export function declareSecurityJobs(engines: Engines): void {
  engines.jobs.every('47 3 * * *', 'security.forget', async () => forgetOldEvents(engines));
}
