import { statement, type Tx } from '#engines/database/work.ts';
import type { Realm } from '#engines/payments/payments.ts';
import { givenNameOf, pseudonymOf } from '#features/access/pseudonyms-store.ts';
import type { SoldKind } from '#features/orders/contract.ts';
import { isReported } from '#features/orders/refunds-store.ts';
import type { PageParams } from '../store.ts';

export interface AlbumSaleRow {
  orderId: string;
  kind: SoldKind;
  months: number;
  state: 'paid' | 'partially_refunded' | 'refunded' | 'disputed' | 'charged_back';
  isReturning: boolean;
  isReported: boolean;
  at: Date;
  grossCents: number;
  keptCents: number;
  currency: string;
  isAnonymous: boolean;
  /** Null for whoever wished not to be named, has not looked yet, or is gone. */
  viewerId: string | null;
  givenName: string | null;
  linkId: string;
  linkName: string;
  albumCount: number;
}

/** Payments at links that show album $2, as far as the creator's books have them. */
const soldBy = `from link_albums x
join checkout_orders o on o.link_id = x.link_id and o.creator_id = $1 and o.provider = $3 and o.livemode = $4 and o.paid_at is not null
join lateral (
  select sum(t.owed_cents)::bigint as kept from ledger_transactions t
  where t.charge_id = o.charge_id and t.owner_user_id = $1 and t.owed_cents <> 0 and t.kind <> 'dispute_fee' and t.provider = $3 and t.livemode = $4
  having count(*) > 0) b on true
where x.album_id = $2`;

const named = 'case when not o.is_anonymous then o.viewer_id end';

const sales = statement<AlbumSaleRow>(
  'album_sales',
  `with sold as (
  select o.*, b.kept ${soldBy} and ($5::timestamptz is null or (o.paid_at, o.id) < ($5, $6::uuid)) order by o.paid_at desc, o.id desc limit $7
)
select o.id as "orderId", o.kind, o.months, o.state, exists (select from refunds r where r.order_id = o.id and r.state = 'pending') as "isReturning",
  ${isReported} as "isReported", o.paid_at as at, o.amount_cents as "grossCents", o.kept as "keptCents", o.currency, o.is_anonymous as "isAnonymous",
  ${pseudonymOf('$1', named)} as "viewerId", ${givenNameOf('$1', named)} as "givenName", l.id as "linkId", l.link_name as "linkName",
  (select count(*)::int from link_albums y where y.link_id = l.id) as "albumCount"
from sold o join magic_links l on l.id = o.link_id order by o.paid_at desc, o.id desc`,
);

/** An album, and whose money of it. */
export interface AlbumParams {
  creatorId: string;
  albumId: string;
  realm: Realm;
}

/** A page of what was paid at the links to an album, newest first. */
export const listAlbumSales = (
  tx: Tx,
  { creatorId, albumId, realm, after, limit }: PageParams & AlbumParams,
): Promise<AlbumSaleRow[]> =>
  tx.query(sales, [creatorId, albumId, realm.provider, realm.livemode, after?.at ?? null, after?.id ?? null, limit]);

const sums = statement<{ earnedCents: number; sales: number; isBundled: boolean }>(
  'album_sales_sums',
  `select coalesce(sum(b.kept), 0)::bigint as "earnedCents", count(*)::int as sales,
  coalesce(bool_or((select count(*) > 1 from link_albums y where y.link_id = o.link_id)), false) as "isBundled" ${soldBy}`,
);

/** What an album has earned its creator with all of them. */
export async function sumAlbumSales(tx: Tx, { creatorId, albumId, realm }: AlbumParams) {
  const [row] = await tx.query(sums, [creatorId, albumId, realm.provider, realm.livemode]);
  return row ?? { earnedCents: 0, sales: 0, isBundled: false };
}

const own = statement<{ id: string }>('insights_own_album', 'select id from albums where id = $2 and user_id = $1');

/** Returns whether an album is this creator's. */
export const isOwnAlbum = async (tx: Tx, { creatorId, albumId }: AlbumParams): Promise<boolean> =>
  (await tx.query(own, [creatorId, albumId])).length === 1;
