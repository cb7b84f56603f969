import type { Tx } from '#engines/database/work.ts';
import { formatMoney } from '#kit/text.ts';
import { refuse } from '#wire/refusals.ts';
import { findBalanceAfter } from './refunds/balance-store.ts';

/**
 * Returns whether a creator can give an order back themselves: their balance may go below zero, but not without end. What has to go back goes
 * back whatever they have.
 * @param mostDebtCents as the settings have it: they are read outside of a transaction
 * @throws CONFLICT
 */
export async function checkBearable(
  tx: Tx,
  order: { id: string; currency: string },
  mostDebtCents: number,
): Promise<void> {
  if ((await findBalanceAfter(tx, order.id)) >= -mostDebtCents) return;
  const limit = formatMoney(mostDebtCents, order.currency.toUpperCase());
  throw refuse('CONFLICT', {
    message: `This refund would take your balance below −${limit}. You can make it once you have earned enough. A buyer who has asked for it gets our answer after 72 hours.`,
  });
}
