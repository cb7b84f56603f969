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
