import { statement, type Tx } from '#engines/database/work.ts';
import type { JunkKind, JunkPlan } from '../junk-contract.ts';

/** A plan as its row knows it. */
export interface StoredPlan extends Omit<JunkPlan, 'samples' | 'listed'> {
  kind: JunkKind;
  ids: string[];
  seenAt: Date;
}

const columns = `kind, id, state, asked_at as "askedAt", coalesce(ids, '{}') as ids, hash, found, size_bytes as "sizeBytes", more, fewer, done, cleaned, seen_at as "seenAt"`;
const samples = 20;

const listed = statement<Omit<StoredPlan, 'ids'> & { samples: string[]; listed: number }>(
  'junk_plans_listed',
  `select kind, id, state, asked_at as "askedAt", hash, found, size_bytes as "sizeBytes", more, fewer, done, cleaned,
     seen_at as "seenAt", coalesce(ids[1:${samples}], '{}') as samples, coalesce(cardinality(ids), 0) as listed from junk_plans`,
);

/** Lists the plan of each kind that has one. */
export const listPlans = (tx: Tx) => tx.query(listed, []);

const found = statement<StoredPlan>('junk_plan_found', `select ${columns} from junk_plans where id = $1`);

export const findPlan = async (tx: Tx, id: string): Promise<StoredPlan | undefined> => (await tx.query(found, [id]))[0];

// The ids of the look before stay until there are new ones: what has changed is told by them, and nothing where they are null.
const begun = statement<{ id: string }>(
  'junk_plan_begun',
  `insert into junk_plans as p (kind, id, state, asked_by, asked_at, seen_at) values ($1, $2, 'looking', $3, $4, $4)
   on conflict (kind) do update set id = excluded.id, state = 'looking', asked_by = excluded.asked_by,
     asked_at = excluded.asked_at, seen_at = excluded.seen_at, hash = '', done = 0, cleaned = 0, cancelled_at = null
   where p.state not in ('looking', 'cleaning') or p.seen_at < $5 returning id`,
);

/** Begins a look. @param silentSince a job that has said nothing since then is dead @returns false while one looks or cleans */
export const beginPlan = async (
  tx: Tx,
  {
    kind,
    id,
    askedBy,
    now,
    silentSince,
  }: { kind: JunkKind; id: string; askedBy: string | null; now: Date; silentSince: Date },
): Promise<boolean> => (await tx.query(begun, [kind, id, askedBy, now, silentSince])).length > 0;

const kept = statement(
  'junk_plan_kept',
  `update junk_plans set state = 'found', ids = $2::text[], hash = $3, found = $4, size_bytes = $5, seen_at = $6,
     more = (select count(*) from unnest($2::text[]) as n where n <> all(junk_plans.ids)),
     fewer = (select count(*) from unnest(junk_plans.ids) as o where o <> all($2::text[]))
   where id = $1 and state = 'looking'`,
);

/** Keeps what a look has found. */
export async function keepFound(
  tx: Tx,
  id: string,
  plan: { ids: readonly string[]; hash: string; count: number; sizeBytes: number | null; now: Date },
): Promise<void> {
  await tx.query(kept, [id, plan.ids, plan.hash, plan.count, plan.sizeBytes, plan.now]);
}

const cleaning = statement<{ id: string; listed: number }>(
  'junk_plan_cleaning',
  `update junk_plans set state = 'cleaning', seen_at = $3 where kind = $1 and hash = $2 and state = 'found' and cardinality(ids) > 0
   and asked_at > $4 returning id, cardinality(ids) as listed`,
);

/** Begins to clean what was found with this hash. @returns undefined when that is not so, or was found too long ago */
export const beginCleaning = async (
  tx: Tx,
  { kind, hash, now, since }: { kind: JunkKind; hash: string; now: Date; since: Date },
): Promise<{ id: string; listed: number } | undefined> => (await tx.query(cleaning, [kind, hash, now, since]))[0];

const advanced = statement<{ isCancelled: boolean }>(
  'junk_plan_advanced',
  `update junk_plans set done = $2, cleaned = cleaned + $3, seen_at = $4 where id = $1 and state = 'cleaning'
   returning cancelled_at is not null as "isCancelled"`,
);

/** Notes how far a cleaning is. @returns whether it goes on */
export async function advance(
  tx: Tx,
  id: string,
  step: { done: number; cleaned: number; now: Date },
): Promise<boolean> {
  const [row] = await tx.query(advanced, [id, step.done, step.cleaned, step.now]);
  return row?.isCancelled === false;
}

const ended = statement<StoredPlan>(
  'junk_plan_ended',
  `update junk_plans set state = case when $2 then 'failed' when cancelled_at is not null and done < cardinality(ids) then 'cancelled' else 'cleaned' end, seen_at = $3
   where id = $1 and state in ('looking', 'cleaning') returning ${columns}`,
);

/** Notes that a look or a cleaning has ended. @returns it; undefined when it had before */
export const endPlan = async (
  tx: Tx,
  id: string,
  { hasFailed, now }: { hasFailed: boolean; now: Date },
): Promise<StoredPlan | undefined> => (await tx.query(ended, [id, hasFailed, now]))[0];

const cancelled = statement<{ id: string }>(
  'junk_plan_cancelled',
  `update junk_plans set cancelled_at = $2 where kind = $1 and state = 'cleaning' and cancelled_at is null returning id`,
);

/** Asks a cleaning to end. @returns false where none goes on */
export const cancelPlan = async (tx: Tx, kind: JunkKind, now: Date): Promise<boolean> =>
  (await tx.query(cancelled, [kind, now])).length > 0;
