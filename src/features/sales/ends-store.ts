import { type Statement, statement, type Tx } from '#engines/database/work.ts';
import { endedBy, type SaleEnd, type SaleKind, saleEnds } from './rules.ts';

/** How an order `o` is known to be of a kind; credits and plans have tables of their own. */
const kindOf: Readonly<Record<Exclude<SaleKind, 'credits' | 'plan'>, string>> = {
  link_tip: "(o.kind = 'tip' and not o.on_page)",
  page_tip: "(o.kind = 'tip' and o.on_page)",
  album: "o.kind = 'album'",
  bundle: "o.kind = 'bundle'",
  link_fan: "(o.kind = 'fan_sub' and o.slug is not null)",
  page_fan: "(o.kind = 'fan_sub' and o.slug is null)",
  request: "o.kind = 'request'",
};
const isOrderKind = (kind: SaleKind): kind is keyof typeof kindOf => kind in kindOf;

/** Of link `l`: an album that it shows, as condition of it says. */
const anAlbum = (is: string) =>
  `exists (select from link_albums x join albums a on a.id = x.album_id where x.link_id = l.id and ${is})`;
/** Of link `l`: one of its offers, as condition of it says. */
const anOffer = (is: string) => `exists (select from jsonb_array_elements(l.policy -> 'offers') f where ${is})`;
const isFreeOffer = `not exists (select from jsonb_array_elements(f -> 'all') c where c ->> 'kind' <> 'free')`;
const asksForTier = `exists (select from jsonb_array_elements(f -> 'all') c where c ->> 'kind' = 'fan_sub'
  and (c -> 'tierIds' = '[]' or c -> 'tierIds' ? o.tier_id::text))`;

/** When each of them has come, of link `l`, tier `t`, request `q` and seller `u`; $1 is now. */
const hasCome: Readonly<Record<SaleEnd, string>> = {
  seller_gone: `(u.id is null or u.status in ('deleting', 'deleted'))`,
  seller_suspended: `u.status = 'suspended'`,
  viewer_blocked: `(exists (select from viewer_blocks b where b.creator_id = o.creator_id and b.viewer_id = o.viewer_id)
    or exists (select from link_viewers k where k.link_id = o.link_id and k.viewer_id = o.viewer_id and k.blocked_at is not null)
    or exists (select from viewers v where v.id = o.viewer_id and v.blocked_globally_at is not null))`,
  taken_down: `(l.taken_down_at is not null or ${anAlbum("(a.taken_down_at is not null or a.state = 'locked')")})`,
  album_deleted: `case when o.slug is null then not t.all_future and not exists (
      select from albums a where a.id = any(t.album_ids) and a.state <> 'deleting')
    else l.revoked_reason = 'album_deleted' or ${anAlbum("a.state = 'deleting'")} end`,
  link_revoked: `(l.id is null or l.is_revoked)`,
  link_free: anOffer(isFreeOffer),
  link_expired: `l.expires_at <= $1`,
  tier_stopped: `(t.id is null or t.stopped_at is not null)`,
  tier_changed: `(not ${anOffer(asksForTier)} or not (t.all_future or not ${anAlbum('a.id <> all(t.album_ids)')}))`,
  page_closed: `not u.has_public_page`,
  request_changed: `(q.id is null or q.state not in ('quoted', 'expired') or q.agreed_cents is distinct from o.amount_cents)`,
};

const reasonOf = (why: SaleEnd): string => {
  const kinds = endedBy[why].filter(isOrderKind).map((kind) => kindOf[kind]);
  return `when (${kinds.join(' or ')}) and ${hasCome[why]} then '${why}'`;
};
/** Why order `o` is not for sale any more; null while it is. */
const reason = `case ${saleEnds.map(reasonOf).join('\n  ')} end`;
const sources = `checkout_orders o left join magic_links l on l.id = o.link_id left join fan_tiers t on t.id = o.tier_id
  left join users u on u.id = o.creator_id left join custom_requests q on q.id = o.request_id`;

/** What an end is about: only sales of it are looked at. */
export type SaleScope =
  | { linkIds: readonly string[] }
  | { albumIds: readonly string[] }
  | { tierId: string }
  | { sellerId: string; viewerId?: string }
  | { requestId: string }
  /** Whatever is being paid: also what ends by the clock, or by whoever forgot to say so. */
  | 'all';

// $4 and $5 are the ids of a scope.
const inScope = {
  links: ' and o.link_id = any($4::uuid[])',
  albums: ` and (o.link_id in (select link_id from link_albums where album_id = any($4::uuid[]))
    or o.tier_id in (select id from fan_tiers where album_ids && $4::uuid[]))`,
  tier: ' and o.tier_id = $4',
  seller: ' and o.creator_id = $4',
  viewer: ' and o.creator_id = $4 and o.viewer_id = $5',
  request: ' and o.request_id = $4',
  all: '',
} as const;

/** A sale that has ended. */
export interface EndedSale {
  id: string;
  why: SaleEnd;
}

