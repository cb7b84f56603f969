import { statement, type Tx } from '#engines/database/work.ts';
import type { Realm } from '#engines/payments/payments.ts';
import { termsOf } from '#features/notices/refund-promise.ts';
import type { OrderEnd, SaleEnd } from '#features/sales/rules.ts';
import type { SoldKind } from './contract.ts';
import type { Months } from './fan-rules.ts';
import type { OrderState } from './rules.ts';

/** An order as the money room works with it. Amounts are cents of its currency. */
export interface OrderRow extends Realm {
  id: string;
  kind: SoldKind;
  state: OrderState;
  creatorId: string | null;
  linkId: string | null;
  viewerId: string | null;
  amountCents: number;
  feeCents: number;
  /** All that ever went back. */
  refundedCents: number;
  /** What of that has come back, because the buyer's bank did not take it. */
  unreturnedCents: number;
  currency: string;
  message: string;
  isAnonymous: boolean;
  /** On their own page, so that it opens nothing. */
  isOnPage: boolean;
  /** The name that whoever paid has signed with. */
  signedBy: string;
  /** The version of the link's rules that was shown before paying. */
  policyVersion: number | null;
  slug: string | null;
  creatorName: string;
  sessionId: string | null;
  paymentId: string | null;
  chargeId: string | null;
  /** Of what is paid every month: what of, what it became, and the provider's bill of this month. */
  tierId: string | null;
  fanId: string | null;
  /** Paid for at once. */
  months: Months;
  invoiceId: string | null;
  /** What it is held for; null for what its creator gets at once. */
  requestId: string | null;
  email: string | null;
  expiresAt: Date;
  paidAt: Date | null;
  createdAt: Date;
  syncedVersion: number;
  receiptNumber: number | null;
  /** When and why it ended that this was for sale, before it was paid; null where it did not. */
  endedAt: Date | null;
  endedWhy: SaleEnd | null;
  /** The words beside the button that paid; null where they are not known. */
  termsShown: string | null;
}

const columns = `o.id, o.provider, o.livemode, o.kind, o.state, o.creator_id as "creatorId", o.link_id as "linkId", o.viewer_id as "viewerId",
  o.amount_cents as "amountCents", o.fee_cents as "feeCents", o.refunded_cents as "refundedCents", o.unreturned_cents as "unreturnedCents", o.currency, o.message,
  o.is_anonymous as "isAnonymous", o.on_page as "isOnPage", o.signed_by as "signedBy", o.policy_version as "policyVersion", o.slug,
  o.creator_name as "creatorName", o.terms_shown as "termsShown", o.session_id as "sessionId", o.payment_id as "paymentId", o.charge_id as "chargeId", o.tier_id as "tierId",
  o.fan_subscription_id as "fanId", o.months, o.invoice_id as "invoiceId", o.request_id as "requestId",
  b.email, o.expires_at as "expiresAt", o.paid_at as "paidAt", o.created_at as "createdAt", o.synced_version as "syncedVersion",
  r.number as "receiptNumber", o.ended_at as "endedAt", o.ended_why as "endedWhy"`;
const joined = 'checkout_orders o left join buyers b on b.id = o.buyer_id left join receipts r on r.order_id = o.id';

const byId = statement<OrderRow>('order_by_id', `select ${columns} from ${joined} where o.id = $1`);
const bySession = statement<OrderRow>(
  'order_by_session',
  `select ${columns} from ${joined} where o.provider = $1 and o.livemode = $2 and o.session_id = $3`,
);
/** What a viewer pays for at a link, one of them at a time. */
const soldKinds = `('tip', 'album', 'bundle', 'fan_sub')`;
const byInvoice = statement<OrderRow>(
  'order_by_invoice',
  `select ${columns} from ${joined} where o.provider = $1 and o.livemode = $2 and o.invoice_id = $3`,
);
const pendingOf = statement<OrderRow>(
  'order_pending',
  `select ${columns} from ${joined} where o.link_id = $1 and o.viewer_id = $2 and o.kind in ${soldKinds} and o.state = 'pending'
  and o.provider = $3 and o.livemode = $4`,
);
const subscribing = statement<OrderRow>(
  'order_subscribing',
  `select ${columns} from ${joined} where o.creator_id = $1 and o.viewer_id = $2 and o.kind = 'fan_sub' and o.state = 'pending'
  and o.provider = $3 and o.livemode = $4`,
);

