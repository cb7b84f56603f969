import { createHash, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import pg from 'pg';
import { type Seeded, seedAlbum } from '#app/dev/seeding.ts';
import type { Tx } from '#engines/database/work.ts';
import type { Engines } from '#engines/engines.ts';
import { foldViews } from '#features/insights/jobs.ts';
import { newId, newToken } from '#kit/ids.ts';
import { dayMs } from '#kit/time.ts';
import { numbers } from './scenes/numbers.ts';

/** How much a busy creator has. */
export interface BusyLife {
  photos: number;
  links: number;
  visits: number;
}

const people = ['Bob', 'Marta', 'Jules', 'K.', 'Theo', 'Lena', 'Noor', 'Sam', 'Ida', 'Pau', 'Zoé', 'Mr. Oduya'];
const countries = ['DE', 'DE', 'US', 'US', 'US', 'GB', 'FR', 'ES', 'BR', 'JP', null];
const systems = ['iPhone', 'iPhone', 'Android', 'Android', 'Windows', 'Mac', null];
const apps = ['instagram', 'whatsapp', 'telegram', null, null, null];

const random = numbers(11);
const below = (count: number) => Math.floor(random() * count);
const oneOf = <T>(values: readonly T[]): T => values[below(values.length)] as T;

/** What `busy-creator` has. */
export const busyYear: BusyLife = { photos: 200, links: 500, visits: 100_000 };

/** What `busy-creator-small` has: enough that every list has a second page. */
export const smallYear: BusyLife = { photos: 8, links: 120, visits: 3000 };

/**
 * A year of a creator who lives from this: pictures and links are made by the same calls as people make them, and visits
 * are written as the rows that they leave, because a hundred thousand of them would take a day.
 */
export async function seedBusyLife(
  engines: Engines,
  creator: Seeded,
  files: readonly string[],
  life: BusyLife,
): Promise<void> {
  const pictures = Array.from({ length: life.photos }, (_, n) => files[n % files.length] ?? '');
  const albumId = await seedAlbum(engines, creator, { name: 'Summer', files: pictures });
  const links = await makeLinks(engines, creator, albumId, life.links);
  await writeVisits(engines, creator, { albumId, links, count: life.visits });
  await learnNumbers(engines);
}

/** An installation that has grown for a year knows how many rows it has; the database would come round to these in a minute or so. */
export async function learnNumbers({ database }: Engines): Promise<void> {
  const owner = new pg.Client(database.connection as pg.ClientConfig);
  await owner.connect();
  await owner.query('analyze');
  await owner.end();
}

interface BusyLink {
  id: string;
  createdAtMs: number;
}

async function makeLinks(engines: Engines, creator: Seeded, albumId: string, count: number): Promise<BusyLink[]> {
  const links: BusyLink[] = [];
  for (let n = 0; n < count; n++) {
    const name = people[n % people.length] ?? '';
    const { id } = await creator.caller.links.create({
      albumIds: [albumId],
      linkName: `${name} ${n + 1}`,
      recipientName: name,
      expiry: n % 3 === 0 ? { kind: 'never' } : { kind: 'after', hours: 24 * (1 + (n % 30)) },
    });
    links.push({ id, createdAtMs: engines.clock() - Math.round(((count - n) / count) * 360 * dayMs) });
  }
  await engines.database.work({ kind: 'system' }, async (tx) => {
    const rows = links.map(({ id, createdAtMs }) => ({ id, created_at: new Date(createdAtMs) }));
    await sql`update magic_links l set created_at = r.created_at
      from json_populate_recordset(null::magic_links, ${JSON.stringify(rows)}::json) r where r.id = l.id`.execute(
      tx.db,
    );
  });
  const revoked = links.filter((_, n) => n % 7 === 6).map(({ id }) => id);
  for (let from = 0; from < revoked.length; from += 100)
    await creator.caller.links.revoke({ linkIds: revoked.slice(from, from + 100) });
  return links;
}

type Row = Record<string, unknown>;

/** Writes rows as the system, so many at a time that no statement takes long. */
async function write(engines: Engines, table: string, rows: readonly Row[]): Promise<void> {
  const columns = sql.join(Object.keys(rows[0] ?? {}).map((name) => sql.ref(name)));
  for (let from = 0; from < rows.length; from += 5000) {
    const json = JSON.stringify(rows.slice(from, from + 5000));
    await engines.database.work({ kind: 'system' }, (tx) =>
      sql`insert into ${sql.table(table)} (${columns})
        select ${columns} from json_populate_recordset(null::${sql.table(table)}, ${json}::json)`.execute(tx.db),
    );
  }
}

interface Admission {
  id: string;
  linkId: string;
  viewerId: string;
  firstAt: Date;
  firstViewAt: Date | null;
  lastAt: Date;
  visits: number;
  watchMs: number;
}

interface YearOfVisits {
  visits: Row[];
  events: Row[];
  admissions: Admission[];
  viewers: { id: string; deviceId: string; at: Date }[];
}

async function writeVisits(
  engines: Engines,
  { caller, userId }: Seeded,
  { albumId, links, count }: { albumId: string; links: readonly BusyLink[]; count: number },
): Promise<void> {
  const items = (await caller.albums.one({ albumId })).items.map(({ id }) => id);
  const year = drawYear(userId, { albumId, items, links, count, now: engines.clock() });
  await writePeople(engines, userId, year);
  await write(engines, 'viewer_sessions', year.visits);
  for (let from = 0; from < year.events.length; from += 50_000) {
    await write(engines, 'view_events', year.events.slice(from, from + 50_000));
    await foldViews(engines);
  }
  await engines.database.work({ kind: 'system' }, (tx) => sumUpLinks(tx, userId));
}

async function writePeople(engines: Engines, creatorId: string, { viewers, admissions }: YearOfVisits): Promise<void> {
  await write(
    engines,
    'viewers',
    viewers.map(({ id, at }) => ({ id, age_confirmed_at: at, created_at: at, last_seen_at: at })),
  );
  const hashOf = (text: string) => `\\x${createHash('sha256').update(text).digest('hex')}`;
  const devices = viewers.map(({ id, deviceId, at }) => ({
    id: deviceId,
    viewer_id: id,
    secret_hash: hashOf(newToken()),
    first_seen_at: at,
    last_seen_at: at,
  }));
  await write(engines, 'viewer_devices', devices);
  const grants = admissions.map(({ id, firstAt }) => ({
    id,
    kind: 'link',
    creator_id: creatorId,
    created_at: firstAt,
  }));
  await write(engines, 'grants', grants);
  const seen = [...new Set(admissions.map(({ viewerId }) => viewerId))];
  await write(
    engines,
    'viewer_pseudonyms',
    seen.map((viewerId) => ({ creator_id: creatorId, viewer_id: viewerId, id: randomUUID() })),
  );
  const admitted = admissions.map((one) => ({
    id: one.id,
    link_id: one.linkId,
    viewer_id: one.viewerId,
    creator_id: creatorId,
    first_admitted_at: one.firstAt,
    first_view_at: one.firstViewAt,
    last_visit_at: one.lastAt,
    watched_ms: one.watchMs,
    visits: one.visits,
    policy_version: 1,
    is_own: false,
  }));
  await write(engines, 'link_viewers', admitted);
}

/** What beats would have added to each link. */
async function sumUpLinks(tx: Tx, creatorId: string): Promise<void> {
  await sql`update magic_links l set views_count = s.views, watch_ms = s.watch_ms, first_opened_at = s.first_at,
      last_opened_at = s.last_at, opens_told_until = s.last_at, unique_viewers = s.viewers, places_taken = s.places
    from (select link_id, count(*) filter (where counted)::int as views, sum(watch_ms)::bigint as watch_ms,
        count(distinct viewer_id) filter (where counted)::int as viewers, count(distinct viewer_id)::int as places,
        min(started_at) as first_at, max(started_at) as last_at
      from viewer_sessions where creator_id = ${creatorId} group by link_id) s where s.link_id = l.id`.execute(tx.db);
}

interface Plan {
  albumId: string;
  items: readonly string[];
  links: readonly BusyLink[];
  count: number;
  now: number;
}

/** Who came when, and what they looked at: some links are loved, most are seen a few times, and people come back. */
function drawYear(creatorId: string, plan: Plan): YearOfVisits {
  const viewers = Array.from({ length: Math.ceil(plan.count / 25) }, () => {
    const at = plan.now - Math.round(random() * 360 * dayMs);
    return { id: newId(at), deviceId: newId(at), at: new Date(at) };
  });
  const starts = Array.from({ length: plan.count }, () => {
    const link = plan.links[Math.floor(random() ** 2 * plan.links.length)] ?? { id: '', createdAtMs: 0 };
    const sinceMs = plan.now - link.createdAtMs;
    return { linkId: link.id, atMs: plan.now - 600_000 - Math.floor(random() * (sinceMs - 600_000)) };
  }).sort((a, b) => a.atMs - b.atMs);
  const [admissions, hasViewed] = [new Map<string, Admission>(), new Set<string>()];
  const year: YearOfVisits = { visits: [], events: [], admissions: [], viewers };
  for (const { linkId, atMs } of starts) {
    const [viewer, at] = [oneOf(viewers), new Date(atMs)];
    const looks = random() < 0.8 ? Array.from({ length: 1 + below(5) }, () => 2000 + below(40_000)) : [];
    const admission = admit(admissions, { linkId, viewerId: viewer.id }, at, looks);
    const who = { creator_id: creatorId, link_id: linkId, viewer_id: viewer.id, country: oneOf(countries) };
    const visit = drawVisit(at, looks, { ...who, admission_id: admission.id, device_id: viewer.deviceId });
    year.visits.push(visit);
    year.events.push(...eventsOf({ ...who, visit_id: visit.id, at }, looks, plan, !hasViewed.has(viewer.id)));
    if (looks.length > 0) hasViewed.add(viewer.id);
  }
  year.admissions = [...admissions.values()];
  return year;
}

const sumOf = (looks: readonly number[]) => looks.reduce((sum, ms) => sum + ms, 0);

/** The admission that a visit belongs to, with the visit added to it. */
function admit(
  admissions: Map<string, Admission>,
  who: { linkId: string; viewerId: string },
  at: Date,
  looks: readonly number[],
): Admission {
  const key = `${who.linkId} ${who.viewerId}`;
  const before = admissions.get(key);
  const admission: Admission = {
    ...who,
    id: before?.id ?? newId(at.getTime()),
    firstAt: before?.firstAt ?? at,
    firstViewAt: before?.firstViewAt ?? (looks.length > 0 ? at : null),
    lastAt: at,
    visits: (before?.visits ?? 0) + 1,
    watchMs: (before?.watchMs ?? 0) + sumOf(looks),
  };
  admissions.set(key, admission);
  return admission;
}

/** One visit that ended long ago. */
function drawVisit(at: Date, looks: readonly number[], who: Row & { country: string | null }): Row & { id: string } {
  const watchMs = sumOf(looks);
  const ended = new Date(at.getTime() + watchMs + 1000);
  return {
    ...who,
    id: newId(at.getTime()),
    link_policy_version: 1,
    state: 'closed',
    decision_via: 'free',
    started_at: at,
    last_beat_at: ended,
    last_input_at: ended,
    ended_at: ended,
    end_reason: oneOf(['left', 'left', 'idle']),
    watch_ms: watchMs,
    summed_ms: watchMs,
    items_seen: looks.length,
    look_ms: 0,
    location_source: who.country === null ? 'unknown' : 'ip',
    referrer_app: oneOf(apps),
    ua_family: 'Safari',
    os_family: oneOf(systems),
    counted: looks.length > 0,
    counted_at: looks.length > 0 ? at : null,
  };
}

/** What one visit leaves in the stream: the door, the view, and each look. */
function eventsOf(who: Row, looks: readonly number[], { albumId, items }: Plan, isFirst: boolean): Row[] {
  const event = { ...who, album_id: null, media_id: null, ms_visible: 0, first_of_viewer: false };
  const opened = { ...event, kind: 'open' };
  if (looks.length === 0) return [opened];
  return [
    opened,
    { ...event, kind: 'view', first_of_viewer: isFirst },
    ...looks.map((ms) => ({ ...event, kind: 'look', ms_visible: ms, album_id: albumId, media_id: oneOf(items) })),
  ];
}
