import { statement, type Tx } from '#engines/database/work.ts';
import type { EventAction } from './contract.ts';

/** A viewer at one link. */
export interface ViewerAtLink {
  linkId: string;
  viewerId: string;
}

const lastAnswer = statement<{ at: Date | null }>(
  'security_last_answer',
  'select max(handled_at) as at from security_events where viewer_id = $1 and magic_link_id = $2 and is_automatic',
);

/** Returns when a link's rule last answered this viewer. */
export const findLastAnswer = async (tx: Tx, { viewerId, linkId }: ViewerAtLink): Promise<Date | undefined> =>
  (await tx.query(lastAnswer, [viewerId, linkId]))[0]?.at ?? undefined;

const copying = statement<{ times: number }>(
  'security_copying_counted',
  `select coalesce(sum(count), 0)::int as times from security_events
where viewer_id = $1 and magic_link_id = $2 and source = 'client' and risk = 'high' and not is_rest and action_taken is null
  and timestamp > $3 and timestamp <= $4`,
);

/** Returns how often a viewer's browsers reported copying at a link since a moment, as far as nothing was done about it. */
export const countCopying = async (
  tx: Tx,
  { viewerId, linkId }: ViewerAtLink,
  since: Date,
  now: Date,
): Promise<number> => (await tx.query(copying, [viewerId, linkId, since, now]))[0]?.times ?? 0;

// Each act that holds somebody out stands until it is taken back, whatever follows: at most one of a kind is kept of before.
const acted = statement<{ id: string }>(
  'security_event_acted_on',
  `update security_events set action_taken = $2, handled_at = $3, is_automatic = $4, undone_at = null,
  acted_before = (select coalesce(jsonb_agg(act), '[]') from jsonb_array_elements(acted_before) act where act ->> 'action' not in ($2, action_taken))
    || case when undone_at is null and action_taken in ('closed', 'blocked', 'revoked')
      then jsonb_build_array(jsonb_build_object('action', action_taken, 'at', handled_at, 'isAutomatic', is_automatic)) else '[]' end
where id = $1 and (action_taken is null or undone_at is not null or not $4 and $2 in ('blocked', 'revoked') and action_taken <> $2)
returning id`,
);

/** Notes what was done about an event; what a creator does who wants more stands before what was done until then. @returns false when something was done about it already */
export const markActed = async (
  tx: Tx,
  eventId: string,
  { action, isAutomatic, now }: { action: EventAction; isAutomatic: boolean; now: Date },
): Promise<boolean> => (await tx.query(acted, [eventId, action, now, isAutomatic])).length === 1;

const undone = statement<{ id: string }>(
  'security_event_undone',
  `update security_events e set undone_at = case when before.act is null and action_taken <> 'ignored' then $3::timestamptz end,
  action_taken = coalesce(before.act ->> 'action', nullif(action_taken, 'ignored')),
  handled_at = case when before.act is not null then (before.act ->> 'at')::timestamptz when action_taken <> 'ignored' then handled_at end,
  is_automatic = coalesce((before.act ->> 'isAutomatic')::boolean, is_automatic), acted_before = acted_before - -1
from (select acted_before -> -1 as act from security_events where id = $1) before
where id = $1 and action_taken = $2 and undone_at is null returning id`,
);

const beforeUndone = statement<{ id: string }>(
  'security_event_act_before_undone',
  `update security_events set acted_before =
  (select coalesce(jsonb_agg(act), '[]') from jsonb_array_elements(acted_before) act where act ->> 'action' <> $2)
where id = $1 returning id`,
);

/**
 * Notes that one act about an event was taken back: what was done before it is what stands, if anything was. One that was ignored is as
 * if nothing had been done.
 */
export async function markUndone(tx: Tx, eventId: string, action: EventAction, now: Date): Promise<void> {
  const [isLast] = await tx.query(undone, [eventId, action, now]);
  if (isLast === undefined) await tx.query(beforeUndone, [eventId, action]);
}
