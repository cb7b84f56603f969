import type { Tx } from '#engines/database/work.ts';
import { insertAudit } from '#features/audit/store.ts';
import { voidReferral } from './commissions-store.ts';
import type { VoidReason } from './rules.ts';

/** Makes a referral void that nobody has decided about, which stands in the audit log all the same. */
export async function voidByItself(
  tx: Tx,
  referralId: string,
  why: { reason: VoidReason; note: string; now: Date },
): Promise<void> {
  const referral = await voidReferral(tx, referralId, why);
  if (referral === undefined) return;
  const target = { type: 'affiliate', id: referral.affiliateId };
  const details = { reason: why.reason };
  await insertAudit(tx, { actor: { type: 'system' }, action: 'affiliate.referral_void', target, details });
}
