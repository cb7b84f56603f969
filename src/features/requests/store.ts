import { statement, type Tx } from '#engines/database/work.ts';
import type { Realm } from '#engines/payments/payments.ts';
import type { Cursor } from '#features/albums/rules.ts';
import type { OrderState } from '#features/orders/rules.ts';
import { feePercentOfOrder } from '#features/orders/split-store.ts';
import { countOpen } from './asking-store.ts';
import { type Change, type EndReason, isFull, mostUnpaid, type RequestState } from './rules.ts';

type Source = Pick<Tx, 'query'>;

/** A request as this room works with it. */
export interface RequestRow extends Realm {
  id: string;
  creatorId: string | null;
  creatorName: string;
  viewerId: string | null;
  buyerId: string;
  email: string;
  linkName: string | null;
  title: string;
  brief: string;
  kind: 'photo' | 'video' | 'both';
  quantity: number;
  lengthMinutes: number | null;
  wantedBy: string | null;
  timeZone: string;
  currency: string;
  offeredCents: number;
  agreedCents: number | null;
  state: RequestState;
  isCounter: boolean;
  actUntil: Date | null;
  dueAt: Date | null;
  /** Days to deliver, from the payment on. */
  dueDays: number | null;
  paidAt: Date | null;
  closedAt: Date | null;
  reportedAt: Date | null;
  wasRevised: boolean;
  endReason: EndReason | null;
  orderId: string | null;
  orderState: OrderState | null;
  refundedCents: number | null;
  /** What the platform keeps of its payment, in percent; null before there is one. */
  feePercent: number | null;
  hasReceipt: boolean;
  deliveryLinkId: string | null;
  deliverySlug: string | null;
  isDeliveryOpen: boolean;
  albumId: string | null;
  albumName: string | null;
  /** Their share has not left yet: it will, or their account does not take it. Null where nothing is to leave, or it has. */
  sending: 'on_way' | 'waits' | null;
  createdAt: Date;
  /** Whether its creator still sells: not while their account is suspended, nor once they leave. */
  isCreatorHere: boolean;
}

const columns = `r.id, r.provider, r.livemode, r.creator_id as "creatorId", r.creator_name as "creatorName", r.viewer_id as "viewerId",
  r.buyer_id as "buyerId", l.link_name as "linkName", r.title, r.brief, r.kind, r.quantity, r.length_minutes as "lengthMinutes",
  to_char(r.wanted_by, 'YYYY-MM-DD') as "wantedBy", r.time_zone as "timeZone", r.currency, r.offered_cents as "offeredCents",
  r.agreed_cents as "agreedCents", r.state, r.is_counter as "isCounter", r.act_until as "actUntil", r.due_at as "dueAt", r.due_days as "dueDays",
  r.paid_at as "paidAt", r.closed_at as "closedAt", r.reported_at as "reportedAt", r.was_revised as "wasRevised", r.end_reason as "endReason", r.order_id as "orderId", o.state as "orderState",
  o.refunded_cents as "refundedCents", ${feePercentOfOrder} as "feePercent", r.delivery_link_id as "deliveryLinkId", d.slug as "deliverySlug",
  d.id is not null and not d.is_revoked as "isDeliveryOpen", a.id as "albumId", a.name as "albumName", r.created_at as "createdAt",
  exists (select from users u where u.id = r.creator_id and u.status not in ('suspended', 'deleting', 'deleted')) as "isCreatorHere"`;
const joined = `custom_requests r left join magic_links l on l.id = r.link_id left join checkout_orders o on o.id = r.order_id
  left join magic_links d on d.id = r.delivery_link_id left join albums a on a.id = r.delivery_album_id`;
/** What only the system may see. */
export const whole = `${columns}, b.email, case when h.refused_why <> 'insufficient' then 'waits' when h.state is not null then 'on_way' end as sending, exists (select from receipts p where p.order_id = r.order_id) as "hasReceipt"`;
export const wholeJoined = `${joined} join buyers b on b.id = r.buyer_id left join held_releases h on h.request_id = r.id and h.state = 'pending'`;
export type HiddenOfRow = 'email' | 'hasReceipt' | 'sending';

const byId = statement<RequestRow>('request_by_id', `select ${whole} from ${wholeJoined} where r.id = $1`);
const held = statement<{ id: string }>('request_held', 'select id from custom_requests where id = $1 for update');

export const findRequest = async (source: Source, id: string): Promise<RequestRow | undefined> =>
  (await source.query(byId, [id]))[0];

/** The request as whoever changed it last has left it; nobody else changes it until the transaction ends. */
export async function holdRequest(tx: Tx, id: string): Promise<RequestRow | undefined> {
  await tx.query(held, [id]);
  return findRequest(tx, id);
}

