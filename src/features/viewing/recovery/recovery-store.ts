import { statement, type Tx } from '#engines/database/work.ts';
import type { Realm } from '#engines/payments/payments.ts';
import type { SoldKind } from '#features/orders/contract.ts';
import type { AskFacts } from '#features/orders/refund-asking-rules.ts';
import { askColumns } from '#features/orders/refund-requests-store.ts';
import type { OrderState } from '#features/orders/rules.ts';

type Source = Pick<Tx, 'query'>;

const payer = statement<{ id: string }>(
  'buyer_of_email',
  `select b.id from buyers b where b.email = $1 and (exists (select from checkout_orders o
  where o.buyer_id = b.id and o.paid_at is not null and o.provider = $2 and o.livemode = $3 and o.retired_at is null)
  or exists (select from fan_subscriptions f where f.buyer_id = b.id and f.source = 'pass' and f.retired_at is null)
  or exists (select from custom_requests r where r.buyer_id = b.id and r.provider = $2 and r.livemode = $3))`,
);

/** Who has paid with this address, taken a free pass or asked a creator for something; undefined when nobody has. */
export const findPayer = async (
  source: Source,
  email: string,
  { provider, livemode }: Realm,
): Promise<string | undefined> => (await source.query(payer, [email, provider, livemode]))[0]?.id;

const tokenKept = statement(
  'recovery_token_kept',
  'insert into buyer_recovery_tokens (token_hash, buyer_id, created_at, expires_at) values ($1, $2, $3, $4)',
);

/** Keeps the hash of a mailed link's secret. */
export async function insertToken(
  tx: Tx,
  { tokenHash, buyerId, now, expiresAt }: { tokenHash: Buffer; buyerId: string; now: Date; expiresAt: Date },
): Promise<void> {
  await tx.query(tokenKept, [tokenHash, buyerId, now, expiresAt]);
}

const tokenSpent = statement<{ buyerId: string }>(
  'recovery_token_spent',
  `with spent as (
  update buyer_recovery_tokens set used_at = $2 where token_hash = $1 and used_at is null and expires_at > $2 returning buyer_id
), proven as (
  update buyers b set verified_at = $2 from spent s where b.id = s.buyer_id and b.verified_at is null
)
select buyer_id as "buyerId" from spent`,
);

/** Takes a mailed link, once. @returns whose address it proves; undefined when it was used before, is over or nobody's */
export const spendToken = async (tx: Tx, tokenHash: Buffer, now: Date): Promise<string | undefined> =>
  (await tx.query(tokenSpent, [tokenHash, now]))[0]?.buyerId;

const proofKept = statement(
  'buyer_browser_kept',
  `insert into buyer_browsers as b (secret_hash, buyer_id, is_joined, at) values ($1, $2, $3, $4)
on conflict (secret_hash) do update set buyer_id = excluded.buyer_id, is_joined = b.is_joined or excluded.is_joined, at = excluded.at`,
);

/** A browser that has proven a buyer's address. */
export interface ProvenBrowser {
  secretHash: Buffer;
  buyerId: string;
  /** It is its viewer's by this proof alone. */
  isJoined: boolean;
  now: Date;
}

/** Notes that a browser has proven an address; a second one takes the place of the first. */
export async function keepProof(tx: Tx, { secretHash, buyerId, isJoined, now }: ProvenBrowser): Promise<void> {
  await tx.query(proofKept, [secretHash, buyerId, isJoined, now]);
}

const browser = statement<{ buyerId: string | null; viewerId: string | null }>(
  'buyer_browser',
  `select (select buyer_id from buyer_browsers where secret_hash = $1) as "buyerId",
  (select viewer_id from viewer_devices where secret_hash = $1) as "viewerId"`,
);

/** What is known of a browser: the buyer whose address it has proven, and the viewer whose device it is. */
export async function findBrowser(
  source: Source,
  secretHash: Buffer,
): Promise<{ buyerId: string | undefined; viewerId: string | undefined }> {
  const [row] = await source.query(browser, [secretHash]);
  return { buyerId: row?.buyerId ?? undefined, viewerId: row?.viewerId ?? undefined };
}

/** Something that was paid for. */
export interface PurchaseRow extends Omit<AskFacts, 'paidAt'> {
  orderId: string;
  kind: SoldKind;
  state: OrderState;
  creatorName: string;
  amountCents: number;
  refundedCents: number;
  currency: string;
  at: Date;
  slug: string | null;
  hasReceipt: boolean;
  /** The viewer who paid; null when nothing is known of them any more. */
  viewerId: string | null;
  /** This browser is one of theirs. */
  isOwn: boolean;
  /** On the creator's own page, to open nothing. */
  isOnPage: boolean;
  /** The link is there, and this viewer has not been shut out of it. */
  isAlive: boolean;
}

// Who has turned out to be another viewer is that one, and shut out as that one is.
const purchases = statement<PurchaseRow>(
  'purchases_of_browser',
  `with me as (
  select case when v.merged_into is null then v.id else v.merged_into end as viewer_id
  from viewer_devices d join viewers v on v.id = d.viewer_id where d.secret_hash = $1
), proof as (
  select buyer_id, is_joined from buyer_browsers where secret_hash = $1
)
select o.id as "orderId", o.kind, o.state, o.creator_name as "creatorName", o.amount_cents as "amountCents", o.refunded_cents as "refundedCents",
  o.currency, o.paid_at as at, o.slug, exists (select from receipts r where r.order_id = o.id) as "hasReceipt",
  w.id as "viewerId", coalesce(w.id = (select viewer_id from me), false) as "isOwn",
  o.on_page as "isOnPage", o.ended_at is null and l.id is not null and not l.is_revoked and l.taken_down_at is null and u.status not in ('deleting', 'deleted')
    and w.blocked_globally_at is null
    and not exists (select from viewer_blocks k where k.creator_id = l.user_id and k.viewer_id = w.id)
    and not exists (select from link_viewers a where a.link_id = l.id and a.viewer_id = w.id and a.blocked_at is not null) as "isAlive",
  ${askColumns}
from checkout_orders o
left join magic_links l on l.id = o.link_id
left join users u on u.id = l.user_id
left join viewers v on v.id = o.viewer_id
left join viewers w on w.id = case when v.merged_into is null then v.id else v.merged_into end
where o.paid_at is not null and o.provider = $2 and o.livemode = $3 and o.retired_at is null
  and o.kind in ('tip', 'album', 'bundle')
  and (o.buyer_id = (select buyer_id from proof)
    or (o.viewer_id = (select viewer_id from me) and not exists (select from proof where is_joined)))
order by o.paid_at desc, o.id desc limit 200`,
);

/** What was paid for by this browser's viewer, and with the address that it has proven; newest first. */
export const listPurchases = (
  source: Source,
  secretHash: Buffer,
  { provider, livemode }: Realm,
): Promise<PurchaseRow[]> => source.query(purchases, [secretHash, provider, livemode]);

const tokensSwept = statement('recovery_tokens_swept', 'delete from buyer_recovery_tokens where expires_at < $1');

/** Forgets mailed links that are over. */
export async function sweepTokens(source: Source, now: Date): Promise<void> {
  await source.query(tokensSwept, [now]);
}
