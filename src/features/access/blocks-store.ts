import { statement, type Tx } from '#engines/database/work.ts';
import type { Cursor } from '#features/albums/rules.ts';
import { givenNameOf } from './pseudonyms-store.ts';

/** Whether viewer $2 has come to creator $1: was let in by a link, or has asked to be. */
const isKnown = `(exists (select from link_viewers k where k.creator_id = $1 and k.viewer_id = $2)
  or exists (select from album_access_requests q where q.user_id = $1 and q.viewer_id = $2))`;

const blocked = statement<{ viewerId: string }>(
  'viewer_blocked',
  `insert into viewer_blocks (creator_id, viewer_id, reason, at) select $1, $2, $3, $4 where ${isKnown}
on conflict (creator_id, viewer_id) do update set reason = viewer_blocks.reason returning viewer_id as "viewerId"`,
);

/** Blocks a viewer of the asking creator; the caller ends what is being paid, with `endSales`. @returns false for somebody who never came to them */
export async function blockViewer(
  tx: Tx,
  block: { creatorId: string; viewerId: string; reason: string; now: Date },
): Promise<boolean> {
  const { creatorId, viewerId, reason, now } = block;
  return (await tx.query(blocked, [creatorId, viewerId, reason, now])).length === 1;
}

const unblocked = statement<{ isKnown: boolean }>(
  'viewer_unblocked',
  `with gone as (delete from viewer_blocks where creator_id = $1 and viewer_id = $2
), asks as (
  update album_access_requests set asks_again_at = $3 where user_id = $1 and viewer_id = $2 and request_status = 'denied' and asks_again_at is null
) select ${isKnown} as "isKnown"`,
);

/** Takes a block back; whoever was denied with it may ask again. @returns false for somebody who never came to this creator */
export async function unblockViewer(tx: Tx, creatorId: string, viewerId: string, now: Date): Promise<boolean> {
  return (await tx.query(unblocked, [creatorId, viewerId, now]))[0]?.isKnown === true;
}

const closedOut = statement<{ id: string }>(
  'viewer_closed_out',
  'update link_viewers set blocked_at = $2 where id = $1 and blocked_at is null returning id',
);

/** Closes one link to the viewer of an admission; the caller ends what is being paid, with `endSales`. @returns false when it was closed already */
export const closeLinkTo = async (tx: Tx, grantId: string, now: Date): Promise<boolean> =>
  (await tx.query(closedOut, [grantId, now])).length === 1;

const readmitted = statement<{ id: string }>(
  'viewer_readmitted',
  'update link_viewers set blocked_at = null where creator_id = $1 and viewer_id = $2 and ($3::uuid is null or link_id = $3) and blocked_at is not null returning id',
);

/** Opens to a viewer what was closed to them: one link of a creator, or all. @returns how many */
export const openLinksTo = async (tx: Tx, creatorId: string, viewerId: string, linkId?: string): Promise<number> =>
  (await tx.query(readmitted, [creatorId, viewerId, linkId ?? null])).length;

const admitted = statement<{ id: string }>(
  'viewer_admission_found',
  'select id from link_viewers where creator_id = $1 and viewer_id = $2 and link_id = $3',
);

/** Returns whether a link of this creator has let this viewer in. */
export const wasLetIn = async (tx: Tx, creatorId: string, viewerId: string, linkId: string): Promise<boolean> =>
  (await tx.query(admitted, [creatorId, viewerId, linkId])).length === 1;

export interface BlockRow {
  /** The id by which the creator knows this viewer. */
  viewerId: string;
  givenName: string | null;
  /** What this viewer called themselves when they last asked for access. */
  requesterName: string | null;
  reason: string;
  blockedAt: Date;
  /** The only link that is closed to them, by its own rule; null where everything is. */
  linkId: string | null;
  linkName: string | null;
}

const listed = statement<BlockRow>(
  'viewer_blocks_listed',
  `select p.id as "viewerId", ${givenNameOf('$1', 'b.viewer_id')} as "givenName", b.reason, b.at as "blockedAt", l.id as "linkId", l.link_name as "linkName",
  (select q.requester_name from album_access_requests q where q.user_id = $1 and q.viewer_id = b.viewer_id order by q.created_at desc limit 1) as "requesterName"
from (
  select viewer_id, reason, at, null::uuid as link_id from viewer_blocks where creator_id = $1
  union all select viewer_id, 'rule', blocked_at, link_id from link_viewers where creator_id = $1 and blocked_at is not null) b
join viewer_pseudonyms p on p.creator_id = $1 and p.viewer_id = b.viewer_id
left join magic_links l on l.id = b.link_id
where $2::timestamptz is null or (b.at, coalesce(l.id, p.id)) < ($2, $3::uuid)
order by b.at desc, coalesce(l.id, p.id) desc limit $4`,
);

/** The viewers whom a creator has blocked, and those to whom a link's own rule has closed it; newest first. */
export const listBlocked = (
  tx: Tx,
  { creatorId, after, limit }: { creatorId: string; after: Cursor | undefined; limit: number },
): Promise<BlockRow[]> => tx.query(listed, [creatorId, after?.at ?? null, after?.id ?? null, limit]);
