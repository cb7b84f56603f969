import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { plainLine } from '#features/audit/plain-text.ts';
import { owedBackEmail, toSendEmail } from '#features/notices/provider-emails.ts';
import { queueEmail } from '#features/notices/store.ts';
import { findOrder } from '#features/orders/orders-store.ts';
import { nameSold } from '#features/orders/sold-words.ts';
import { formatMoney } from '#kit/text.ts';

type Needed = Pick<Engines, 'jobs' | 'installation'>;

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
export const notifyOwed = (engines: Needed, tx: Tx, owed: Owed): Promise<void> =>
  write(engines, tx, owed, owedBackEmail);

/** Writes to the operator, once, that the platform has too little available for what is to be sent to a creator again. */
export const notifyToSend = (engines: Needed, tx: Tx, owed: Owed): Promise<void> =>
  write(engines, tx, owed, toSendEmail);

async function write(
  { jobs, installation: { operatorEmail: to } }: Needed,
  tx: Tx,
  { of, orderId, amountCents, currency, said, now }: Owed,
  emailOf: typeof owedBackEmail,
): Promise<void> {
  const order = orderId === null ? undefined : await findOrder(tx, orderId);
  if (to === undefined || order === undefined) return;
  const what = `${nameSold(order.kind)}, ${formatMoney(amountCents, currency.toUpperCase())}, ${order.creatorName}`;
  await queueEmail(tx, jobs, { to, now, ...emailOf({ of, what, said: plainLine(said) }) });
}
