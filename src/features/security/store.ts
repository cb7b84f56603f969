import { statement, type Tx } from '#engines/database/work.ts';
import { givenNameOf, pseudonymOf } from '#features/access/pseudonyms-store.ts';
import type { Cursor } from '#features/albums/rules.ts';
import type { EventAction, Risk, SecurityEvent } from './contract.ts';

/** An event as its creator reads it. */
export interface EventListed {
  id: string;
  eventType: string;
  timestamp: Date;
  lastAt: Date;
  count: number;
  risk: Risk;
  source: SecurityEvent['source'];
  linkId: string;
  linkName: string;
  slug: string;
  isRevoked: boolean;
  undoUntil: Date | null;
  /** The id by which the creator knows this viewer. */
  viewerId: string | null;
  givenName: string | null;
  isBlocked: boolean;
  device: { platform?: string; screen?: string };
  isRest: boolean;
  action: EventAction | null;
  /** What was done before that, and still stands. */
  actedBefore: EventAction[];
  isAutomatic: boolean;
  handledAt: Date | null;
  undoneAt: Date | null;
}

const columns = `e.id, e.event_type as "eventType", e.timestamp, e.last_at as "lastAt", e.count, e.risk, e.source,
  l.id as "linkId", l.link_name as "linkName", l.slug, l.is_revoked as "isRevoked", l.undo_until as "undoUntil",
  ${pseudonymOf('e.creator_id', 'e.viewer_id')} as "viewerId",
  ${givenNameOf('e.creator_id', 'e.viewer_id')} as "givenName",
  exists (select from viewer_blocks b where b.creator_id = e.creator_id and b.viewer_id = e.viewer_id) as "isBlocked",
  e.device_info as device, e.is_rest as "isRest", e.action_taken as action,
  (select coalesce(jsonb_agg(act -> 'action'), '[]') from jsonb_array_elements(e.acted_before) act) as "actedBefore", e.is_automatic as "isAutomatic",
  e.handled_at as "handledAt", e.undone_at as "undoneAt"`;
const from = `security_events e join magic_links l on l.id = e.magic_link_id`;
const filter = `e.creator_id = $1 and ($2::text is null or e.risk = $2) and ($3::uuid is null or e.magic_link_id = $3)`;

const listed = statement<EventListed>(
  'security_events_listed',
  `select ${columns} from ${from}
where ${filter} and ($4::timestamptz is null or (e.timestamp, e.id) < ($4, $5::uuid)) order by e.timestamp desc, e.id desc limit $6`,
);

/** Which events are asked for. */
export interface EventFilter {
  creatorId: string;
  risk: Risk | undefined;
  linkId: string | undefined;
}

/** A creator's events, newest first. */
export const listEvents = (
  tx: Tx,
  { creatorId, risk, linkId, after, limit }: EventFilter & { after: Cursor | undefined; limit: number },
): Promise<EventListed[]> =>
  tx.query(listed, [creatorId, risk ?? null, linkId ?? null, after?.at ?? null, after?.id ?? null, limit]);

/** As many are counted at most. */
const mostCounted = 10_000;
const counted = statement<{ total: number }>(
  'security_events_counted',
  `select count(*)::int as total from (select from security_events e where ${filter} limit ${mostCounted}) e`,
);

/** Returns how many events a filter holds. */
export const countEvents = async (tx: Tx, { creatorId, risk, linkId }: EventFilter): Promise<number> =>
  (await tx.query(counted, [creatorId, risk ?? null, linkId ?? null]))[0]?.total ?? 0;

const one = statement<EventListed & { viewerRow: string | null }>(
  'security_event_found',
  `select ${columns}, e.viewer_id as "viewerRow" from ${from} where e.creator_id = $1 and e.id = $2`,
);

/** One event of a creator, with its viewer's own id; undefined for any other creator's. */
export const findEvent = async (tx: Tx, creatorId: string, eventId: string) =>
  (await tx.query(one, [creatorId, eventId]))[0];
