import { statement, type Tx } from '#engines/database/work.ts';
import type { HookEvent, HookName, Realm } from '#engines/payments/payments.ts';

type Source = Pick<Tx, 'ask'>;

const kept = statement(
  'inbox_kept',
  `insert into webhook_inbox (event_id, hook, type, object_id, account_id, provider, livemode, event_created_at, received_at, next_attempt_at)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9) on conflict do nothing`,
);

/** Keeps an event before it is acknowledged; one that came before is kept once. */
export async function keepEvent(
  tx: Source,
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
  /** How often it was taken, this time included. */
  attempts: number;
}

const taken = statement<InboxEvent>(
  'inbox_taken',
  `update webhook_inbox set attempts = attempts + 1, next_attempt_at = $5
where event_id in (select event_id from webhook_inbox
  where processed_at is null and next_attempt_at <= $1 and provider = $2 and livemode = $3 and event_created_at > $1::timestamptz - interval '30 days'
  order by next_attempt_at limit $4 for update skip locked)
returning event_id as "eventId", object_id as "objectId", attempts`,
);

/**
 * Takes events that are due: of this realm alone, so that test and live money never meet.
 * @param until nobody else takes them before that: by then they are acted upon, or whoever took them is gone
 */
export const takeEvents = (
  tx: Source,
  { provider, livemode }: Realm,
  { now, until, limit }: { now: Date; until: Date; limit: number },
): Promise<InboxEvent[]> => tx.ask(taken, [now, provider, livemode, limit, until]);

const settled = statement(
  'inbox_settled',
  'update webhook_inbox set processed_at = $2, last_error = null where event_id = any ($1::text[])',
);

/** Notes that events were acted upon. */
export async function settleEvents(tx: Source, eventIds: readonly string[], at: Date): Promise<void> {
  await tx.ask(settled, [eventIds, at]);
}

const postponed = statement(
  'inbox_postponed',
  'update webhook_inbox set next_attempt_at = $2, last_error = $3 where event_id = any ($1::text[]) and processed_at is null',
);

/** Notes why events could not be acted upon, and when they are due again. */
export async function postponeEvents(
  tx: Source,
  eventIds: readonly string[],
  { dueAt, error }: { dueAt: Date; error: string },
): Promise<void> {
  await tx.ask(postponed, [eventIds, dueAt, error]);
}

const givenBack = statement(
  'inbox_given_back',
  `update webhook_inbox set attempts = attempts - 1, next_attempt_at = $2 where event_id = any ($1::text[]) and processed_at is null`,
);

/** Gives back events that were taken and not tried. */
export async function giveBackEvents(tx: Source, eventIds: readonly string[], dueAt: Date): Promise<void> {
  await tx.ask(givenBack, [eventIds, dueAt]);
}
