import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { PaymentRefused } from '#engines/payments/payments.ts';
import { callOnce } from '#features/books/call-once.ts';
import { postMovement } from '#features/books/ledger-store.ts';
import { syncSoon } from '#features/books/ledger-sync.ts';
import { moneyNow } from '#features/books/money-clock.ts';
import { withObjectLock } from '#features/books/object-lock.ts';
import { doOneByOne } from '#features/books/one-by-one.ts';
import { entriesOfRemainder } from '#features/books/posting.ts';
import { releaseWaitsEmail } from '#features/notices/request-emails.ts';
import { queueEmail } from '#features/notices/store.ts';
import { formatMoney } from '#kit/text.ts';
import { dayMs, formatMomentIn } from '#kit/time.ts';
import {
  beginRelease,
  type DueRelease,
  holdRelease,
  listDueReleases,
  markReleased,
  postponeRelease,
  takeRefused,
} from './releases-store.ts';

/** Who releases, and who takes back what was released, wait for each other. */
export const releaseLock = (requestId: string): string => `release:${requestId}`;

const system = { kind: 'system' } as const;

/** Asks the provider for the releases that are wished for. What it does not answer now is asked for again by the next call. */
export async function runReleases(engines: Engines, requestId?: string): Promise<void> {
  const { database, payments } = engines;
  const now = moneyNow(engines);
  const due = await database.work(system, (tx) => listDueReleases(tx, payments.realm, now, requestId ?? null));
  await doOneByOne(engines, due, {
    words: 'what was held could not be released',
    act: ({ requestId: id }) => withObjectLock(engines, releaseLock(id), () => releaseOne(engines, id)),
    // It was, while nobody else could ask.
    postpone: async () => undefined,
  });
  if (due.length > 0) syncSoon(engines);
}

/** Asks once more for a release that was refused, and then keeps everybody from asking while something is done about it. */
export async function withRefusedRelease<T>(engines: Engines, requestId: string, act: () => Promise<T>): Promise<T> {
  await runReleases(engines, requestId);
  return withObjectLock(engines, releaseLock(requestId), act);
}

/** It is tried again for ever. That their account does not take it people have to know before long. */
async function postpone(
  { installation: { operatorEmail }, jobs }: Engines,
  tx: Tx,
  { requestId }: DueRelease,
  { now, error }: { now: Date; error: unknown },
): Promise<void> {
  const isRefused = error instanceof PaymentRefused;
  const words = isRefused ? error.message : 'the provider did not take it';
  await postponeRelease(tx, requestId, { now, words, why: isRefused ? error.why : undefined });
  if (operatorEmail === undefined) return;
  const refused = await takeRefused(tx, requestId, now, dayMs);
  if (refused === undefined) return;
  const { creatorName, shareCents, currency, refusedAt } = refused;
  const what = `${formatMoney(shareCents, currency.toUpperCase())}, to ${creatorName}`;
  const email = releaseWaitsEmail({ requestId, what, words, since: formatMomentIn(refusedAt, 'UTC') });
  await queueEmail(tx, jobs, { to: operatorEmail, now, ...email });
}

/** Its payment may have been disputed, or somebody else have released it, while this was waited for. */
async function releaseOne(engines: Engines, requestId: string): Promise<void> {
  const { database, payments } = engines;
  const now = moneyNow(engines);
  const [release] = await database.work(system, (tx) => listDueReleases(tx, payments.realm, now, requestId));
  if (release === undefined || !(await database.work(system, (tx) => beginRelease(tx, requestId)))) return;
  try {
    await runRelease(engines, release);
  } catch (error) {
    // Whoever waits for this one reads what became of it.
    await database.work(system, (tx) => postpone(engines, tx, release, { now: moneyNow(engines), error }));
    throw error;
  }
}

/** One transfer by its key, however often it is asked for; what is left of the payment is the platform's. */
async function runRelease(engines: Engines, release: DueRelease): Promise<void> {
  const { database, payments, log } = engines;
  const { requestId, accountId, chargeId, shareCents, feeCents, currency } = release;
  const asked = { requestId, accountId, chargeId, amountCents: shareCents, currency };
  const transferId = await callOnce(engines, {
    name: `release:${requestId}`,
    find: () => payments.findMade({ kind: 'release', requestId }),
    make: async (refusals) => (await payments.release({ ...asked, refusals })).transferId,
  });
  const now = moneyNow(engines);
  await database.work(system, async (tx) => {
    if (!(await markReleased(tx, requestId, transferId, now))) {
      if ((await holdRelease(tx, requestId)) === null)
        log.error(
          { area: 'money', requestId, transferId },
          'what was held was sent, though nobody wants it sent any more',
        );
      return;
    }
    const remainder = {
      id: `release:${requestId}`,
      kind: 'other' as const,
      at: now,
      availableAt: now,
      currency,
      chargeId,
      amountCents: 0,
      feeCents: 0,
      netCents: 0,
      feeShareCents: 0,
      accountId: undefined,
      isOwnSale: false,
    };
    if (feeCents > 0) await postMovement(tx, payments.realm, remainder, entriesOfRemainder(requestId, feeCents));
  });
}
