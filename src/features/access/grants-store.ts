import { statement, type Tx } from '#engines/database/work.ts';
import type { Cursor } from '#features/albums/rules.ts';
import { pseudonymOf } from './pseudonyms-store.ts';

export interface GrantRow {
  id: string;
  /** The id by which the creator knows this viewer. */
  viewerId: string;
  /** What the viewer called themselves when asking; null for what was given without a question. */
  requesterName: string | null;
  /** The name that the creator gave this viewer. */
  alias: string | null;
  albumId: string;
  albumName: string;
  source: 'approval' | 'manual';
  createdAt: Date;
  expiresAt: Date | null;
  lastVisitAt: Date | null;
}

const listed = statement<GrantRow>(
  'access_grants_listed',
  `select g.id, ${pseudonymOf('g.user_id', 'g.viewer_id')} as "viewerId", r.requester_name as "requesterName", n.alias, a.id as "albumId", a.name as "albumName", g.source,
  g.created_at as "createdAt", g.expires_at as "expiresAt",
  (select max(k.last_visit_at) from link_viewers k join link_albums la on la.link_id = k.link_id and la.album_id = g.album_id
    where k.viewer_id = g.viewer_id and k.creator_id = g.user_id and k.last_visit_at >= g.created_at) as "lastVisitAt"
from album_access_grants g join albums a on a.id = g.album_id
left join album_access_requests r on r.id = g.access_request_id
left join viewer_aliases n on n.creator_id = g.user_id and n.viewer_id = g.viewer_id
where g.user_id = $1 and g.revoked_at is null and (g.expires_at is null or g.expires_at > $2) and ($3::uuid is null or g.album_id = $3)
  and ($4::timestamptz is null or (g.created_at, g.id) < ($4, $5::uuid))
order by g.created_at desc, g.id desc limit $6`,
);

/** What a creator has opened by hand and is open now, newest first. */
export const listGrants = (
  tx: Tx,
  params: { creatorId: string; now: Date; albumId: string | undefined; after: Cursor | undefined; limit: number },
): Promise<GrantRow[]> => {
  const { creatorId, now, albumId, after, limit } = params;
  return tx.query(listed, [creatorId, now, albumId ?? null, after?.at ?? null, after?.id ?? null, limit]);
};

const revoked = statement<{ viewerId: string }>(
  'access_grant_revoked',
  `update album_access_grants set revoked_at = coalesce(revoked_at, $3) where id = $1 and user_id = $2 returning viewer_id as "viewerId"`,
);

/** Takes a grant back; one that was taken back stays so. @returns whose it was; undefined when it isn't this creator's */
export const revokeGrant = async (
  tx: Tx,
  grantId: string,
  { creatorId, now }: { creatorId: string; now: Date },
): Promise<string | undefined> => (await tx.query(revoked, [grantId, creatorId, now]))[0]?.viewerId;
