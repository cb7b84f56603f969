import type { Engines } from '#engines/engines.ts';
import { noteNotice } from '#features/notices/notices-store.ts';
import { takeExpiring } from './expiring-store.ts';

/** Tells makers of links that end within 24 hours, once for each end. */
export async function notifyExpiring({
  database,
  clock,
  linkClock,
}: Pick<Engines, 'database' | 'clock' | 'linkClock'>): Promise<void> {
  const [now, linkNow] = [new Date(clock()), new Date(linkClock())];
  for (let isMore = true; isMore; )
    isMore = await database.work({ kind: 'system' }, async (tx) => {
      const taken = await takeExpiring(tx, linkNow);
      for (const { linkId, userId, at } of taken)
        await noteNotice(tx, { userId, notice: { event: 'link_expires', linkId, at: at.toISOString() }, now });
      return taken.length > 0;
    });
}
