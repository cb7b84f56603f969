import { statement, type Tx } from '#engines/database/work.ts';

type Source = Pick<Tx, 'ask'>;

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
const mostADay = 1000;

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
where c.is_known or c.place + (select count(*) from gate_visitors o where o.link_id = c.link_id and o.day = c.day) <= ${mostADay}
order by c.link_id, c.browser_hash
on conflict (link_id, browser_hash) do update set last_at = greatest(g.last_at, excluded.last_at), is_at_gate = g.is_at_gate or excluded.is_at_gate
where excluded.last_at > g.last_at + interval '10 minutes' or excluded.is_at_gate > g.is_at_gate`,
);

/** Writes down who came to a link and was not let in, each browser once for a link; nothing for a slug that is nobody's. */
export async function insertGateVisits(source: Source, visits: readonly GateVisit[]): Promise<void> {
  await source.ask(noted, [
    visits.map(({ slug }) => slug),
    visits.map(({ browserHash }) => browserHash),
    visits.map(({ userId }) => userId ?? null),
    visits.map(({ isAtGate }) => isAtGate),
    visits.map(({ at }) => at),
  ]);
}

const old = statement(
  'gate_visitors_forgotten',
  `delete from gate_visitors where ctid = any(array(select ctid from gate_visitors where last_at < $1 limit 5000)) returning link_id`,
);

/** Forgets who stood at a gate before a moment, some at a time. @returns how many */
export const deleteOldGateVisits = async (source: Source, before: Date): Promise<number> =>
  (await source.ask(old, [before])).length;
