import type { Tx } from '#engines/database/work.ts';
import { formatMoney } from '#kit/text.ts';
import { refuse } from '#wire/refusals.ts';
import { lowestBalanceCents } from '../rules.ts';
import { findBalanceAfter } from './balance-store.ts';

/**
 * Whether a creator can give an order back herself: her balance may go below zero, but not without end. What has to go back goes
 * back whatever she has.
 * @throws CONFLICT
 */
export async function checkBearable(tx: Tx, order: { id: string; currency: string }): Promise<void> {
  if ((await findBalanceAfter(tx, order.id)) >= lowestBalanceCents) return;
  const limit = formatMoney(-lowestBalanceCents, order.currency.toUpperCase());
  throw refuse('CONFLICT', {
    message: `This refund would take your balance below −${limit}. You can make it once you have earned enough. A buyer who has asked for it gets our answer after 72 hours.`,
  });
}