export interface NewRequest extends Realm {
  id: string;
  creatorId: string;
  creatorName: string;
  viewerId: string;
  buyerId: string;
  linkId: string | null;
  title: string;
  brief: string;
  kind: RequestRow['kind'];
  quantity: number;
  lengthMinutes: number | null;
  wantedBy: string | null;
  timeZone: string;
  currency: string;
  offeredCents: number;
  actUntil: Date;
  now: Date;
}

const inserted = statement(
  'request_inserted',
  `insert into custom_requests (id, provider, livemode, creator_id, creator_name, viewer_id, buyer_id, link_id, title, brief, kind, quantity,
  length_minutes, wanted_by, time_zone, currency, offered_cents, state, act_until, created_at)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14::date, $15, $16, $17, 'requested', $18, $19)`,
);
// The creator's row decides between two who ask in the same moment.
const settingsHeld = statement<{ mostOpen: number }>(
  'request_settings_held',
  'select most_open as "mostOpen" from request_settings where user_id = $1 and is_on for update',
);

// One person is whoever asks from one address, or in the browsers of one viewer.
const unpaid = statement<{ unpaid: number }>(
  'requests_unpaid_of',
  `select count(*)::int as unpaid from custom_requests where creator_id = $1 and closed_at is null and state in ('requested', 'quoted')
  and provider = $2 and livemode = $3 and (viewer_id = any(array(select id from viewers where $4::uuid in (id, merged_into)))
    or buyer_id = any(array(select id from buyers where id = $5 or email = $6)))`,
);

/** One person, as far as they are known. */
export interface Person {
  viewerId?: string | undefined;
  buyerId?: string;
  email?: string;
}

/** Returns how many requests one person has with a creator that are open and not paid. */
export async function countUnpaid(
  source: Source,
  { provider, livemode }: Realm,
  { creatorId, viewerId, buyerId, email }: Person & { creatorId: string },
): Promise<number> {
  const who = [viewerId ?? null, buyerId ?? null, email ?? null];
  return (await source.query(unpaid, [creatorId, provider, livemode, ...who]))[0]?.unpaid ?? 0;
}

/**
 * Two who ask in the same moment ask one after the other.
 * @returns `full` where they take no more just now, `enough` where this person has as many unpaid ones with them as they may
 */
export async function insertRequest(tx: Tx, request: NewRequest): Promise<'inserted' | 'full' | 'enough'> {
  const { id, provider, livemode, creatorId, creatorName, viewerId, buyerId, linkId, timeZone, currency } = request;
  const { title, brief, kind, quantity, lengthMinutes, wantedBy, offeredCents, actUntil, now } = request;
  const [settings] = await tx.query(settingsHeld, [creatorId]);
  if (settings === undefined) return 'full';
  if ((await countUnpaid(tx, request, { creatorId, viewerId, buyerId })) >= mostUnpaid) return 'enough';
  if (isFull(await countOpen(tx, request, creatorId), settings)) return 'full';
  const who = [id, provider, livemode, creatorId, creatorName, viewerId, buyerId, linkId];
  const what = [title, brief, kind, quantity, lengthMinutes, wantedBy, timeZone, currency, offeredCents];
  await tx.query(inserted, [...who, ...what, actUntil, now]);
  return 'inserted';
}

const changed = statement(
  'request_changed',
  `update custom_requests set state = $2, act_until = $3, due_days = coalesce($4, due_days), agreed_cents = coalesce($5, agreed_cents),
  is_counter = coalesce($6, is_counter), delivered_at = coalesce($7, delivered_at), was_revised = was_revised or $8, closed_at = $9,
  end_reason = $10, reported_at = coalesce($11, reported_at), reminded_at = case when $11::timestamptz is null then reminded_at end where id = $1`,
);

/** Writes what became of a request that is held. */
export async function changeRequest(tx: Tx, id: string, change: Change): Promise<void> {
  const { state, actUntil, dueDays, agreedCents, isCounter, deliveredAt, wasRevised, closedAt, endReason, reportedAt } =
    change;
  const agreed = [dueDays ?? null, agreedCents ?? null, isCounter ?? null, deliveredAt ?? null];
  const ended = [closedAt ?? null, endReason ?? null, reportedAt ?? null];
  await tx.query(changed, [id, state, actUntil, ...agreed, wasRevised ?? false, ...ended]);
}

const delivered = statement(
  'request_delivery_kept',
  'update custom_requests set delivery_link_id = $2, delivery_album_id = $3 where id = $1',
);

/** Notes by which link it is delivered. */
export async function keepDelivery(tx: Tx, id: string, linkId: string, albumId: string): Promise<void> {
  await tx.query(delivered, [id, linkId, albumId]);
}

