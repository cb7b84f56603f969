import { statement, type Tx } from '#engines/database/work.ts';

/** An opening that its link's maker has not been told of. */
export interface Opening {
  linkId: string;
  userId: string;
  /** The maker of the link wishes to be told, and can be. */
  isWanted: boolean;
  at: Date;
  country: string | null;
  isCountryEstimated: boolean;
}

/** Whoever was told once is told of what follows at most this often. */
export const digestHours = 1;

const toTell = `l.notify <> 'none' and u.email_verified and u.status in ('active', 'limited') as "isWanted"`;
const counted = `s.link_id = l.id and s.creator_id = l.user_id and s.suspect_reason is null`;

// A link that somebody opens right now is locked by them and waits for the next time: opening is never held up by an email.
const firstOpens = statement<Opening>(
  'first_opens_told',
  `with due as (
  select l.id, v.started_at, v.country, v.location_source from magic_links l cross join lateral (
    select s.started_at, s.country, s.location_source from viewer_sessions s where ${counted} order by s.started_at nulls first limit 1) v
  where l.opens_told_until is null and l.first_opened_at is not null
  order by l.first_opened_at limit 100 for no key update of l skip locked
)
update magic_links l set opens_told_until = d.started_at from due d, users u where l.id = d.id and u.id = l.user_id
returning l.id as "linkId", l.user_id as "userId", ${toTell}, d.started_at as at, d.country,
  d.location_source = 'timezone' as "isCountryEstimated"`,
);

/**
 * Takes links whose first opening by a viewer has not been told, and notes that it is told with the caller's transaction.
 * Looks of the maker, of support and of programs are no openings.
 */
export async function takeFirstOpens(tx: Tx): Promise<Opening[]> {
  return tx.query(firstOpens, []);
}

/** Openings after the one that was told last. */
export interface Further extends Pick<Opening, 'linkId' | 'userId' | 'isWanted'> {
  opens: number;
  /** Since then. */
  since: Date;
}

const furtherOpens = statement<Further>(
  'further_opens_told',
  `with due as (
  select l.id, l.opens_told_until as since, v.opens, v.last from magic_links l cross join lateral (
    select count(*)::int as opens, max(s.started_at) as last from viewer_sessions s where ${counted} and s.started_at > l.opens_told_until) v
  where l.notify = 'every' and l.opens_told_until < $1::timestamptz - interval '${digestHours} hour'
    and l.last_opened_at >= l.opens_told_until and v.opens > 0
  order by l.opens_told_until limit 100 for no key update of l skip locked
)
update magic_links l set opens_told_until = d.last from due d, users u where l.id = d.id and u.id = l.user_id
returning l.id as "linkId", l.user_id as "userId", ${toTell}, d.opens, d.since`,
);

/** The same for further openings of links whose maker wants to hear of every one. */
export async function takeFurtherOpens(tx: Tx, now: Date): Promise<Further[]> {
  return tx.query(furtherOpens, [now]);
}
