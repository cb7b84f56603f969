import { statement, type Tx } from '#engines/database/work.ts';

/** Somebody whose storage has come to a share of which they have not been told. */
export interface Filled {
  userId: string;
  percent: number;
}

// Who has made room is told again when it fills up again.
const filled = statement<Filled>(
  'storage_told',
  `with level as (
  select id, storage_told, case when used >= 0.95 then 95 when used >= 0.8 then 80 else 0 end as level
  from (select id, storage_told, storage_used_bytes::numeric / (case subscription_status when 'trialing' then $2::bigint else $1::bigint end
      + coalesce((select sum(x.bytes) from storage_extras x where x.user_id = users.id and x.created_at <= $3 and x.ends_at > $3), 0)) as used
    from users where storage_used_bytes >= least($1::bigint, $2::bigint) * 0.8 or storage_told > 0) u
), due as (
  select u.id, l.level, u.storage_told as before from users u join level l on l.id = u.id where l.level <> u.storage_told
  limit 200 for no key update of u skip locked
)
update users u set storage_told = d.level from due d where u.id = d.id
returning u.id as "userId", case when d.level > d.before then d.level else 0 end as percent`,
);

/** Takes people whose storage has passed 80 or 95 percent, or fallen below, and notes it with the caller's transaction. */
export async function takeFilled(tx: Tx, limits: { plan: number; trial: number }, now: Date): Promise<Filled[]> {
  return tx.query(filled, [limits.plan, limits.trial, now]);
}

export interface TrialEnd {
  userId: string;
  at: Date;
  stage: 'ends' | 'ended';
}

const trialEnds = statement<TrialEnd>(
  'trial_told',
  `with due as (
  select id, case when trial_ends_at <= $1 then 2 else 1 end as told from users
  where trial_told < 2 and subscription_status = 'trialing' and trial_ends_at <= $1::timestamptz + interval '2 days'
    and (trial_told = 0 or trial_ends_at <= $1)
  order by trial_ends_at limit 200 for no key update skip locked
)
update users u set trial_told = d.told from due d where u.id = d.id
returning u.id as "userId", u.trial_ends_at as at, case d.told when 2 then 'ended' else 'ends' end as stage`,
);

/** The same for people whose trial ends within two days, or has ended. */
export async function takeTrialEnds(tx: Tx, now: Date): Promise<TrialEnd[]> {
  return tx.query(trialEnds, [now]);
}
