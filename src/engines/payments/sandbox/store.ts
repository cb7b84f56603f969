import type { Tx } from '../../database/work.ts';
import { statement } from '../../database/work.ts';

/** An object of the provider as the sandbox keeps it. */
export interface Kept {
  id: string;
  object: string;
}

export interface Listing {
  type: string;
  account: string;
  /** Fields of the object that have to be so. */
  where?: Readonly<Record<string, string | undefined>> | undefined;
  /** Oldest moment, seconds. */
  since?: number | undefined;
  after?: string | undefined;
  limit: number;
}

/** The account that is the platform itself. */
export const platform = 'platform';

const found = statement<{ body: Kept; hidden: Record<string, unknown>; account: string }>(
  'sandbox_found',
  'select body, hidden, account from sandbox_objects where id = $1',
);

export async function findObject(
  tx: Tx,
  id: string,
): Promise<{ body: Kept; hidden: Record<string, unknown>; account: string } | undefined> {
  const [row] = await tx.query(found, [id]);
  return row;
}

const foundAll = statement<{ id: string; body: Kept }>(
  'sandbox_found_all',
  'select id, body from sandbox_objects where id = any ($1::text[])',
);

/** Several objects at once, by their names. */
export const findObjects = async (tx: Tx, ids: readonly string[]): Promise<Map<string, Kept>> =>
  new Map((await tx.query(foundAll, [ids])).map(({ id, body }) => [id, body]));

const kept = statement(
  'sandbox_kept',
  `insert into sandbox_objects as o (id, account, type, body, hidden)
select id, account, type, body, hidden from unnest($1::text[], $2::text[], $3::text[], $4::jsonb[], $5::jsonb[])
  with ordinality as n (id, account, type, body, hidden, at) order by at
on conflict (id) do update set body = excluded.body, hidden = o.hidden || excluded.hidden`,
);

/** An object that is written; its body is JSON. */
export interface ToKeep {
  id: string;
  account: string;
  type: string;
  body: string;
  /** Added to what was kept beside it before. */
  hidden: Record<string, unknown>;
}

/** Keeps objects as they are from now on, each of them once. */
export async function keepObjects(tx: Tx, objects: readonly ToKeep[]): Promise<void> {
  const column = (of: (object: ToKeep) => string) => objects.map(of);
  const [ids, accounts, types] = [column(({ id }) => id), column(({ account }) => account), column(({ type }) => type)];
  const hidden = column((object) => JSON.stringify(object.hidden));
  await tx.query(kept, [ids, accounts, types, column(({ body }) => body), hidden]);
}

const listed = statement<{ body: Kept }>(
  'sandbox_listed',
  `select o.body from sandbox_objects o where o.type = $1 and o.account = $2 and o.body @> $3::jsonb
  and ($4::text is null or o.seq < (select seq from sandbox_objects where id = $4))
  and ($5::bigint is null or (o.body->>'created')::bigint >= $5)
order by o.seq desc limit $6`,
);

/** Newest first, one more than asked for: that it is there says that there are more. */
export async function listObjects(
  tx: Tx,
  { type, account, where = {}, since, after, limit }: Listing,
): Promise<Kept[]> {
  const wanted = Object.fromEntries(Object.entries(where).filter(([, value]) => value !== undefined));
  const rows = await tx.query(listed, [type, account, JSON.stringify(wanted), after ?? null, since ?? null, limit + 1]);
  return rows.map(({ body }) => body);
}

const summed = statement<{ currency: string; available: number; pending: number }>(
  'sandbox_summed',
  `select body->>'currency' as currency,
  coalesce(sum((body->>'net')::bigint) filter (where is_available), 0)::bigint as available,
  coalesce(sum((body->>'net')::bigint) filter (where not is_available), 0)::bigint as pending
from (select body, (body->>'available_on')::bigint <= $2 or ((body->>'amount')::bigint < 0 and body->>'type' <> 'transfer') as is_available
  from sandbox_objects where type = 'balance_transaction' and account = $1) lines group by 1 order by 1`,
);

/** Returns what an account has; what leaves it leaves at once, but for what is sent on of a charge: that goes with it. */
export const sumBalance = (tx: Tx, account: string, now: number) => tx.query(summed, [account, now]);

const availableSummed = statement<{ account: string; currency: string; cents: number }>(
  'sandbox_available_summed',
  `select account, body->>'currency' as currency, sum((body->>'net')::bigint)::bigint as cents from sandbox_objects
where type = 'balance_transaction'
  and ((body->>'available_on')::bigint <= $1 or ((body->>'amount')::bigint < 0 and body->>'type' <> 'transfer'))
group by 1, 2 order by 1, 2`,
);

/** Returns what each account has that can be paid out. */
export const sumAvailable = (tx: Tx, now: number) => tx.query(availableSummed, [now]);

const locked = statement<{ isDue: boolean }>(
  'sandbox_locked',
  `select exists (select from sandbox_objects where type = 'checkout.session' and body->>'status' = 'open' and (body->>'expires_at')::bigint <= $1)
  or exists (select from sandbox_objects where type = 'payout' and body->>'status' = 'in_transit' and (body->>'arrival_date')::bigint <= $1)
  or exists (select from sandbox_objects where type = 'dispute' and body->>'status' = 'needs_response'
    and (body->'evidence_details'->>'due_by')::bigint <= $1)
  or exists (select from sandbox_objects where type = 'charge' and hidden->>'report_at' is not null and (hidden->>'report_at')::bigint <= $1)
  or exists (select from sandbox_objects where type = 'subscription' and (hidden->>'due_at')::bigint <= $1) as "isDue"
from (select pg_advisory_xact_lock(hashtextextended('sandbox', 0))) as l`,
);

