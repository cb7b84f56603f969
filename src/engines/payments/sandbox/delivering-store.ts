import { statement, type Tx } from '../../database/work.ts';
import type { Chaos, Delivery } from '../sandbox-parts.ts';
import type { Kept } from './store.ts';

export interface DueDelivery {
  id: string;
  hook: string;
  body: Kept;
}

const claimed = statement<DueDelivery & { seq: number }>(
  'sandbox_claimed',
  `update sandbox_events set attempts = attempts + 1, next_at = $1::timestamptz + least(power(2, attempts), 720) * interval '5 s'
where id in (select id from sandbox_events where delivered_at is null and next_at <= $1 and attempts < $2
    and (attempts > 0 or created_at <= $1::timestamptz - $4::int * interval '1 s')
  order by seq limit $3 for update skip locked)
returning id, hook, body, seq`,
);

export interface Claim {
  now: Date;
  mostAttempts: number;
  limit: number;
  /** For how long an event that was never told has to wait. */
  waitSeconds: number;
}

/** Takes events that are due, the oldest first; whoever takes them tells them, or somebody tries again later. */
export async function claimEvents(tx: Tx, { now, mostAttempts, limit, waitSeconds }: Claim): Promise<DueDelivery[]> {
  const events = await tx.query(claimed, [now, mostAttempts, limit, waitSeconds]);
  return events.toSorted((one, other) => one.seq - other.seq);
}

const untaken = statement(
  'sandbox_untaken',
  'select from sandbox_events where id = $1 and attempts > 0 and delivered_at is null',
);

/** Returns whether an event was told and nobody has taken it. */
export const isUntaken = async (tx: Tx, id: string): Promise<boolean> => (await tx.query(untaken, [id])).length === 1;

const claimedAgain = statement<DueDelivery>(
  'sandbox_claimed_again',
  'update sandbox_events set attempts = attempts + 1 where id = $1 returning id, hook, body',
);

/** Takes one event, whether it's due or not. */
export async function claimEvent(tx: Tx, id: string): Promise<DueDelivery | undefined> {
  const [event] = await tx.query(claimedAgain, [id]);
  return event;
}

const resultsWritten = statement(
  'sandbox_told',
  `with told as (select * from unnest($1::text[], $2::int[], $3::text[]) with ordinality as t (id, status, error, n)),
noted as (insert into sandbox_attempts (event_id, at, status, error) select id, $4::timestamptz, status, error from told order by n)
update sandbox_events e set last_status = t.last, delivered_at = case when t.is_taken then coalesce(delivered_at, $4::timestamptz) else delivered_at end
from (select id, (array_agg(status order by n desc))[1] as last, bool_or(status between 200 and 299) as is_taken from told group by id) t
where e.id = t.id`,
);

export interface Attempt {
  id: string;
  status: number;
  error: string | null;
}

/** Notes attempts; an event that was taken once stays so. */
export async function noteAttempts(tx: Tx, attempts: readonly Attempt[], at: Date): Promise<void> {
  const column = (field: keyof Attempt) => attempts.map((attempt) => attempt[field]);
  await tx.query(resultsWritten, [column('id'), column('status'), column('error'), at]);
}

const givenUp = statement(
  'sandbox_given_up',
  'update sandbox_events set attempts = greatest(attempts, $2) where id = any ($1::text[])',
);

/** Events that aren't told again by themselves. */
export async function giveUp(tx: Tx, ids: readonly string[], mostAttempts: number): Promise<void> {
  await tx.query(givenUp, [ids, mostAttempts]);
}

const delivered = statement<Omit<Delivery, 'state'> & { isTaken: boolean; isOver: boolean }>(
  'sandbox_deliveries',
  `select e.id, e.hook, e.body->>'type' as type, coalesce(e.body->'data'->'object'->>'id', e.body->'related_object'->>'id', '') as "objectId",
  e.created_at as "createdAt", e.next_at as "nextAt", e.delivered_at is not null as "isTaken", e.attempts >= $2 as "isOver",
  coalesce((select jsonb_agg(jsonb_build_object('at', a.at, 'status', a.status, 'error', a.error) order by a.id desc)
    from (select * from sandbox_attempts where event_id = e.id order by id desc limit 100) a), '[]') as attempts
from sandbox_events e where (not $3::boolean or e.delivered_at is null) order by e.seq desc limit $1`,
);

/** The newest events with what became of them. */
export async function listDeliveries(
  tx: Tx,
  { limit, mostAttempts, isUntaken }: { limit: number; mostAttempts: number; isUntaken: boolean },
): Promise<Delivery[]> {
  const rows = await tx.query(delivered, [limit, mostAttempts, isUntaken]);
  return rows.map(({ isTaken, isOver, attempts, ...row }) => ({
    ...row,
    attempts: attempts.map((one) => ({ ...one, at: new Date(one.at) })),
    state: isTaken ? 'taken' : isOver ? 'given_up' : 'waiting',
  }));
}

const chaosRead = statement<Chaos>(
  'sandbox_chaos',
  'select duplicates, reorders, delays, drops, answers_500 as "answers500" from sandbox_settings',
);

const calm: Chaos = { duplicates: false, reorders: false, delays: false, drops: false, answers500: false };

export async function readChaos(tx: Tx): Promise<Chaos> {
  const [chaos = calm] = await tx.query(chaosRead, []);
  return chaos;
}

const chaosKept = statement(
  'sandbox_chaos_kept',
  `insert into sandbox_settings (the_one, duplicates, reorders, delays, drops, answers_500) values (true, $1, $2, $3, $4, $5)
on conflict (the_one) do update set duplicates = excluded.duplicates, reorders = excluded.reorders, delays = excluded.delays,
  drops = excluded.drops, answers_500 = excluded.answers_500`,
);

export async function keepChaos(tx: Tx, { duplicates, reorders, delays, drops, answers500 }: Chaos): Promise<void> {
  await tx.query(chaosKept, [duplicates, reorders, delays, drops, answers500]);
}
