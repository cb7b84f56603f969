import { setTimeout as wait } from 'node:timers/promises';
import type { Engines } from '#engines/engines.ts';
import {
  areEventsWaiting,
  isAnotherRunning,
  listBuyers,
  listLostAccounts,
  listToClean,
  noteCleaned,
  noteViewers,
  removeAccount,
  removeEmails,
  removeTrial,
  removeViewers,
  type ToClean,
} from '#features/fullcheck/cleaning-store.ts';
import type { Cleaning } from '#features/fullcheck/jobs.ts';
import { settleFansQueue } from '#features/money/suspending.ts';
import { eraseAtOnce, eraseBuyerAtOnce } from '#features/privacy/erase-at-once.ts';
import { refundOwed } from '#features/returns/refunding.ts';

const system = { kind: 'system' } as const;
const lookMs = 500;
/** Ends what hangs: the next run, or the next night, goes on from there. */
const mostLooks = 240;
/** After so many looks the rounds are asked for once more. */
const looksOfRound = 10;
/** What the provider tells late finds nobody any more; its emails go with the next run. */
const mostWaits = 40;

/**
 * Removes what runs have made that are over: the product erases each account as it erases everybody's, and then what an erasure keeps
 * of a person goes as well, because nobody was one. While another run is under way nothing is done: it does the same.
 * @throws where something stays that may go
 */
export async function cleanUp(engines: Engines, { own, isOver, only }: Cleaning): Promise<void> {
  const { database, clock } = engines;
  const { work } = database;
  if (await work(system, (tx) => isAnotherRunning(tx, own))) return;
  const runs = (await work(system, (tx) => listToClean(tx, isOver ? own : null))).filter(
    ({ id }) => only?.includes(id) ?? true,
  );
  const [cleaned, faults]: [string[], unknown[]] = [[], []];
  // One account that cannot be erased yet keeps nothing else from it.
  const attempt = (run: () => Promise<unknown>) => run().catch((error: unknown) => void faults.push(error));
  for (const run of runs)
    await attempt(async () => {
      await cleanRun(engines, run);
      cleaned.push(run.id);
    });
  for (const userId of await work(system, (tx) => listLostAccounts(tx, own)))
    await attempt(() => erase(engines, userId));
  for (let waits = 0; waits < mostWaits && (await work(system, areEventsWaiting)); waits++) await wait(lookMs);
  for (const buyerId of await work(system, listBuyers)) await attempt(() => eraseBuyerAtOnce(engines, buyerId));
  await work(system, async (tx) => {
    await removeEmails(tx);
    for (const id of cleaned) await noteCleaned(tx, id, new Date(clock()));
  });
  if (faults.length > 0) throw faults[0];
}

/** Removes what these runs have left, of those that have ended. @throws where something stays that may go */
export const removeTestPeople = (engines: Engines, checkIds: readonly string[]): Promise<void> =>
  cleanUp(engines, { own: null, isOver: false, only: checkIds });

async function cleanRun(engines: Engines, { id, creatorId }: ToClean): Promise<void> {
  const { work } = engines.database;
  if (creatorId !== null) {
    await work(system, (tx) => noteViewers(tx, id, creatorId));
    await erase(engines, creatorId);
  }
  await work(system, (tx) => removeViewers(tx, id));
}

/**
 * Has the product erase an account now. Money goes back first, by rounds that come by themselves and are asked for here.
 * @throws when it is not erased by the end
 */
export async function eraseFully(engines: Engines, userId: string): Promise<void> {
  const { database, jobs } = engines;
  await database.work(system, (tx) => removeTrial(tx, userId));
  for (let looks = 0; !(await eraseAtOnce(engines, userId)); looks++) {
    if (looks === mostLooks) throw new Error('The account of the check is not erased yet: its money is on its way.');
    if (engines.sandbox !== undefined && looks % looksOfRound === 0) {
      await refundOwed(engines);
      await database.work(system, (tx) => jobs.send(tx, settleFansQueue, {}));
    }
    await wait(lookMs);
  }
}

async function erase(engines: Engines, userId: string): Promise<void> {
  await eraseFully(engines, userId);
  await engines.database.work(system, (tx) => removeAccount(tx, userId));
}
