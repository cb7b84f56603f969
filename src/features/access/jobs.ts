import type { Engines } from '#engines/engines.ts';
import { expireAccessRequests } from './requesting-store.ts';

/** Ends the requests that ran out unanswered, and tells the creators' open pages; safe to repeat. @returns how many creators had some */
export async function expireRequests({
  database,
  linkClock,
}: Pick<Engines, 'database' | 'linkClock'>): Promise<number> {
  return database.work({ kind: 'system' }, async (tx) => {
    const creators = await expireAccessRequests(tx, new Date(linkClock()));
    for (const creatorId of creators) await tx.publish({ kind: 'access.expired', creatorId });
    return creators.length;
  });
}

/** What the room does by itself. */
export function declareAccessJobs(engines: Engines): void {
  engines.jobs.every('17 * * * *', 'access.expireRequests', async () => void (await expireRequests(engines)));
}
