import { statement, type Tx } from '#engines/database/work.ts';

type Source = Pick<Tx, 'query'>;

/** Counted no further: whoever opens a link without end writes nothing more that day. */
const mostADay = 1000;

/** What a program wanted of one address in one day. */
export interface RobotOpens {
  slug: string;
  opens: number;
  /** When it came last. */
  at: Date;
}

const robotsNoted = statement(
  'robots_noted',
  `insert into robot_opens as r (link_id, day, creator_id, opens, last_at)
select l.id, (w.at at time zone 'utc')::date, l.user_id, least(w.opens, ${mostADay}), w.at
from unnest($1::text[], $2::int[], $3::timestamptz[]) w (slug, opens, at) join magic_links l on l.slug = w.slug order by l.id, 2
on conflict (link_id, day) do update set opens = least(r.opens + excluded.opens, ${mostADay}), last_at = excluded.last_at
where r.opens < ${mostADay}`,
);

/** Writes down that programs wanted to open links, each address and day once; nothing for a slug that is nobody's. */
export async function insertRobotOpens(source: Source, noted: readonly RobotOpens[]): Promise<void> {
  await source.query(robotsNoted, [
    noted.map(({ slug }) => slug),
    noted.map(({ opens }) => opens),
    noted.map(({ at }) => at),
  ]);
}

const oldRobots = statement('robots_forgotten', 'delete from robot_opens where day < $1::date');

/** Forgets what programs opened before. */
export async function deleteOldRobotOpens(source: Source, before: Date): Promise<void> {
  await source.query(oldRobots, [before.toISOString().slice(0, 10)]);
}

const countedTry = `on conflict (link_id, day) do update set tries = w.tries + 1, last_at = greatest(w.last_at, excluded.last_at)
where w.tries < ${mostADay}`;

const codeCounted = statement(
  'code_wrong',
  `insert into wrong_codes as w (link_id, day, creator_id, tries, last_at)
select l.id, ($2::timestamptz at time zone 'utc')::date, l.user_id, 1, $2 from magic_links l where l.slug = $1
${countedTry}`,
);

const codeOfLinkCounted = statement(
  'code_of_link_wrong',
  `insert into wrong_codes as w (link_id, day, creator_id, tries, last_at)
select l.id, ($2::timestamptz at time zone 'utc')::date, l.user_id, 1, $2 from magic_links l where l.id = $1
${countedTry}`,
);

/** Counts a wrong code at a link; nothing for a slug that is nobody's. */
export async function countWrongCode(source: Source, slug: string, now: Date): Promise<void> {
  await source.query(codeCounted, [slug, now]);
}

/** Counts a wrong code that was mailed for a link. */
export async function countWrongMailedCode(source: Source, linkId: string, now: Date): Promise<void> {
  await source.query(codeOfLinkCounted, [linkId, now]);
}

const oldCodes = statement('wrong_codes_forgotten', 'delete from wrong_codes where day < $1::date');

/** Forgets wrong codes of before. */
export async function deleteOldWrongCodes(source: Source, before: Date): Promise<void> {
  await source.query(oldCodes, [before.toISOString().slice(0, 10)]);
}

const wrongCounted = statement<{ wrong: number }>(
  'password_wrong',
  `with today as (
  insert into wrong_passwords as w (link_id, password_version, day, creator_id, tries, last_at)
  select l.id, $2, ($3::timestamptz at time zone 'utc')::date, l.user_id, 1, $3 from magic_links l where l.id = $1
  on conflict (link_id, password_version, day) do update set tries = w.tries + 1, last_at = greatest(w.last_at, excluded.last_at)
  returning tries, day
)
select today.tries + coalesce((select sum(w.tries) from wrong_passwords w
  where w.link_id = $1 and w.password_version = $2 and w.day <> today.day), 0)::int as wrong from today`,
);

/** Counts a wrong password. @returns how many there were of this version */
export async function countWrongPassword(source: Source, linkId: string, version: number, now: Date): Promise<number> {
  const [row] = await source.query(wrongCounted, [linkId, version, now]);
  return row?.wrong ?? 0;
}

const oldWrong = statement('wrong_passwords_forgotten', 'delete from wrong_passwords where day < $1::date');

/** Forgets wrong passwords of before. */
export async function deleteOldWrongPasswords(source: Source, before: Date): Promise<void> {
  await source.query(oldWrong, [before.toISOString().slice(0, 10)]);
}

/** A browser that tapped Open and was not let in. */
export interface GateVisit {
  slug: string;
  browserHash: Buffer;
  /** Whose browser it is, when they are signed in: a creator's own taps are not counted. */
  userId: string | undefined;
  isAtGate: boolean;
  at: Date;
}

/** Of one link and day no more are written down: whoever makes up cookies fills no table. */
const mostGateVisits = 1000;

// Who has been let in by the link is counted by their visits.
const noted = statement(
  'gate_visitors_noted',
  `insert into gate_visitors as g (link_id, browser_hash, creator_id, day, last_at, is_at_gate)
select c.link_id, c.browser_hash, c.creator_id, c.day, c.at, c.is_at_gate from (
  select l.id as link_id, w.browser_hash, l.user_id as creator_id, (w.at at time zone 'utc')::date as day, w.at, w.is_at_gate, k.link_id is not null as is_known,
    row_number() over (partition by l.id, k.link_id is null order by w.at, w.browser_hash) as place
  from unnest($1::text[], $2::bytea[], $3::uuid[], $4::boolean[], $5::timestamptz[]) w (slug, browser_hash, user_id, is_at_gate, at)
  join magic_links l on l.slug = w.slug and l.user_id is distinct from w.user_id
  left join gate_visitors k on k.link_id = l.id and k.browser_hash = w.browser_hash
  where not exists (select from viewer_devices d join link_viewers v on v.viewer_id = d.viewer_id
    where d.secret_hash = w.browser_hash and v.link_id = l.id)) c
where c.is_known or c.place + (select count(*) from gate_visitors o where o.link_id = c.link_id and o.day = c.day) <= ${mostGateVisits}
order by c.link_id, c.browser_hash
on conflict (link_id, browser_hash) do update set last_at = greatest(g.last_at, excluded.last_at), is_at_gate = g.is_at_gate or excluded.is_at_gate
where excluded.last_at > g.last_at + interval '10 minutes' or excluded.is_at_gate > g.is_at_gate`,
);

/** Writes down who came to a link and was not let in, each browser once for a link; nothing for a slug that is nobody's. */
export async function insertGateVisits(source: Source, visits: readonly GateVisit[]): Promise<void> {
  await source.query(noted, [
    visits.map(({ slug }) => slug),
    visits.map(({ browserHash }) => browserHash),
    visits.map(({ userId }) => userId ?? null),
    visits.map(({ isAtGate }) => isAtGate),
    visits.map(({ at }) => at),
  ]);
}

const oldGateVisits = statement(
  'gate_visitors_forgotten',
  `delete from gate_visitors where ctid = any(array(select ctid from gate_visitors where last_at < $1 limit 5000)) returning link_id`,
);

/** Forgets who stood at a gate before a moment, some at a time. @returns how many */
export const deleteOldGateVisits = async (source: Source, before: Date): Promise<number> =>
  (await source.query(oldGateVisits, [before])).length;
