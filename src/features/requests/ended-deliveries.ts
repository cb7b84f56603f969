// What was released longer ago was paid for too long ago to be given back.
const delivered = `(select id, creator_id, viewer_id, delivery_link_id from custom_requests where state = 'delivered' and closed_at is null
  union all select id, creator_id, viewer_id, delivery_link_id from custom_requests
  where state = 'released' and closed_at > $3::timestamptz - interval '105 days') q`;

/**
 * Requests to whose delivery their creator has ended access, and when, once that cannot be undone any more: by its link, by
 * deleting its album, or by blocking whoever asked. Whoever is blocked for a leak that a trace has put down to them has broken the rules;
 * older blocks for a leak are not looked at, because a trace that is deleted later is no reason to pay back.
 * $3 is now, $7 how long a block can be undone.
 */
export const endedDeliveries = `
select q.id, l.revoked_at as at, coalesce(l.revoked_reason, '') = 'album_deleted' as is_deleted from ${delivered} join magic_links l on l.id = q.delivery_link_id
where l.is_revoked and coalesce(l.undo_until, l.revoked_at) <= $3
union all
select q.id, b.at, false from ${delivered} join viewer_blocks b on b.creator_id = q.creator_id and b.viewer_id = q.viewer_id
where b.at <= $3::timestamptz - $7::bigint * interval '1 ms'
  and not (b.reason = 'leak' and (b.at <= $3::timestamptz - $7::bigint * interval '1 ms' - interval '14 days'
    or exists (select from link_viewers k join traces t on t.creator_id = k.creator_id
      where k.creator_id = b.creator_id and k.viewer_id = b.viewer_id and t.outcome in ('traced', 'probable')
        and strpos(t.result ->> 'named', k.id::text) > 0)))
union all
select q.id, k.blocked_at, false from ${delivered} join link_viewers k on k.link_id = q.delivery_link_id and k.viewer_id = q.viewer_id
where k.blocked_at <= $3::timestamptz - $7::bigint * interval '1 ms'`;

/** Access to the delivery of request `r` was ended, and its creator may still undo that: what is held is not released meanwhile. */
export const isEnding = `(exists (select from magic_links e where e.id = r.delivery_link_id and e.is_revoked and e.undo_until > $3)
  or exists (select from viewer_blocks b where b.creator_id = r.creator_id and b.viewer_id = r.viewer_id
    and b.at > $3::timestamptz - $7::bigint * interval '1 ms')
  or exists (select from link_viewers k where k.link_id = r.delivery_link_id and k.viewer_id = r.viewer_id
    and k.blocked_at > $3::timestamptz - $7::bigint * interval '1 ms'))`;
