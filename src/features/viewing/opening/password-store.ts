import { statement, type Tx } from '#engines/database/work.ts';
import { dayMs } from '#kit/time.ts';

type Source = Pick<Tx, 'query'>;

/** Wrong passwords of a network at one link that are nobody's guessing yet. */
export const freeTriesOfNetwork = 20;

// After 20 wrong ones a network's tries come 5 s apart, after 200 half a minute. A fourth that would have to wait is refused.
const isGuessing = `q.password_version = $3 and q.free_at > $5 and q.wrong >= ${freeTriesOfNetwork}`;
const gap = `case when q.wrong >= 200 then interval '30 s' else interval '5 s' end`;
const turnTaken = statement<{ at: Date }>(
  'password_turn',
  `insert into password_tries as q (link_id, network, password_version, wrong, free_at) values ($1, $2, $3, 1, $4)
on conflict (link_id, network) do update set
  password_version = $3,
  wrong = case when q.password_version = $3 and q.free_at > $5 then q.wrong + 1 else 1 end,
  free_at = case when ${isGuessing} then greatest($4, q.free_at + ${gap}) else greatest($4, q.free_at) end
where not (${isGuessing} and q.free_at > $4::timestamptz + 2 * ${gap})
returning free_at as at`,
);

/** One network's tries at the password of one link, in this version. */
export interface NetworkTries {
  linkId: string;
  /** A keyed hash. */
  network: string;
  version: number;
}

/**
 * Counts a try of a network as a wrong one and takes its next free moment, which is one for all processes. What a network has
 * tried is forgotten after a day without a try.
 * @returns when it may be tried; undefined when too many of this network are waiting
 */
export async function takePasswordTurn(
  source: Source,
  { linkId, network, version }: NetworkTries,
  now: Date,
): Promise<Date | undefined> {
  const [turn] = await source.query(turnTaken, [linkId, network, version, now, new Date(now.getTime() - dayMs)]);
  return turn?.at;
}

const turnForgiven = statement(
  'password_turn_forgiven',
  'update password_tries set wrong = wrong - 1 where link_id = $1 and network = $2 and password_version = $3 and wrong > 0',
);

/** The try was right, or was not made. */
export async function forgivePasswordTurn(source: Source, { linkId, network, version }: NetworkTries): Promise<void> {
  await source.query(turnForgiven, [linkId, network, version]);
}

const oldTries = statement('password_tries_forgotten', 'delete from password_tries where free_at < $1');

/** Forgets the networks that have tried nothing for a day. */
export async function sweepPasswordTries(source: Source, now: Date): Promise<void> {
  await source.query(oldTries, [new Date(now.getTime() - dayMs)]);
}
