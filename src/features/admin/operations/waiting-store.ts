import { sql } from 'kysely';
import type { Tx } from '#engines/database/work.ts';
import type { Realm } from '#engines/payments/payments.ts';
import { answerable } from '#features/orders/refund-requests-store.ts';
import { dayMs, minuteMs } from '#kit/time.ts';

/** What waits for somebody, as the pages that it is seen to on list it. */
export interface WaitingRow {
  reports: number;
  overdueReports: number;
  /** Appeals and counter-notices: the report itself is decided. */
  appeals: number;
  overdueAppeals: number;
  heldCopies: number;
  lockedAlbums: number;
  support: number;
  emails: number;
  media: number;
  errors: number;
  heldPayouts: number;
  disputes: number;
  /** When the first of them has to be answered. */
  disputesDueBy: Date | null;
  refundRequests: number;
  providerEvents: number;
  partnerApplications: number;
}

/** What is told is acted upon within seconds: only what was not waits for somebody. */
const actedUponMs = 5 * minuteMs;

/** Counts what waits for somebody. */
export async function countWaiting(tx: Tx, { provider, livemode }: Realm, now: Date): Promise<WaitingRow> {
  const ago = (ms: number) => new Date(now.getTime() - ms);
  const inRealm = (alias: string) =>
    sql`${sql.ref(`${alias}.provider`)} = ${provider} and ${sql.ref(`${alias}.livemode`)} = ${livemode}`;
  const { rows } = await sql<WaitingRow>`select * from
    (select count(*)::int as reports, count(*) filter (where decide_by < ${now})::int as "overdueReports"
      from reports where decided_at is null) a,
    (select count(*)::int as appeals, count(*) filter (where decide_by < ${now})::int as "overdueAppeals"
      from report_answers where decided_at is null and decide_by is not null) b,
    (select count(*)::int as "heldCopies" from media_matches k join media m on m.id = k.media_id
      where k.released_at is null and m.state = 'quarantined' and m.deleted_at is null and not exists (select from report_targets t
        join album_items i on i.album_id = t.album_id where t.report_id = k.report_id and i.media_id = k.media_id)) c,
    (select count(*)::int as "lockedAlbums" from co_performers
      where consent_state = 'withdrawn' and ended_at is null and pictures_gone_at is not null and album_id is not null) d,
    (select count(*)::int as support from support_requests where status in ('pending', 'open')) e,
    (select count(*)::int as emails from mail_outbox
      where (state = 'given_up' and not is_seen) or (state = 'queued' and tries > 0)) f,
    (select count(*)::int as media from media m where m.state = 'failed' and m.deleted_at is null and m.created_at >= ${ago(14 * dayMs)}
      and not exists (select from full_checks s where s.creator_id = m.creator_id)) g,
    (select count(*)::int as errors from error_logs where created_at >= ${ago(dayMs)}) h,
    (select count(distinct user_id)::int as "heldPayouts" from payout_holds where ended_at is null and livemode = ${livemode}) i,
    (select count(*)::int as disputes, min(d.due_by) as "disputesDueBy"
      from disputes d left join dispute_evidence e on e.dispute_id = d.id where ${inRealm('d')} and d.standing in ('warning', 'open')
      and d.due_by is not null and d.submitted_at is null and e.handed_in_at is null and e.objected_at is null) j,
    (select count(*)::int as "refundRequests" from refund_requests q join checkout_orders o on o.id = q.order_id
      where ${inRealm('o')} and q.state = 'operator' and ${sql.raw(answerable)}) k,
    (select count(*)::int as "providerEvents" from webhook_inbox w where ${inRealm('w')} and w.processed_at is null
      and (w.attempts > 0 or w.received_at < ${ago(actedUponMs)})) l,
    (select count(*)::int as "partnerApplications" from affiliates where state = 'applied') m`.execute(tx.db);
  const [row] = rows;
  if (row === undefined) throw new Error('counting gave no row');
  return row;
}
