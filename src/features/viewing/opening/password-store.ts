import { statement, type Tx } from '#engines/database/work.ts';

type Source = Pick<Tx, 'ask'>;

// From the 20th try of an hour on they come 5 s apart, and after 200 wrong ones a minute. A turn more than 100 s away is
// not given: then 20 are waiting.
const slow = `((q.hour = $4 and q.tries >= 19) or (q.password_version = $2 and q.wrong >= 200))`;
const turnTaken = statement<{ at: Date }>(
  'password_turn',
  `insert into password_queues as q (link_id, password_version, hour, tries, free_at) values ($1, $2, $4, 1, $3)
on conflict (link_id) do update set
  password_version = $2,
  hour = $4,
  tries = case when q.hour = $4 then q.tries + 1 else 1 end,
  wrong = case when q.password_version = $2 then q.wrong else 0 end,
  free_at = case when ${slow}
    then greatest($3, q.free_at + case when q.wrong >= 200 then interval '60 s' else interval '5 s' end)
    else greatest($3, q.free_at) end
where not (${slow} and q.free_at > $3::timestamptz + interval '95 s')
returning free_at as at`,
);

/**
 * Takes the next free moment in the queue of a link's password, which is one for all processes.
 * @returns when it may be tried; undefined when too many are waiting
 */
export async function takePasswordTurn(
  source: Source,
  { linkId, version, now }: { linkId: string; version: number; now: Date },
): Promise<Date | undefined> {
  const hour = new Date(now.getTime() - (now.getTime() % 3_600_000));
  const [turn] = await source.ask(turnTaken, [linkId, version, now, hour]);
  return turn?.at;
}

const makerOfLink = statement<{ email: string }>(
  'maker_to_warn',
  `select email from users where id = $1 and email_verified and status in ('active', 'limited')`,
);

/** Where a creator can be told that somebody is guessing; undefined when she cannot be reached. */
export async function findMaker(source: Source, creatorId: string): Promise<{ email: string } | undefined> {
  const [maker] = await source.ask(makerOfLink, [creatorId]);
  return maker;
}

const wrongCounted = statement<{ wrong: number }>(
  'password_wrong',
  'update password_queues set wrong = wrong + 1 where link_id = $1 and password_version = $2 returning wrong',
);

/** Counts a wrong password. @returns how many there were of this version */
export async function countWrongPassword(source: Source, linkId: string, version: number): Promise<number> {
  const [row] = await source.ask(wrongCounted, [linkId, version]);
  return row?.wrong ?? 0;
}
