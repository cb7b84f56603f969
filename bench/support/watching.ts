import { createHash } from 'node:crypto';
import type pg from 'pg';
import { galleryId } from '#features/viewing/rules.ts';
import { type Figure, median, quantile } from './figures.ts';
import type { Growth } from './grown-visits.ts';
import { measureRate, type Rate, type Shot } from './load.ts';
import { fireAtRate } from './open-loop.ts';
import { say } from './options.ts';
import { costOf } from './process-tree.ts';
import type { Product } from './product.ts';
import { phoneAgent } from './viewer.ts';

/** Somebody whose screen is open. */
interface Watcher {
  visitId: string;
  cookie: string;
  /** The pictures of their link. */
  mediaIds: string[];
}

/** How many links they look at, of as many creators as there are. */
const linkCount = 300;
/** So many of them are the big creator's. */
const bigLinks = 60;

/** The secret of a browser, which the database knows by its hash. */
const secretOf = (n: number) => createHash('sha256').update(`watcher ${n}`).digest();

// Times in whole milliseconds, as the product writes them. The opens as `admissions-store.ts` and `visits-store.ts` write them; those of people, at the same time, come through the door.
const opened = `with fit as (
  select l.id, l.user_id, l.user_id = $3 as is_big from magic_links l
  where l.first_opened_at is not null and not l.is_revoked and l.expires_at is null
    and exists (select from link_albums la join albums a on a.id = la.album_id and a.name like 'Album%' where la.link_id = l.id)
), link as (
  select id, user_id, row_number() over () - 1 as k from (
    (select * from fit where is_big order by md5(id::text) limit ${bigLinks})
    union all (select * from fit where not is_big order by md5(id::text) limit ${linkCount - bigLinks})) chosen
), watcher as (
  select n, l.id as link_id, l.user_id as creator_id, uuidv7() as viewer_id, uuidv7() as device_id, uuidv7() as grant_id, uuidv7() as visit_id
  from generate_series(0, $1::int - 1) n join link l on l.k = n % ${linkCount}
), viewer as (
  insert into viewers (id, age_confirmed_at, created_at, last_seen_at) select viewer_id, date_trunc('milliseconds', now()), date_trunc('milliseconds', now()), date_trunc('milliseconds', now()) from watcher
), device as (
  insert into viewer_devices (id, viewer_id, secret_hash, first_seen_at, last_seen_at)
  select device_id, viewer_id, ($2::bytea[])[n + 1], date_trunc('milliseconds', now()), date_trunc('milliseconds', now()) from watcher
), pseudonym as (
  insert into viewer_pseudonyms (creator_id, viewer_id) select creator_id, viewer_id from watcher
), granted as (
  insert into grants (id, kind, creator_id, created_at) select grant_id, 'link', creator_id, date_trunc('milliseconds', now()) from watcher
), admitted as (
  insert into link_viewers (id, link_id, viewer_id, creator_id, first_admitted_at, last_visit_at, visits, policy_version)
  select grant_id, link_id, viewer_id, creator_id, date_trunc('milliseconds', now()), date_trunc('milliseconds', now()), 1, 1 from watcher
), visit as (
  insert into viewer_sessions (id, admission_id, link_id, creator_id, viewer_id, device_id, link_policy_version, state, decision_via, started_at,
    last_beat_at, last_input_at, country, location_source, ua_family, os_family)
  select visit_id, grant_id, link_id, creator_id, viewer_id, device_id, 1, 'open', 'free', date_trunc('milliseconds', now()), date_trunc('milliseconds', now()), date_trunc('milliseconds', now()), 'DE', 'ip', 'Chrome', 'Android' from watcher
), event as (
  insert into view_events (kind, creator_id, link_id, visit_id, viewer_id, country, at)
  select 'open', creator_id, link_id, visit_id, viewer_id, 'DE', date_trunc('milliseconds', now()) from watcher
)
select w.visit_id as "visitId", (select array_agg(i.media_id::text order by i.position) from link_albums la
  join album_items i on i.album_id = la.album_id where la.link_id = w.link_id) as "mediaIds"
from watcher w order by w.n`;

/** Opens so many screens, at links of the big creator's and of others', as if all had been tapped at once. */
async function openScreens(client: pg.Client, count: number, bigId: string): Promise<Watcher[]> {
  const secrets = Array.from({ length: count }, (_, n) => secretOf(n));
  const hashes = secrets.map((secret) => createHash('sha256').update(secret).digest());
  const { rows } = await client.query<Omit<Watcher, 'cookie'>>(opened, [count, hashes, bigId]);
  return rows.map((row, n) => ({ ...row, cookie: `pf_viewer=${secrets[n]?.toString('base64url')}` }));
}

/** Ends them again: their rows stay, and nobody looks any more. */
const closeScreens = (client: pg.Client) =>
  client.query(
    `with closed as (
      update viewer_sessions v set state = 'closed', end_reason = 'left', ended_at = v.last_beat_at, watch_ms = v.watch_ms - v.look_ms,
        summed_ms = v.watch_ms - v.look_ms, look_ms = 0
      from viewer_sessions before where before.id = v.id and v.state = 'open'
      returning v.link_id, v.watch_ms - before.summed_ms as ms)
    update magic_links l set watch_ms = l.watch_ms + c.ms from (select link_id, sum(ms)::bigint as ms from closed group by 1) c where l.id = c.link_id`,
  );

/** Screens renew every 15 s. */
const renewSeconds = 15;
/** A swipe every five seconds: 25 photos in two minutes. */
const looksPerBeat = 3;

