import type { Tx } from '#engines/database/work.ts';
import { readBalance } from '#features/money/creator-balance.ts';
import { listHolds } from '#features/payouts/holds-store.ts';
import type { AdminContext } from '#wire/context.ts';
import type { AccountMoney } from '../contract.ts';
import { listLastPayouts, sumPaidOut } from './money-store.ts';

/** Shows what of an account's money is where. */
export async function showMoney({ engines }: AdminContext, tx: Tx, userId: string): Promise<AccountMoney> {
  const { realm } = engines.payments;
  const { available, pending, due, currency } = await readBalance(engines, tx, userId);
  return {
    availableCents: available,
    pendingCents: pending,
    dueCents: due,
    paidOutCents: await sumPaidOut(tx, realm, { userId, currency }),
    currency,
    holds: (await listHolds(tx, { userId, realm })).map(({ code }) => code),
    payouts: await listLastPayouts(tx, realm, userId),
  };
}
