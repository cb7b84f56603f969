import type { Tx } from '#engines/database/work.ts';
import type { Realm } from '#engines/payments/payments.ts';
import type { AccountMoney } from '../contract.ts';

const mostPayouts = 10;

/** Lists the last payouts of a creator, the newest first. */
export async function listLastPayouts(
  tx: Tx,
  { provider, livemode }: Realm,
  userId: string,
): Promise<AccountMoney['payouts']> {
  return tx.db
    .selectFrom('payouts')
    .select(['id', 'state', 'amount_cents as amountCents', 'currency', 'created_at as at'])
    .where('user_id', '=', userId)
    .where('provider', '=', provider)
    .where('livemode', '=', livemode)
    .orderBy('created_at', 'desc')
    .limit(mostPayouts)
    .$castTo<AccountMoney['payouts'][number]>()
    .execute();
}

/** Adds up what was ever paid out to a creator and did not come back. */
export async function sumPaidOut(
  tx: Tx,
  { provider, livemode }: Realm,
  { userId, currency }: { userId: string; currency: string },
): Promise<number> {
  const { cents } = await tx.db
    .selectFrom('ledger_days')
    .select(({ fn }) => fn.sum<number | null>('owed_cents').as('cents'))
    .where('owner_user_id', '=', userId)
    .where('provider', '=', provider)
    .where('livemode', '=', livemode)
    .where('currency', '=', currency)
    .where('kind', '=', 'payout')
    .executeTakeFirstOrThrow();
  return 0 - Number(cents ?? 0);
}
