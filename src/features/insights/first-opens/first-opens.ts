import type { Engines } from '#engines/engines.ts';
import type { Notice } from '#features/notices/notice-words.ts';
import { noteNotice, notifyAtOnce } from '#features/notices/notices-store.ts';
import { nameKnownCountry } from '../insight-texts.ts';
import { type Further, type Opening, takeFirstOpens, takeFurtherOpens } from './first-opens-store.ts';

type Needs = Pick<Engines, 'database' | 'jobs' | 'clock' | 'linkClock'>;

/**
 * Tells whoever made a link when somebody opens it for the first time, and – if they asked for every time – what followed, once an
 * hour. Noting it and telling it are one transaction: each is told once, whoever runs this beside or dies meanwhile.
 * @returns how many openings were told or, where they are not wanted, passed over
 */
export async function notifyOpens({ database, jobs, clock, linkClock }: Needs): Promise<number> {
  const [now, linkNow] = [new Date(clock()), new Date(linkClock())];
  let notified = 0;
  for (let isMore = true; isMore; )
    isMore = await database.work({ kind: 'system' }, async (tx) => {
      const first = await takeFirstOpens(tx);
      const further = await takeFurtherOpens(tx, linkNow);
      for (const opening of first.filter(({ isWanted }) => isWanted))
        await notifyAtOnce(tx, jobs, { userId: opening.userId, notice: noticeOfFirst(opening), now });
      for (const opens of further.filter(({ isWanted }) => isWanted))
        await noteNotice(tx, { userId: opens.userId, notice: noticeOfFurther(opens), now });
      const taken = first.length + further.length;
      notified += taken;
      return taken > 0;
    });
  return notified;
}

const noticeOfFirst = ({ linkId, at, country, isCountryEstimated }: Opening): Notice => ({
  event: 'first_open',
  linkId,
  at: at.toISOString(),
  country: country === null ? null : nameKnownCountry(country) + (isCountryEstimated ? ' (estimated)' : ''),
});

const noticeOfFurther = ({ linkId, opens, since }: Further): Notice => ({
  event: 'further_opens',
  linkId,
  opens,
  since: since.toISOString(),
});
