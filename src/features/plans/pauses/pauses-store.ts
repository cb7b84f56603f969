import { statement, type Tx } from '#engines/database/work.ts';
import type { Realm } from '#engines/payments/payments.ts';
import type { Subscription } from '#engines/payments/plan-payments.ts';
import type { Pause } from './pause-rules.ts';

const listed = statement<Pause>(
  'plan_pauses_of_user',
  `select s.starts_at as "startsAt", s.ends_at as "endsAt", s.resumed_at as "resumedAt"
from plan_pauses s join platform_subscriptions p on p.id = s.plan_id
where p.user_id = $1 and p.provider = $2 and p.livemode = $3 order by s.starts_at desc limit 100`,
);

/** The pauses of all plans that somebody has had, newest first. */
export const listPausesOf = (tx: Pick<Tx, 'query'>, { provider, livemode }: Realm, userId: string): Promise<Pause[]> =>
  tx.query(listed, [userId, provider, livemode]);

const begun = statement(
  'plan_pause_noted',
  `insert into plan_pauses (plan_id, starts_at, ends_at) values ($1, $2, $3)
on conflict (plan_id, starts_at) do update set ends_at = excluded.ends_at, resumed_at = null`,
);
const over = statement(
  'plan_pause_over',
  `with gone as (delete from plan_pauses where plan_id = $1 and starts_at > $2)
update plan_pauses set resumed_at = $2 where plan_id = $1 and starts_at <= $2 and ends_at > $2 and resumed_at is null`,
);

/** Notes a pause as the provider tells it, or that there is none any more. */
export async function notePause(
  tx: Tx,
  planId: string,
  { isPaused, pausedFrom, pausedUntil, endedAt }: Subscription,
  now: Date,
): Promise<void> {
  if (!isPaused || endedAt !== undefined) await tx.query(over, [planId, now]);
  else if (pausedFrom !== undefined && pausedUntil !== undefined)
    await tx.query(begun, [planId, pausedFrom, pausedUntil]);
}

const resuming = statement<{ userId: string; at: Date; amountCents: number; currency: string }>(
  'plans_resuming',
  `update platform_subscriptions p set resume_told_of = p.paused_until where p.is_paused and p.ended_at is null
  and not p.cancel_at_period_end and p.user_id is not null and p.provider = $1 and p.livemode = $2
  and p.paused_until > $3 and p.paused_until <= $4 and p.resume_told_of is distinct from p.paused_until
returning p.user_id as "userId", p.paused_until as at, p.amount_cents as "amountCents", p.currency`,
);

/** Takes plans whose pause is about to end, each once. */
export const takeResuming = (tx: Tx, { provider, livemode }: Realm, now: Date, until: Date) =>
  tx.query(resuming, [provider, livemode, now, until]);
