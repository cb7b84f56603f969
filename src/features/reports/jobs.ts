import type { Engines } from '#engines/engines.ts';
import { suspendAccount } from '#features/accounts/suspending.ts';
import { listNewMatches, markNotified } from '#features/media/blocked-media.ts';
import { queueEmail } from '#features/notices/store.ts';
import { matchesEmail, reportsDueEmail } from '#features/notices/support-emails.ts';
import { dayMs, formatMomentIn, hourMs } from '#kit/time.ts';
import { listUrgentReports, markReminded } from './answers-store.ts';
import { describeMatch } from './commands.ts';
import { type DecidingEngines, endCounterNotices } from './deciding.ts';
import { forgetLooks } from './glass/glass-store.ts';
import { copiesQueue, holdCopiesOf } from './hiding.ts';
import { keptDays, reminderHours } from './rules.ts';
import { forgetReports } from './store.ts';

const system = { kind: 'system' } as const;
const mostTold = 50;
const suspendedWhy = 'Something that was uploaded to this account is under review.';

/** What the room does by itself: it looks for copies, minds the clocks of reports, and forgets what was decided long ago. */
export function declareReportJobs(engines: Engines): void {
  const { jobs } = engines;
  jobs.handle<{ reportId: string }>(copiesQueue, ({ reportId }) => holdCopiesOf(engines, reportId));
  jobs.every('*/10 * * * *', 'reports.remind', () => remindOfReports(engines));
  jobs.every('* * * * *', 'reports.notifyMatches', () => notifyMatches(engines));
  jobs.every('37 * * * *', 'reports.endCounterNotices', () => endCounterNotices(engines));
  jobs.every('57 3 * * *', 'reports.forget', () => forgetOldReports(engines));
}

type Needed = Pick<Engines, 'database' | 'clock' | 'jobs' | 'installation'>;

/** Reminds the operator of reports whose time is nearly over, once, and of those whose time is over, once. */
export async function remindOfReports({ database, clock, jobs, installation }: Needed): Promise<void> {
  const { operatorEmail: to } = installation;
  if (to === undefined) return;
  const now = new Date(clock());
  await database.work(system, async (tx) => {
    const soon = new Date(now.getTime() + reminderHours * hourMs);
    const urgent = await listUrgentReports(tx, { now, soon, limit: mostTold });
    if (urgent.length === 0) return;
    const lines = urgent.map(({ number, kind, decideBy }) => ({
      number,
      kind,
      decideBy: formatMomentIn(decideBy, 'UTC'),
      isOver: decideBy <= now,
    }));
    await queueEmail(tx, jobs, { to, now, ...reportsDueEmail(lines) });
    for (const isOver of [true, false]) {
      const ids = urgent.filter(({ decideBy }) => decideBy <= now === isOver).map(({ id }) => id);
      await markReminded(tx, ids, isOver, now);
    }
  });
}

/**
 * Notifies the operator of what is held back as a copy of something else. Whoever uploaded the very file of an operator's list is
 * suspended until somebody has looked.
 */
export async function notifyMatches(engines: DecidingEngines): Promise<void> {
  const { database, clock, jobs, installation } = engines;
  const { operatorEmail: to } = installation;
  const now = new Date(clock());
  await database.work(system, async (tx) => {
    const matches = await listNewMatches(tx, mostTold);
    if (matches.length === 0) return;
    const listed = matches.filter(({ source, isExact }) => source === 'list' && isExact);
    for (const creatorId of new Set(listed.map((match) => match.creatorId)))
      await suspendAccount(engines, tx, creatorId, suspendedWhy);
    const lines = matches.map((match) => ({ mediaId: match.mediaId, why: describeMatch(match) }));
    if (to !== undefined) await queueEmail(tx, jobs, { to, now, ...matchesEmail(lines) });
    await markNotified(
      tx,
      matches.map(({ mediaId }) => mediaId),
      now,
    );
  });
}

export async function forgetOldReports({ database, clock }: Pick<Engines, 'database' | 'clock'>): Promise<void> {
  const before = new Date(clock() - keptDays * dayMs);
  await database.work(system, async (tx) => {
    await forgetReports(tx, before);
    await forgetLooks(tx, before);
  });
}