type Source = Pick<Tx, 'query'>;

export const findOrder = async (tx: Source, id: string): Promise<OrderRow | undefined> =>
  (await tx.query(byId, [id]))[0];

/** The same, of the money that is taken here: what a test paid for is nothing where money is real. */
export async function findOrderHere(tx: Source, realm: Realm, id: string): Promise<OrderRow | undefined> {
  const order = await findOrder(tx, id);
  return order?.provider === realm.provider && order.livemode === realm.livemode ? order : undefined;
}

export const findOrderOfSession = async (tx: Source, { provider, livemode }: Realm, sessionId: string) =>
  (await tx.query(bySession, [provider, livemode, sessionId]))[0];

/** The month that a bill was for. */
export const findOrderOfInvoice = async (tx: Source, { provider, livemode }: Realm, invoiceId: string) =>
  (await tx.query(byInvoice, [provider, livemode, invoiceId]))[0];

const pendingOnPage = statement<OrderRow>(
  'order_pending_on_page',
  `select ${columns} from ${joined} where o.creator_id = $1 and o.viewer_id = $2 and o.kind = 'tip' and o.on_page and o.state = 'pending'
  and o.provider = $3 and o.livemode = $4`,
);

/** The tip that this viewer is sending on a creator's page just now. */
export const findPendingOnPage = async (
  tx: Source,
  creatorId: string,
  viewerId: string,
  { provider, livemode }: Realm,
): Promise<OrderRow | undefined> => (await tx.query(pendingOnPage, [creatorId, viewerId, provider, livemode]))[0];

/** What this viewer is paying for just now. */
export const findPending = async (
  tx: Source,
  linkId: string,
  viewerId: string,
  { provider, livemode }: Realm,
): Promise<OrderRow | undefined> => (await tx.query(pendingOf, [linkId, viewerId, provider, livemode]))[0];

/** What this viewer is about to subscribe to with a creator, from whichever page. */
export const findSubscribing = async (
  tx: Source,
  creatorId: string,
  viewerId: string,
  { provider, livemode }: Realm,
): Promise<OrderRow | undefined> => (await tx.query(subscribing, [creatorId, viewerId, provider, livemode]))[0];

const heldUntil = statement<{ until: Date | null }>(
  'order_held_until',
  `select min(expires_at) as until from checkout_orders where link_id = $1 and viewer_id = $2 and kind in ${soldKinds} and provider = $3 and livemode = $4
  and state in ('expired', 'canceled') and ended_at is null and expires_at > $5`,
);

/** Returns until when a viewer was to have paid who has given that payment up for another one. */
export async function findHeldUntil(
  tx: Source,
  { linkId, viewerId }: { linkId: string; viewerId: string },
  { provider, livemode }: Realm,
  now: Date,
): Promise<Date | undefined> {
  const [row] = await tx.query(heldUntil, [linkId, viewerId, provider, livemode, now]);
  return row?.until ?? undefined;
}

export interface NewOrder {
  id: string;
  realm: Realm;
  kind: OrderRow['kind'];
  creatorId: string;
  creatorName: string;
  /** Null for what is not paid at a link. */
  linkId: string | null;
  slug: string | null;
  viewerId: string;
  accountId: string;
  tierId?: string | undefined;
  months?: Months | undefined;
  amountCents: number;
  feeCents: number;
  currency: string;
  message: string;
  isAnonymous: boolean;
  isOnPage?: boolean;
  signedBy?: string;
  requestId?: string;
  /** The terms that the payer's page showed. */
  shownTerms?: string | undefined;
  policyVersion: number | null;
  terms: object;
  expiresAt: Date;
  now: Date;
}

const inserted = statement<{ id: string }>(
  'order_inserted',
  `insert into checkout_orders (id, provider, livemode, kind, creator_id, creator_name, link_id, slug, viewer_id, acct_id, amount_cents,
  fee_cents, currency, message, is_anonymous, policy_version, terms, expires_at, created_at, tier_id, on_page, signed_by, request_id, months, terms_shown, open_for_ms)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25,
  (select (p.policy ->> 'openForMs')::bigint from link_policy_log p where p.link_id = $7 and p.version = $16))
on conflict do nothing returning id`,
);

