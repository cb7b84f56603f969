import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { plainLine } from '#features/audit/plain-text.ts';
import { owedBackEmail } from '#features/notices/provider-emails.ts';
import { queueEmail } from '#features/notices/store.ts';
import { formatMoney } from '#kit/text.ts';
import { findOrder } from '../orders-store.ts';
import { nameSold } from '../sold-words.ts';

interface Owed {
  /** The dispute, or the refund. */
  of: string;
  orderId: string | null;
  amountCents: number;
  currency: string;
  /** The provider's own words. */
  said: string;
  now: Date;
}

/** Writes to the operator, once, that a creator's account has too little for what is to be taken back from it. */
export async function tellOwed(
  { jobs, installation: { operatorEmail: to } }: Pick<Engines, 'jobs' | 'installation'>,
  tx: Tx,
  { of, orderId, amountCents, currency, said, now }: Owed,
): Promise<void> {
  const order = orderId === null ? undefined : await findOrder(tx, orderId);
  if (to === undefined || order === undefined) return;
  const what = `${nameSold(order.kind)}, ${formatMoney(amountCents, currency.toUpperCase())}, from ${order.creatorName}`;
  await queueEmail(tx, jobs, { to, now, ...owedBackEmail({ of, what, said: plainLine(said) }) });
}
