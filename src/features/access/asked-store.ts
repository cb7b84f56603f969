import type { AskedAlbum } from './asked-rules.ts';
import type { GrantFact } from './facts-rules.ts';

/** What viewer `v` has asked for and been given of the albums of link `l`: the newest request of each album, and what is open now. One that waits runs out with the link that it was asked by. */
export const askedFrom = `left join lateral (
  select json_agg(json_build_object('albumId', n.album_id, 'status', n.request_status, 'expiresAt', extract(epoch from n.expires_at) * 1000,
    'asksAgainAt', extract(epoch from n.asks_again_at) * 1000, 'decisionText', n.decision_text)) as asked
  from (
    select distinct on (r.album_id) r.album_id, r.request_status, least(r.expires_at, rl.expires_at) as expires_at, r.asks_again_at, r.decision_text
    from album_access_requests r join link_albums ra on ra.album_id = r.album_id and ra.link_id = l.id
    join magic_links rl on rl.id = r.link_id
    where r.viewer_id = v.id and r.user_id = l.user_id and r.request_status in ('pending', 'approved', 'denied')
      and (r.request_status <> 'pending' or not rl.is_revoked)
    order by r.album_id, r.created_at desc, (r.request_status = 'pending') desc, r.id desc) n) aq on true
left join lateral (
  select json_agg(json_build_object('albumId', g.album_id, 'source', g.source, 'expiresAt', extract(epoch from g.expires_at) * 1000)) as given
  from album_access_grants g join link_albums ga on ga.album_id = g.album_id and ga.link_id = l.id
  where g.viewer_id = v.id and g.user_id = l.user_id and g.revoked_at is null) ag on true`;

export interface AskedRow {
  asked:
    | {
        albumId: string;
        status: AskedAlbum['status'];
        expiresAt: number;
        asksAgainAt: number | null;
        decisionText: string;
      }[]
    | null;
  given: { albumId: string; source: 'approval' | 'manual'; expiresAt: number | null }[] | null;
}

export const askedAlbumsOf = ({ asked }: AskedRow): AskedAlbum[] =>
  (asked ?? []).map((row) => ({ ...row, asksAgainAt: row.asksAgainAt ?? undefined }));

/** What the creator has opened by hand, one album each. */
export const givenOf = ({ given }: AskedRow): GrantFact[] =>
  (given ?? []).map(({ albumId, source, expiresAt }) => ({
    albumIds: [albumId],
    source,
    ...(expiresAt !== null && { expiresAt }),
  }));
