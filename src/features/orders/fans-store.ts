import { statement, type Tx } from '#engines/database/work.ts';
import type { Realm } from '#engines/payments/payments.ts';
import type { Subscription } from '#engines/payments/plan-payments.ts';
import type { Draft } from '#features/books/draft-rules.ts';
import type { Months } from './fan-rules.ts';

/** A subscription of a fan as the room works with it. Amounts are cents of its currency. */
export interface FanRow {
  id: string;
  source: 'paid' | 'pass';
  creatorId: string | null;
  creatorName: string;
  viewerId: string | null;
  /** The address that it is paid under. */
  email: string | null;
  tierId: string | null;
  tierName: string;
  linkId: string | null;
  subscriptionId: string | null;
  customerId: string | null;
  status: string;
  isPaused: boolean;
  /** Paid at once each time. */
  months: Months;
  /** What these months cost this subscriber. */
  amountCents: number;
  currency: string;
  /** Of a pass its end; null for one that has none. */
  periodEnd: Date | null;
  cancelAtPeriodEnd: boolean;
  /** It ends because its creator stopped the tier. */
  stoppedAt: Date | null;
  endedAt: Date | null;
  nextAttemptAt: Date | null;
  /** Since when its renewal is a draft that was not charged; null where it is none. */
  draftSince: Date | null;
  finalizationError: string | null;
  /** What goes back because its creator is suspended or gone. */
  cutCents: number | null;
  paidOrderId: string | null;
  syncedVersion: number;
}

const columns = `f.id, f.source, f.creator_id as "creatorId", f.creator_name as "creatorName", f.viewer_id as "viewerId", b.email,
  f.tier_id as "tierId", f.tier_name as "tierName", f.link_id as "linkId", f.subscription_id as "subscriptionId",
  f.customer_id as "customerId", f.status, f.is_paused as "isPaused", f.months, f.amount_cents as "amountCents", f.currency,
  f.period_end as "periodEnd", f.cancel_at_period_end as "cancelAtPeriodEnd", f.stopped_at as "stoppedAt", f.ended_at as "endedAt",
  f.next_attempt_at as "nextAttemptAt", f.draft_since as "draftSince",
  f.finalization_error as "finalizationError", f.cut_cents as "cutCents", f.paid_order_id as "paidOrderId", f.synced_version as "syncedVersion"`;
const joined = 'fan_subscriptions f left join buyers b on b.id = f.buyer_id';

type Source = Pick<Tx, 'query'>;

const bySubscription = statement<FanRow>(
  'fan_by_subscription',
  `select ${columns} from ${joined} where f.provider = $1 and f.subscription_id = $2`,
);
const byId = statement<FanRow>('fan_by_id', `select ${columns} from ${joined} where f.id = $1`);

export const findFanOf = async (tx: Source, { provider }: Realm, subscriptionId: string): Promise<FanRow | undefined> =>
  (await tx.query(bySubscription, [provider, subscriptionId]))[0];

export const findFan = async (tx: Source, id: string): Promise<FanRow | undefined> => (await tx.query(byId, [id]))[0];

const written = statement<{ id: string }>(
  'fan_written',
  `insert into fan_subscriptions as f (id, source, provider, livemode, creator_id, creator_name, viewer_id, buyer_id, tier_id, tier_name, link_id,
  subscription_id, customer_id, status, is_paused, amount_cents, currency, period_start, period_end, cancel_at_period_end, ended_at,
  next_attempt_at, card_brand, card_last4, synced_at, created_at, months, draft_invoice_id, draft_since, finalization_error)
select $1, 'paid', o.provider, o.livemode, o.creator_id, o.creator_name, o.viewer_id, o.buyer_id, o.tier_id, coalesce(t.name, ''), o.link_id,
  $3, $4, $5, $6, $7, o.currency, $8, $9, $10, $11, $12, $13, $14, $15, $16, o.months, $18, $19, $20
from checkout_orders o left join fan_tiers t on t.id = o.tier_id where o.id = $2
on conflict (provider, subscription_id) do update set customer_id = excluded.customer_id, status = excluded.status,
  is_paused = excluded.is_paused, amount_cents = excluded.amount_cents, period_start = excluded.period_start, period_end = excluded.period_end,
  cancel_at_period_end = excluded.cancel_at_period_end, ended_at = excluded.ended_at, next_attempt_at = excluded.next_attempt_at,
  stopped_at = case when excluded.cancel_at_period_end then f.stopped_at end,
  card_brand = excluded.card_brand, card_last4 = excluded.card_last4, draft_invoice_id = excluded.draft_invoice_id,
  draft_since = excluded.draft_since, finalization_error = excluded.finalization_error, tries = 0, next_try_at = null,
  synced_at = excluded.synced_at, synced_version = f.synced_version + 1
where f.synced_version = $17 returning f.id`,
);

export interface FanToWrite {
  id: string;
  /** An order of it, by which it is known whose it is. */
  orderId: string;
  subscription: Subscription;
  nextAttemptAt: Date | undefined;
  draft: Draft | undefined;
  /** As it was when the provider was asked; undefined when it was not known yet. */
  version: number | undefined;
  now: Date;
}

