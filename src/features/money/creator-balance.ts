import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { moneyNow } from '#features/books/money-clock.ts';
import { findAccountOf } from '#features/payouts/accounts-store.ts';
import { sumDue } from '#features/returns/dispute-fees-store.ts';
import { coverByPending } from './earning-rules.ts';
import { sumEarnings } from './earnings/earnings-store.ts';

const currency = 'usd';

/** What of a creator's money is where, in cents. */
export interface CreatorBalance {
  available: number;
  pending: number;
  /** Owed for disputes, and taken from what is available. */
  due: number;
  currency: string;
}

/** Adds up what a creator has, as their own page of payouts does. */
export async function readBalance(engines: Engines, tx: Tx, userId: string): Promise<CreatorBalance> {
  const { realm } = engines.payments;
  const now = moneyNow(engines);
  const sums = await sumEarnings(tx, { creatorId: userId, realm, currency, now, timeZone: 'UTC' });
  const account = await findAccountOf(tx, realm, userId);
  const due = account === undefined ? 0 : await sumDue(tx, realm, account.accountId);
  return { ...coverByPending({ pending: sums.pending, available: sums.available - due }), due, currency };
}
