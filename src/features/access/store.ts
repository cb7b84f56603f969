import { statement, type Tx } from '#engines/database/work.ts';
import type { Realm } from '#engines/payments/payments.ts';
import { standingOf } from '#features/accounts/rules.ts';
import { Policy } from '#features/links/policy.ts';
import { createLru } from '#kit/lru.ts';
import { dayMs } from '#kit/time.ts';
import { hasAccess } from '#wire/context.ts';
import {
  boughtOf,
  boughtVersion,
  type PaidRow,
  paidColumns,
  paidFrom,
  type UsedUp,
  usedBeforeOf,
} from './bought-store.ts';
import type { Host } from './contract.ts';
import { type FansRow, fansFrom, fansOf } from './fans-store.ts';
import { areAlbumsReady, type Facts, type LinkRules, visitGapMs } from './rules.ts';

/** Where the facts are read: inside a unit of work of the system, or straight from the database without one. */
export type Source = Pick<Tx, 'ask'>;

/** Who asks, as far as a request can tell. */
export interface Asker {
  now: Date;
  /** Whose money counts: what was paid in another realm opens nothing. */
  realm: Realm;
  /** A screen that has not renewed its keys since then is none any more. */
  aliveSince: Date;
  /** SHA-256 of the secret in the viewer's cookie; without one the viewer is new. */
  deviceSecretHash: Uint8Array | undefined;
  /** Two letters, from the address; left out when nobody knows. */
  country: string | undefined;
  /** The cookie was brought along, not given with this call; whoever asks about a visit has brought it. */
  keepsCookie?: boolean;
  /** A program that drives a browser, by its own word. */
  isProgram?: boolean;
}

/** One question to `decide`, with what the rooms above need to act on its answer. */
export interface Question {
  link: LinkRules;
  facts: Facts;
  linkId: string;
  creatorId: string;
  policyVersion: number;
  linkName: string;
  host: Host;
  /** She takes requests for custom work, and an album of this link offers it. */
  takesRequests: boolean;
  /** Known by the cookie; left out for a browser that never passed a gate. */
  viewer: { viewerId: string; deviceId: string } | undefined;
  /** The admission of this viewer to this link, which is the grant that owns the codeword. */
  grantId: string | undefined;
  /** The visit that is asked for, or this browser's newest one on this link. */
  visit: VisitFact | undefined;
  /** Media that left the link since this visit began. */
  gone: readonly string[];
  /** What this viewer had used up before they paid, and what the rows of the admission still hold. */
  usedBefore: UsedUp;
  /** To check a password that was typed; a match is written as a pass of `version`. */
  password: { hash: string; version: number } | undefined;
}

export interface VisitFact {
  visitId: string;
  state: 'open' | 'closed' | 'cut';
  endReason: string | undefined;
  startedAt: Date;
  lastBeatAt: Date;
  /** What is looked at since the last move, and for how long. */
  currentMediaId: string | undefined;
  lookMs: number;
  /** It is a view already. */
  isCounted: boolean;
  /** A new look is the same visit: the gap is under 10 minutes, and it was neither cut nor taken over. */
  goesOn: boolean;
}

/** How long "Yes, I am 18 or older" is remembered. */
const ageMemoryMs = 30 * dayMs;

interface Row extends PaidRow, FansRow {
  link_id: string;
  creator_id: string;
  link_name: string;
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
  device_id: string | null;
  viewer_id: string | null;
  age_confirmed_at: Date | null;
  verified_email: string | null;
  blocked: boolean;
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
  takes_requests?: boolean;
  bought_policy: string | null;
  /** A place is kept while this viewer pays. */
  has_place: boolean;
  /** Only asked of a visit. */
  gone?: string[] | null;
}

