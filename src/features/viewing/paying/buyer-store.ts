import { statement, type Tx } from '#engines/database/work.ts';
import type { Realm } from '#engines/payments/payments.ts';

// Who pays is known by the browser's viewer, and by every address that this viewer has paid with. What a bank took back makes nobody known.
const firstPaid = statement<{ at: Date | null }>(
  'buyer_first_paid',
  `select min(o.paid_at) as at from checkout_orders o
where o.provider = $2 and o.livemode = $3 and o.retired_at is null and o.paid_at is not null and o.state not in ('disputed', 'charged_back')
  and (o.viewer_id = $1 or o.buyer_id in (select p.buyer_id from checkout_orders p
    where p.viewer_id = $1 and p.buyer_id is not null and p.paid_at is not null and p.provider = $2 and p.livemode = $3))`,
);

/** Returns when a viewer has paid for the first time; undefined for one who has not, and for a browser of which nothing is known. */
export async function findFirstPaid(
  source: Pick<Tx, 'query'>,
  { provider, livemode }: Realm,
  viewerId: string | undefined,
): Promise<Date | undefined> {
  if (viewerId === undefined) return undefined;
  return (await source.query(firstPaid, [viewerId, provider, livemode]))[0]?.at ?? undefined;
}
