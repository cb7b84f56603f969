import { type SqlBool, sql } from 'kysely';
import type { Tx } from '#engines/database/work.ts';
import type { Realm } from '#engines/payments/payments.ts';
import type { ListedOrder } from '../payments-contract.ts';
import type { OrderSearch } from './order-search.ts';

const columns = sql`o.id, o.kind, o.months, o.state, o.creator_name as "creatorName", o.amount_cents as "amountCents", o.fee_cents as "feeCents",
  o.refunded_cents as "refundedCents", o.currency, (select r.number from receipts r where r.order_id = o.id) as "receiptNumber",
  o.created_at as "createdAt", o.paid_at as "paidAt",
  exists (select from refund_requests q where q.order_id = o.id and q.state = 'operator') as waits`;

/** Finds payments that a search is about, the newest first. @param before only those that began before this one */
export async function listOrders(
  tx: Tx,
  { provider, livemode }: Realm,
  { search, before, limit }: { search: OrderSearch; before: string | undefined; limit: number },
): Promise<ListedOrder[]> {
  const { rows } = await sql<ListedOrder>`select ${columns} from checkout_orders o
    where o.provider = ${provider} and o.livemode = ${livemode} and ${isAbout(search)}
      and (${before ?? null}::uuid is null or o.id < ${before ?? null}::uuid) order by o.id desc limit ${limit}`.execute(
    tx.db,
  );
  return rows;
}

function isAbout(search: OrderSearch) {
  switch (search.is) {
    case 'newest':
      return sql<SqlBool>`o.paid_at is not null`;
    case 'id':
      return sql<SqlBool>`(o.id = ${search.id} or o.creator_id = ${search.id})`;
    case 'receipt':
      return sql<SqlBool>`o.id = (select r.order_id from receipts r where r.number = ${search.number})`;
    case 'provider':
      return sql<SqlBool>`(o.session_id = ${search.name} or o.payment_id = ${search.name} or o.charge_id = ${search.name}
        or o.invoice_id = ${search.name} or o.id in (select d.order_id from disputes d where d.dispute_id = ${search.name}))`;
    case 'address':
      return sql<SqlBool>`o.buyer_id in (select b.id from buyers b where b.email = ${search.address})`;
    case 'handle':
      return sql<SqlBool>`o.creator_id in (select u.id from users u where u.handle = ${search.handle})`;
    case 'name':
      return sql<SqlBool>`o.creator_id in (select u.id from users u where starts_with(lower(u.display_name), ${search.name})
        or starts_with(u.handle, ${search.name}))`;
  }
}

/** Payments of which a buyer asks the platform, the longest first. */
export async function listWaitingOrders(tx: Tx, ids: readonly string[]): Promise<ListedOrder[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<ListedOrder>`select ${columns} from checkout_orders o
    where o.id = any(${[...ids]}::uuid[]) order by array_position(${[...ids]}::uuid[], o.id)`.execute(tx.db);
  return rows;
}

/** A payment with what is known of it at the provider and who sold it. */
export interface OrderFacts extends ListedOrder {
  creatorId: string | null;
  creatorHandle: string | null;
  buyerEmail: string | null;
  provider: 'sandbox' | 'stripe';
  livemode: boolean;
  canBeLookedAt: boolean;
  providerIds: string[];
  requestId: string | null;
  disputeId: string | null;
  asked: { reason: string; text: string; at: Date; waitsForUs: boolean } | null;
}

export async function findOrderFacts(
  tx: Tx,
  { provider, livemode }: Realm,
  orderId: string,
): Promise<OrderFacts | undefined> {
  const { rows } = await sql<OrderFacts & { reason: string | null; text: string; at: Date; waitsForUs: boolean }>`
    select ${columns}, o.creator_id as "creatorId", u.handle as "creatorHandle", b.email as "buyerEmail", o.provider, o.livemode,
      o.link_id is not null and (exists (select from refund_requests r where r.order_id = o.id)
        or exists (select from disputes d where d.order_id = o.id)) as "canBeLookedAt",
      array_remove(array[o.session_id, o.payment_id, o.charge_id, o.invoice_id], null) as "providerIds", o.request_id as "requestId",
      (select d.dispute_id from disputes d where d.order_id = o.id order by d.opened_at desc limit 1) as "disputeId",
      q.reason, q.text, q.created_at as at, q.state = 'operator' as "waitsForUs"
    from checkout_orders o left join users u on u.id = o.creator_id left join buyers b on b.id = o.buyer_id
    left join lateral (select n.* from refund_requests n where n.order_id = o.id and n.state in ('creator', 'operator')
      order by n.created_at desc limit 1) q on true
    where o.id = ${orderId} and o.provider = ${provider} and o.livemode = ${livemode}`.execute(tx.db);
  const [row] = rows;
  if (row === undefined) return undefined;
  const { reason, text, at, waitsForUs, ...facts } = row;
  return { ...facts, asked: reason === null ? null : { reason, text, at, waitsForUs } };
}