/**
 * One after another: a sandbox need not be quick, but what it answers has to add up.
 * @returns whether anything had become due that had not happened yet when the turn was asked for
 */
export const lockSandbox = async (tx: Tx, now: number): Promise<boolean> =>
  (await tx.query(locked, [now]))[0]?.isDue === true;

const expiring = statement<{ body: Kept }>(
  'sandbox_expiring',
  `select body from sandbox_objects where type = 'checkout.session' and body->>'status' = 'open'
  and (body->>'expires_at')::bigint <= $1 order by seq`,
);

export async function listExpired(tx: Tx, now: number): Promise<Kept[]> {
  return (await tx.query(expiring, [now])).map(({ body }) => body);
}

const arrived = statement<{ body: Kept; account: string }>(
  'sandbox_arrived',
  `select body, account from sandbox_objects where type = 'payout' and body->>'status' = 'in_transit'
  and (body->>'arrival_date')::bigint <= $1 order by seq`,
);

/** Payouts that have come to their banks. */
export const listArrived = (tx: Tx, now: number) => tx.query(arrived, [now]);

const overdue = statement<{ body: Kept }>(
  'sandbox_overdue',
  `select body from sandbox_objects where type = 'dispute' and body->>'status' = 'needs_response'
  and (body->'evidence_details'->>'due_by')::bigint <= $1 order by seq`,
);

/** Disputes that nobody has answered in time. */
export const listOverdue = async (tx: Tx, now: number): Promise<Kept[]> =>
  (await tx.query(overdue, [now])).map(({ body }) => body);

const reported = statement<{ body: Kept }>(
  'sandbox_reported',
  `select body from sandbox_objects where type = 'charge' and hidden->>'report_at' is not null
  and (hidden->>'report_at')::bigint <= $1 order by seq`,
);

/** Payments that a card's bank reports by now. */
export const listReported = async (tx: Tx, now: number): Promise<Kept[]> =>
  (await tx.query(reported, [now])).map(({ body }) => body);

const noted = statement(
  'sandbox_noted',
  `insert into sandbox_events (id, hook, body, created_at, next_at)
select id, hook, body, noted_at, noted_at from unnest($1::text[], $2::text[], $3::jsonb[], $4::timestamptz[])
  with ordinality as n (id, hook, body, noted_at, at) order by at`,
);

/** Something that happened; its body is JSON. */
export interface ToNote {
  id: string;
  hook: string;
  body: string;
  at: Date;
}

/** Notes what happened, in this order, to be told to hooks. */
export async function noteEvents(tx: Tx, events: readonly ToNote[]): Promise<void> {
  const column = <Field extends keyof ToNote>(field: Field) => events.map((event) => event[field]);
  await tx.query(noted, [column('id'), column('hook'), column('body'), column('at')]);
}

const eventsListed = statement<{ body: Kept }>(
  'sandbox_events_listed',
  `select e.body from sandbox_events e where e.hook <> 'stripe-v2' and ($1::boolean is null or (e.delivered_at is not null) = $1)
  and ($2::text is null or e.seq < (select seq from sandbox_events where id = $2))
order by e.seq desc limit $3`,
);

export async function listEvents(
  tx: Tx,
  isDelivered: boolean | undefined,
  after: string | undefined,
  limit: number,
): Promise<Kept[]> {
  const rows = await tx.query(eventsListed, [isDelivered ?? null, after ?? null, limit + 1]);
  return rows.map(({ body }) => body);
}

export interface SandboxKeys {
  secret_key: string;
  secrets: Record<string, string>;
}

const keysMade = statement<SandboxKeys>(
  'sandbox_keys',
  `with made as (insert into sandbox_keys (the_one, secret_key, secrets) values (true, $1, $2) on conflict do nothing returning secret_key, secrets)
select secret_key, secrets from made union all select secret_key, secrets from sandbox_keys limit 1`,
);

/** The keys of this sandbox: those that were made first, for good. */
export async function keepKeys(tx: Tx, { secret_key, secrets }: SandboxKeys): Promise<SandboxKeys> {
  const values = [secret_key, JSON.stringify(secrets)];
  // Somebody else's may have been made a moment ago, which this statement does not see yet.
  const [keys] = [...(await tx.query(keysMade, values)), ...(await tx.query(keysMade, values))];
  if (keys === undefined) throw new Error('the sandbox has no keys');
  return keys;
}

const dueSubscription = statement<{ body: Kept; dueAt: number }>(
  'sandbox_subscription_due',
  `select body, (hidden->>'due_at')::bigint as "dueAt" from sandbox_objects
where type = 'subscription' and (hidden->>'due_at')::bigint <= $1 order by (hidden->>'due_at')::bigint, seq limit 1`,
);

/** The plan to which something happens first of all that is due. */
export async function findDueSubscription(tx: Tx, now: number): Promise<{ body: Kept; dueAt: number } | undefined> {
  const [row] = await tx.query(dueSubscription, [now]);
  return row;
}

const ofHidden = statement<{ body: Kept }>(
  'sandbox_of_hidden',
  `select o.body from sandbox_objects o where o.type = $1 and o.hidden @> $2::jsonb
  and ($3::text is null or o.seq < (select seq from sandbox_objects where id = $3))
order by o.seq desc limit $4`,
);

/** Newest first, by what is kept beside an object: one more than asked for. */
export async function listByHidden(
  tx: Tx,
  { type, where, after, limit }: { type: string; where: object; after?: string | undefined; limit: number },
): Promise<Kept[]> {
  return (await tx.query(ofHidden, [type, JSON.stringify(where), after ?? null, limit + 1])).map(({ body }) => body);
}
