import type { Engines } from '#engines/engines.ts';
import { firstOpenEmail, furtherOpensEmail } from '#features/notices/emails.ts';
import { queueEmail } from '#features/notices/store.ts';
import { tellMomentIn } from '#kit/time.ts';
import { type Further, type Opening, takeFirstOpens, takeFurtherOpens } from './first-opens-store.ts';
import { nameCountry } from './insight-texts.ts';

type Needs = Pick<Engines, 'database' | 'jobs' | 'clock' | 'linkClock' | 'installation'>;

/**
 * Mails whoever made a link when somebody opens it for the first time, and – if she asked for every time – what followed, once an
 * hour. Noting it and queuing the email are one transaction: each is told once, whoever runs this beside or dies meanwhile.
 * @returns how many openings and digests were told or, where they are not wanted, passed over
 */
export async function tellOpens({ database, jobs, clock, linkClock, installation }: Needs): Promise<number> {
  const [now, linkNow] = [new Date(clock()), new Date(linkClock())];
  const words = wordsOf(installation.publicUrl);
  let told = 0;
  for (let isMore = true; isMore; )
    isMore = await database.work({ kind: 'system' }, async (tx) => {
      const first = await takeFirstOpens(tx);
      const further = await takeFurtherOpens(tx, linkNow);
      const emails = [
        ...first.map((opening) => ({ to: opening, message: words.first(opening) })),
        ...further.map((opens) => ({ to: opens, message: words.further(opens) })),
      ];
      for (const { to, message } of emails.filter(({ to }) => to.isWanted))
        await queueEmail(tx, jobs, { userId: to.userId, to: to.email, now, ...message });
      told += emails.length;
      return emails.length > 0;
    });
  return told;
}

const wordsOf = (publicUrl: string) => ({
  first: ({ linkId, at, timeZone, country, isCountryEstimated }: Opening) =>
    firstOpenEmail({
      at: tellMomentIn(at, timeZone),
      country: country === null ? undefined : nameCountry(country) + (isCountryEstimated ? ' (estimated)' : ''),
      linkPage: `${publicUrl}/magic-links/${linkId}`,
    }),
  further: ({ linkId, opens, since, timeZone }: Further) =>
    furtherOpensEmail({ opens, since: tellMomentIn(since, timeZone), linkPage: `${publicUrl}/magic-links/${linkId}` }),
});
