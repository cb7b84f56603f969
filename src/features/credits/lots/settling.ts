import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { moneyNow } from '#features/books/money-clock.ts';
import { listUnsettledPacks } from '#features/orders/packs-store.ts';
import { settingsOf } from '#features/settings/settings.ts';
import { faultsOfOurs } from '#features/tracing/paying.ts';
import { dayMs, monthOf } from '#kit/time.ts';
import { expireCredits, giveBack, grantCredits, settlePack } from './accounting.ts';
import { type EarnedRow, listEarned } from './earning-store.ts';
import { listEndedOwners, listPaidFailures } from './lots-store.ts';

const system = { kind: 'system' } as const;
/** So long the first payment of somebody who was brought can be had back. */
const referralWaitsMs = 8 * dayMs;
/** Which setting says how many credits come of what. */
const settingOf = {
  suite: 'credits.suiteMonthly',
  first_album: 'credits.firstSteps',
  first_link: 'credits.firstSteps',
  payouts: 'credits.firstSteps',
  referral: 'credits.referral',
} as const satisfies Record<EarnedRow['source'], string>;

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
  const paidBefore = new Date(now.getTime() - referralWaitsMs);
  const work = (run: (tx: Tx) => Promise<unknown>) => database.work(system, run);
  const due = await database.work(system, async (tx) => ({
    packs: await listUnsettledPacks(tx, realm, userId),
    earned: await listEarned(tx, realm, { month: monthOf(now), paidBefore, userId }),
    ended: await listEndedOwners(tx, realm, now, userId),
    failures: await listPaidFailures(tx, realm, faultsOfOurs, userId),
  }));
  for (const packId of due.packs) await work((tx) => settlePack(tx, realm, packId, now));
  for (const row of due.earned) {
    const credits = settings[settingOf[row.source]];
    const { userId: owner, source } = row;
    if (credits > 0)
      await work((tx) => grantCredits(tx, { realm, userId: owner, source, credits, key: keyOf(row, now), now }));
  }
  for (const jobId of due.failures) await work((tx) => giveBack(tx, { realm, jobId, now }));
  for (const owner of due.ended) await work((tx) => expireCredits(tx, { realm, userId: owner, now }));
}

/** What comes monthly is named by its month, what comes of a referral by it, and everything else comes once. */
function keyOf({ userId, source, referralId }: EarnedRow, now: Date): `credits:${string}` {
  if (source === 'suite') return `credits:suite:${userId}:${now.toISOString().slice(0, 7)}`;
  return `credits:${source}:${referralId ?? userId}`;
}
