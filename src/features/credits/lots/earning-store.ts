import { statement, type Tx } from '#engines/database/work.ts';
import type { Realm } from '#engines/payments/payments.ts';

/** What somebody has earned credits by. */
export interface EarnedRow {
  userId: string;
  source: 'suite' | 'first_album' | 'first_link' | 'payouts' | 'referral';
  /** Whom they brought; null for everything else. */
  referralId: string | null;
}

const unlike = (source: string, more = '') =>
  `not exists (select from credit_lots l where l.user_id = u.id and l.source = '${source}' and l.provider = $1 and l.livemode = $2${more})`;
const asked = `($3::uuid is null or u.id = $3) and u.status = 'active'`;

// Each of them begins with the rows that earn it. A referral waits until its first month can not be had back.
const earned = statement<EarnedRow>(
  'credits_earned',
  `(select u.id as "userId", 'first_album' as source, null::uuid as "referralId" from users u where ${asked} and exists (select from albums a where a.user_id = u.id) and ${unlike('first_album')} limit 500)
union all (select u.id, 'first_link', null from users u where ${asked} and exists (select from magic_links m where m.user_id = u.id) and ${unlike('first_link')} limit 500)
union all (select u.id, 'payouts', null from users u join user_stripe_accounts s on s.user_id = u.id and s.provider = $1 and s.livemode = $2 and s.connected_at is not null
  where ${asked} and ${unlike('payouts')} limit 500)
union all (select u.id, 'suite', null from users u join user_entitlements e on e.user_id = u.id and e.suite_user
  where ${asked} and ${unlike('suite', ' and l.created_at >= $4')} limit 500)
union all (select u.id, 'referral', r.id from affiliate_referrals r join affiliates a on a.id = r.affiliate_id join users u on u.id = a.user_id
  where ${asked} and r.void_at is null and exists (select from commissions c where c.referral_id = r.id and c.reversed_at is null
    and c.provider = $1 and c.livemode = $2 and c.created_at <= $5)
  and not exists (select from ledger_transactions t where t.source_key = 'credits:referral:' || r.id and t.provider = $1 and t.livemode = $2) limit 500)`,
);

/** Returns who has earned what and was not given it yet; of everybody, or of one. @param month when the month began, for what comes monthly @param paidBefore of the first bill of whom they brought */
export const listEarned = (
  tx: Tx,
  { provider, livemode }: Realm,
  { month, paidBefore, userId }: { month: Date; paidBefore: Date; userId?: string | undefined },
): Promise<EarnedRow[]> => tx.query(earned, [provider, livemode, userId ?? null, month, paidBefore]);
