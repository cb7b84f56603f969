import { statement, type Tx } from '#engines/database/work.ts';
import type { CallFigure } from '../figures-store.ts';

/** How often something was called. */
export type CallSum = Pick<CallFigure, 'kind' | 'name' | 'calls' | 'errors'>;

const callsSummed = statement<CallSum>(
  'installation_calls',
  `select kind, name, sum(calls)::int as calls, sum(errors)::int as errors from call_figures where slot >= $1 group by 1, 2`,
);

/** Adds up how often everything was called since a moment; how long it took is not asked. */
export const sumCalls = (tx: Tx, since: Date): Promise<CallSum[]> => tx.query(callsSummed, [since]);

/** What the tables say of the parts that count nothing themselves. */
export interface StoredFigures {
  emailsSent: number;
  emailsWaiting: number;
  providerEventsWaiting: number;
  pushBrowsers: number;
  storedBytes: number;
  replicas: number;
}

// What others may see of a replica's connection is only that there is one, which is enough to count it.
const stored = statement<StoredFigures>(
  'installation_figures',
  `select
  (select count(*)::int from mail_outbox
    where created_at >= $1 and state in ('sent', 'delivered', 'bounced', 'complained')) as "emailsSent",
  (select count(*)::int from mail_outbox where state = 'queued') as "emailsWaiting",
  (select count(*)::int from webhook_inbox
    where processed_at is null and event_created_at > $2::timestamptz - interval '30 days') as "providerEventsWaiting",
  (select count(*)::int from push_subscriptions) as "pushBrowsers",
  (select coalesce(sum(storage_used_bytes), 0)::float8 from users) as "storedBytes",
  (select count(*)::int from pg_stat_replication) as replicas`,
);

/** Counts what was sent since a moment, what waits, and what lies there. */
export async function countStored(tx: Tx, since: Date, now: Date): Promise<StoredFigures> {
  const [row] = await tx.query(stored, [since, now]);
  if (row === undefined) throw new Error('counting gave no row');
  return row;
}
