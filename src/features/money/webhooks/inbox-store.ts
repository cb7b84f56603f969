import { statement, type Tx } from '#engines/database/work.ts';
import type { HookEvent, HookName, Realm } from '#engines/payments/payments.ts';

const kept = statement(
  'inbox_kept',
  `insert into webhook_inbox (event_id, hook, type, object_id, account_id, provider, livemode, event_created_at, received_at, next_attempt_at)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9) on conflict do nothing`,
);

/** Keeps an event before it is acknowledged; one that came before is kept once. */
export async function keepEvent(
  tx: Tx,
  hook: HookName,
  { provider }: Realm,
  { eventId, type, objectId, accountId, livemode, createdAt }: HookEvent,
  now: Date,
): Promise<void> {
  const about = [eventId, hook, type, objectId, accountId ?? null, provider, livemode, createdAt, now];
  await tx.ask(kept, about);
}

export interface InboxEvent {
  eventId: string;
  objectId: string;
  attempts: number;
}

const taken = statement<InboxEvent>(
  'inbox_taken',
  `update webhook_inbox set attempts = attempts + 1, next_attempt_at = $1::timestamptz + least(power(2, attempts), 720) * interval '5 s'
where event_id in (select event_id from webhook_inbox
  where processed_at is null and next_attempt_at <= $1 and provider = $2 and livemode = $3 and event_created_at > $1::timestamptz - interval '30 days'
  order by next_attempt_at limit $4 for update skip locked)
returning event_id as "eventId", object_id as "objectId", attempts`,
);

/** Takes events that are due: of this realm alone, so that test and live money never meet. */
export const takeEvents = (tx: Tx, { provider, livemode }: Realm, now: Date, limit: number): Promise<InboxEvent[]> =>
  tx.ask(taken, [now, provider, livemode, limit]);

const settled = statement(
  'inbox_settled',
  'update webhook_inbox set processed_at = $2, last_error = $3 where event_id = $1',
);

/** Notes that an event was acted upon; with an error it stays due. */
export async function settleEvent(tx: Tx, eventId: string, at: Date | null, error: string | null): Promise<void> {
  await tx.ask(settled, [eventId, at, error]);
}
