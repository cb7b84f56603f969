import { statementPlannedOnce } from '#engines/database/work.ts';
import type { ConsentGap } from '#features/albums/contract.ts';
import { type AskedRow, askedFrom } from './asked-store.ts';
import { boughtVersion, type PaidRow, paidColumns, paidFrom } from './bought-store.ts';
import { type FansRow, fansFrom } from './fans-store.ts';

/** What the statement says of one link for one browser. */
export interface FactsRow extends PaidRow, FansRow, AskedRow {
  link_id: string;
  creator_id: string;
  welcome_text: string;
  policy: string;
  policy_version: number;
  password_hash: string | null;
  password_version: number;
  is_revoked: boolean;
  revoked_at: Date | null;
  expires_at: Date | null;
  taken_down: boolean;
  display_name: string;
  status: string;
  subscription_status: string | null;
  is_free_user: boolean;
  free_until: Date | null;
  trial_ends_at: Date | null;
  is_admin: boolean;
  albums: { id: string; state: string }[] | null;
  /** What is the matter with the consent of those who are shown. */
  consent: ConsentGap | null;
  device_id: string | null;
  viewer_id: string | null;
  age_confirmed_at: Date | null;
  /** Addresses that this viewer has proven for links of this creator, newest first. */
  proven_emails: string[] | null;
  /** Versions of agreements that this viewer has accepted at this link. */
  accepted: string[] | null;
  blocked: boolean;
  /** The link's own rule has closed it to this viewer, and its creator has not blocked them. */
  closed_out: boolean;
  password_passed: boolean;
  grant_id: string | null;
  first_admitted_at: Date | null;
  viewers_known: number | null;
  visit_id: string | null;
  visit_state: 'open' | 'closed' | 'cut' | null;
  visit_end: string | null;
  visit_started_at: Date | null;
  visit_beat_at: Date | null;
  visit_media_id: string | null;
  visit_look_ms: number | null;
  visit_counted: boolean | null;
  visit_suspect: string | null;
  concurrent: number;
  /** Only asked at the door: who goes on looking has seen it. */
  avatar_small?: Buffer | null;
  recipient_name?: string | null;
  takes_requests?: boolean;
  bought_policy: string | null;
  /** A place is kept while this viewer pays. */
  has_place: boolean;
  /** Only asked of a visit. */
  gone?: string[] | null;
}

/**
 * Says that a visit is open, where it is found by its id or its admission. Whenever few visits were open as the table was last
 * analyzed, `state = 'open'` makes PostgreSQL read the index of all that are open instead, which may be ten thousand by now.
 */
export const isOpenSql = (visit: string) => `${visit}.state not in ('closed', 'cut')`;

