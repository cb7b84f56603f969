import { statement, type Tx } from '#engines/database/work.ts';
import type { Realm } from '#engines/payments/payments.ts';
import { type RequestRow, whole, wholeJoined } from './store.ts';

/** It waits for our answer though it was released. */
const reported = `(r.state = 'released' and r.reported_at is not null and r.act_until is not null and o.state in ('paid', 'partially_refunded'))`;
const waiting = statement<RequestRow>(
  'requests_waiting',
  `select ${whole} from ${wholeJoined}
where r.provider = $1 and r.livemode = $2 and (r.closed_at is null or h.refused_at is not null or ${reported} or r.closed_at > $3::timestamptz - interval '30 days')
order by (r.state = 'problem' or ${reported}) desc, (h.refused_at is not null) desc, r.closed_at is not null, r.act_until nulls last, r.created_at desc limit $4`,
);

/** What staff look at: first what waits for them, then what is open, then what ended lately. */
export const listForStaff = (tx: Tx, { provider, livemode }: Realm, now: Date, limit: number): Promise<RequestRow[]> =>
  tx.query(waiting, [provider, livemode, now, limit]);

const waitingCounted = statement<{ count: number }>(
  'requests_waiting_counted',
  `select count(*)::int as count from ${wholeJoined}
where r.provider = $1 and r.livemode = $2 and (r.state = 'problem' or ${reported} or h.refused_why <> 'insufficient')`,
);

/** Counts what waits for staff. */
export const countForStaff = async (tx: Tx, { provider, livemode }: Realm): Promise<number> =>
  (await tx.query(waitingCounted, [provider, livemode]))[0]?.count ?? 0;
