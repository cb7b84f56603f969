import { statement, type Tx } from '#engines/database/work.ts';
import type { Realm } from '#engines/payments/payments.ts';
import type { Subscription } from '#engines/payments/plan-payments.ts';
import { type Draft, draftEndsDays } from '#features/books/draft-rules.ts';

/** A plan as the room works with it. */
export interface PlanRow {
  id: string;
  userId: string | null;
  subscriptionId: string;
  customerId: string;
  status: string;
  isPaused: boolean;
  pausedFrom: Date | null;
  pausedUntil: Date | null;
  amountCents: number;
  currency: string;
  trialEnd: Date | null;
  /** Whose day of the month is that of every bill; null where nobody has asked since that is known. */
  anchoredAt: Date | null;
  periodEnd: Date | null;
  cancelAtPeriodEnd: boolean;
  endedAt: Date | null;
  firstPaidAt: Date | null;
  moneyBackAt: Date | null;
  cardBrand: string | null;
  cardLast4: string | null;
  /** Since when its renewal is a draft that was not charged; null where it is none. */
  draftSince: Date | null;
  finalizationError: string | null;
  syncedAt: Date;
  syncedVersion: number;
}

const columns = `p.id, p.user_id as "userId", p.subscription_id as "subscriptionId", p.customer_id as "customerId", p.status,
  p.is_paused as "isPaused", p.paused_from as "pausedFrom", p.paused_until as "pausedUntil", p.amount_cents as "amountCents", p.currency, p.trial_end as "trialEnd", p.anchored_at as "anchoredAt", p.period_end as "periodEnd",
  p.cancel_at_period_end as "cancelAtPeriodEnd", p.ended_at as "endedAt", p.first_paid_at as "firstPaidAt",
  p.money_back_at as "moneyBackAt", p.card_brand as "cardBrand", p.card_last4 as "cardLast4", p.draft_since as "draftSince",
  p.finalization_error as "finalizationError", p.synced_at as "syncedAt",
  p.synced_version as "syncedVersion"`;

/** Of several plans the one that counts: one that runs before one that is paused, that before one that is over, then the newest. */
const counts = `(p.status in ('trialing', 'active', 'past_due')) desc, p.is_paused, p.created_at desc, p.id desc`;

const bySubscription = statement<PlanRow>(
  'plan_by_subscription',
  `select ${columns} from platform_subscriptions p where p.provider = $1 and p.subscription_id = $2`,
);
const ofUser = statement<PlanRow>(
  'plan_of_user',
  `select ${columns} from platform_subscriptions p where p.user_id = $1 and p.provider = $2 and p.livemode = $3 order by ${counts} limit 1`,
);
const overdue = statement<{ subscriptionId: string }>(
  'plans_overdue',
  `select p.subscription_id as "subscriptionId" from platform_subscriptions p where p.provider = $1 and p.livemode = $2
  and p.ended_at is null and (p.synced_at < $4 or ((p.period_end <= $3 or p.paused_until <= $3 or p.draft_since <= $3::timestamptz - interval '${draftEndsDays} days'
    or (p.draft_since <= $6 and p.finalization_error is null)) and p.synced_at < $5)) order by p.synced_at limit 200`,
);

type Source = Pick<Tx, 'query'>;

export const findPlan = async (tx: Source, { provider }: Realm, subscriptionId: string): Promise<PlanRow | undefined> =>
  (await tx.query(bySubscription, [provider, subscriptionId]))[0];

/** The plan of a creator that counts. */
export const findPlanOf = async (
  tx: Source,
  { provider, livemode }: Realm,
  userId: string,
): Promise<PlanRow | undefined> => (await tx.query(ofUser, [userId, provider, livemode]))[0];

/**
 * Plans whose month is over and of which nobody has told how they went on, those not asked about for a day, and those whose renewal
 * should be no draft any more.
 */
export const listOverduePlans = async (
  tx: Tx,
  { provider, livemode }: Realm,
  { now, before, long, drafted }: { now: Date; before: Date; long: Date; drafted: Date },
): Promise<string[]> =>
  (await tx.query(overdue, [provider, livemode, now, long, before, drafted])).map(
    ({ subscriptionId }) => subscriptionId,
  );

export interface PlanToWrite {
  id: string;
  realm: Realm;
  userId: string | null;
  checkoutId: string | null;
  subscription: Subscription;
  draft: Draft | undefined;
  amountCents: number;
  currency: string;
  firstPaidAt: Date | undefined;
  /** As it was when the provider was asked; undefined when it was not known yet. */
  version: number | undefined;
  now: Date;
}

const written = statement<{ id: string; userId: string | null }>(
  'plan_written',
  `insert into platform_subscriptions as p (id, provider, livemode, user_id, checkout_id, subscription_id, customer_id, status, is_paused,
  amount_cents, currency, trial_end, period_start, period_end, cancel_at_period_end, ended_at, first_paid_at, card_brand, card_last4,
  synced_at, created_at, paused_from, paused_until, anchored_at, draft_invoice_id, draft_since, finalization_error)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $23, $24, $25, $26, $27, $28)
on conflict (provider, subscription_id) do update set user_id = coalesce(p.user_id, excluded.user_id), customer_id = excluded.customer_id,
  status = excluded.status, is_paused = excluded.is_paused, paused_from = excluded.paused_from,
  paused_until = excluded.paused_until, anchored_at = excluded.anchored_at, trial_end = excluded.trial_end, period_start = excluded.period_start,
  period_end = excluded.period_end, cancel_at_period_end = excluded.cancel_at_period_end, ended_at = excluded.ended_at,
  first_paid_at = coalesce(p.first_paid_at, excluded.first_paid_at), card_brand = excluded.card_brand, card_last4 = excluded.card_last4,
  draft_invoice_id = excluded.draft_invoice_id, draft_since = excluded.draft_since, finalization_error = excluded.finalization_error,
  synced_at = excluded.synced_at, synced_version = p.synced_version + 1
where p.synced_version = $22
returning p.id, p.user_id as "userId"`,
);

