import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { plainLine } from '#features/audit/plain-text.ts';
import { hashKey, takeRate } from '#features/audit/store.ts';
import { refundFailedEmail } from '#features/notices/refund-emails.ts';
import { queueEmail } from '#features/notices/store.ts';
import { formatMoney } from '#kit/text.ts';
import { findOrder } from './orders-store.ts';
import { describeSold } from './sold-words.ts';

/** Whoever taps again and again writes to the operator no more than this often; what is owed is asked for once a day. */
const quietSeconds = 12 * 3600;

type Needs = Pick<Engines, 'jobs' | 'installation' | 'keys'>;

export interface Refused {
  orderId: string;
  amountCents: number;
  /** The provider's own words. */
  said: string;
  now: Date;
}

/** Writes to the operator that the provider does not make a refund; called in the transaction that notes it, which only one does. */
export async function notifyRefused(
  engines: Needs,
  tx: Tx,
  { orderId, amountCents, ...refused }: Refused,
): Promise<void> {
  const order = await findOrder(tx, orderId);
  if (order === undefined) return;
  const { kind, creatorName, currency, requestId } = order;
  const what = `${describeSold(kind, creatorName)}: ${formatMoney(amountCents, currency.toUpperCase())}`;
  await mailOperator(engines, tx, { orderId, what, sold: requestId === null ? 'access' : { requestId }, ...refused });
}

/** The same of a pack of credits. */
export async function notifyPackRefused(
  engines: Needs,
  tx: Tx,
  { currency, amountCents, ...refused }: Refused & { currency: string },
): Promise<void> {
  const what = `Credits: ${formatMoney(amountCents, currency.toUpperCase())}`;
  await mailOperator(engines, tx, { what, sold: 'credits', ...refused });
}

async function mailOperator(
  { jobs, installation, keys }: Needs,
  tx: Tx,
  { said, now, ...about }: Parameters<typeof refundFailedEmail>[0] & { now: Date },
): Promise<void> {
  const { operatorEmail: to } = installation;
  if (to === undefined) return;
  const key = hashKey(keys, 'refund_refused', about.orderId);
  if ((await takeRate(tx, { key, limit: 1, windowSeconds: quietSeconds, now })).isOver) return;
  await queueEmail(tx, jobs, { to, now, ...refundFailedEmail({ ...about, said: plainLine(said) }) });
}
