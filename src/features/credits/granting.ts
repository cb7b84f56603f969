import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { insertAudit } from '#features/audit/store.ts';
import { moneyNow } from '#features/books/money-clock.ts';
import { sumCredits } from './ledger-store.ts';
import { grantCredits } from './lots/accounting.ts';

/** Credits that whoever runs the place gives somebody. */
export interface CreditGift {
  userId: string;
  credits: number;
  note: string;
  /** The same gift is given once. */
  giftId: string;
}

/** Gives somebody credits, which end a year later; written down. @returns how many they have */
export async function giveCredits(
  engines: Pick<Engines, 'payments' | 'linkClock'>,
  tx: Tx,
  { userId, credits, note, giftId }: CreditGift,
  by: Parameters<typeof insertAudit>[1]['actor'],
): Promise<number> {
  const { realm } = engines.payments;
  const key = `credits:grant:${giftId}` as const;
  const isNew = await grantCredits(tx, { realm, userId, source: 'grant', credits, key, now: moneyNow(engines) });
  const target = { type: 'user', id: userId };
  if (isNew) await insertAudit(tx, { actor: by, action: 'credits.granted', target, details: { credits, note } });
  return (await sumCredits(tx, realm, userId)).balance;
}
