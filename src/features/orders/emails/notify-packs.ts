import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { findAccount } from '#features/accounts/store.ts';
import { packReceiptEmail, packRefundedEmail } from '#features/notices/pack-emails.ts';
import { queueEmail } from '#features/notices/store.ts';
import { readSettings } from '#features/settings/store.ts';
import { formatMoney } from '#kit/text.ts';
import { isPackReported, type PackProjection, type PackRow } from '../packs-store.ts';

/**
 * Writes to the creator who buys a pack: its receipt, and that money of it goes back. Each once, as it is called in the transaction
 * that writes that down, which only one can do.
 */
export async function notifyPack(
  { jobs, installation }: Pick<Engines, 'jobs' | 'installation'>,
  tx: Tx,
  { before, after, now }: { before: PackRow; after: Pick<PackProjection, 'paidAt' | 'refundedCents'>; now: Date },
): Promise<void> {
  const { id: orderId, userId, credits, amountCents, currency } = before;
  const isBought = before.paidAt === null && after.paidAt !== undefined;
  const backCents = after.refundedCents - before.refundedCents;
  if (userId === null || (!isBought && backCents <= 0)) return;
  const account = await findAccount(tx, userId);
  if (account === undefined || account.status === 'deleted') return;
  const about = { credits, creditsPage: `${installation.publicUrl}/pricing?tab=credits` };
  const moneyOf = (cents: number) => formatMoney(cents, currency.toUpperCase());
  const to = { userId, to: account.email, now };
  const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: account.timeZone }).format(now);
  if (isBought) {
    const { 'money.statementDescriptor': statementDescriptor } = await readSettings(tx);
    const words = packReceiptEmail({ ...about, orderId, amount: moneyOf(amountCents), day, statementDescriptor });
    await queueEmail(tx, jobs, { ...to, ...words });
  }
  if (backCents <= 0) return;
  const isReported = await isPackReported(tx, orderId);
  await queueEmail(tx, jobs, { ...to, ...packRefundedEmail({ ...about, amount: moneyOf(backCents), isReported }) });
}