// Whoever writes what became of an order holds it and then wants the link's row, which the end holds: nobody waits for the other.
const endedIn = (name: keyof typeof inScope): Statement<EndedSale> =>
  statement(
    `sales_ended_${name}`,
    `with due as (
  select s.id, s.why from (select o.id, ${reason} as why from ${sources}
    where o.state = 'pending' and o.provider = $2 and o.livemode = $3${inScope[name]}) s
  where s.why is not null limit 1000
), free as (
  select o.id, d.why from checkout_orders o join due d on d.id = o.id where o.state = 'pending' for no key update of o skip locked
), ended as (
  update checkout_orders o set state = 'canceled', ended_at = $1, ended_why = f.why, synced_version = o.synced_version + 1
  from free f where o.id = f.id
)
select id, why from due`,
  );
const ended = {
  links: endedIn('links'),
  albums: endedIn('albums'),
  tier: endedIn('tier'),
  seller: endedIn('seller'),
  viewer: endedIn('viewer'),
  request: endedIn('request'),
  all: endedIn('all'),
};

/** Returns which statement asks for a scope, and with which ids. */
function askFor(scope: SaleScope): [keyof typeof ended, ...(string | readonly string[])[]] {
  if (scope === 'all') return ['all'];
  if ('linkIds' in scope) return ['links', scope.linkIds];
  if ('albumIds' in scope) return ['albums', scope.albumIds];
  if ('tierId' in scope) return ['tier', scope.tierId];
  if ('requestId' in scope) return ['request', scope.requestId];
  return scope.viewerId === undefined ? ['seller', scope.sellerId] : ['viewer', scope.sellerId, scope.viewerId];
}

// Most of what ends is for sale to nobody just now: that is asked first, and cheaply.
const paidIn = (name: keyof typeof inScope): Statement<{ isPaid: boolean }> =>
  statement(
    `sales_paid_in_${name}`,
    `select exists (select from checkout_orders o where o.state = 'pending' and o.provider = $2 and o.livemode = $3
      and $1::timestamptz is not null${inScope[name]}) as "isPaid"`,
  );
const paid = {
  links: paidIn('links'),
  albums: paidIn('albums'),
  tier: paidIn('tier'),
  seller: paidIn('seller'),
  viewer: paidIn('viewer'),
  request: paidIn('request'),
  all: paidIn('all'),
};

interface Realm {
  provider: string;
  livemode: boolean;
}

/**
 * Ends every order of a scope that is being paid and is not for sale any more. One that somebody writes just now is left to
 * `endOrder`, after the transaction.
 * @returns all of them
 */
export async function endOrders(
  tx: Tx,
  { provider, livemode }: Realm,
  scope: SaleScope,
  now: Date,
): Promise<EndedSale[]> {
  const [name, ...ids] = askFor(scope);
  const values = [now, provider, livemode, ...ids];
  const [any] = await tx.query(paid[name], values);
  return any?.isPaid === true ? tx.query(ended[name], values) : [];
}

const orderEnded = statement(
  'sale_order_ended',
  `update checkout_orders set state = 'canceled', ended_at = $2, ended_why = $3, synced_version = synced_version + 1
where id = $1 and state = 'pending'`,
);

/** Ends an order that was held when its sale ended. */
export const endOrder = async (tx: Tx, { id, why }: EndedSale, at: Date): Promise<void> =>
  void (await tx.query(orderEnded, [id, at, why]));

const present = statement<{ why: SaleEnd | null }>(
  'sale_end',
  `select ${reason} as why from ${sources} where o.id = $2 and $1::timestamptz is not null`,
);

/** Why an order is not for sale now, whatever has become of it; undefined while it is. */
export const findSaleEnd = async (
  source: Pick<Tx, 'query'>,
  orderId: string,
  now: Date,
): Promise<SaleEnd | undefined> => (await source.query(present, [now, orderId]))[0]?.why ?? undefined;

const accountReason = `case ${saleEnds
  .filter((why) => endedBy[why].includes('credits') && endedBy[why].includes('plan'))
  .map((why) => `when ${hasCome[why]} then '${why}'`)
  .join(' ')} end`;
const ownEnded = (table: string, state: string): Statement<EndedSale> =>
  statement(
    `${table}_sale_ended`,
    `with due as (
  select s.id, s.why from (select o.id, ${accountReason} as why from ${table} o left join users u on u.id = o.user_id
    where o.state = '${state}' and o.ended_at is null and o.provider = $2 and o.livemode = $3 and o.user_id is not null
    and ($4::uuid is null or o.user_id = $4) limit 1000) s where s.why is not null
)
update ${table} o set ended_at = $1, ended_why = d.why from due d where o.id = d.id and o.state = '${state}' returning o.id, d.why`,
  );
const creditsEnded = ownEnded('credit_orders', 'pending');
const plansEnded = ownEnded('plan_checkouts', 'open');

/** Notes of the credits and the plan that an account is paying for that they are not for sale to it any more. */
export async function endOwnSales(
  tx: Tx,
  { provider, livemode }: Realm,
  userId: string | null,
  now: Date,
): Promise<{ credits: EndedSale[]; plans: EndedSale[] }> {
  const values = [now, provider, livemode, userId];
  return { credits: await tx.query(creditsEnded, values), plans: await tx.query(plansEnded, values) };
}
