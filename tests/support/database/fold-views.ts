import { setTimeout as wait } from 'node:timers/promises';
import { foldViews } from '#features/insights/jobs.ts';

/**
 * Folds every view that is written. Other tests have databases on the same server, and what they have just begun holds a
 * fold back, because transactions count for a whole server: it is waited for, ten seconds at most.
 */
export async function foldAllViews(needs: Parameters<typeof foldViews>[0]): Promise<void> {
  const bounds = `select pg_snapshot_xmin(pg_current_snapshot())::text as begun, pg_snapshot_xmax(pg_current_snapshot())::text as next`;
  const ask = () =>
    needs.database.work({ kind: 'system' }, async ({ client }) => {
      const { rows } = await client.query<{ begun: string; next: string }>(bounds);
      return { begun: BigInt(rows[0]?.begun ?? 0), next: BigInt(rows[0]?.next ?? 0) };
    });
  const { next } = await ask();
  for (let tries = 0; tries < 200 && (await ask()).begun < next; tries++) await wait(50);
  await foldViews(needs);
}
