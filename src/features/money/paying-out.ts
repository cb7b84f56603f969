import type { Engines } from '#engines/engines.ts';
import { PaymentRefused } from '#engines/payments/payments.ts';
import type { Payout } from '#engines/payments/payouts.ts';
import { callOnce } from '#features/books/call-once.ts';
import { syncPayouts } from '#features/books/ledger-sync.ts';
import { moneyNow } from '#features/books/money-clock.ts';
import { withObjectLock } from '#features/books/object-lock.ts';
import { doOneByOne } from '#features/books/one-by-one.ts';
import { updateHolds, updateSellerRecord } from '#features/payouts/holding.ts';
import { listHolds } from '#features/payouts/holds-store.ts';
import {
  findPayee,
  insertPayout,
  isDoneOn,
  listArriving,
  listPayable,
  listUnsent,
  listUnstopped,
  markStopped,
  type PayeeRow,
  type PayoutRow,
  postponePayout,
  sumSettled,
} from '#features/payouts/payouts-store.ts';
import { dayIn, isPayoutDay, leastPayoutCents } from '#features/payouts/rules.ts';
import { endPayout, keepPayout, syncPayout } from '#features/payouts/sync-payout.ts';
import { settleFees } from '#features/returns/bearing-fees.ts';
import { sumDue } from '#features/returns/dispute-fees-store.ts';
import { newId } from '#kit/ids.ts';
import { zoneOrUtc } from '#kit/time.ts';

const system = { kind: 'system' } as const;
const currency = 'usd';
const never = async () => undefined;

/** Pays out whoever's day it is and nothing speaks against, and asks about what is on its way. */
export async function payCreators(engines: Engines): Promise<void> {
  const { database, payments } = engines;
  if (payments.isOff) return;
  const { realm } = payments;
  const now = moneyNow(engines);
  await doOneByOne(engines, await database.work(system, (tx) => listUnstopped(tx, realm)), {
    words: 'the schedule of an account could not be stopped',
    act: (payee) => stopSchedule(engines, payee),
    postpone: never,
  });
  await doOneByOne(engines, await database.work(system, (tx) => listArriving(tx, realm, now)), {
    words: 'a payout could not be asked about',
    act: (payoutId) => syncPayout(engines, payoutId),
    postpone: never,
  });
  await sendUnsent(engines);
  const params = { currency, now, leastCents: leastPayoutCents };
  await doOneByOne(engines, await database.work(system, (tx) => listPayable(tx, realm, params)), {
    words: 'a creator could not be paid out',
    act: (payee) => payOnSchedule(engines, payee),
    postpone: never,
  });
}

async function stopSchedule(engines: Engines, { accountId }: PayeeRow): Promise<void> {
  const { database, payments } = engines;
  await payments.stopOwnSchedule(accountId);
  await database.work(system, (tx) => markStopped(tx, payments.realm, accountId, moneyNow(engines)));
}

async function payOnSchedule(engines: Engines, payee: PayeeRow): Promise<void> {
  const { database, payments } = engines;
  const now = moneyNow(engines);
  const holds = await database.work(system, (tx) => updateSellerRecord(engines, tx, payee.userId, now));
  const day = dayIn(now, zoneOrUtc(payee.timeZone ?? undefined));
  if (holds.length > 0 || !payee.isComplete || !isPayoutDay(payee.interval, day)) return;
  if (await database.work(system, (tx) => isDoneOn(tx, payments.realm, payee.accountId, day))) return;
  await startPayout(engines, payee, day);
}

/** What the provider lets go and has rested here for its days, once they have paid what they owe. */
async function findAvailable(engines: Engines, { userId, accountId }: PayeeRow): Promise<number> {
  const { database, payments, log } = engines;
  const now = moneyNow(engines);
  await settleFees(engines, accountId);
  const dueCents = await database.work(system, (tx) => sumDue(tx, payments.realm, accountId));
  const settled = await database.work(system, (tx) => sumSettled(tx, payments.realm, { userId, currency, now }));
  const { available } = await payments.balance(accountId);
  const others = [...available].filter(([code, cents]) => code !== currency && cents > 0).map(([code]) => code);
  if (others.length > 0)
    log.warn(
      { area: 'money', accountId, others },
      'an account holds money that is not paid out: it is in another currency',
    );
  return Math.min(settled, available.get(currency) ?? 0) - dueCents;
}