const albumAdded = statement(
  'request_album_added',
  `insert into link_albums (link_id, album_id, position, user_id)
select l.id, $2, coalesce((select max(x.position) + 1 from link_albums x where x.link_id = l.id), 0), l.user_id from magic_links l where l.id = $1
on conflict do nothing`,
);

/** What was changed is shown beside what was delivered first. */
export async function addDelivered(tx: Tx, linkId: string, albumId: string): Promise<void> {
  await tx.query(albumAdded, [linkId, albumId]);
}

export interface RequestEvent {
  who: 'buyer' | 'creator' | 'staff' | 'system';
  what: string;
  text: string;
  amountCents: number | null;
  at: Date;
}

const noted = statement(
  'request_event_noted',
  'insert into custom_request_events (request_id, who, what, text, amount_cents, at) values ($1, $2, $3, $4, $5, $6)',
);

export async function noteEvent(tx: Tx, requestId: string, event: RequestEvent): Promise<void> {
  const { who, what, text, amountCents, at } = event;
  await tx.query(noted, [requestId, who, what, text, amountCents, at]);
}

const events = statement<RequestEvent>(
  'request_events',
  'select who, what, text, amount_cents as "amountCents", at from custom_request_events where request_id = $1 order by id limit 100',
);

/** Returns what was done and said about it, the newest last. */
export const listEvents = (source: Source, requestId: string): Promise<RequestEvent[]> =>
  source.query(events, [requestId]);

const openOfCreator = statement<RequestRow>(
  'requests_open_of_creator',
  `select ${columns} from ${joined} where r.creator_id = $1 and r.provider = $2 and r.livemode = $3 and r.closed_at is null
order by r.act_until nulls last, r.created_at desc, r.id desc limit 100`,
);
const doneOfCreator = statement<RequestRow>(
  'requests_done_of_creator',
  `select ${columns} from ${joined} where r.creator_id = $1 and r.provider = $2 and r.livemode = $3 and r.closed_at is not null
  and ($4::timestamptz is null or (r.created_at, r.id) < ($4, $5::uuid))
order by r.created_at desc, r.id desc limit $6`,
);

/** A creator's requests that are open, by what is due first: they take ten at most, so that they are one page. */
export const listOpen = (
  tx: Tx,
  { provider, livemode }: Realm,
  creatorId: string,
): Promise<Omit<RequestRow, HiddenOfRow>[]> => tx.query(openOfCreator, [creatorId, provider, livemode]);

/** A page of a creator's requests that are over, the newest first. */
export const listDone = (
  tx: Tx,
  { provider, livemode }: Realm,
  { creatorId, after, limit }: { creatorId: string; after: Cursor | undefined; limit: number },
): Promise<Omit<RequestRow, HiddenOfRow>[]> =>
  tx.query(doneOfCreator, [creatorId, provider, livemode, after?.at ?? null, after?.id ?? null, limit]);

// Who has turned out to be another viewer is that one.
const ofBrowser = statement<RequestRow>(
  'requests_of_browser',
  `with me as (
  select case when v.merged_into is null then v.id else v.merged_into end as viewer_id
  from viewer_devices d join viewers v on v.id = d.viewer_id where d.secret_hash = $3
), proof as (
  select buyer_id, is_joined from buyer_browsers where secret_hash = $3
)
select ${columns} from ${joined} where r.provider = $1 and r.livemode = $2 and (r.buyer_id = (select buyer_id from proof)
  or (r.viewer_id = any(array(select v.id from viewers v join me on me.viewer_id in (v.id, v.merged_into)))
    and not exists (select from proof where is_joined)))
order by r.closed_at is not null, r.created_at desc, r.id desc limit 200`,
);

/** What this browser's viewer has asked for, or somebody with the address that it has proven: those that are open first. */
export const listOfBrowser = (
  source: Source,
  { provider, livemode }: Realm,
  secretHash: Buffer,
): Promise<Omit<RequestRow, HiddenOfRow>[]> => source.query(ofBrowser, [provider, livemode, secretHash]);

const counted = statement<{ open: number; waiting: number }>(
  'requests_counted',
  `select count(*)::int as open, (count(*) filter (where state in ('requested', 'paid', 'revision_requested')))::int as waiting
from custom_requests where creator_id = $1 and provider = $2 and livemode = $3 and closed_at is null`,
);

/** Returns how many are open, and how many of them wait for them. */
export async function countRequests(tx: Tx, { provider, livemode }: Realm, creatorId: string) {
  const [row] = await tx.query(counted, [creatorId, provider, livemode]);
  return row ?? { open: 0, waiting: 0 };
}