/** Writes what the provider says now. @returns undefined when somebody was quicker: then the provider has to be asked again */
export async function writeFan(tx: Tx, fan: FanToWrite): Promise<string | undefined> {
  const { id, orderId, subscription, nextAttemptAt, draft, version, now } = fan;
  const { subscriptionId, customerId, status, isPaused, priceCents, periodStartsAt, periodEndsAt } = subscription;
  const { cancelsAtPeriodEnd, endedAt, card, createdAt } = subscription;
  const [row] = await tx.query(written, [
    ...[id, orderId, subscriptionId, customerId, status, isPaused, priceCents],
    ...[periodStartsAt ?? null, periodEndsAt ?? null, cancelsAtPeriodEnd, endedAt ?? null, nextAttemptAt ?? null],
    ...[card?.brand ?? null, card?.last4 ?? null, now, createdAt, version ?? -1],
    ...[draft?.invoiceId ?? null, draft?.since ?? null, draft?.finalizationError ?? null],
  ]);
  return row?.id;
}

const firstBound = statement(
  'fan_first_order',
  'update checkout_orders set fan_subscription_id = $2, invoice_id = $3 where id = $1 and fan_subscription_id is null',
);

/** The checkout is the first month. */
export async function bindFirstMonth(tx: Tx, orderId: string, fanId: string, invoiceId: string | null): Promise<void> {
  await tx.query(firstBound, [orderId, fanId, invoiceId]);
}

const billed = statement<{ invoiceId: string }>(
  'fan_billed',
  `select invoice_id as "invoiceId" from checkout_orders where fan_subscription_id = $1 and invoice_id is not null`,
);

/** The bills of which it is known already that they were paid. */
export const listBilled = async (tx: Source, fanId: string): Promise<Set<string>> =>
  new Set((await tx.query(billed, [fanId])).map(({ invoiceId }) => invoiceId));

// It counts as failed until the same transaction writes what was paid: nobody else ever sees it so.
const monthInserted = statement<{ id: string }>(
  'fan_month_inserted',
  `insert into checkout_orders (id, provider, livemode, kind, state, creator_id, creator_name, link_id, slug, viewer_id, buyer_id, acct_id,
  amount_cents, fee_cents, currency, terms, tier_id, fan_subscription_id, invoice_id, expires_at, created_at, months)
select $1, f.provider, f.livemode, 'fan_sub', 'failed', f.creator_id, f.creator_name, f.link_id, o.slug, f.viewer_id, f.buyer_id, o.acct_id,
  $4, $5, f.currency, '{}', f.tier_id, f.id, $3, $6, $6, f.months
from fan_subscriptions f join lateral (select slug, acct_id from checkout_orders where fan_subscription_id = f.id order by created_at limit 1) o on true
where f.id = $2
on conflict do nothing returning id`,
);

/** Another month, as an order of its own. */
export async function insertMonth(
  tx: Tx,
  month: { id: string; fanId: string; invoiceId: string; amountCents: number; feeCents: number; at: Date },
): Promise<void> {
  const { id, fanId, invoiceId, amountCents, feeCents, at } = month;
  await tx.query(monthInserted, [id, fanId, invoiceId, amountCents, feeCents, at]);
}

const newestPaid = statement<{ state: string; isLate: boolean }>(
  'fan_newest_paid',
  `with newest as (
  select id, state, ended_at is not null as is_late from checkout_orders where fan_subscription_id = $1 and paid_at is not null order by paid_at desc, id desc limit 1
), kept as (update fan_subscriptions f set paid_order_id = n.id from newest n where f.id = $1)
select state, is_late as "isLate" from newest`,
);

/** Keeps which month was paid last. @returns what became of its money, and whether that came when nothing was for sale any more */
export const keepNewestPaid = async (tx: Tx, fanId: string): Promise<{ state: string; isLate: boolean } | undefined> =>
  (await tx.query(newestPaid, [fanId]))[0];

const passInserted = statement<{ id: string }>(
  'fan_pass_inserted',
  `insert into fan_subscriptions (id, source, creator_id, creator_name, viewer_id, tier_id, tier_name, status, amount_cents, currency,
  period_start, period_end, cancel_at_period_end, created_at)
select $1, 'pass', t.creator_id, u.display_name, $2, t.id, t.name, 'active', 0, t.currency, $4, $5, true, $4
from fan_tiers t join users u on u.id = t.creator_id where t.id = $3 returning id`,
);

/**
 * Gives a viewer what a tier opens, for nothing and without renewal.
 * @param endsAt null for one that does not end
 * @returns false when there is no such tier
 */
export async function insertFanPass(
  tx: Tx,
  {
    id,
    viewerId,
    tierId,
    endsAt,
    now,
  }: { id: string; viewerId: string; tierId: string; endsAt: Date | null; now: Date },
): Promise<boolean> {
  return (await tx.query(passInserted, [id, viewerId, tierId, now, endsAt])).length === 1;
}
