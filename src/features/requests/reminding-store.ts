import { statement, type Tx } from '#engines/database/work.ts';
import type { Realm } from '#engines/payments/payments.ts';

const undecided = statement<{ id: string }>(
  'requests_undecided',
  `update custom_requests set reminded_at = $3 where (state = 'problem' and closed_at is null and stopped_at is null or state = 'released' and exists (
    select from checkout_orders o where o.id = order_id and o.state in ('paid', 'partially_refunded'))) and reminded_at is null
  and act_until <= $3::timestamptz + $4::bigint * interval '1 ms' and provider = $1 and livemode = $2 returning id`,
);

/** Requests about which we have still not decided so shortly before the time that was promised, each once. */
export const takeUndecided = async (
  tx: Tx,
  { provider, livemode }: Realm,
  now: Date,
  beforeMs: number,
): Promise<string[]> => (await tx.query(undecided, [provider, livemode, now, beforeMs])).map(({ id }) => id);