// Row-level security lets an index serve a join only when its condition cannot leak rows, and PostgreSQL takes `coalesce` for
// one that might: with it every open would read all viewers. `case` it trusts.
/** Everything live about link `l`, admission `a`, device `d`, viewer `v` and visit `s`; $3 is the oldest beat of a living screen, $4 and $5 whose money counts. */
const factsFrom = (from: string, also = '') => `
select l.id as link_id, l.user_id as creator_id, l.link_name, l.welcome_text, l.policy::text as policy, l.policy_version,
  l.password_hash, l.password_version, l.is_revoked, l.revoked_at, l.expires_at,
  (l.taken_down_at is not null or coalesce(al.taken_down, false)) as taken_down,
  u.display_name, u.status, u.subscription_status, u.is_free_user, u.free_until, u.trial_ends_at,
  exists (select from user_roles r where r.user_id = u.id and r.role = 'admin') as is_admin,
  al.albums,
  d.id as device_id, v.id as viewer_id, v.age_confirmed_at,
  case when v.email_verified_at is not null then v.email end as verified_email,
  (v.blocked_globally_at is not null or a.blocked_at is not null
    or exists (select from viewer_blocks b where b.creator_id = l.user_id and b.viewer_id = v.id)) as blocked,
  exists (select from gate_passes g where g.link_id = l.id and g.viewer_id = v.id and g.gate = 'password'
    and (g.rule_version = l.password_version or t.bought_version is not null)) as password_passed,
  a.id as grant_id, a.first_admitted_at, a.watched_ms, a.lent_ms, a.visits,
  case when a.id is null then
    (select count(*)::int from (select from link_viewers k where k.link_id = l.id and not k.is_own limit 1001) known)
      + (select count(*)::int from place_reservations p where p.link_id = l.id) end as viewers_known,
  ${paidColumns}, f.fans, (select p.policy::text from link_policy_log p where p.link_id = l.id and p.version = ${boughtVersion}) as bought_policy,
  exists (select from place_reservations p where p.link_id = l.id and p.viewer_id = v.id) as has_place,
  s.id as visit_id, s.state as visit_state, s.end_reason as visit_end, s.started_at as visit_started_at, s.last_beat_at as visit_beat_at,
  s.current_media_id as visit_media_id, s.look_ms as visit_look_ms, s.counted as visit_counted,
  s.suspect_reason as visit_suspect,
  (select count(*)::int from viewer_sessions o where o.admission_id = a.id and o.state = 'open' and o.last_beat_at > $3
    and o.device_id <> d.id) as concurrent${also}
from ${from}
join users u on u.id = l.user_id
left join lateral (
  select json_agg(json_build_object('id', b.id, 'state', b.state) order by la.position, b.id) as albums,
    bool_or(b.taken_down_at is not null) as taken_down
  from link_albums la join albums b on b.id = la.album_id where la.link_id = l.id) al on true
${paidFrom}
${fansFrom}`;

// A minute of slack: what left while the list was being made may have been asked for a moment before the visit was.
/** Which media have left the link since the visit began, and did not come back. */
const goneSince = `,
  (select json_agg(distinct g.media_id) from link_albums la
    join album_departures g on g.album_id = la.album_id and g.at > s.started_at - interval '1 minute'
    where la.link_id = l.id and not exists (select from link_albums lb
      join album_items i on i.album_id = lb.album_id and i.media_id = g.media_id and not i.hidden
      join media m on m.id = i.media_id and m.state = 'ready' and m.deleted_at is null
      where lb.link_id = l.id)) as gone`;

const bySlug = statement<Row>(
  'facts_by_slug',
  `${factsFrom(
    `magic_links l
left join viewer_devices d on d.secret_hash = $2
left join viewers me on me.id = d.viewer_id
left join viewers v on v.id = case when me.merged_into is null then me.id else me.merged_into end
left join link_viewers a on a.link_id = l.id and a.viewer_id = v.id
left join lateral (
  select * from viewer_sessions n where n.admission_id = a.id and n.device_id = d.id order by n.started_at desc limit 1) s on true`,
    `, u.avatar_small, exists (select from request_settings q where q.user_id = u.id and q.is_on and exists (
      select from link_albums la join albums b on b.id = la.album_id where la.link_id = l.id and b.allow_custom_requests)) as takes_requests`,
  )}
where l.slug = $1`,
);

