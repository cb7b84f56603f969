import type { Engines } from '#engines/engines.ts';
import { findMe } from '#features/accounts/store.ts';
import { moneyNow } from '#features/books/money-clock.ts';
import { findAppeal } from '#features/payouts/appeals-store.ts';
import type { Payouts } from '#features/payouts/contract.ts';
import { findPayoutAccount, payoutStatusOf } from '#features/payouts/finding-accounts.ts';
import { listHolds } from '#features/payouts/holds-store.ts';
import { findPayee, isDoneOn, type PayeeRow } from '#features/payouts/payouts-store.ts';
import { dayIn, leastPayoutCents, nextPayoutDay } from '#features/payouts/rules.ts';
import { sumDue } from '#features/returns/dispute-fees-store.ts';
import { zoneOrUtc } from '#kit/time.ts';
import type { CreatorContext } from '#wire/context.ts';
import { coverByPending, coverDays } from '../earning-rules.ts';
import { listPayouts, listPending, sumEarnings } from '../earnings/earnings-store.ts';

const currency = 'usd';

/** What can be paid out, when, what speaks against it, and what was. From our own rows, so that nobody waits for the provider. */
export async function showPayouts({ engines, creator, work, asSystem }: CreatorContext): Promise<Payouts> {
  const { payments } = engines;
  const { realm } = payments;
  const { userId } = creator;
  const [me, account] = await Promise.all([findMe(engines.database, userId), findPayoutAccount(engines, userId)]);
  const now = moneyNow(engines);
  const params = { creatorId: userId, realm, currency, now, timeZone: zoneOrUtc(me?.timeZone) };
  const read = await work(async (tx) => ({
    sums: await sumEarnings(tx, params),
    pending: await listPending(tx, params),
    made: await listPayouts(tx, params),
    holds: await listHolds(tx, { userId, realm }),
    appeal: await findAppeal(tx, realm, userId),
  }));
  const { payee, dueCents } = await asSystem(async (tx) => ({
    payee: await findPayee(tx, realm, userId),
    dueCents: account === undefined ? 0 : await sumDue(tx, realm, account.accountId),
  }));
  const owed = read.sums.available - dueCents;
  const { available } = coverByPending({ ...read.sums, available: owed });
  const isFree = read.holds.length === 0 && payee?.isComplete === true;
  return {
    account: payoutStatusOf(engines, account),
    isRestricted: account?.fullStatus === 'restricted',
    missing: account?.missing ?? [],
    available,
    dueCents,
    pending: coverDays(read.pending, available - owed),
    made: read.made,
    interval: payee?.interval ?? 'daily',
    leastCents: leastPayoutCents,
    nextOn: isFree ? await findNextDay(engines, payee, params.timeZone, available) : null,
    canPayNow: isFree && payee.interval === 'manual' && available >= leastPayoutCents,
    holds: read.holds.map(({ code, note, since, expectedAt }) => ({ code, note, since, expectedAt })),
    appeal: read.appeal === undefined ? 'none' : read.appeal.answer === null ? 'open' : 'answered',
    currency,
    isSandbox: engines.sandbox !== undefined,
  };
}

/** The day of the next payout; null while there is too little for one, or none leaves by itself. */
async function findNextDay(
  { database, payments, linkClock }: Engines,
  { accountId, interval }: PayeeRow,
  timeZone: string,
  availableCents: number,
): Promise<string | null> {
  if (availableCents < leastPayoutCents) return null;
  const today = dayIn(new Date(linkClock()), timeZone);
  const isDone = await database.work({ kind: 'system' }, (tx) => isDoneOn(tx, payments.realm, accountId, today));
  return nextPayoutDay(interval, today, isDone) ?? null;
}
