import type pg from 'pg';

/** How much an installation has grown to. */
export interface Growth {
  /** Rows of the stream that all insights are counted from. */
  events: number;
  creators: number;
  links: number;
}

/** One statement, and what it is a part of. */
export interface Step {
  name: string;
  sql: string;
}

/** The share of all visits that come to the big creator. */
export const bigShare = 0.1;
/** Visits are kept for 13 months. */
const spanDays = 395;
/** What is known of programs, and of people whom no gate lets in, beside each hundred visits. */
const [programsIn100, gatesIn100] = [2, 5];
/** Of those that are people's, so many lead to a view, with 1 to 9 looks each; see `visits`. */
const [viewShare, mostLooks, suspectShare] = [0.8, 9, 0.04];
const eventsPerVisit = (1 - suspectShare) * (1 + viewShare * (1 + (1 + mostLooks) / 2));

/**
 * Who came when, in the order of time: early creators of the list get more than late ones. People belong to one creator, come back, and mostly by the same link.
 * `viewers` are numbered through, and so is what each visit sends: the door, then each two events in one call.
 */
export const visits = ({ events, creators: of }: Growth): Step[] => {
  const count = Math.ceil(events / eventsPerVisit);
  return [
    { name: 'visits', sql: 'select setseed(0.5)' },
    {
      name: 'visits',
      sql: `create temp table bench_draws as
select i, case when a < ${bigShare} then 1 else 2 + floor(b * b * ${of - 1}) end::int as n, c, d,
  case when e < ${viewShare} then 1 + floor(f * ${mostLooks}) else 0 end::int as looks, g < ${suspectShare} as is_suspect, h,
  now() - interval '1 hour' - (1 - i / ${count}.0) * interval '${spanDays} days' as at
from (select i, random() a, random() b, random() c, random() d, random() e, random() f, random() g, random() h from generate_series(1, ${count}) i offset 0) r`,
    },
    {
      name: 'visits',
      sql: `create temp table bench_pools as
select p.*, sum(p.size) over (order by p.n) - p.size as first, l.first as first_link, l.count as links from (
  select n, ceil(count(*) / 4.0)::int as size from bench_draws group by n) p
join (select n, min(no) as first, count(*)::int as count from bench_links where is_opened group by n) l using (n)`,
    },
    {
      name: 'visits',
      sql: `create temp table bench_opened as select n, id, (row_number() over (partition by n order by no) - 1)::int as k from bench_links where is_opened`,
    },
    {
      name: 'visits',
      sql: `create temp table bench_visits as
select d.i, d.n, d.at, d.looks, d.is_suspect, d.h, uuidv7(d.at - clock_timestamp()) as id, p.first + floor(d.c * p.size)::int as person, o.id as link_id,
  case when d.is_suspect then 0 else 1 + case when d.looks > 0 then ceil((1 + d.looks) / 2.0)::int else 0 end end as calls
from bench_draws d join bench_pools p using (n)
cross join lateral (select abs(hashint4((p.first + floor(d.c * p.size))::int * 2 + (d.d < 0.25)::int)) % p.links as k) w
join bench_opened o on o.n = d.n and o.k = w.k`,
    },
    { name: 'visits', sql: 'analyze bench_visits' },
  ];
};

/** People with a browser each, and by which links they came. */
export const people: Step[] = [
  {
    name: 'viewers',
    sql: `create temp table bench_people as
select v.person, c.id as creator, c.n, uuidv7(min(v.at) - clock_timestamp()) as id, uuidv7(min(v.at) - clock_timestamp()) as device, min(v.at) as at, max(v.at) as last_at,
  min(v.i) filter (where v.looks > 0 and not v.is_suspect) as first_view,
  (array['DE', 'DE', 'US', 'US', 'US', 'GB', 'FR', 'ES', 'BR', 'JP', 'IT', 'NL', 'AT', 'PL', null])[1 + v.person % 15] as country,
  (array['iPhone', 'iPhone', 'Android', 'Android', 'Windows', 'Mac', null])[1 + v.person % 7] as os
from bench_visits v join bench_creators c using (n) group by v.person, c.id, c.n`,
  },
  {
    name: 'viewers',
    sql: `insert into viewers (id, age_confirmed_at, created_at, last_seen_at) select id, at, at, last_at from bench_people order by at`,
  },
  {
    name: 'viewers',
    sql: `insert into viewer_devices (id, viewer_id, secret_hash, first_seen_at, last_seen_at)
select device, id, sha256(device::text::bytea), at, last_at from bench_people order by at`,
  },
  {
    name: 'viewers',
    sql: `insert into viewer_pseudonyms (creator_id, viewer_id, id) select creator, id, gen_random_uuid() from bench_people order by at`,
  },
  {
    name: 'admissions',
    sql: `create temp table bench_admissions as
select uuidv7(min(v.at) - clock_timestamp()) as id, v.link_id, v.person, min(v.at) as at, max(v.at) as last_at, count(*)::int as visits,
  min(v.at) filter (where v.looks > 0 and not v.is_suspect) as first_view_at
from bench_visits v group by v.link_id, v.person`,
  },
  {
    name: 'admissions',
    sql: `insert into grants (id, kind, creator_id, created_at)
select a.id, 'link', p.creator, a.at from bench_admissions a join bench_people p using (person) order by a.at`,
  },
  {
    name: 'admissions',
    sql: `insert into link_viewers (id, link_id, viewer_id, creator_id, first_admitted_at, first_view_at, last_visit_at, visits, policy_version)
select a.id, a.link_id, p.id, p.creator, a.at, a.first_view_at, a.last_at, a.visits, 1 from bench_admissions a join bench_people p using (person) order by a.at`,
  },
];

