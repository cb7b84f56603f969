import { statement, type Tx } from '#engines/database/work.ts';
import type { Cursor } from '#features/albums/rules.ts';
import type { RequestStatus, Shut } from './requests-contract.ts';

/** A request as it is listed: its rows share a group, and are decided together. */
export interface RequestRow {
  id: string;
  status: RequestStatus;
  requesterName: string;
  message: string;
  albums: { id: string; name: string }[];
  linkId: string;
  linkName: string;
  recipientName: string | null;
  device: { userAgent?: string; platform?: string };
  country: string | null;
  createdAt: Date;
  expiresAt: Date;
  reviewedAt: Date | null;
  opensUntil: Date | null;
  decisionText: string;
  approvedBefore: number;
  deniedBefore: number;
  visits: number;
  shut: Shut | null;
}

/** Why a yes would open nothing. */
const shutOf = `case when l.is_revoked then 'revoked' when l.taken_down_at is not null or l.expires_at <= $2 then 'over'
    when exists (select from viewer_blocks b where b.creator_id = r.user_id and b.viewer_id = r.viewer_id) then 'viewer'
    when exists (select from album_access_requests q join albums a on a.id = q.album_id
      where q.request_group = r.request_group and (a.state <> 'ready' or a.taken_down_at is not null or consent_gap(a.id, a.people_consent) is not null)) then 'album' end`;

/** Requests of groups `n`; $2 is now. One that has run out is over, whether the sweeper has seen it or not. */
const requestsOf = (
  groups: string,
) => `select n.id, r.requester_name as "requesterName", r.requester_message as message, al.albums,
  case when r.request_status = 'pending' and r.expires_at <= $2 then 'expired' else r.request_status end as status,
  r.link_id as "linkId", l.link_name as "linkName", l.recipient_name as "recipientName", r.requester_device_info as device, r.country,
  r.created_at as "createdAt", r.expires_at as "expiresAt", r.reviewed_at as "reviewedAt", al."opensUntil", r.decision_text as "decisionText",
  b."approvedBefore", b."deniedBefore",
  coalesce((select sum(k.visits) from link_viewers k where k.creator_id = r.user_id and k.viewer_id = r.viewer_id), 0)::int as visits,
  case when r.request_status = 'pending' and r.expires_at > $2 then ${shutOf} end as shut
from (${groups}) n
join lateral (select * from album_access_requests s where s.request_group = n.id order by s.id limit 1) r on true
join magic_links l on l.id = r.link_id
join lateral (
  select json_agg(json_build_object('id', a.id, 'name', a.name) order by la.position, a.id) as albums, min(g.expires_at) as "opensUntil"
  from album_access_requests q join albums a on a.id = q.album_id
  left join link_albums la on la.link_id = q.link_id and la.album_id = q.album_id left join album_access_grants g on g.access_request_id = q.id
  where q.request_group = n.id) al on true
join lateral (
  select count(distinct q.request_group) filter (where q.request_status = 'approved')::int as "approvedBefore",
    count(distinct q.request_group) filter (where q.request_status = 'denied')::int as "deniedBefore"
  from album_access_requests q where q.user_id = r.user_id and q.viewer_id = r.viewer_id and q.created_at < r.created_at) b on true`;

const listed = statement<RequestRow>(
  'access_requests_listed',
  `${requestsOf(`select q.request_group as id, min(q.created_at) as at from album_access_requests q
  where q.user_id = $1 and ($3::uuid is null or q.album_id = $3) and (not $4 or (q.request_status = 'pending' and q.expires_at > $2))
  group by q.request_group having $5::timestamptz is null or (min(q.created_at), q.request_group) < ($5, $6::uuid)
  order by min(q.created_at) desc, q.request_group desc limit $7`)} order by n.at desc, n.id desc`,
);

interface Listing {
  creatorId: string;
  now: Date;
  albumId: string | undefined;
  isPendingOnly: boolean;
  after: Cursor | undefined;
  limit: number;
}

