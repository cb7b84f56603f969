import { statement, type Tx } from '#engines/database/work.ts';
import { newId } from '#kit/ids.ts';
import { dayMs } from '#kit/time.ts';

const ranOut = statement(
  'access_requests_ran_out',
  `update album_access_requests set request_status = 'expired'
where viewer_id = $1 and album_id = any($2::uuid[]) and request_status = 'pending' and (expires_at <= $3
  or exists (select from magic_links l where l.id = link_id and (l.is_revoked or l.expires_at <= $3)))`,
);

const requested = statement<{ id: string }>(
  'access_requested',
  `with pseudonym as (
  insert into viewer_pseudonyms (creator_id, viewer_id) values ($3, $5) on conflict (creator_id, viewer_id) do nothing
)
insert into album_access_requests (id, album_id, user_id, link_id, viewer_id, request_group, requester_name, requester_message,
  requester_email, requester_device_info, country, created_at, expires_at)
select n.id, n.album_id, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13 from unnest($1::uuid[], $2::uuid[]) n (id, album_id)
on conflict (viewer_id, album_id) where request_status = 'pending' do nothing returning id`,
);

export interface NewAccessRequest {
  /** Albums that are not open to this viewer yet. */
  albumIds: readonly string[];
  creatorId: string;
  linkId: string;
  viewerId: string;
  groupId: string;
  name: string;
  message: string;
  email: string | undefined;
  device: { userAgent: string | undefined; platform: string | undefined; fingerprint?: string };
  country: string | undefined;
  now: Date;
  expiresAt: Date;
}

/** Writes one request for each album; an album that this viewer asks for already keeps the request that it has. @returns how many are new */
export async function insertAccessRequests(tx: Tx, request: NewAccessRequest): Promise<number> {
  const { albumIds, creatorId, linkId, viewerId, groupId, name, message, email, device, country, now, expiresAt } =
    request;
  await tx.query(ranOut, [viewerId, albumIds, now]);
  const ids = albumIds.map(() => newId<'access request'>(now.getTime()));
  const rows = await tx.query(requested, [
    ids,
    albumIds,
    creatorId,
    linkId,
    viewerId,
    groupId,
    name,
    message,
    email ?? null,
    JSON.stringify(device),
    country ?? null,
    now,
    expiresAt,
  ]);
  return rows.length;
}

const withdrawn = statement<{ id: string }>(
  'access_request_withdrawn',
  `update album_access_requests set request_status = 'withdrawn' where request_status = 'pending' and request_group in (
  select q.request_group from album_access_requests q join link_albums la on la.album_id = q.album_id and la.link_id = $1
  where q.viewer_id = $2 and q.request_status = 'pending') returning id`,
);

/** Takes back what a viewer asks for at a link: each request as a whole, also where it was asked at another link. @returns how many albums were asked for */
export const withdrawAccessRequests = async (tx: Tx, linkId: string, viewerId: string): Promise<number> =>
  (await tx.query(withdrawn, [linkId, viewerId])).length;

const known = statement<{ isKnown: boolean }>(
  'access_requester_known',
  `select exists (select from album_access_grants g where g.user_id = $1 and g.viewer_id = $2)
  or exists (select from viewers v where v.id = $2 and v.email_verified_at is not null) as "isKnown"`,
);

/** Returns true for a viewer whose requests do not count as a stranger's: approved by this creator before, or with a proven address. */
export const isKnownRequester = async (
  source: Pick<Tx, 'query'>,
  creatorId: string,
  viewerId: string,
): Promise<boolean> => (await source.query(known, [creatorId, viewerId]))[0]?.isKnown === true;

const expired = statement<{ creatorId: string }>(
  'access_requests_expired',
  `with due as (
  select q.id from album_access_requests q join magic_links l on l.id = q.link_id
  where q.request_status = 'pending' and (q.expires_at <= $1 or l.expires_at <= $1 - $2::bigint * interval '1 ms'
    or (l.is_revoked and (l.undo_until is null or l.undo_until <= $1)))
  order by q.expires_at limit 1000 for update of q skip locked
), over as (
  update album_access_requests r set request_status = 'expired' from due where r.id = due.id returning r.user_id
)
select distinct user_id as "creatorId" from over`,
);

/** For so long after the end of a link its requests wait: its creator may still give it another end, and then approve them. */
const overMs = dayMs;

/** Ends the requests that ran out unanswered, and those whose link will not open any more. @returns whose they were */
export const expireAccessRequests = async (tx: Tx, now: Date): Promise<string[]> =>
  (await tx.query(expired, [now, overMs])).map(({ creatorId }) => creatorId);
