import { statement, type Tx } from '#engines/database/work.ts';
import type { Realm } from '#engines/payments/payments.ts';
import type { StoredAccount } from '#features/accounts/rules.ts';
import type { Lapse } from './lapse-rules.ts';

/** An account that may be without access, and what is known of that. */
export interface LapsingAccount extends StoredAccount {
  userId: string;
  isLapsed: boolean;
  planIsPaused: boolean;
}

const lapsing = statement<LapsingAccount>(
  'lapse_standings',
  `select u.id as "userId", u.status, u.email_verified as "emailVerified", u.setup_step as "setupStep", u.is_free_user as "isFreeUser",
  u.free_until as "freeUntil", u.subscription_status as "subscriptionStatus", u.trial_ends_at as "trialEndsAt",
  exists (select from user_roles r where r.user_id = u.id and r.role = 'admin') as "isAdmin", l.user_id is not null as "isLapsed",
  u.plan_is_paused as "planIsPaused"
from users u left join lapses l on l.user_id = u.id
where u.id > $1 and u.setup_step = 'done' and (l.user_id is not null or u.subscription_status is null or u.subscription_status not in ('active', 'past_due'))
order by u.id limit $2`,
);

/** Accounts in the order of their ids, a page at a time: those whose plan does not run, and those known to have lapsed. */
export const listLapsing = (tx: Tx, after: string, limit: number): Promise<LapsingAccount[]> =>
  tx.query(lapsing, [after, limit]);

const begun = statement(
  'lapse_begun',
  'insert into lapses (user_id, since) values ($1, $2) on conflict (user_id) do nothing',
);

/** Notes that somebody has no access any more. */
export async function beginLapse(tx: Tx, userId: string, now: Date): Promise<void> {
  await tx.query(begun, [userId, now]);
}

const ended = statement('lapse_ended', 'delete from lapses where user_id = $1');

/** They have access again: everything that is there stays. */
export async function endLapse(tx: Tx, userId: string): Promise<void> {
  await tx.query(ended, [userId]);
}

export interface LapseRow extends Lapse {
  userId: string;
}

// A tip on their page opens nothing, and a link that they have ended opens nothing any more. Custom work is opened by the link that
// delivers it, which it may still be waiting for.
const held = statement<LapseRow>(
  'lapse_held',
  `select l.user_id as "userId", l.since, l.told, l.warned_at as "warnedAt", (select max(o.paid_at) from checkout_orders o
    left join magic_links k on k.id = o.link_id where o.creator_id = l.user_id and o.provider = $2 and o.livemode = $3
    and o.paid_at is not null and o.state in ('paid', 'partially_refunded', 'disputed') and o.retired_at is null and not o.on_page
    and (o.kind = 'fan_sub' or (k.id is not null and not k.is_revoked) or exists (select from custom_requests q
      left join magic_links d on d.id = q.delivery_link_id where q.order_id = o.id and not coalesce(d.is_revoked, q.closed_at is not null)))) as "lastSaleAt"
from lapses l where l.user_id = $1 and l.removed_at is null for update of l`,
);

/** A lapse whose media are still there, held until the transaction ends. */
export const holdLapse = async (tx: Tx, userId: string, { provider, livemode }: Realm): Promise<LapseRow | undefined> =>
  (await tx.query(held, [userId, provider, livemode]))[0];

const notified = statement(
  'lapse_told',
  'update lapses set told = $2, warned_at = case when $3 then $4::timestamptz else warned_at end where user_id = $1',
);

/** Notes that an email was sent. */
export async function saveNotified(
  tx: Tx,
  userId: string,
  { email, isLast, now }: { email: number; isLast: boolean; now: Date },
): Promise<void> {
  await tx.query(notified, [userId, email, isLast, now]);
}

const removed = statement<{ id: string }>(
  'lapse_removed',
  `with gone as (update lapses set removed_at = $2 where user_id = $1)
update albums set state_before = state, state = 'deleting', delete_at = $3 where user_id = $1 and state <> 'deleting' returning id`,
);

/** Gives every album the way of one that its creator deletes. @returns which */
export const removeAlbums = async (tx: Tx, userId: string, now: Date, deleteAt: Date): Promise<string[]> =>
  (await tx.query(removed, [userId, now, deleteAt])).map(({ id }) => id);