// Row-level security lets an index serve a join only when its condition cannot leak rows, and PostgreSQL takes `coalesce` for
// one that might: with it every open would read all viewers. `case` it trusts.
/** Everything live about link `l`, admission `a`, device `d`, viewer `v` and visit `s`; $3 is the oldest beat of a living screen, $4 and $5 whose money counts. */
const factsFrom = (from: string, also = '') => `
select l.id as link_id, l.user_id as creator_id, l.welcome_text, l.policy::text as policy, l.policy_version,
  l.password_hash, l.password_version, l.is_revoked, l.revoked_at, l.expires_at,
  (l.taken_down_at is not null or coalesce(al.taken_down, false)) as taken_down,
  u.display_name, u.status, u.subscription_status, u.is_free_user, u.free_until, u.trial_ends_at,
  exists (select from user_roles r where r.user_id = u.id and r.role = 'admin') as is_admin,
  al.albums, al.consent,
  d.id as device_id, v.id as viewer_id, v.age_confirmed_at,
  (v.blocked_globally_at is not null or a.blocked_at is not null
    or exists (select from viewer_blocks b where b.creator_id = l.user_id and b.viewer_id = v.id)) as blocked,
  (a.blocked_at is not null
    and not exists (select from viewer_blocks b where b.creator_id = l.user_id and b.viewer_id = v.id)) as closed_out,
  exists (select from gate_passes g where g.link_id = l.id and g.viewer_id = v.id and g.gate = 'password'
    and (g.rule_version = l.password_version or t.bought_version is not null)) as password_passed,
  (select array_agg(p.email order by p.at desc) from (select g.email, max(g.at) as at
    from gate_passes g join magic_links k on k.id = g.link_id and k.user_id = l.user_id
    where g.viewer_id = v.id and g.gate = 'email' group by g.email order by max(g.at) desc limit 20) p) as proven_emails,
  (select array_agg(c.agreement_id::text) from agreement_acceptances c where c.link_id = l.id and c.viewer_id = v.id) as accepted,
  a.id as grant_id, a.first_admitted_at, a.watched_ms, a.lent_ms, a.visits,
  case when a.id is null then
    (select count(*)::int from (select from link_viewers k where k.link_id = l.id and not k.is_own limit 1001) known)
      + (select count(*)::int from place_reservations p where p.link_id = l.id) end as viewers_known,
  ${paidColumns}, f.fans, aq.asked, ag.given, (select p.policy::text from link_policy_log p where p.link_id = l.id and p.version = ${boughtVersion}) as bought_policy,
  exists (select from place_reservations p where p.link_id = l.id and p.viewer_id = v.id) as has_place,
  s.id as visit_id, s.state as visit_state, s.end_reason as visit_end, s.started_at as visit_started_at, s.last_beat_at as visit_beat_at,
  s.current_media_id as visit_media_id, s.look_ms as visit_look_ms, s.counted as visit_counted,
  s.suspect_reason as visit_suspect,
  (select count(*)::int from viewer_sessions o where o.admission_id = a.id and ${isOpenSql('o')} and o.last_beat_at > $3
    and o.device_id <> d.id) as concurrent${also}
from ${from}
join users u on u.id = l.user_id
left join lateral (
  select json_agg(json_build_object('id', b.id, 'state', b.state) order by la.position, b.id) as albums,
    bool_or(b.taken_down_at is not null) as taken_down,
    -- Of several the one that comes last in the alphabet: withdrawn, unsaid, missing.
    max(consent_gap(b.id, b.people_consent)) as consent
  from link_albums la join albums b on b.id = la.album_id where la.link_id = l.id) al on true
${paidFrom}
${fansFrom}
${askedFrom}`;

// A minute of slack: what left while the list was being made may have been asked for a moment before the visit was.
/** Which media have left the link since the visit began, and did not come back. */
const goneSince = `,
  (select json_agg(distinct g.media_id) from link_albums la
    join album_departures g on g.album_id = la.album_id and g.at > s.started_at - interval '1 minute'
    where la.link_id = l.id and not exists (select from link_albums lb
      join album_items i on i.album_id = lb.album_id and i.media_id = g.media_id and not i.hidden
      join media m on m.id = i.media_id and m.state = 'ready' and m.deleted_at is null
      where lb.link_id = l.id)) as gone`;

/** By the link and the cookie of the browser. */
export const bySlug = statementPlannedOnce<FactsRow>(
  'facts_by_slug',
  `${factsFrom(
    `magic_links l
left join viewer_devices d on d.secret_hash = $2
left join viewers me on me.id = d.viewer_id
left join viewers v on v.id = case when me.merged_into is null then me.id else me.merged_into end
left join link_viewers a on a.link_id = l.id and a.viewer_id = v.id
left join lateral (
  select * from viewer_sessions n where n.admission_id = a.id and n.device_id = d.id order by n.started_at desc limit 1) s on true`,
    `, u.avatar_small, l.recipient_name, exists (select from request_settings q where q.user_id = u.id and q.is_on and exists (
      select from link_albums la join albums b on b.id = la.album_id where la.link_id = l.id and b.allow_custom_requests)) as takes_requests`,
  )}
where l.slug = $1`,
);

/** By a visit and the cookie of its browser. */
export const ofVisit = statementPlannedOnce<FactsRow>(
  'facts_of_visit',
  `${factsFrom(
    `viewer_sessions s
join viewer_devices d on d.id = s.device_id and d.secret_hash = $2
join link_viewers a on a.id = s.admission_id
join viewers v on v.id = a.viewer_id
join magic_links l on l.id = s.link_id`,
    goneSince,
  )}
where s.id = $1`,
);