const ofVisit = statement<Row>(
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

/**
 * The live facts of one link for one browser, read anew by one statement; nothing of it may be kept.
 * Undefined when there is no such link.
 */
export async function findFactsBySlug(source: Source, slug: string, asker: Asker): Promise<Question | undefined> {
  return find(source, bySlug, slug, asker);
}

/** The same for a renewal. Undefined when there is no such visit or another browser began it. */
export async function findFactsOfVisit(source: Source, visitId: string, asker: Asker): Promise<Question | undefined> {
  return find(source, ofVisit, visitId, asker);
}

async function find(source: Source, which: typeof bySlug, key: string, asker: Asker): Promise<Question | undefined> {
  const { provider, livemode } = asker.realm;
  const values = [key, asker.deviceSecretHash ?? null, asker.aliveSince, provider, livemode];
  const [row] = await source.ask(which, values);
  return row === undefined ? undefined : questionOf(row, asker);
}

function questionOf(row: Row, asker: Asker): Question {
  const now = asker.now.getTime();
  const albums = (row.albums ?? []).map(({ id, state }) => ({ albumId: id, state }));
  const visit = visitOf(row, now);
  return {
    link: {
      albumIds: albums.map(({ albumId }) => albumId),
      revokedAt: isGone(row) ? (row.revoked_at?.getTime() ?? now) : undefined,
      expiresAt: row.expires_at?.getTime(),
      policy: readPolicy(row.policy),
    },
    facts: factsOf(row, albums, visit, asker),
    linkId: row.link_id,
    creatorId: row.creator_id,
    policyVersion: row.policy_version,
    linkName: row.link_name,
    host: hostOf(row),
    takesRequests: row.takes_requests === true,
    viewer:
      row.viewer_id === null || row.device_id === null
        ? undefined
        : { viewerId: row.viewer_id, deviceId: row.device_id },
    grantId: row.grant_id ?? undefined,
    visit,
    gone: row.gone ?? [],
    usedBefore: usedBeforeOf(row),
    password: row.password_hash === null ? undefined : { hash: row.password_hash, version: row.password_version },
  };
}

const hostOf = ({ display_name, welcome_text, avatar_small }: Row): Host => ({
  name: display_name,
  welcomeText: welcome_text,
  ...(avatar_small != null && { avatar: `data:image/webp;base64,${avatar_small.toString('base64')}` }),
});

/** Whether the creator's own plan has lapsed, or her account is suspended. */
function isPaused(row: Row, now: Date): boolean {
  const stored = {
    status: row.status,
    emailVerified: true,
    setupStep: 'done',
    isAdmin: row.is_admin,
    isFreeUser: row.is_free_user,
    freeUntil: row.free_until,
    subscriptionStatus: row.subscription_status,
    trialEndsAt: row.trial_ends_at,
  } as const;
  return row.status === 'suspended' || !hasAccess(standingOf(stored, now));
}

/** The links of a creator who is leaving are dead at once, whatever was paid. */
const isGone = ({ is_revoked, status }: Row) => is_revoked || status === 'deleting' || status === 'deleted';

function factsOf(
  row: Row,
  albums: { albumId: string; state: string }[],
  visit: VisitFact | undefined,
  asker: Asker,
): Facts {
  const now = asker.now.getTime();
  // What is given and asked for joins here with the rooms that grant.
  const grants = boughtOf(row, albums);
  const before = usedBeforeOf(row);
  const isOnScreen = visit?.state === 'open' && visit.lastBeatAt > asker.aliveSince;
  return {
    now,
    takenDown: row.taken_down,
    viewerBlocked: row.blocked,
    creatorPaused: isPaused(row, asker.now),
    albumReady: areAlbumsReady(albums, grants, now),
    country: asker.country,
    passed: {
      age: row.age_confirmed_at !== null && row.age_confirmed_at.getTime() > now - ageMemoryMs,
      password: row.password_passed,
      email: row.verified_email ?? undefined,
    },
    grants,
    ...(row.bought_policy !== null && { boughtUnder: readPolicy(row.bought_policy) }),
    tips: row.tips ?? [],
    fanSubs: fansOf(row),
    payback: row.payback ?? undefined,
    isDeliveryHeld: row.delivery_held,
    isDelivery: row.is_delivery,
    firstLookAt: (row.bought_version === null ? row.first_admitted_at : row.bought_opened_at)?.getTime(),
    watchedMs: Math.max(0, (row.watched_ms ?? 0) - before.watchedMs),
    lentMs: Math.max(0, (row.lent_ms ?? 0) - before.lentMs),
    visits: Math.max(0, (row.visits ?? 0) - before.visits - (visit?.goesOn ? 1 : 0)),
    visitOpen: isOnScreen,
    viewersKnown: row.viewers_known ?? 1,
    isKnownViewer: row.grant_id !== null || row.has_place,
    keepsCookie: asker.keepsCookie ?? true,
    isProgram: asker.isProgram ?? row.visit_suspect === 'automation',
    concurrent: row.concurrent,
  };
}

/** Ended by leaving or by idling; what was cut, used up or taken over by another screen does not go on. */
const softEnds: readonly (string | null)[] = [null, 'left', 'idle'];

function visitOf(row: Row, now: number): VisitFact | undefined {
  const { visit_id, visit_state, visit_end, visit_started_at, visit_beat_at } = row;
  if (visit_id === null || visit_state === null || visit_started_at === null || visit_beat_at === null)
    return undefined;
  return {
    visitId: visit_id,
    state: visit_state,
    endReason: visit_end ?? undefined,
    startedAt: visit_started_at,
    lastBeatAt: visit_beat_at,
    currentMediaId: row.visit_media_id ?? undefined,
    lookMs: row.visit_look_ms ?? 0,
    isCounted: row.visit_counted === true,
    goesOn: visit_state !== 'cut' && softEnds.includes(visit_end) && visit_beat_at.getTime() > now - visitGapMs,
  };
}

const parsed = createLru<string, Policy>(5000);

/** Rules are parsed once per text, so a changed rule can never meet an old copy. */
const readPolicy = (text: string): Policy => parsed.get(text) ?? parsed.set(text, Policy.parse(JSON.parse(text)));