/** @returns false when this viewer is paying for the same thing already */
export async function insertOrder(tx: Tx, order: NewOrder): Promise<boolean> {
  const { id, realm, kind, creatorId, creatorName, linkId, slug, viewerId, accountId, now } = order;
  const { amountCents, feeCents, currency, message, isAnonymous, policyVersion, terms, expiresAt } = order;
  const who = [id, realm.provider, realm.livemode, kind, creatorId, creatorName, linkId ?? null, slug ?? null];
  const what = [
    amountCents,
    feeCents,
    currency,
    message,
    isAnonymous,
    policyVersion ?? null,
    JSON.stringify(terms),
    expiresAt,
    now,
    order.tierId ?? null,
    order.isOnPage ?? false,
    order.signedBy ?? '',
    order.requestId ?? null,
    order.months ?? 1,
    order.shownTerms === termsOf(kind, order.isOnPage ?? false) ? order.shownTerms : null,
  ];
  return (await tx.query(inserted, [...who, viewerId, accountId, ...what])).length === 1;
}

const sent = statement<{ isWaiting: boolean }>(
  'order_sent',
  `update checkout_orders set session_id = coalesce(session_id, $2) where id = $1
returning state = 'pending' and session_id = $2 as "isWaiting"`,
);

/** Notes where it is paid. @returns false when the order has ended meanwhile: then nobody may pay there */
export const keepSession = async (tx: Tx, id: string, sessionId: string): Promise<boolean> =>
  (await tx.query(sent, [id, sessionId]))[0]?.isWaiting === true;

const synced = statement<{ id: string }>(
  'order_projected',
  `update checkout_orders set state = $3, session_id = coalesce(session_id, $4), payment_id = $5, charge_id = $6, refunded_cents = $7,
  paid_at = coalesce(paid_at, $8), buyer_id = coalesce(buyer_id, $9), unreturned_cents = $10, ended_at = $11, ended_why = $12, synced_version = synced_version + 1
where id = $1 and synced_version = $2 returning id`,
);

export interface OrderUpdate {
  orderId: string;
  /** As it was when the provider was asked. */
  version: number;
  state: OrderState;
  sessionId: string | undefined;
  paymentId: string | undefined;
  chargeId: string | undefined;
  refundedCents: number;
  unreturnedCents: number;
  paidAt: Date | undefined;
  buyerId: string | undefined;
  /** What ended its sale before it was paid. */
  end?: OrderEnd | undefined;
}

/** Writes what the provider says now. @returns false when somebody was quicker: then the provider has to be asked again */
export async function writeProjection(tx: Tx, projection: OrderUpdate): Promise<boolean> {
  const { orderId, version, state, sessionId, paymentId, chargeId, paidAt, buyerId } = projection;
  const { refundedCents, unreturnedCents, end } = projection;
  const ids = [orderId, version, state, sessionId ?? null, paymentId ?? null, chargeId ?? null];
  const more = [refundedCents, paidAt ?? null, buyerId ?? null, unreturnedCents, end?.at ?? null, end?.why ?? null];
  return (await tx.query(synced, [...ids, ...more])).length === 1;
}

const closed = statement<{ id: string }>(
  'order_closed',
  `update checkout_orders set state = $2, synced_version = synced_version + 1 where id = $1 and state = 'pending' returning id`,
);

/** Ends an order that nobody has paid. @returns false when it is no longer waiting */
export const closeOrder = async (tx: Tx, id: string, state: 'expired' | 'failed' | 'canceled'): Promise<boolean> =>
  (await tx.query(closed, [id, state])).length === 1;

const buyerKept = statement<{ id: string }>(
  'buyer_kept',
  `insert into buyers as b (id, email, created_at) values ($1, $2, $3)
on conflict (email) do update set email = b.email returning id`,
);

/** Returns who pays under this address. */
export async function keepBuyer(tx: Tx, id: string, email: string, now: Date): Promise<string> {
  const [buyer] = await tx.query(buyerKept, [id, email.trim().toLowerCase(), now]);
  return buyer?.id ?? id;
}