/** Writes what the provider says now. @returns undefined when somebody was quicker: then the provider has to be asked again */
export async function writePlan(tx: Tx, plan: PlanToWrite): Promise<{ id: string; userId: string | null } | undefined> {
  const { id, realm, userId, checkoutId, subscription, draft, amountCents, currency, firstPaidAt, version, now } = plan;
  const { subscriptionId, customerId, status, isPaused, trialEndsAt, periodStartsAt, periodEndsAt } = subscription;
  const { cancelsAtPeriodEnd, endedAt, card, createdAt, pausedFrom, pausedUntil, anchoredAt } = subscription;
  const [row] = await tx.query(written, [
    ...[id, realm.provider, realm.livemode, userId, checkoutId, subscriptionId, customerId, status, isPaused],
    ...[amountCents, currency, trialEndsAt ?? null, periodStartsAt ?? null, periodEndsAt ?? null, cancelsAtPeriodEnd],
    ...[endedAt ?? null, firstPaidAt ?? null, card?.brand ?? null, card?.last4 ?? null, now, createdAt, version ?? -1],
    ...[pausedFrom ?? null, pausedUntil ?? null, anchoredAt],
    ...[draft?.invoiceId ?? null, draft?.since ?? null, draft?.finalizationError ?? null],
  ]);
  return row;
}

const planStatus = statement<{ userId: string }>(
  'plan_standing',
  `update users u set subscription_status = c.status, trial_ends_at = c.trial_ends_at, plan_is_paused = c.is_paused,
  plan_paused_until = c.paused_until
from (select case when p.status not in ('trialing', 'active', 'past_due') then 'inactive'
      when p.draft_since <= $4::timestamptz - interval '${draftEndsDays} days' then 'inactive'
      when p.is_paused and coalesce(p.paused_from <= $4, true) then 'inactive' else p.status end as status,
    p.status in ('trialing', 'active', 'past_due') and p.is_paused and coalesce(p.paused_from <= $4, true) as is_paused,
    case when p.status in ('trialing', 'active', 'past_due') and p.is_paused and coalesce(p.paused_from <= $4, true)
      then p.paused_until end as paused_until,
    -- A trial with a card is followed by a month, and only the provider says when.
    case when p.status = 'trialing' and p.card_last4 is null then p.trial_end
      when p.status in ('trialing', 'active', 'past_due') or p.first_paid_at is not null then null
      else coalesce(p.trial_end, (select trial_ends_at from users where id = $1)) end as trial_ends_at
  from platform_subscriptions p where p.user_id = $1 and p.provider = $2 and p.livemode = $3 order by ${counts} limit 1) c
where u.id = $1 and (u.subscription_status, u.trial_ends_at, u.plan_is_paused, u.plan_paused_until)
  is distinct from (c.status, c.trial_ends_at, c.is_paused, c.paused_until)
returning u.id as "userId"`,
);

/** Brings the plan that counts to where access is decided. @returns whether it has changed */
export const writePlanStatus = async (
  tx: Tx,
  { provider, livemode }: Realm,
  userId: string,
  now: Date,
): Promise<boolean> => (await tx.query(planStatus, [userId, provider, livemode, now])).length === 1;

const payer = statement<{ id: string }>(
  'plan_payer',
  `select id from users where email = $1 and email_verified and setup_step = 'done' and status = 'active'`,
);

/** Whose account a plan is for that was paid under an address, where that address was confirmed before. */
export const findPayer = async (tx: Tx, email: string): Promise<string | undefined> =>
  (await tx.query(payer, [email]))[0]?.id;

const announced = statement<{ userId: string; at: Date; amountCents: number; currency: string }>(
  'plans_announced',
  `update platform_subscriptions p set reminded_of = p.trial_end where p.status = 'trialing' and p.card_last4 is not null
  and not p.cancel_at_period_end and p.user_id is not null and p.provider = $1 and p.livemode = $2
  and p.trial_end > $3 and p.trial_end <= $4 and p.reminded_of is distinct from p.trial_end
returning p.user_id as "userId", p.trial_end as at, p.amount_cents as "amountCents", p.currency`,
);

/** Takes plans whose first month is about to be paid for, each once. */
export const takeAnnounced = (tx: Tx, { provider, livemode }: Realm, now: Date, until: Date) =>
  tx.query(announced, [provider, livemode, now, until]);

const doubted = statement('plan_doubted', `update platform_subscriptions set synced_at = 'epoch' where id = $1`);

/** Something about a plan is being changed elsewhere: the next question about it asks the provider. */
export async function doubtPlan(tx: Tx, planId: string): Promise<void> {
  await tx.query(doubted, [planId]);
}
