import { statement, type Tx } from '#engines/database/work.ts';
import type { OwnState } from './topics/topic.ts';

interface StateRow extends Omit<OwnState, 'trialDaysLeft'> {
  trialEndsAt: Date | null;
}

/** Counts only, all of them served by the creator's own indexes. $1 creator, $2 now, $3 since when a screen must have told of itself. */
const ownState = statement<StateRow>(
  'assistant_own_state',
  `with me as (
    select id, storage_used_bytes, case when subscription_status = 'trialing' then trial_ends_at end as trial_ends_at,
      ($2::timestamptz at time zone known_zone(time_zone))::date as today, known_zone(time_zone) as zone
    from users where id = $1
  ), active as (
    select l.first_opened_at, (l.expires_at at time zone me.zone)::date - me.today as ends_in_days
    from magic_links l, me
    where l.user_id = $1 and not l.is_revoked and l.taken_down_at is null and (l.expires_at is null or l.expires_at > $2)
  ), items as (
    select distinct m.id, m.state from album_items i join media m on m.id = i.media_id and m.deleted_at is null where i.user_id = $1
  )
  select me.storage_used_bytes::bigint as "storageUsedBytes", me.trial_ends_at as "trialEndsAt",
    (select count(*)::int from albums a where a.user_id = $1 and a.delete_at is null) as albums,
    (select count(*)::int from items where state = 'ready') as "itemsReady",
    (select count(*)::int from items where state in ('uploaded', 'scanning', 'processing')) as "itemsWorking",
    (select count(*)::int from items where state = 'failed') as "itemsFailed",
    (select count(*)::int from active) as "activeLinks",
    (select count(*)::int from active where first_opened_at is null) as "neverOpenedLinks",
    (select count(*)::int from active where ends_in_days = 0) as "endsToday",
    (select count(*)::int from active where ends_in_days = 1) as "endsTomorrow",
    (select count(*)::int from viewer_sessions s where s.creator_id = $1 and s.state = 'open' and s.suspect_reason is null
      and s.last_beat_at > $3) as "lookingNow",
    (select count(*)::int from viewer_sessions s where s.creator_id = $1 and s.suspect_reason is null
      and s.started_at > $2::timestamptz - interval '7 days') as "visitsThisWeek"
  from me`,
);

/** Returns how things stand with the asking creator. @param aliveSince see `aliveSinceOf` */
export async function findOwnState(
  tx: Tx,
  { creatorId, now, aliveSince }: { creatorId: string; now: Date; aliveSince: Date },
): Promise<StateRow | undefined> {
  const [row] = await tx.query(ownState, [creatorId, now, aliveSince]);
  return row;
}
