import { statement, type Tx } from '#engines/database/work.ts';
import type { Realm } from '#engines/payments/payments.ts';

const unbooked = statement<{ id: string }>(
  'orders_unbooked',
  `select o.id from checkout_orders o where o.provider = $1 and o.livemode = $2 and o.charge_id is not null
  and o.paid_at < $3 and o.paid_at > $3::timestamptz - interval '35 days'
  and not exists (select from ledger_transactions t where t.charge_id = o.charge_id and t.provider = $1 and t.livemode = $2)
order by o.id limit 50`,
);

/** Payments that were made before a moment, and of which the books have nothing. */
export const listUnbooked = async (tx: Tx, { provider, livemode }: Realm, before: Date): Promise<string[]> =>
  (await tx.query(unbooked, [provider, livemode, before])).map(({ id }) => id);
