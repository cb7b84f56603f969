import type pg from 'pg';
import { type Growth, passTransactions, people, type Step, stream, visits } from './grown-visits.ts';
import { say } from './options.ts';

/** What the biggest creator of all has, and how many media the others have. */
const big = { links: 2000, media: 400 };
const usualMedia = 40;
/** How much there is beside so many events. */
export const growthOf = (events: number): Growth => ({
  events,
  creators: Math.max(20, Math.round(events / 20_000)),
  links: Math.max(3000, Math.round(events / 10)),
});

/** Two creators who are there, and can sign in: the biggest of all, and one as most are; and the address of a link whose rules all others get. */
export interface Pair {
  bigId: string;
  usualId: string;
  slug: string;
}

/** Everybody else's rows are the usual creator's with other names; `n` is who comes by how many. */
const creators = ({ creators: count }: Growth, { bigId, usualId }: Pair): Step[] => [
  {
    name: 'creators',
    sql: `create temp table bench_creators as
select n::int, case n when 1 then '${bigId}' when ${Math.round(count / 2)} then '${usualId}' else uuidv7() end::uuid as id
from generate_series(1, ${count}) n`,
  },
  {
    name: 'creators',
    sql: `insert into users select (jsonb_populate_record(u, jsonb_build_object('id', c.id, 'email', 'creator-' || c.n || '@bench.example',
  'handle', 'bench_' || c.n, 'time_zone', (array['Europe/Berlin', 'America/New_York', 'UTC', 'Asia/Tokyo'])[1 + c.n % 4]))).*
from bench_creators c join users u on u.id = '${usualId}' where not exists (select from users x where x.id = c.id)`,
  },
];

/** One medium in ten is a video of a minute; four albums hold all of a creator's. */
const media: Step[] = [
  {
    name: 'albums',
    sql: `create temp table bench_albums as select c.n, k::int, uuidv7() as id, c.id as creator from bench_creators c, generate_series(0, 3) k`,
  },
  {
    name: 'albums',
    sql: `insert into albums (id, user_id, name, state, people_consent, created_at, published_at, search_text)
select id, creator, 'Album ' || k, 'ready', 'only_me', now() - interval '400 days', now() - interval '400 days', 'album ' || k from bench_albums`,
  },
  {
    name: 'media',
    sql: `create temp table bench_media as
select row_number() over (order by c.n, k)::int as no, c.n, k::int, uuidv7() as id, c.id as creator, k % 10 = 0 as is_video
from bench_creators c, generate_series(1, case when c.n = 1 then ${big.media} else ${usualMedia} end) k`,
  },
  {
    name: 'media',
    sql: `insert into media (id, creator_id, kind, state, original_name, bytes, sha256, width, height, duration_ms, cell_seconds, thumbhash, created_at, ready_at)
select b.id, b.creator, case when b.is_video then 'video' else 'photo' end, 'ready', 'bench', 4000000, sha256(b.id::text::bytea), 3000, 4000,
  case when b.is_video then 60000 end, case when b.is_video then 2 end, sha256(b.id::text::bytea), now() - interval '400 days', now() - interval '400 days'
from bench_media b`,
  },
  {
    name: 'media',
    sql: `insert into album_items (album_id, media_id, user_id, position, added_at)
select a.id, m.id, m.creator, m.k, now() - interval '400 days' from bench_media m join bench_albums a on a.n = m.n and a.k = m.k % 4`,
  },
];

