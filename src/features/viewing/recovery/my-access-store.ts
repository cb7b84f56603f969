import { statement, type Tx } from '#engines/database/work.ts';
import { newId } from '#kit/ids.ts';

type Source = Pick<Tx, 'query'>;

export interface MyAccessRow {
  requestId: string;
  viewerId: string;
  /** This browser is one of that viewer's. */
  isOwn: boolean;
  creatorName: string;
  status: 'pending' | 'approved' | 'denied';
  decisionText: string;
  at: Date;
  slug: string;
  /** The link opens, and its creator has not shut this viewer out. */
  isAlive: boolean;
  isOpen: boolean;
  until: Date | null;
}

// As with purchases, a browser that is its viewer's by a proof alone shows what was proven.
const accesses = statement<MyAccessRow>(
  'accesses_of_browser',
  `with me as (
  select case when v.merged_into is null then v.id else v.merged_into end as viewer_id
  from viewer_devices d join viewers v on v.id = d.viewer_id where d.secret_hash = $1
), proof as (
  select u.email, b.is_joined from buyer_browsers b join buyers u on u.id = b.buyer_id where b.secret_hash = $1
), mine as (
  select viewer_id as id from me where not exists (select from proof where is_joined)
  union
  select v.id from viewers v join proof p on p.email = v.email where v.email_verified_at is not null
)
select r.request_group as "requestId", w.id as "viewerId", coalesce(w.id = (select viewer_id from me), false) as "isOwn",
  u.display_name as "creatorName", r.request_status as status, r.decision_text as "decisionText", r.created_at as at, l.slug,
  (not l.is_revoked and l.taken_down_at is null and (l.expires_at is null or l.expires_at > $2) and u.status not in ('deleting', 'deleted')
    and v.blocked_globally_at is null and not exists (select from viewer_blocks k where k.creator_id = l.user_id and k.viewer_id = w.id)) as "isAlive",
  coalesce(g.is_open, false) as "isOpen", g.until
from mine w join viewers v on v.id = w.id
join lateral (
  select distinct on (q.request_group) q.* from album_access_requests q
  where q.viewer_id = w.id and (q.request_status in ('approved', 'denied') or (q.request_status = 'pending' and q.expires_at > $2))
  order by q.request_group, q.id limit 200) r on true
join magic_links l on l.id = r.link_id join users u on u.id = l.user_id
left join lateral (
  select true as is_open, min(a.expires_at) as until from album_access_grants a join album_access_requests q on q.id = a.access_request_id
  where q.request_group = r.request_group and a.viewer_id = w.id and a.revoked_at is null and (a.expires_at is null or a.expires_at > $2)
  having count(*) > 0) g on true
order by r.created_at desc, r.request_group desc limit 100`,
);

/** Returns what this browser's viewer has asked for, and the viewer whose address it has proven; newest first. */
export const listAccesses = (source: Source, secretHash: Buffer, now: Date): Promise<MyAccessRow[]> =>
  source.query(accesses, [secretHash, now]);

const asker = statement<{ id: string }>(
  'buyer_of_asker',
  `insert into buyers (id, email, created_at) select $1, $2, $3
where exists (select from viewers v join album_access_requests q on q.viewer_id = v.id where v.email = $2 and v.email_verified_at is not null)
on conflict (email) do update set email = excluded.email returning id`,
);

/** Keeps an address by which its owner, who has proven it at a link and asked to be let in there, comes back; undefined for any other. */
export const keepAsker = async (tx: Tx, email: string, now: Date): Promise<string | undefined> =>
  (await tx.query(asker, [newId<'buyer'>(now.getTime()), email, now]))[0]?.id;