/**
 * The renewals that open screens send every 15 s, as the viewer's page does: what was seen since the last one, the picture that is open now, and the
 * gallery in between.
 * @returns the next renewal of whoever's turn it is
 */
function renewShots(url: string, watchers: readonly Watcher[]): () => Shot {
  let turn = 0;
  return () => {
    const { visitId = '', cookie = '', mediaIds = [] } = watchers[turn % watchers.length] ?? {};
    const round = Math.floor(turn / watchers.length);
    turn++;
    const at = (n: number) => mediaIds[(round * looksPerBeat + n) % mediaIds.length] ?? '';
    const looks = Array.from({ length: looksPerBeat + 1 }, (_, n) => ({
      mediaId: at(n),
      visibleMs: n === 0 ? 1000 : 4500,
    }));
    const samples = round === 0 ? [{ mediaId: galleryId, visibleMs: 1500 }, ...looks.slice(1)] : looks;
    return {
      url: `${url}/api/v1/view/renew`,
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-csrf-token': 'orpc', 'user-agent': phoneAgent, cookie },
      body: JSON.stringify({ visitId, samples, lookingAt: at(looksPerBeat), idleMs: 0, leaving: false, tokensFor: [] }),
    };
  };
}

/** What came of renewals for a while. */
interface Intake {
  /** Rows of the stream in a second. */
  eventsPerSecond: number;
  /** Of one core, the product's and the database's. */
  appShare: number;
  databaseShare: number;
  p99Ms: number;
  lost: number;
}

const countEvents = async (client: pg.Client): Promise<number> => {
  const { rows } = await client.query<{ n: number }>('select count(*)::int as n from view_events');
  return rows[0]?.n ?? 0;
};

/** P12b: renewals of open screens, as many as bring about so many events a second. */
export async function measureIntake(
  { product, client, growth }: { product: Product; client: pg.Client; growth: Growth },
  bigId: string,
  rounds: number,
): Promise<Figure[]> {
  const wanted = Math.min(2000, growth.events / 500);
  const screens = Math.ceil((wanted / 3.1) * renewSeconds);
  const near = product.url.replace('localhost', '127.0.0.1');
  say(`${screens.toLocaleString('en-US')} screens are open`);
  const next = renewShots(near, await openScreens(client, screens, bigId));
  const perSecond = screens / renewSeconds;
  await fireAtRate(perSecond, renewSeconds, next);
  const steady: Intake[] = [];
  const most: { rate: Rate; eventsPerCall: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    const before = await countEvents(client);
    const { cost, result } = await costOf(product.pid, () => fireAtRate(perSecond, renewSeconds, next));
    steady.push({
      eventsPerSecond: ((await countEvents(client)) - before) / renewSeconds,
      appShare: cost.app / renewSeconds,
      databaseShare: cost.database / renewSeconds,
      p99Ms: quantile(result.timesMs, 0.99),
      lost: result.shed + result.failed,
    });
    const { eventsPerSecond, appShare, databaseShare } = steady.at(-1) ?? {};
    say(
      `round ${round + 1}: ${eventsPerSecond?.toFixed(0)} events/s, ${appShare?.toFixed(2)} cores and ${databaseShare?.toFixed(2)} of the database`,
    );
  }
  for (let round = 0; round < rounds; round++) {
    const [before, sent] = [await countEvents(client), { calls: 0 }];
    const rate = await measureRate(product.pid, () => {
      sent.calls++;
      return next();
    });
    most.push({ rate, eventsPerCall: ((await countEvents(client)) - before) / sent.calls });
  }
  await closeScreens(client);
  return asIntake(steady, most, screens);
}

function asIntake(
  steady: readonly Intake[],
  most: readonly { rate: Rate; eventsPerCall: number }[],
  screens: number,
): Figure[] {
  const of = (name: keyof Intake) => median(steady.map((one) => one[name]));
  const [events, app, database] = [of('eventsPerSecond'), of('appShare'), of('databaseShare')];
  const intake = { part: 'insights', figure: 'P12b' };
  const bound = { better: 'more', of: 'value', sets: 'print', gate: 800, goal: 2000 } as const;
  const atMost = (pick: (rate: Rate) => number) =>
    median(most.map(({ rate, eventsPerCall }) => pick(rate) * eventsPerCall));
  return [
    {
      ...intake,
      what: `events taken in, ${screens.toLocaleString('en-US')} screens that renew every 15 s`,
      unit: '1/s',
      ours: events,
      note: `p99 ${of('p99Ms').toFixed(0)} ms; ${steady.reduce((sum, { lost }) => sum + lost, 0)} not answered`,
      bound,
    },
    {
      ...intake,
      what: 'of a core for that',
      unit: '%',
      ours: 100 * app,
      note: `the database's beside it: ${(100 * database).toFixed(0)} %`,
      bound: { gate: 100, goal: 20, better: 'less', of: 'value', sets: 'print' },
    },
    {
      ...intake,
      what: 'events for 20 % of a core',
      unit: '1/s',
      ours: (0.2 * events) / app,
      note: `${((0.2 * events) / (app + database)).toFixed(0)} with the database's CPU`,
      bound: { ...bound, gate: 300 },
    },
    {
      ...intake,
      what: 'events at most, 16 connections',
      unit: '1/s',
      ours: atMost(({ perSecond }) => perSecond),
      note: `${median(most.map(({ eventsPerCall }) => eventsPerCall)).toFixed(1)} a renewal`,
      bound,
    },
  ];
}