/** The big creator's links are 2,000, the others share the rest; a third have expired, one in ten is revoked, one in nine was never opened. */
const links = ({ links: count, creators: of }: Growth, { slug }: Pair): Step[] => [
  {
    name: 'links',
    sql: `create temp table bench_links as
select row_number() over (order by c.n, k)::int as no, c.n, k::int, uuidv7(interval '-400 days' + k * interval '1 hour') as id, c.id as creator,
  now() - interval '400 days' + k * interval '4 hours' as at, k % 9 <> 8 as is_opened
from bench_creators c, generate_series(1, case when c.n = 1 then least(${big.links}, ${count} / 2)
  else (${count} - least(${big.links}, ${count} / 2)) / ${of - 1} end) k`,
  },
  {
    name: 'links',
    sql: `insert into magic_links (id, user_id, link_name, recipient_name, slug, policy, created_at, search_text, expires_at, expiry_told_for,
  is_revoked, revoked_at, revoked_reason)
select l.id, l.creator, x.name || ' ' || l.k, x.name, replace(l.id::text, '-', ''), t.policy, l.at, lower(x.name || ' ' || l.k || E'\\n' || x.name || E'\\n'),
  e.at, e.at, l.k % 10 = 9, case when l.k % 10 = 9 then l.at + interval '9 days' end, case when l.k % 10 = 9 then 'manual' end
from bench_links l
cross join lateral (select (array['Bob', 'Marta', 'Jules', 'Theo', 'Lena', 'Noor', 'Sam', 'Ida', 'Pau', 'Zoe', 'Kim'])[1 + l.k % 11] as name) x
cross join lateral (select case when l.k % 3 = 2 then least(l.at + interval '7 days', now() - interval '1 day') end as at) e
cross join (select policy from magic_links where slug = '${slug}') t`,
  },
  {
    name: 'links',
    sql: `insert into link_albums (link_id, album_id, user_id)
select l.id, a.id, l.creator from bench_links l join bench_albums a on a.n = l.n and a.k = l.k % 4`,
  },
  {
    name: 'links',
    sql: `insert into link_policy_log (link_id, version, user_id, policy, by_user, at, password_version)
select l.id, 1, l.user_id, l.policy, l.user_id, l.created_at, 0 from magic_links l join bench_links b on b.id = l.id`,
  },
  {
    name: 'links',
    sql: `insert into codeword_log (at, creator_id, link_id, commitment) select at, creator, id, sha256(id::text::bytea) from bench_links order by at`,
  },
];

/** Says that every event so far is in its creator's sums; the sums themselves are the product's own work. */
const foldedSteps: Step[] = [
  {
    name: 'watermark',
    sql: `update fold_watermarks set xid = pg_snapshot_xmin(pg_current_snapshot()) where name = 'views'`,
  },
  {
    name: 'watermark',
    sql: `insert into creator_folds (creator_id, xid) select id, (select xid from fold_watermarks where name = 'views') from bench_creators
on conflict (creator_id) do update set xid = excluded.xid`,
  },
];

/**
 * Lets an installation with a few creators grow to one of years, set by set, as its database's own superuser: triggers and foreign keys are left out, as
 * what is written holds together by how it is made.
 * @returns the ids of all creators who have events
 */
export async function grow(client: pg.Client, growth: Growth, pair: Pair): Promise<string[]> {
  for (const setting of [
    'session_replication_role = replica',
    'synchronous_commit = off',
    `work_mem = '256MB'`,
    `maintenance_work_mem = '512MB'`,
    'jit = off',
  ])
    await client.query(`set ${setting}`);
  await runSteps(client, [...creators(growth, pair), ...media, ...links(growth, pair), ...visits(growth), ...people]);
  const firstXid = await passTransactions(client);
  await withoutIndexes(client, 'viewer_sessions', () => runSteps(client, [...stream(firstXid), ...foldedSteps]));
  const { rows } = await client.query<{ id: string }>('select id from bench_creators order by n');
  return rows.map(({ id }) => id);
}

/** Fills a table that has none of its indexes but its keys' meanwhile: millions of rows in no order take an hour with them. */
async function withoutIndexes(client: pg.Client, table: string, run: () => Promise<void>): Promise<void> {
  const { rows } = await client.query<{ name: string; made: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as made from pg_index i
    where indrelid = $1::regclass and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`,
    [table],
  );
  for (const { name } of rows) await client.query(`drop index ${name}`);
  await run();
  await runSteps(
    client,
    rows.map(({ made }) => ({ name: `indexes of ${table}`, sql: made })),
  );
}

async function runSteps(client: pg.Client, steps: readonly Step[]): Promise<void> {
  let [name, beganMs] = ['', performance.now()];
  const sayHowLong = () => name !== '' && say(`${name}: ${((performance.now() - beganMs) / 1000).toFixed(1)} s`);
  for (const step of steps) {
    if (step.name !== name) {
      sayHowLong();
      [name, beganMs] = [step.name, performance.now()];
    }
    await client.query(step.sql);
  }
  sayHowLong();
}
