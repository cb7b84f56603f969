import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { moneyNow } from '#features/books/money-clock.ts';
import { listUnsettledPacks } from '#features/orders/packs-store.ts';
import { settingsOf } from '#features/settings/settings.ts';
import { faultsOfOurs } from '#features/tracing/paying.ts';
import { monthOf } from '#kit/time.ts';
import { expireCredits, giveBack, grantCredits, settlePack } from './accounting.ts';
import { type EarnedRow, listEarned } from './earning-store.ts';
import { listEndedOwners, listPaidFailures } from './lots-store.ts';

const system = { kind: 'system' } as const;

/**
 * Brings credits to what the rest of the product says: packs that were paid or went back, what was earned, what has ended, and
 * what came to nothing: traces that failed through our fault, and videos that were moved to the front. Whoever asks for a balance does it first; a job does it for everybody.
 * @param userId only theirs
 */
export async function settleCredits(engines: Engines, userId?: string): Promise<void> {
  const { database, payments } = engines;
  const { realm } = payments;
  const now = moneyNow(engines);
  const settings = await settingsOf(engines);
  const work = (run: (tx: Tx) => Promise<unknown>) => database.work(system, run);
  const due = await database.work(system, async (tx) => ({
    packs: await listUnsettledPacks(tx, realm, userId),
    earned: await listEarned(tx, realm, { month: monthOf(now), userId }),
    ended: await listEndedOwners(tx, realm, now, userId),
    failures: await listPaidFailures(tx, realm, faultsOfOurs, userId),
  }));
  for (const packId of due.packs) await work((tx) => settlePack(tx, realm, packId, now));
  for (const row of due.earned) {
    const credits = settings[row.source === 'suite' ? 'credits.suiteMonthly' : 'credits.firstSteps'];
    const { userId: owner, source } = row;
    if (credits > 0)
      await work((tx) => grantCredits(tx, { realm, userId: owner, source, credits, key: keyOf(row, now), now }));
  }
  for (const jobId of due.failures) await work((tx) => giveBack(tx, { realm, jobId, now }));
  for (const owner of due.ended) await work((tx) => expireCredits(tx, { realm, userId: owner, now }));
}

/** What comes monthly is named by its month, everything else comes once. */
const keyOf = ({ userId, source }: EarnedRow, now: Date) =>
  source === 'suite'
    ? (`credits:suite:${userId}:${now.toISOString().slice(0, 7)}` as const)
    : (`credits:${source}:${userId}` as const);
