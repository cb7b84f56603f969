import { statement, type Tx } from '#engines/database/work.ts';
import { newId } from '#kit/ids.ts';
import { type PageMetric, type PageVitals, rateMetric } from './page-metrics.ts';

/** Keeps what an administrator's browser has measured. */
export async function insertMetrics(tx: Tx, userId: string, metrics: readonly PageMetric[], now: Date): Promise<void> {
  await tx.db
    .insertInto('performance_metrics')
    .values(
      metrics.map(({ metric, value, id, navigationType, timestamp, url }) => ({
        id: newId<'performanceMetric'>(now.getTime()),
        user_id: userId,
        metric,
        value,
        rating: rateMetric(metric, value),
        metric_id: id,
        navigation_type: navigationType,
        url,
        measured_at: new Date(timestamp),
        created_at: now,
      })),
    )
    .execute();
}

const swept = statement('performance_metrics_swept', 'delete from performance_metrics where created_at < $1');

/** Forgets measurements from before. */
export async function deleteOldMetrics(tx: Tx, before: Date): Promise<void> {
  await tx.query(swept, [before]);
}

const mostVitals = 500;

const vitals = statement<PageVitals>(
  'performance_metrics_vitals',
  `select url as page, metric, count(*)::int as samples,
     percentile_cont(0.75) within group (order by value) as p75,
     count(*) filter (where rating = 'good')::int as good,
     count(*) filter (where rating = 'poor')::int as poor
   from performance_metrics where created_at >= $1
   group by url, metric order by samples desc, url, metric limit $2`,
);

/** Sums up how fast pages were since a moment, those that were measured most first. */
export const readVitals = (tx: Tx, since: Date): Promise<PageVitals[]> => tx.query(vitals, [since, mostVitals]);
