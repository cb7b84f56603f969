import { statement, type Tx } from '#engines/database/work.ts';
import { bucketCount } from '#kit/latency-buckets.ts';
import { minuteMs } from '#kit/time.ts';

/** Calls are added up over so long. */
export const slotMs = 10 * minuteMs;

/** How often something was called, and how long it took. */
export interface CallFigure {
  kind: 'procedure' | 'route' | 'job';
  name: string;
  calls: number;
  errors: number;
  /** By kit/latency-buckets. */
  buckets: number[];
}

const added = statement(
  'call_figures_added',
  `insert into call_figures as f (slot, kind, name, calls, errors, buckets)
   select $1, r.kind, r.name, r.calls, r.errors, r.buckets
   from jsonb_to_recordset($2::jsonb) as r(kind text, name text, calls integer, errors integer, buckets integer[])
   order by r.kind, r.name
   on conflict (slot, kind, name) do update set calls = f.calls + excluded.calls, errors = f.errors + excluded.errors,
     buckets = (select array_agg(coalesce(a, 0) + coalesce(b, 0) order by n)
       from unnest(f.buckets, excluded.buckets) with ordinality as both_of_them(a, b, n))`,
);

const addedToDay = statement(
  'call_days_added',
  `insert into call_days as d (day, name, calls, errors)
   select ($1::timestamptz at time zone 'UTC')::date, r.name, r.calls, r.errors
   from jsonb_to_recordset($2::jsonb) as r(kind text, name text, calls integer, errors integer) where r.kind = 'procedure'
   order by r.name
   on conflict (day, name) do update set calls = d.calls + excluded.calls, errors = d.errors + excluded.errors`,
);

/** Adds what a process has counted, to its ten minutes and to its day. */
export async function addFigures(tx: Tx, slot: Date, figures: readonly CallFigure[]): Promise<void> {
  const counted = JSON.stringify(figures);
  await tx.query(added, [slot, counted]);
  await tx.query(addedToDay, [slot, counted]);
}

const forgotten = statement('call_figures_forgotten', 'delete from call_figures where slot < $1');
const daysForgotten = statement(
  'call_days_forgotten',
  `delete from call_days where day < ($1::timestamptz at time zone 'UTC')::date`,
);

/** Forgets ten minutes, and days, of before these moments. */
export async function forgetFigures(tx: Tx, before: { slots: Date; days: Date }): Promise<void> {
  await tx.query(forgotten, [before.slots]);
  await tx.query(daysForgotten, [before.days]);
}

/** The calls of a procedure in some days. */
export type DayFigure = Pick<CallFigure, 'name' | 'calls' | 'errors'>;

const daysSummed = statement<DayFigure>(
  'call_days_summed',
  `select name, sum(calls)::int as calls, sum(errors)::int as errors from call_days
   where day >= ($1::timestamptz at time zone 'UTC')::date group by 1`,
);

/** Reads how often each procedure was called since the day of a moment. */
export const readDayFigures = (tx: Tx, since: Date): Promise<DayFigure[]> => tx.query(daysSummed, [since]);

interface Row extends Pick<CallFigure, 'kind' | 'name'> {
  calls: number;
  errors: number;
  counts: Record<string, number> | null;
}

const summed = statement<Row>(
  'call_figures_summed',
  `with parts as (select kind, name, n, sum(v)::int as v
     from call_figures, unnest(buckets) with ordinality as bucket(v, n) where slot >= $1 and v > 0 group by 1, 2, 3)
   select kind, name, sum(calls)::int as calls, sum(errors)::int as errors,
     (select jsonb_object_agg(n - 1, v) from parts p where p.kind = f.kind and p.name = f.name) as counts
   from call_figures f where slot >= $1 group by 1, 2`,
);

/** Reads how often everything was called since a moment, and how long it took; one entry for each kind and name. */
export async function readFigures(tx: Tx, since: Date): Promise<CallFigure[]> {
  const rows = await tx.query(summed, [since]);
  return rows.map(({ counts, ...row }) => ({
    ...row,
    buckets: Array.from({ length: bucketCount }, (_, bucket) => counts?.[bucket] ?? 0),
  }));
}
