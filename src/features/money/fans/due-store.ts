import { statement, type Tx } from '#engines/database/work.ts';
import type { Realm } from '#engines/payments/payments.ts';
import { draftEndsDays, draftGraceDays } from '#features/books/draft-rules.ts';
import { newTermCents } from '#features/orders/fan-tiers-store.ts';

const isHere = `f.source = 'paid' and f.ended_at is null and f.retired_at is null and f.provider = $1 and f.livemode = $2`;

const overdue = statement<{ subscriptionId: string }>(
  'fans_overdue',
  `select f.subscription_id as "subscriptionId" from fan_subscriptions f where ${isHere}
  and (f.synced_at < $5 or (f.period_end <= $3 and f.synced_at < $4) or (f.next_attempt_at <= $3 and f.synced_at < $4)
    or (f.draft_since <= $6 and f.finalization_error is null and f.synced_at < $4)
    or (f.draft_since <= $3::timestamptz - interval '${draftEndsDays} days' and f.synced_at < $4))
  and (f.next_try_at is null or f.next_try_at <= $3) order by f.synced_at limit 200`,
);

/**
 * Subscriptions whose month is over and of which nobody has told how they went on, those not asked about for a day, and those whose
 * renewal should be no draft any more.
 */
export const listOverdueFans = async (
  tx: Tx,
  { provider, livemode }: Realm,
  { now, before, long, drafted }: { now: Date; before: Date; long: Date; drafted: Date },
): Promise<string[]> =>
  (await tx.query(overdue, [provider, livemode, now, before, long, drafted])).map(
    ({ subscriptionId }) => subscriptionId,
  );

const unfinalized = statement<{ subscriptionId: string; invoiceId: string }>(
  'fans_unfinalized',
  `select f.subscription_id as "subscriptionId", f.draft_invoice_id as "invoiceId" from fan_subscriptions f
where ${isHere} and not f.cancel_at_period_end and (f.finalize_at is null or f.finalize_at <= $3)
  and f.draft_since is not null and (f.finalization_error is not null or f.draft_since <= $3::timestamptz - interval '${draftGraceDays} days')
  and exists (select from user_stripe_accounts a where a.user_id = f.creator_id and a.provider = $1 and a.livemode = $2 and a.status = 'complete')
order by f.draft_since limit 50`,
);

/** Subscriptions whose renewal was not made final in time, or could not be, of creators who can be paid now. */
export const listUnfinalized = (tx: Tx, { provider, livemode }: Realm, now: Date) =>
  tx.query(unfinalized, [provider, livemode, now]);

const finalizing = statement(
  'fan_finalizing',
  'update fan_subscriptions set finalize_at = $4 where provider = $1 and livemode = $2 and subscription_id = $3',
);

/** Notes when it is tried again, before it is tried now. */
export const noteFinalizing = async (tx: Tx, { provider, livemode }: Realm, subscriptionId: string, again: Date) =>
  void (await tx.query(finalizing, [provider, livemode, subscriptionId, again]));

const postponed = statement(
  'fan_postponed',
  `update fan_subscriptions set tries = tries + 1, next_try_at = $1::timestamptz + least(power(2, tries), 64) * interval '10 minutes'
where provider = $2 and livemode = $3 and subscription_id = $4`,
);

/** Notes that a subscription could not be asked about now. */
export async function postponeFan(
  tx: Tx,
  { provider, livemode }: Realm,
  subscriptionId: string,
  now: Date,
): Promise<void> {
  await tx.query(postponed, [now, provider, livemode, subscriptionId]);
}

const ofStopped = statement<{ id: string; subscriptionId: string }>(
  'fans_of_stopped_tiers',
  `select f.id, f.subscription_id as "subscriptionId" from fan_subscriptions f join fan_tiers t on t.id = f.tier_id
where ${isHere} and t.stopped_at is not null and f.stopped_at is null and not f.cancel_at_period_end
  and (f.next_try_at is null or f.next_try_at <= $3) limit 200`,
);

/** Subscriptions whose tier was stopped, and which would go on all the same. */
export const listStoppedFans = (tx: Tx, { provider, livemode }: Realm, now: Date) =>
  tx.query(ofStopped, [provider, livemode, now]);

const markedStopped = statement('fan_marked_stopped', 'update fan_subscriptions set stopped_at = $2 where id = $1');