/** A creator's requests, newest first. */
export const listAccessRequests = (
  tx: Tx,
  { creatorId, now, albumId, isPendingOnly, after, limit }: Listing,
): Promise<RequestRow[]> =>
  tx.query(listed, [creatorId, now, albumId ?? null, isPendingOnly, after?.at ?? null, after?.id ?? null, limit]);

const counted = statement<{ count: number }>(
  'access_requests_counted',
  `select count(distinct request_group)::int as count from album_access_requests
where user_id = $1 and request_status = 'pending' and expires_at > $2 and ($3::uuid is null or album_id = $3)`,
);

/** Returns how many requests wait for a creator's answer. */
export async function countPendingRequests(
  tx: Tx,
  creatorId: string,
  now: Date,
  albumId: string | undefined,
): Promise<number> {
  return (await tx.query(counted, [creatorId, now, albumId ?? null]))[0]?.count ?? 0;
}

const one = statement<RequestRow>(
  'access_request_shown',
  requestsOf(
    'select $1::uuid as id, now() as at where exists (select from album_access_requests q where q.request_group = $1)',
  ),
);

export const findAccessRequest = async (tx: Tx, requestId: string, now: Date): Promise<RequestRow | undefined> =>
  (await tx.query(one, [requestId, now]))[0];

export interface LockedRequest {
  status: RequestStatus;
  viewerId: string;
  linkId: string;
  slug: string;
  email: string | null;
  /** Why a yes would open nothing now; null where it would. */
  shut: Shut | null;
}

const locked = statement<LockedRequest>(
  'access_request_locked',
  `select case when r.request_status = 'pending' and r.expires_at <= $2 then 'expired' else r.request_status end as status,
  r.viewer_id as "viewerId", r.link_id as "linkId", l.slug, r.requester_email as email,
  ${shutOf} as shut
from album_access_requests r join magic_links l on l.id = r.link_id where r.request_group = $1 order by (r.request_status <> 'pending'), r.id for update of r`,
);

/** A request, held until the transaction ends: what two screens decide at once is decided one after the other. */
export const lockAccessRequest = async (tx: Tx, requestId: string, now: Date): Promise<LockedRequest | undefined> =>
  (await tx.query(locked, [requestId, now]))[0];

const approved = statement(
  'access_request_approved',
  `with approved as (
  update album_access_requests set request_status = 'approved', reviewed_at = $3, reviewed_by = $2
  where request_group = $1 and request_status = 'pending' returning *
)
insert into album_access_grants (id, album_id, user_id, access_request_id, viewer_id, link_id, policy_version, source, granted_to_fingerprint,
  granted_by, created_at, expires_at)
select gen_random_uuid(), r.album_id, r.user_id, r.id, r.viewer_id, r.link_id, l.policy_version, 'approval',
  r.requester_device_info ->> 'fingerprint', $2, $3, $4
from approved r join magic_links l on l.id = r.link_id on conflict (access_request_id) do nothing`,
);

/** Approves a request that is held: each of its albums opens for whoever asked. */
export const approveRequest = async (
  tx: Tx,
  requestId: string,
  { creatorId, now, expiresAt }: { creatorId: string; now: Date; expiresAt: Date | null },
): Promise<void> => void (await tx.query(approved, [requestId, creatorId, now, expiresAt]));

const denied = statement(
  'access_request_denied',
  `update album_access_requests set request_status = 'denied', reviewed_at = $3, reviewed_by = $2, decision_text = $4, asks_again_at = $5
where request_group = $1 and request_status = 'pending'`,
);

/** Denies a request that is held. @param asksAgainAt null for never */
export const denyRequest = async (
  tx: Tx,
  requestId: string,
  { creatorId, now, text, asksAgainAt }: { creatorId: string; now: Date; text: string; asksAgainAt: Date | null },
): Promise<void> => void (await tx.query(denied, [requestId, creatorId, now, text, asksAgainAt]));
