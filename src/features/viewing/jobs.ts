import type { Engines } from '#engines/engines.ts';
import { visitGapMs } from '#features/access/rules.ts';
import { sweepLeases } from '#features/media/leases-store.ts';
import { dayMs } from '#kit/time.ts';
import { sweepResumeCodes } from './opening/admissions-store.ts';
import { gateCodes } from './opening/email-gate-store.ts';
import { sweepPasswordProofs } from './opening/password-proof-store.ts';
import { sweepPasswordTries } from './opening/password-store.ts';
import { passCodes } from './passes/passes-store.ts';
import { sweepTokens } from './recovery/recovery-store.ts';
import { sendReminders } from './reminding/sending-reminders.ts';
import { endVisit, findQuietVisits } from './visits-store.ts';

/** Leases say who held keys when; deliveries keep who was shown what, so these may go. */
const leaseMemoryMs = 7 * dayMs;

/** Ends the visits that nobody renews any more; safe to repeat. @returns how many ended */
export async function endQuietVisits({
  database,
  linkClock,
}: Pick<Engines, 'database' | 'linkClock'>): Promise<number> {
  const now = linkClock();
  const quiet = { since: new Date(now - visitGapMs), until: new Date(now + visitGapMs) };
  let ended = 0;
  for (const visitId of await findQuietVisits(database, quiet)) {
    const end = { visitId, state: 'closed', reason: 'left', now: undefined, quiet, closesScreen: false } as const;
    if (await endVisit(database, end)) ended++;
  }
  return ended;
}

/** What the room does by itself. */
export function declareViewingJobs(engines: Engines): void {
  const { database, jobs, linkClock } = engines;
  jobs.every('* * * * *', 'viewing.endVisits', async () => void (await endQuietVisits(engines)));
  jobs.every('* * * * *', 'viewing.remind', async () => void (await sendReminders(engines)));
  jobs.every('23 * * * *', 'viewing.sweep', async () => {
    const now = new Date(linkClock());
    await sweepLeases(database, new Date(now.getTime() - leaseMemoryMs));
    await sweepResumeCodes(database, now);
    await sweepPasswordTries(database, now);
    await sweepPasswordProofs(database, new Date(now.getTime() - dayMs));
    await sweepTokens(database, now);
    await passCodes.sweep(database, now);
    await gateCodes.sweep(database, now);
  });
}