/** It ends because its creator stopped the tier. */
export async function markStopped(tx: Tx, id: string, now: Date): Promise<void> {
  await tx.query(markedStopped, [id, now]);
}

const reaches = (album: string) =>
  `${album}.user_id = t.creator_id and (t.all_future or ${album}.id = any(t.album_ids))`;

/**
 * Tiers of which an album was removed in the last month, after a report or a withdrawn consent, and of which nothing else is left. As long as a tier opens
 * anything else, its subscriptions go on and nothing goes back. An album that is archived, or hidden until a report is decided, may
 * come back, and is left.
 * @param now the parameter that holds the time
 */
export const emptiedTiers = (now: string): string => `
select t.id from (
  select x.album_id from reports p join report_targets x on x.report_id = p.id
  where p.state = 'removed' and p.decided_at > ${now}::timestamptz - interval '30 days'
  union all
  select c.album_id from co_performers c
  where c.consent_state = 'withdrawn' and c.ended_at is null and c.at > ${now}::timestamptz - interval '30 days') r
join albums a on a.id = r.album_id join fan_tiers t on ${reaches('a')}
where not exists (
  select from albums b where ${reaches('b')} and b.state in ('ready', 'archived') and (b.taken_down_at is null or exists (
    select from report_targets y join reports q on q.id = y.report_id where y.album_id = b.id and q.state = 'hidden')))`;

// A block that may still be taken back ends nothing.
const ofGone = statement<{ subscriptionId: string }>(
  'fans_of_gone_creators',
  `select f.subscription_id as "subscriptionId" from fan_subscriptions f left join users u on u.id = f.creator_id
where ${isHere} and (f.next_try_at is null or f.next_try_at <= $3)
  and (u.id is null or u.status in ('suspended', 'deleting', 'deleted') or f.tier_id in (${emptiedTiers('$3')})
    or exists (select from viewer_blocks b where b.creator_id = f.creator_id and b.viewer_id = f.viewer_id
      and b.at <= $3::timestamptz - $4::bigint * interval '1 ms')) limit 200`,
);

/** Subscriptions to a creator who is gone or suspended, or who has shut this viewer out for good, or of which nothing is left: nobody is charged for them. */
export const listGoneFans = async (
  tx: Tx,
  { provider, livemode }: Realm,
  now: Date,
  undoMs: number,
): Promise<string[]> =>
  (await tx.query(ofGone, [provider, livemode, now, undoMs])).map(({ subscriptionId }) => subscriptionId);

interface DueNotice {
  email: string | null;
  creatorName: string;
  amountCents: number;
  currency: string;
  months: number;
}

const noticeColumns = `(select b.email from buyers b where b.id = f.buyer_id) as email, f.creator_name as "creatorName",
  f.amount_cents as "amountCents", f.currency, f.months`;

const announced = statement<DueNotice & { at: Date }>(
  'fans_announced',
  `update fan_subscriptions f set reminded_at = $3 where ${isHere} and f.status = 'active' and not f.cancel_at_period_end
  and f.period_end > $3 and f.period_end <= $4 and (f.reminded_at is null or f.reminded_at <= $5)
returning ${noticeColumns}, f.period_end as at`,
);

/** Takes subscriptions that are about to renew and of which that has to be said, each once. */
export const takeAnnounced = (
  tx: Tx,
  { provider, livemode }: Realm,
  { now, until, since }: { now: Date; until: Date; since: Date },
): Promise<(DueNotice & { at: Date })[]> => tx.query(announced, [provider, livemode, now, until, since]);

const rises = statement<DueNotice & { newCents: number }>(
  'fans_price_rises',
  `update fan_subscriptions f set told_cents = ${newTermCents} from fan_tiers t
where ${isHere} and t.id = f.tier_id and t.slot is not null and not f.cancel_at_period_end
  and ${newTermCents} > f.amount_cents and f.told_cents is distinct from ${newTermCents}
returning ${noticeColumns}, ${newTermCents} as "newCents"`,
);

/** Takes subscriptions whose tier costs more by now, each once a price. */
export const takePriceRises = (tx: Tx, { provider, livemode }: Realm): Promise<(DueNotice & { newCents: number })[]> =>
  tx.query(rises, [provider, livemode]);