/** Rows as `visits-store.ts` and `renewals-store.ts` leave them behind. `xid` is that of a call of its own: indexes are as large as they grow by themselves. */
export const stream = (firstXid: bigint): Step[] => [
  {
    name: 'sessions',
    sql: `insert into viewer_sessions (id, admission_id, link_id, creator_id, viewer_id, device_id, link_policy_version, state, decision_via,
  started_at, last_beat_at, last_input_at, ended_at, end_reason, watch_ms, summed_ms, items_seen, country, location_source, referrer_app, ua_family,
  os_family, suspect_reason, counted, counted_at)
select v.id, a.id, v.link_id, p.creator, p.id, p.device, 1, 'closed', 'free', v.at, e.at, e.at, e.at,
  case when v.i % 200 = 0 then 'revoked' when v.i % 3 = 0 then 'idle' else 'left' end, w.ms, w.ms, w.looks, p.country,
  case when p.country is null then 'unknown' when v.person % 4 = 0 then 'timezone' else 'ip' end,
  (array['instagram', 'whatsapp', 'telegram', null, null, null])[1 + v.i % 6], 'Safari', p.os,
  case when v.is_suspect then 'automation' end, w.looks > 0, case when w.looks > 0 then v.at + interval '2 seconds' end
from bench_visits v join bench_people p using (person) join bench_admissions a on a.link_id = v.link_id and a.person = v.person
cross join lateral (select case when v.is_suspect then 0 else v.looks end as looks, case when v.is_suspect then 0 else v.looks * 5000 end as ms) w
cross join lateral (select v.at + (w.ms + 1000) * interval '1 ms' as at) e order by v.i`,
  },
  // What is there already is younger than what comes, so it goes behind it: indexes grow at their ends, as they do by themselves.
  { name: 'events', sql: 'create temp table bench_before as table view_events' },
  { name: 'events', sql: 'alter table bench_before drop column epoch' },
  { name: 'events', sql: 'truncate view_events' },
  {
    name: 'events',
    sql: `insert into view_events (xid, kind, creator_id, link_id, visit_id, viewer_id, album_id, media_id, country, at, ms_visible, first_of_viewer, played, film_seconds)
select (${firstXid} + v.calls_before + (e + 1) / 2)::text::xid8, case e when 0 then 'open' when 1 then 'view' else 'look' end, p.creator, v.link_id, v.id, p.id,
  case when e > 1 then al.id end, m.id, p.country, v.at + case e when 0 then interval '0' else (2 + 5 * (e - 1)) * interval '1 second' end,
  case when e > 1 then 5000 else 0 end, nullif(e = 1 and v.i = p.first_view, false),
  case when m.is_video then int4multirange(int4range(0, 3 + e)) end, case when m.is_video then 60 end
from (select *, sum(calls) over (order by i) - calls as calls_before from bench_visits) v
join bench_people p using (person)
join (select n, min(no) as first, count(*)::int as count from bench_media group by n) f on f.n = v.n
cross join lateral generate_series(0, case when v.looks > 0 then v.looks + 1 else 0 end) e
left join bench_media m on e > 1 and m.no = f.first + abs(hashint8(v.i * 10 + e)) % f.count
left join bench_albums al on al.n = m.n and al.k = m.k % 4
where not v.is_suspect order by v.i, e`,
  },
  { name: 'events', sql: 'insert into view_events select * from bench_before' },
  {
    name: 'programs and gates',
    sql: `insert into robot_opens (link_id, day, creator_id, opens, last_at)
select link_id, at::date, creator, count(*), max(v.at) from bench_visits v join (select person, creator from bench_people) p using (person)
where i % 100 < ${programsIn100} group by 1, 2, 3`,
  },
  {
    name: 'programs and gates',
    sql: `insert into gate_visitors (link_id, browser_hash, creator_id, day, last_at, is_at_gate)
select link_id, sha256(v.i::text::bytea), creator, at::date, v.at, v.i % 2 = 0 from bench_visits v join (select person, creator from bench_people) p using (person)
where i % 100 < ${gatesIn100}`,
  },
  {
    name: 'counters',
    sql: `update magic_links l set views_count = s.views, watch_ms = s.watch_ms, first_opened_at = s.first_at, last_opened_at = s.last_at,
  opens_told_until = s.last_at, unique_viewers = s.viewers, places_taken = s.places
from (select link_id, count(*) filter (where counted)::int as views, sum(watch_ms)::bigint as watch_ms,
    count(distinct viewer_id) filter (where counted)::int as viewers, count(distinct viewer_id)::int as places,
    min(started_at) as first_at, max(started_at) as last_at
  from viewer_sessions s where link_id in (select id from bench_links) group by link_id) s where s.link_id = l.id`,
  },
];

/** Numbers of transactions that have been, for the events to be of: nothing but going by makes them. @returns the first of them */
export async function passTransactions(client: pg.Client): Promise<bigint> {
  const { rows } = await client.query<{ first: string; count: number }>(
    'select pg_current_xact_id()::text as first, (select sum(calls) from bench_visits)::int as count',
  );
  const { first = '0', count = 0 } = rows[0] ?? {};
  await client.query(
    `do $$ begin for i in 1..${count + 10} loop perform pg_current_xact_id(); commit; end loop; end $$`,
  );
  return BigInt(first) + 1n;
}
