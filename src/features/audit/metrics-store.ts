import { statement, type Tx } from '#engines/database/work.ts';
import { newId } from '#kit/ids.ts';
import { type PageMetric, rateMetric } from './page-metrics.ts';

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
