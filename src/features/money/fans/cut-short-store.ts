import { statement, type Tx } from '#engines/database/work.ts';
import type { Realm } from '#engines/payments/payments.ts';
import { emptiedTiers } from './due-store.ts';

/** What was paid for the time that runs, of a subscription whose creator is suspended or gone, or of which nothing is left. */
export interface RunningTime {
  fanId: string;
  orderId: string;
  amountCents: number;
  refundedCents: number;
  startsAt: Date;
  endsAt: Date;
  paidAt: Date;
  /** Its creator leaves or is suspended, or we removed what it opened. */
  why: 'left' | 'suspended' | 'removed';
}

// A time whose bill is late was paid by nobody; the order of the time before it is used up.
const running = statement<RunningTime>(
  'fan_running_time',
  `select f.id as "fanId", o.id as "orderId", o.amount_cents as "amountCents", o.refunded_cents as "refundedCents",
  f.period_start as "startsAt", f.period_end as "endsAt", o.paid_at as "paidAt",
  case when u.status = 'suspended' then 'suspended' when u.id is null or u.status in ('deleting', 'deleted') then 'left' else 'removed' end as why
from fan_subscriptions f join checkout_orders o on o.id = f.paid_order_id left join users u on u.id = f.creator_id
where f.provider = $1 and f.livemode = $2 and f.subscription_id = $3 and f.cut_cents is null and f.ended_at is null and f.status = 'active'
  and o.state in ('paid', 'partially_refunded') and f.period_start is not null and f.period_end is not null
  and o.paid_at >= f.period_start - interval '1 hour'
  and (u.id is null or u.status in ('suspended', 'deleting', 'deleted') or f.tier_id in (${emptiedTiers('$4')}))
for update of f`,
);

/** Holds it until the transaction ends. @returns undefined where nothing is left to go back, or that was decided before */
export const holdRunningTime = async (
  tx: Tx,
  { provider, livemode }: Realm,
  subscriptionId: string,
  now: Date,
): Promise<RunningTime | undefined> => (await tx.query(running, [provider, livemode, subscriptionId, now]))[0];

const cut = statement('fan_cut_short', 'update fan_subscriptions set cut_cents = $2 where id = $1');

/** Notes what goes back. */
export async function keepCut(tx: Tx, fanId: string, cents: number): Promise<void> {
  await tx.query(cut, [fanId, cents]);
}
