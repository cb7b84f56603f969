import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import type { Realm } from '#engines/payments/payments.ts';
import { postMovement } from '#features/books/ledger-store.ts';
import { moneyNow } from '#features/books/money-clock.ts';
import { doOneByOne } from '#features/books/one-by-one.ts';
import { entriesOfCommission } from '#features/books/posting.ts';
import { newId } from '#kit/ids.ts';
import {
  giveSharesAgain,
  insertCommission,
  listUndue,
  listUnnamed,
  listUnshared,
  nameCharge,
  returnShare,
  ripenCommissions,
  type UndueShare,
  type UnsharedBill,
} from './commissions-store.ts';
import { lockRuns, reduceLine } from './payouts-store.ts';
import { payableAt, shareOf } from './rules.ts';
import { askAboutBill, voidOwnCards } from './same-card.ts';
import { voidByItself } from './voiding.ts';

const system = { kind: 'system' } as const;
/** A bill that was paid without a charge is asked about again after so long. */
const askAgainMs = 3_600_000;

/**
 * Brings the shares of partners to what the bills say: noted once a bill is paid, taken back with its money, payable after their time.
 * It reads the bills, so nothing need be heard, and repeating it changes nothing.
 */
export async function settleCommissions(engines: Engines): Promise<void> {
  const { database, payments } = engines;
  const { realm } = payments;
  const now = moneyNow(engines);
  for (const bill of await database.work(system, (tx) => listUnshared(tx, realm)))
    await database.work(system, (tx) => share(tx, realm, bill, now));
  await nameCharges(engines);
  await voidOwnCards(engines);
  await reverseUndue(engines);
  await database.work(system, (tx) => ripenCommissions(tx, realm, now));
}

/** Notes the share of one bill, in the books as well. Who pays as the partner themselves was brought by nobody. */
async function share(tx: Tx, realm: Realm, bill: UnsharedBill, now: Date): Promise<void> {
  const { referralId, affiliateId, paidCents, shareBps, paidAt } = bill;
  if (bill.isSamePayer) {
    await voidByItself(tx, referralId, { reason: 'same_person', note: 'They pay as one customer.', now });
    return;
  }
  const amountCents = shareOf(paidCents, shareBps);
  const commission = {
    id: newId<'commission'>(now.getTime()),
    realm,
    bill,
    amountCents,
    payableAt: payableAt(paidAt),
    now,
  };
  if (!(await insertCommission(tx, commission))) return;
  await post(tx, realm, {
    ...bill,
    key: `aff:${bill.invoiceId}`,
    kind: 'commission',
    affiliateId,
    cents: amountCents,
    now,
  });
}

interface Posting {
  key: string;
  kind: 'commission' | 'commission_reversed';
  affiliateId: string;
  cents: number;
  currency: string;
  now: Date;
}

const post = (tx: Tx, realm: Realm, { key, kind, affiliateId, cents, currency, now }: Posting): Promise<boolean> =>
  postMovement(
    tx,
    realm,
    { id: key, kind, at: now, availableAt: now, currency, chargeId: undefined, accountId: undefined, sold: undefined },
    entriesOfCommission(affiliateId, cents),
  );

/** Asks by which charge bills were paid, by which a dispute is known for theirs, and how much of it has gone back. */
async function nameCharges(engines: Engines): Promise<void> {
  const { database, payments } = engines;
  if (payments.isOff) return;
  const now = moneyNow(engines);
  const before = new Date(now.getTime() - askAgainMs);
  await doOneByOne(engines, await database.work(system, (tx) => listUnnamed(tx, payments.realm, before)), {
    words: 'the charge of a bill could not be asked for',
    act: async ({ id, invoiceId }) => {
      const chargeId = await askAboutBill(engines, invoiceId);
      await database.work(system, (tx) => nameCharge(tx, id, chargeId, now));
    },
    // It is asked for again by the next round.
    postpone: async () => undefined,
  });
}

/** Takes back what is no longer due, in whole or in part. */
export async function reverseUndue(engines: Engines): Promise<void> {
  const { database, payments } = engines;
  const now = moneyNow(engines);
  for (const row of await database.work(system, (tx) => listUndue(tx, payments.realm)))
    await database.work(system, (tx) => reverse(tx, payments.realm, row, now));
}

async function reverse(tx: Tx, realm: Realm, share: UndueShare, now: Date): Promise<void> {
  const { invoiceId, affiliateId, currency } = share;
  const deductionId = newId<'deduction'>(now.getTime());
  // A line that is to be paid is made, made smaller and confirmed one after the other.
  await lockRuns(tx);
  const went = await returnShare(tx, realm, share, { deductionId, now });
  if (went === undefined) return;
  const { cents, lineId } = went;
  if (lineId !== null) await reduceLine(tx, lineId, { cents, now });
  const about = { kind: 'commission_reversed', affiliateId, currency, now } as const;
  await post(tx, realm, { ...about, key: `aff-rev:${invoiceId}:${deductionId}`, cents: -cents });
}

/** Gives shares again that went back because their referral was void, in the books as well. */
export async function giveAgain(tx: Tx, referralId: string, now: Date): Promise<void> {
  // As in a run: what is to be paid changes.
  await lockRuns(tx);
  for (const { invoiceId, affiliateId, amountCents, currency, provider, livemode } of await giveSharesAgain(
    tx,
    referralId,
  )) {
    const about = { kind: 'commission', affiliateId, currency, now } as const;
    const key = `aff-again:${invoiceId}:${newId<'movement'>(now.getTime())}`;
    await post(tx, { provider, livemode }, { ...about, key, cents: amountCents });
  }
}
