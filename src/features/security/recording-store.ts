import { statement, type Tx } from '#engines/database/work.ts';
import { newId } from '#kit/ids.ts';
import type { Risk } from './contract.ts';

/** Whose event it is, and what is written of it. */
export interface EventRow {
  creatorId: string;
  linkId: string;
  visitId: string | null;
  viewerId: string | null;
  eventType: string;
  risk: Risk;
  source: 'client' | 'server';
  count: number;
  device: { platform?: string | undefined; screen?: string | undefined };
  details: object;
  isRest: boolean;
  now: Date;
}

/** A row's count ends here. */
const mostCounted = 1_000_000;

// What somebody has acted on stays as it was when they did.
const folded = statement<{ id: string }>(
  'security_event_folded',
  `update security_events set count = least(count + $6, ${mostCounted}), last_at = greatest(last_at, $7) where id = (
  select id from security_events where magic_link_id = $1 and event_type = $2 and source = $3
    and session_id is not distinct from $4::uuid and viewer_id is not distinct from $5::uuid and is_rest = $9
    and action_taken is null and timestamp > $8 and timestamp <= $7 order by timestamp desc limit 1)
returning id`,
);

/** Counts an event into the row of the same kind that began since a moment. @returns its id; undefined when there is none */
export async function foldEvent(tx: Tx, event: EventRow, since: Date): Promise<string | undefined> {
  const { linkId, eventType, source, visitId, viewerId, count, now, isRest } = event;
  const values = [linkId, eventType, source, visitId, viewerId, count, now, since, isRest];
  return (await tx.query(folded, values))[0]?.id;
}

const inserted = statement<{ id: string }>(
  'security_event_inserted',
  `insert into security_events (id, creator_id, magic_link_id, session_id, viewer_id, event_type, risk, source, count, timestamp, last_at,
  device_info, details, is_rest)
select $1, $2, $3, $4, $5, $6, $7, $8, least($9, ${mostCounted}), $10, $10,
  coalesce(nullif($11::jsonb, '{}'), (select jsonb_strip_nulls(jsonb_build_object('platform', s.os_family)) from viewer_sessions s where s.id = $4), '{}'), $12, $13
where $14::int is null or (select count(*) from security_events where session_id = $4 and risk = $7 and not is_rest) < $14
returning id`,
);

/**
 * Writes an event as a row of its own.
 * @param mostOfVisit rows that one visit may have of this risk
 * @returns undefined when it has them already
 */
export async function insertEvent(tx: Tx, event: EventRow, mostOfVisit?: number): Promise<string | undefined> {
  const { creatorId, linkId, visitId, viewerId, eventType, risk, source, count, now, device, details, isRest } = event;
  const { platform, screen } = device;
  const info = { ...(platform !== undefined && { platform }), ...(screen !== undefined && { screen }) };
  const rows = await tx.query(inserted, [
    ...[newId<'securityEvent'>(now.getTime()), creatorId, linkId, visitId, viewerId, eventType, risk, source, count],
    ...[now, JSON.stringify(info), JSON.stringify(details), isRest, mostOfVisit ?? null],
  ]);
  return rows[0]?.id;
}

const oldEvents = statement<{ id: string }>(
  'old_security_events_deleted',
  `delete from security_events where id in (
  select id from security_events where id < $1 and last_at < $2 order by id limit 1000) returning id`,
);

/** Deletes events from before a moment, some at a time. @param firstId the first id of that moment @returns how many */
export const deleteOldEvents = async (source: Pick<Tx, 'query'>, firstId: string, before: Date): Promise<number> =>
  (await source.query(oldEvents, [firstId, before])).length;
