import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '#engines/database/work.ts';
import type { ConsentGap } from '#features/albums/contract.ts';
import type { Cursor } from '#features/albums/rules.ts';
import { searchPattern } from '#kit/search.ts';
import type { LinkFilter } from './contract.ts';

export interface LinkRow {
  id: string;
  userId: string;
  linkName: string;
  recipientName: string | null;
  recipientChannel: 'whatsapp' | 'instagram' | 'email' | 'sms' | 'other' | null;
  note: string;
  welcomeText: string;
  slug: string;
  albums: { id: string; name: string; state: string; gap: ConsentGap | null }[] | null;
  policy: unknown;
  policyVersion: number;
  passwordVersion: number;
  expiresAt: Date | null;
  createdAt: Date;
  isRevoked: boolean;
  revokedAt: Date | null;
  revokedReason: string | null;
  undoUntil: Date | null;
  isTakenDown: boolean;
  notify: 'first' | 'every' | 'none';
  viewsCount: number;
  uniqueViewers: number;
  watchMs: number;
  earnedCents: number;
  firstOpenedAt: Date | null;
  lastOpenedAt: Date | null;
  isLookingNow: boolean;
  visitStartedAt: Date | null;
  visitEndedAt: Date | null;
  visitEndReason: string | null;
  visitCountry: string | null;
  visitPlaceSource: string | null;
  visitDevice: string | null;
  darkScreens: number;
  darkAt: Date | null;
}

/**
 * Links `l` with their story: albums, the newest visit of a person, and whether a screen is alive. Which links is decided
 * first, so that the story is read of no others.
 */
const selectLinks = (links: RawBuilder<unknown>, aliveSince: Date) => sql<LinkRow>`
  select l.id, l.user_id as "userId", l.link_name as "linkName", l.recipient_name as "recipientName",
    l.recipient_channel as "recipientChannel", l.note, l.welcome_text as "welcomeText", l.slug, al.albums, l.policy,
    l.policy_version as "policyVersion", l.password_version as "passwordVersion", l.expires_at as "expiresAt",
    l.created_at as "createdAt", l.is_revoked as "isRevoked", l.revoked_at as "revokedAt",
    l.revoked_reason as "revokedReason", l.undo_until as "undoUntil", l.taken_down_at is not null as "isTakenDown",
    l.notify, l.views_count as "viewsCount", l.unique_viewers as "uniqueViewers", l.watch_ms as "watchMs",
    l.earnings_cents as "earnedCents", l.first_opened_at as "firstOpenedAt", l.last_opened_at as "lastOpenedAt",
    exists (select from viewer_sessions o where o.link_id = l.id and o.state = 'open' and o.suspect_reason is null
      and o.last_beat_at > ${aliveSince}) and not l.is_revoked as "isLookingNow",
    v.started_at as "visitStartedAt", v.ended_at as "visitEndedAt", v.end_reason as "visitEndReason",
    v.country as "visitCountry", v.location_source as "visitPlaceSource", v.os_family as "visitDevice",
    d.screens as "darkScreens", d.at as "darkAt"
  from (${links}) l
  left join lateral (
    select json_agg(json_build_object('id', b.id, 'name', b.name, 'state', b.state,
        'gap', consent_gap(b.id, b.people_consent)) order by la.position, b.id) as albums
    from link_albums la join albums b on b.id = la.album_id where la.link_id = l.id) al on true
  left join lateral (
    select s.started_at, s.ended_at, s.end_reason, s.country, s.location_source, s.os_family from viewer_sessions s
    where s.link_id = l.id and s.suspect_reason is null order by s.started_at desc nulls last limit 1) v on true
  left join lateral (
    select count(*)::int as screens, max(s.ended_at) as at from viewer_sessions s
    where l.is_revoked and s.link_id = l.id and s.suspect_reason is null and s.end_reason = 'revoked'
      and s.ended_at >= l.revoked_at) d on true`;

/** Returns what each filter of the list means. */
function holds(filter: LinkFilter, now: Date): RawBuilder<boolean> {
  const isAlive = sql`not l.is_revoked and (l.expires_at is null or l.expires_at > ${now})`;
  switch (filter) {
    case 'all':
      return sql`true`;
    case 'active':
      return sql`${isAlive}`;
    case 'never_opened':
      return sql`${isAlive} and l.first_opened_at is null`;
    case 'expired':
      return sql`not l.is_revoked and l.expires_at <= ${now}`;
    case 'revoked':
      return sql`l.is_revoked`;
  }
}

/** Returns whether link `l` shows this album. */
export const ofAlbum = (albumId: string | undefined) =>
  albumId === undefined
    ? sql`true`
    : sql`exists (select from link_albums la where la.link_id = l.id and la.album_id = ${albumId})`;

const matches = (search: string) => {
  const pattern = searchPattern(search);
  return search === ''
    ? sql`true`
    : sql`(l.search_text like ${pattern} or exists (select from link_albums la join albums b on b.id = la.album_id
        where la.link_id = l.id and b.search_text like ${pattern}))`;
};

export interface LinkParams {
  creatorId: string;
  filter: LinkFilter;
  search: string;
  albumId: string | undefined;
  after: Cursor | undefined;
  limit: number;
  now: Date;
  /** A screen that has not renewed its keys since then is none any more. */
  aliveSince: Date;
}

/** A page of a creator's links, newest first. */
export async function listLinks(tx: Tx, params: LinkParams): Promise<LinkRow[]> {
  const { creatorId, filter, search, albumId, after, limit, now, aliveSince } = params;
  const isAfter =
    after === undefined ? sql`true` : sql`(l.created_at, l.id) < (${after.at}::timestamptz, ${after.id}::uuid)`;
  const page = sql`select * from magic_links l
    where l.user_id = ${creatorId} and ${holds(filter, now)} and ${ofAlbum(albumId)} and ${matches(search)} and ${isAfter}
    order by l.created_at desc, l.id desc limit ${limit}`;
  const { rows } = await sql<LinkRow>`${selectLinks(page, aliveSince)} order by l.created_at desc, l.id desc`.execute(
    tx.db,
  );
  return rows;
}

/** Returns how many links each filter shows. */
export async function countLinks(
  tx: Tx,
  { creatorId, albumId, now }: { creatorId: string; albumId: string | undefined; now: Date },
): Promise<Record<LinkFilter, number>> {
  const count = (filter: LinkFilter) => sql`count(*) filter (where ${holds(filter, now)})::int as ${sql.ref(filter)}`;
  const { rows } = await sql<Record<LinkFilter, number>>`
    select ${count('all')}, ${count('active')}, ${count('never_opened')}, ${count('expired')}, ${count('revoked')}
    from magic_links l where l.user_id = ${creatorId} and ${ofAlbum(albumId)}`.execute(tx.db);
  return rows[0] ?? { all: 0, active: 0, never_opened: 0, expired: 0, revoked: 0 };
}

/** These links of the asking creator, in the order of the ids; somebody else's are not there. */
export async function findLinks(tx: Tx, linkIds: readonly string[], aliveSince: Date): Promise<LinkRow[]> {
  const ids = sql`${[...linkIds]}::uuid[]`;
  const { rows } = await sql<LinkRow>`${selectLinks(sql`select * from magic_links where id = any(${ids})`, aliveSince)}
    order by array_position(${ids}, l.id)`.execute(tx.db);
  return rows;
}
