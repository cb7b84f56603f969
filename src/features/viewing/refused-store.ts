import { statement, type Tx } from '#engines/database/work.ts';

type Source = Pick<Tx, 'ask'>;

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
  await source.ask(robotsNoted, [
    noted.map(({ slug }) => slug),
    noted.map(({ opens }) => opens),
    noted.map(({ at }) => at),
  ]);
}

const oldRobots = statement('robots_forgotten', 'delete from robot_opens where day < $1::date');

/** Forgets what programs opened before. */
export async function deleteOldRobotOpens(source: Source, before: Date): Promise<void> {
  await source.ask(oldRobots, [before.toISOString().slice(0, 10)]);
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
  await source.ask(codeCounted, [slug, now]);
}

/** Counts a wrong code that was mailed for a link. */
export async function countWrongMailedCode(source: Source, linkId: string, now: Date): Promise<void> {
  await source.ask(codeOfLinkCounted, [linkId, now]);
}

const oldCodes = statement('wrong_codes_forgotten', 'delete from wrong_codes where day < $1::date');

/** Forgets wrong codes of before. */
export async function deleteOldWrongCodes(source: Source, before: Date): Promise<void> {
  await source.ask(oldCodes, [before.toISOString().slice(0, 10)]);
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
  const [row] = await source.ask(wrongCounted, [linkId, version, now]);
  return row?.wrong ?? 0;
}

const oldWrong = statement('wrong_passwords_forgotten', 'delete from wrong_passwords where day < $1::date');

/** Forgets wrong passwords of before. */
export async function deleteOldWrongPasswords(source: Source, before: Date): Promise<void> {
  await source.ask(oldWrong, [before.toISOString().slice(0, 10)]);
}
