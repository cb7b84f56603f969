import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import type { Payout } from '#engines/payments/payouts.ts';
import { syncPayouts } from '#features/books/ledger-sync.ts';
import { withObjectLock } from '#features/books/object-lock.ts';
import { payoutFailedEmail, payoutSentEmail } from '#features/notices/payout-emails.ts';
import { formatMoney } from '#kit/text.ts';
import { hold } from './holding.ts';
import { writeToPayee } from './notify-payouts.ts';
import { findPayoutRow, type PayoutRow, writePayout } from './payouts-store.ts';

const system = { kind: 'system' } as const;
const payoutNow = ({ linkClock }: Pick<Engines, 'linkClock'>): Date => new Date(linkClock());

/** Asks what became of a payout, and writes it down. @returns false when it is none of ours */
export async function syncPayout(engines: Engines, payoutId: string): Promise<boolean> {
  const { database, payments } = engines;
  return withObjectLock(engines, payoutId, async () => {
    const row = await database.work(system, (tx) => findPayoutRow(tx, payments.realm, payoutId));
    if (row === undefined) return false;
    const found = await payments.findPayout(row.accountId, payoutId);
    await database.work(system, (tx) => keepPayout(engines, tx, row, found));
    if (found.state !== row.state) await syncPayouts(engines, row.accountId);
    return true;
  });
}

// Drawn in docs/state-machines.md.
/** Writes what the provider says of a payout, and tells its creator what is new. */
export async function keepPayout(
  engines: Engines,
  tx: Tx,
  row: PayoutRow,
  { id, state, arrivesAt, failure }: Payout,
): Promise<void> {
  if (state === 'failed' || state === 'canceled') return endPayout(engines, tx, row, { state, payoutId: id, failure });
  const now = payoutNow(engines);
  const isNew = await writePayout(tx, { id: row.id, state, payoutId: id, arrivesAt, now });
  if (!isNew || row.state !== 'created' || row.userId === null) return;
  const amount = formatMoney(row.amountCents, row.currency.toUpperCase());
  await writeToPayee(engines, tx, { userId: row.userId, now }, ({ payoutsPage, dayOf }) =>
    payoutSentEmail({ payoutsPage, amount, day: dayOf(arrivesAt) }),
  );
}

/** A payout that came to nothing; what their bank refuses is not sent there again at once. */
export async function endPayout(
  engines: Engines,
  tx: Tx,
  { id, userId, amountCents, currency: unit }: PayoutRow,
  { state, payoutId, failure }: { state: 'failed' | 'canceled'; payoutId?: string; failure: string | undefined },
): Promise<void> {
  const now = payoutNow(engines);
  const isNew = await writePayout(tx, { id, state, failure, now, ...(payoutId !== undefined && { payoutId }) });
  if (!isNew || state === 'canceled' || userId === null) return;
  const amount = formatMoney(amountCents, unit.toUpperCase());
  await writeToPayee(engines, tx, { userId, now }, ({ payoutsPage }) => payoutFailedEmail({ payoutsPage, amount }));
  await hold(engines, tx, { userId, code: 'BANK_REJECTED', note: '', by: 'system', now });
}
