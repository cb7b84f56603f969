import type { Engines } from '#engines/engines.ts';
import { insertErrorLog } from '#features/audit/store.ts';
import { forgetOldViewers } from '#features/viewing/forgetting-store.ts';
import {
  deleteOldGateVisits,
  deleteOldRobotOpens,
  deleteOldWrongCodes,
  deleteOldWrongPasswords,
} from '#features/viewing/refused-store.ts';
import { deleteOldVisits } from '#features/viewing/visits-store.ts';
import { dayMs } from '#kit/time.ts';
import { notifyOpens } from './first-opens/first-opens.ts';
import {
  deleteOldEvents,
  deleteOldSeen,
  foldBatch,
  foldMovedIn,
  isFoldHeld,
  isMovedIn,
  takeFold,
} from './folding/fold-store.ts';
import { recountViews } from './recount.ts';
import { eventsKeptSince } from './rules.ts';

type Needs = Pick<Engines, 'database' | 'clock' | 'linkClock'>;
const system = { kind: 'system' } as const;
/** A transaction that is open for longer keeps the sums behind. */
const heldMs = 30_000;

/** Adds to the sums what was seen since the last time; whoever comes while another one folds leaves it to them. */
export async function foldViews({ database, clock }: Pick<Engines, 'database' | 'clock'>): Promise<void> {
  let isMore = true;
  while (isMore)
    isMore = await database.work(system, async (tx) => {
      if (!(await takeFold(tx))) return false;
      const now = new Date(clock());
      if (await isMovedIn(tx)) await foldMovedIn(tx, now);
      return foldBatch(tx, now);
    });
}

/** Says so when a transaction that does not end keeps the sums behind. */
async function watchFold({ database, clock, linkClock }: Needs): Promise<void> {
  await database.work(system, async (tx) => {
    if (!(await isFoldHeld(tx, new Date(linkClock() - heldMs)))) return;
    const message = 'Views are not added up: a transaction has been open for more than 30 s.';
    await insertErrorLog(tx, { component: 'insights.fold', message, severity: 'warning' }, new Date(clock()));
  });
}

/**
 * Forgets single visits and looks after 13 months, and the browsers that have not come since; their sums stay, and so does who
 * was given which marks.
 */
export async function forgetOldVisits({ database, linkClock }: Needs): Promise<void> {
  // A day later than what is compared, so that a recount never meets half a link.
  const before = new Date(eventsKeptSince(new Date(linkClock())).getTime() - dayMs);
  const forget = () => database.work(system, async (tx) => ((await takeFold(tx)) ? deleteOldEvents(tx, before) : 0));
  while ((await forget()) > 0);
  while ((await deleteOldVisits(database, before)) > 0);
  while ((await deleteOldSeen(database, before)) > 0);
  while ((await forgetOldViewers(database, before)) > 0);
  while ((await deleteOldGateVisits(database, before)) > 0);
  await deleteOldRobotOpens(database, before);
  await deleteOldWrongPasswords(database, before);
  await deleteOldWrongCodes(database, before);
}

/** What the room does by itself. */
export function declareInsightsJobs(engines: Engines): void {
  engines.jobs.every('* * * * *', 'insights.notifyOpens', async () => void (await notifyOpens(engines)));
  engines.jobs.every('* * * * *', 'insights.fold', async () => {
    await foldViews(engines);
    await watchFold(engines);
  });
  engines.jobs.every('41 3 * * *', 'insights.recount', async () => {
    await recountViews(engines);
    await forgetOldVisits(engines);
  });
}
