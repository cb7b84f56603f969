import { statement, type Tx } from '#engines/database/work.ts';
import { bucketCount } from '#kit/latency-buckets.ts';
import type { CallFigure } from '../figures-store.ts';

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

const named = statement<{ id: string; email: string }>(
  'pausers',
  'select id, email from users where id = any($1::uuid[])',
);

/** Finds the addresses of administrators. */
export async function findEmails(tx: Tx, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  return new Map((await tx.query(named, [ids])).map(({ id, email }) => [id, email]));
}
