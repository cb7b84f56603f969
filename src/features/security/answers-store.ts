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

const acted = statement<{ id: string }>(
  'security_event_acted_on',
  `update security_events set action_taken = $2, handled_at = $3, is_automatic = $4, undone_at = null
where id = $1 and (action_taken is null or undone_at is not null
  or not $4 and $2 in ('blocked', 'revoked') and (action_taken in ('warned', 'ignored') or action_taken = 'closed' and $2 = 'blocked'))
returning id`,
);

/** Notes what was done about an event; what a creator does who wants more stands in the place of less. @returns false when something was done about it already */
export const markActed = async (
  tx: Tx,
  eventId: string,
  { action, isAutomatic, now }: { action: EventAction; isAutomatic: boolean; now: Date },
): Promise<boolean> => (await tx.query(acted, [eventId, action, now, isAutomatic])).length === 1;

const undone = statement<{ id: string }>(
  'security_event_undone',
  `update security_events set undone_at = case when action_taken = 'ignored' then null else $3::timestamptz end,
  handled_at = case when action_taken = 'ignored' then null else handled_at end, action_taken = nullif(action_taken, 'ignored')
where id = $1 and action_taken = $2 and undone_at is null returning id`,
);

/** Notes that what was done about an event was taken back; one that was ignored is as if nothing had been done. */
export async function markUndone(tx: Tx, eventId: string, action: EventAction, now: Date): Promise<void> {
  await tx.query(undone, [eventId, action, now]);
}
