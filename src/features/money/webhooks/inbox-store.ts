import { statement, type Tx } from '#engines/database/work.ts';
import type { HookEvent, HookName, Realm } from '#engines/payments/payments.ts';

type Source = Pick<Tx, 'query'>;

const kept = statement(
  'inbox_kept',
  `insert into webhook_inbox (event_id, hook, type, object_id, account_id, provider, livemode, event_created_at, received_at, next_attempt_at)
select event_id, hook, type, object_id, account_id, $1, livemode, created_at, received_at, received_at
from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::boolean[], $8::timestamptz[], $9::timestamptz[])
  as n (event_id, hook, type, object_id, account_id, livemode, created_at, received_at)
on conflict do nothing`,
);

/** An event that a hook has heard. */
export interface ReceivedEvent {
  hook: HookName;
  event: HookEvent;
  at: Date;
}

/** Keeps events before they are acknowledged; one that came before, or comes twice, is kept once. */
export async function keepEvents(tx: Source, { provider }: Realm, received: readonly ReceivedEvent[]): Promise<void> {
  const column = (of: (one: ReceivedEvent) => string | boolean | Date | null) => received.map(of);
  await tx.query(kept, [
    provider,
    column(({ event }) => event.eventId),
    column(({ hook }) => hook),
    column(({ event }) => event.type),
    column(({ event }) => event.objectId),
    column(({ event }) => event.accountId ?? null),
    column(({ event }) => event.livemode),
    column(({ event }) => event.createdAt),
    column(({ at }) => at),
  ]);
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
): Promise<InboxEvent[]> => tx.query(taken, [now, provider, livemode, limit, until]);

// Not as the index of what is due says it: that would be read whole where few waited as the table was last analyzed.
const isWaiting = `coalesce(processed_at, 'infinity') = 'infinity'`;

const settled = statement(
  'inbox_settled',
  'update webhook_inbox set processed_at = $2, last_error = null where event_id = any ($1::text[])',
);

/** Notes that events were acted upon. */
export async function settleEvents(tx: Source, eventIds: readonly string[], at: Date): Promise<void> {
  await tx.query(settled, [eventIds, at]);
}

const postponed = statement(
  'inbox_postponed',
  `update webhook_inbox set next_attempt_at = $2, last_error = $3 where event_id = any ($1::text[]) and ${isWaiting}`,
);

/** Notes why events could not be acted upon, and when they are due again. */
export async function postponeEvents(
  tx: Source,
  eventIds: readonly string[],
  { dueAt, error }: { dueAt: Date; error: string },
): Promise<void> {
  await tx.query(postponed, [eventIds, dueAt, error]);
}

const givenBack = statement(
  'inbox_given_back',
  `update webhook_inbox set attempts = attempts - 1, next_attempt_at = $2 where event_id = any ($1::text[]) and ${isWaiting}`,
);

/** Gives back events that were taken and not tried. */
export async function giveBackEvents(tx: Source, eventIds: readonly string[], dueAt: Date): Promise<void> {
  await tx.query(givenBack, [eventIds, dueAt]);
}

/** An event that nobody could act upon yet. */
export interface WaitingEvent extends InboxEvent {
  type: string;
  receivedAt: Date;
  nextAttemptAt: Date;
  error: string | null;
}

const waiting = statement<WaitingEvent>(
  'inbox_waiting',
  `select event_id as "eventId", type, object_id as "objectId", received_at as "receivedAt", attempts, next_attempt_at as "nextAttemptAt",
  last_error as error from webhook_inbox where provider = $1 and livemode = $2 and processed_at is null
order by received_at desc, event_id limit $3 offset $4`,
);

/** Events that wait, the newest first. */
export const listWaitingEvents = (
  tx: Source,
  { provider, livemode }: Realm,
  { limit, offset }: { limit: number; offset: number },
): Promise<WaitingEvent[]> => tx.query(waiting, [provider, livemode, limit, offset]);

const lastOne = statement<{ at: Date | null }>(
  'inbox_last_received',
  'select max(received_at) as at from webhook_inbox where provider = $1 and livemode = $2',
);

/** Returns when the provider has told something last. */
export const findLastReceived = async (tx: Source, { provider, livemode }: Realm): Promise<Date | null> =>
  (await tx.query(lastOne, [provider, livemode]))[0]?.at ?? null;

const replayed = statement<{ isTakenAgain: boolean; type: string }>(
  'inbox_replayed',
  `with found as (
  select event_id, type, event_created_at > $4::timestamptz - interval '30 days' as is_young
  from webhook_inbox where event_id = $3 and provider = $1 and livemode = $2 for update
), due as (
  update webhook_inbox i set next_attempt_at = $4, processed_at = null from found f where i.event_id = f.event_id and f.is_young
)
select type, is_young as "isTakenAgain" from found`,
);

/** Makes an event due once more. @returns what it is, and whether it is young enough to be taken; undefined for one that never came */
export const makeDueAgain = async (
  tx: Source,
  { provider, livemode }: Realm,
  eventId: string,
  now: Date,
): Promise<{ isTakenAgain: boolean; type: string } | undefined> =>
  (await tx.query(replayed, [provider, livemode, eventId, now]))[0];
