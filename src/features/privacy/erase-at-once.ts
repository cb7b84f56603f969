import type { Engines } from '#engines/engines.ts';
import { findAccount } from '#features/accounts/store.ts';
import { beginDeletion } from './deletion/beginning.ts';
import { findDeletionOf, makeDeletionDue } from './deletion/deletions-store.ts';
import { eraseAccount } from './deletion/erasing.ts';
import { emptyWords } from './people/erasures-store.ts';
import { eraseRows } from './retention/erasing-rows.ts';

const system = { kind: 'system' } as const;

/**
 * Erases an account without its grace, as far as that goes now: for accounts that nobody owns. One that is not leaving yet begins to.
 * @returns whether it is erased
 */
export async function eraseAtOnce(engines: Engines, userId: string): Promise<boolean> {
  const { database, clock } = engines;
  const now = new Date(clock());
  const due = await database.work(system, async (tx) => {
    const account = await findAccount(tx, userId);
    if (account === undefined) return undefined;
    const { email, timeZone } = account;
    await beginDeletion(engines, tx, { userId, email, timeZone }, { askedBy: 'operator', now });
    return makeDeletionDue(tx, userId, now);
  });
  if (due !== undefined) await eraseAccount(engines, due);
  const state = await database.work(system, async (tx) => ({
    account: await findAccount(tx, userId),
    deletion: await findDeletionOf(tx, userId),
  }));
  return state.account === undefined || state.deletion?.state === 'done';
}

/** Erases somebody who has paid, without grace: for buyers whom nobody was. Records of payments stay, without an address. */
export async function eraseBuyerAtOnce({ database, clock }: Engines, buyerId: string): Promise<void> {
  await database.work(system, (tx) => emptyWords(tx, { viewerIds: [], buyerId }, new Date(clock())));
  await eraseRows(database, 'buyer', buyerId);
}
