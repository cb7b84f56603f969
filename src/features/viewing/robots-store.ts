import { statement, type Tx } from '#engines/database/work.ts';

type Source = Pick<Tx, 'ask'>;

/** Counted no further: whoever opens a link without end writes nothing more that day. */
const mostADay = 1000;

const robotNoted = statement(
  'robot_noted',
  `insert into robot_opens as r (link_id, day, creator_id, opens, last_at)
select l.id, ($2::timestamptz at time zone 'utc')::date, l.user_id, 1, $2 from magic_links l where l.slug = $1
on conflict (link_id, day) do update set opens = r.opens + 1, last_at = excluded.last_at where r.opens < ${mostADay}`,
);

/** Writes down that a program wanted to open a link; nothing for a slug that is nobody's. */
export async function noteRobot(source: Source, slug: string, now: Date): Promise<void> {
  await source.ask(robotNoted, [slug, now]);
}

const oldRobots = statement('robots_forgotten', 'delete from robot_opens where day < $1::date');

/** Forgets what programs opened before. */
export async function deleteOldRobotOpens(source: Source, before: Date): Promise<void> {
  await source.ask(oldRobots, [before.toISOString().slice(0, 10)]);
}
