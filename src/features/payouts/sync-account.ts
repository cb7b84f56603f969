import type { Engines } from '#engines/engines.ts';
import { moneyNow } from '#features/books/money-clock.ts';
import { withObjectLock } from '#features/books/object-lock.ts';
import { type AccountRow, findAccountById, writeAccount } from './accounts-store.ts';
import { notifyAccount } from './notify-payouts.ts';

const system = { kind: 'system' } as const;
/** Lost to somebody who was quicker, so often that something else is wrong. */
const mostRounds = 20;

/** Asks the provider whether a creator can be paid. @returns undefined when the account is none of ours */
export async function syncAccount(engines: Engines, accountId: string): Promise<AccountRow | undefined> {
  const { database, payments } = engines;
  return withObjectLock(engines, accountId, async () => {
    for (let round = 0; round < mostRounds; round++) {
      const known = await database.work(system, (tx) => findAccountById(tx, payments.realm, accountId));
      if (known === undefined) return undefined;
      const account = await payments.findAccount(accountId);
      const after = { fullStatus: fullStatusOf(account, known), missing: account.missing };
      const now = moneyNow(engines);
      const isWritten = await database.work(system, async (tx) => {
        const change = { accountId, ...after, version: known.syncedVersion, now };
        if (!(await writeAccount(tx, payments.realm, change))) return false;
        await notifyAccount(engines, tx, { before: known, after }, now);
        return true;
      });
      if (isWritten) return database.work(system, (tx) => findAccountById(tx, payments.realm, accountId));
    }
    throw new Error('An account was changed by somebody else again and again.');
  });
}

/** An account that was complete and is not any more is restricted; one that never was is still to be completed. */
function fullStatusOf(
  { isReady, isClosed }: { isReady: boolean; isClosed: boolean },
  { connectedAt }: AccountRow,
): AccountRow['fullStatus'] {
  if (isClosed) return 'closed';
  if (isReady) return 'complete';
  return connectedAt === null ? 'pending' : 'restricted';
}