/** Makes a payout of all that is available. @returns `too_little`: below the least; `busy`: one is being made */
async function startPayout(
  engines: Engines,
  payee: PayeeRow,
  day: string | null,
): Promise<'started' | 'too_little' | 'busy'> {
  const { database, payments } = engines;
  const { userId, accountId } = payee;
  const amountCents = await findAvailable(engines, payee);
  if (amountCents < leastPayoutCents) return 'too_little';
  const now = moneyNow(engines);
  const payout = { id: newId<'payout'>(now.getTime()), userId, accountId, amountCents, currency, day, now };
  if (!(await database.work(system, (tx) => insertPayout(tx, payments.realm, payout)))) return 'busy';
  await sendUnsent(engines, payout.id);
  return 'started';
}

/** What a creator who asks to be paid out now is told. */
export type PaidNow = 'started' | 'too_little' | 'busy' | 'held' | 'not_ready';

/** Pays a creator out now, when nothing speaks against it. */
export async function payNow(engines: Engines, userId: string): Promise<PaidNow> {
  const { database, payments } = engines;
  const payee = await database.work(system, (tx) => findPayee(tx, payments.realm, userId));
  if (payee === undefined) return 'not_ready';
  return withObjectLock(engines, `payout:${payee.accountId}`, async () => {
    if ((await findAvailable(engines, payee)) < leastPayoutCents) return 'too_little';
    const holds = await database.work(system, (tx) => updateHolds(engines, tx, userId, moneyNow(engines)));
    if (holds.length > 0) return 'held';
    return payee.isComplete ? startPayout(engines, payee, null) : 'not_ready';
  });
}

/** Asks the provider for what is written down: all that is due, or a named one. */
async function sendUnsent(engines: Engines, id?: string): Promise<void> {
  const { database, payments } = engines;
  const rows = await database.work(system, (tx) => listUnsent(tx, payments.realm, moneyNow(engines), id));
  await doOneByOne(engines, rows, {
    words: 'a payout could not be asked for',
    act: (row) => send(engines, row),
    postpone: (tx, row, now) => postponePayout(tx, row.id, now),
  });
}

async function send(engines: Engines, row: PayoutRow): Promise<void> {
  const { database, log } = engines;
  const { id, accountId } = row;
  const end = (about: { state: 'failed' | 'canceled'; failure: string | undefined }) =>
    database.work(system, (tx) => endPayout(engines, tx, row, about));
  try {
    const made = await make(engines, row);
    if (made === undefined) return await end({ state: 'canceled', failure: undefined });
    await database.work(system, (tx) => keepPayout(engines, tx, row, made));
  } catch (error) {
    if (!(error instanceof PaymentRefused)) throw error;
    log.error({ area: 'money', payoutId: id, err: error }, 'a payout was refused');
    // What was refunded meanwhile is paid out with the next one; anything else is for their bank details.
    await end({ state: error.why === 'insufficient' ? 'canceled' : 'failed', failure: error.message });
  }
  await syncPayouts(engines, accountId);
}

/** What speaks against it may have come after it was written down. @returns undefined when it is not made, and never will be */
async function make(engines: Engines, row: PayoutRow): Promise<Payout | undefined> {
  const { database, payments } = engines;
  const { id: payoutId, userId, accountId, amountCents, currency: unit, createdAt } = row;
  const { realm } = payments;
  const holds = userId === null ? [] : await database.work(system, (tx) => listHolds(tx, { userId, realm }));
  const find = (since: Date) => payments.findMadePayout({ payoutId, accountId, since });
  if (holds.length > 0) return find(createdAt);
  const payout = { payoutId, accountId, amountCents, currency: unit };
  return callOnce(engines, {
    name: `payout:${payoutId}`,
    find,
    make: (refusals) => payments.payOut({ ...payout, refusals }),
  });
}
