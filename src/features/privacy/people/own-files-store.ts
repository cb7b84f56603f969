import { statement, type Tx } from '#engines/database/work.ts';
import type { KnownPerson } from './person-store.ts';

/** Rows of one kind in the file that somebody without an account gets. */
interface Listing {
  /** Tables whose rows of a person are told by it. */
  tables: readonly string[];
  /** `$1` are their viewers, `$2` is the buyer, `$3` the address. */
  select: string;
}

/** The newest rows of each kind; nobody without an account makes us read without end. */
const mostRows = 1000;

const ofOrders = '(o.viewer_id = any($1::uuid[]) or o.buyer_id = $2)';
const creatorOf = (column: string) => `(select u.display_name from users u where u.id = ${column}) as creator`;

/** Everything that such a file has, in its order. */
export const ownListings = {
  addresses: {
    tables: ['viewers', 'buyers'],
    select: `select * from (
  select v.email, v.display_name as name, v.email_verified_at as "provenAt", v.age_confirmed_at as "saidAdultAt", v.created_at as "firstSeenAt",
    v.last_seen_at as "lastSeenAt" from viewers v where v.id = any($1::uuid[])
  union all select b.email, null, b.verified_at, null, b.created_at, null from buyers b where b.id = $2) a order by "firstSeenAt" desc`,
  },
  browsers: {
    tables: ['viewer_devices'],
    select: `select ua_family as browser, os_family as system, in_app as "inApp", country, tz as "timeZone", screen, first_seen_at as "firstSeenAt",
  last_seen_at as "lastSeenAt" from viewer_devices where viewer_id = any($1::uuid[]) order by last_seen_at desc`,
  },
  visits: {
    tables: ['viewer_sessions'],
    select: `select ${creatorOf('s.creator_id')}, s.started_at as "startedAt", s.ended_at as "endedAt", s.watch_ms as "watchedMs", s.items_seen as items,
  s.country, s.region, s.city, s.location_source as "placeBy", s.referrer_app as "cameFrom", s.ua_family as browser, s.os_family as system
from viewer_sessions s where s.viewer_id = any($1::uuid[]) order by s.started_at desc, s.id desc`,
  },
  links: {
    tables: ['link_viewers'],
    select: `select ${creatorOf('a.creator_id')}, a.first_admitted_at as "firstLetInAt", a.last_visit_at as "lastVisitAt", a.visits, a.watched_ms as "watchedMs"
from link_viewers a where a.viewer_id = any($1::uuid[]) order by a.first_admitted_at desc`,
  },
  gates: {
    tables: ['gate_passes'],
    select: 'select gate, at, email from gate_passes where viewer_id = any($1::uuid[]) order by at desc',
  },
  agreements: {
    tables: ['agreement_acceptances'],
    select: `select ${creatorOf('c.creator_id')}, t.title, t.body as text, c.typed_name as "typedName", c.at
from agreement_acceptances c join agreements t on t.id = c.agreement_id where c.viewer_id = any($1::uuid[]) order by c.at desc`,
  },
  accessRequests: {
    tables: ['album_access_requests'],
    select: `select ${creatorOf('q.user_id')}, q.requester_name as name, q.requester_message as message, q.requester_email as email, q.request_status as status,
  q.decision_text as answer, q.country, q.created_at as "askedAt", q.reviewed_at as "answeredAt"
from album_access_requests q where q.viewer_id = any($1::uuid[]) order by q.created_at desc`,
  },
  accesses: {
    tables: ['album_access_grants'],
    select: `select ${creatorOf('g.user_id')}, g.source, g.created_at as "givenAt", g.expires_at as "expiresAt", g.revoked_at as "takenBackAt"
from album_access_grants g where g.viewer_id = any($1::uuid[]) order by g.created_at desc`,
  },
  passes: {
    tables: ['join_claims'],
    select: `select ${creatorOf('c.creator_id')}, c.claimed_at as "takenAt", c.ip_country as country from join_claims c
where c.viewer_id = any($1::uuid[]) order by c.claimed_at desc`,
  },
  securityEvents: {
    tables: ['security_events'],
    select: `select ${creatorOf('e.creator_id')}, e.event_type as what, e.count, e.timestamp as at, e.device_info as device
from security_events e where e.viewer_id = any($1::uuid[]) order by e.timestamp desc`,
  },
  payments: {
    tables: ['checkout_orders', 'receipts'],
    select: `select o.id as "orderId", r.number as receipt, o.kind, o.state, o.creator_name as creator, o.amount_cents as "amountCents", o.refunded_cents as "refundedCents",
  o.currency, not o.livemode as "isTest", o.message, o.signed_by as "signedBy", o.is_anonymous as "isAnonymous", o.created_at as "begunAt", o.paid_at as "paidAt"
from checkout_orders o left join receipts r on r.order_id = o.id where ${ofOrders} order by o.created_at desc, o.id desc`,
  },
  refunds: {
    tables: ['refunds'],
    select: `select f.order_id as "orderId", f.amount_cents as "amountCents", f.reason, f.state, f.created_at as at, f.settled_at as "settledAt"
from refunds f join checkout_orders o on o.id = f.order_id where ${ofOrders} order by f.created_at desc`,
  },
  refundRequests: {
    tables: ['refund_requests'],
    select: `select q.order_id as "orderId", q.kind, q.reason, q.text, q.state, q.answer, q.created_at as at, q.answered_at as "answeredAt"
from refund_requests q join checkout_orders o on o.id = q.order_id where ${ofOrders} order by q.created_at desc`,
  },
  disputes: {
    tables: ['disputes'],
    select: `select d.order_id as "orderId", d.reason, d.standing as state, d.amount_cents as "amountCents", d.currency, d.opened_at as "openedAt", d.decided_at as "decidedAt"
from disputes d left join checkout_orders o on o.id = d.order_id where d.viewer_id = any($1::uuid[]) or o.buyer_id = $2 order by d.opened_at desc`,
  },
  failedPayments: {
    tables: ['payment_failures'],
    select: 'select order_id as "orderId", at from payment_failures where viewer_id = any($1::uuid[]) order by at desc',
  },
  subscriptions: {
    tables: ['fan_subscriptions'],
    select: `select o.source, o.creator_name as creator, o.tier_name as tier, o.status, o.amount_cents as "amountCents", o.currency, o.months, o.card_brand as "cardBrand",
  o.card_last4 as "cardLast4", o.created_at as since, o.period_end as until, o.cancel_at_period_end as "isEnding", o.ended_at as "endedAt"
from fan_subscriptions o where ${ofOrders} order by o.created_at desc, o.id desc`,
  },
  customRequests: {
    tables: ['custom_requests'],
    select: `select o.id as "requestId", o.creator_name as creator, o.title, o.brief, o.kind, o.quantity, o.state, o.offered_cents as "offeredCents", o.agreed_cents as "agreedCents",
  o.currency, o.created_at as "askedAt", o.paid_at as "paidAt", o.delivered_at as "deliveredAt", o.closed_at as "closedAt"
from custom_requests o where ${ofOrders} order by o.created_at desc, o.id desc`,
  },
  customRequestSteps: {
    tables: ['custom_request_events'],
    select: `select e.request_id as "requestId", e.who, e.what, e.text, e.amount_cents as "amountCents", e.at
from custom_request_events e join custom_requests o on o.id = e.request_id where ${ofOrders} order by e.id desc`,
  },
  emails: {
    tables: ['mail_outbox'],
    select: `select template as what, subject, state, created_at as "writtenAt", sent_at as "sentAt" from mail_outbox where recipient = $3
order by created_at desc`,
  },
  messagesToSupport: {
    tables: ['support_requests', 'support_answers', 'support_replies'],
    select: `select s.number, s.name, s.subject, s.message, s.status, s.created_at as at,
  (select json_agg(json_build_object('text', a.text, 'at', a.created_at) order by a.created_at) from support_answers a where a.request_id = s.id) as answers,
  (select json_agg(json_build_object('text', r.text, 'at', r.created_at) order by r.created_at) from support_replies r where r.request_id = s.id) as "wroteAgain"
  from support_requests s where lower(s.email) = $3 order by s.created_at desc`,
  },
  signUps: {
    tables: ['lead_captures'],
    select: `select source, page_path as page, referrer, user_agent as browser, created_at as at from lead_captures where lower(email) = $3 order by created_at desc`,
  },
  reminders: {
    tables: ['link_reminders'],
    select:
      'select opens_at as at, created_at as "askedAt" from link_reminders where lower(email) = $3 order by created_at desc',
  },
  consents: {
    tables: ['co_performers'],
    select: `select ${creatorOf('p.user_id')}, p.consent_state as state, p.typed_name as "typedName", p.country, p.agreed_words as "agreedTo", p.requested_at as "askedAt",
  p.given_at as "givenAt", p.ended_at as "endedAt" from co_performers p where lower(p.email) = $3 order by p.requested_at desc`,
  },
  affiliate: {
    tables: ['affiliates'],
    select:
      'select name, audience, state, created_at as at from affiliates where lower(email) = $3 order by created_at desc',
  },
} satisfies Record<string, Listing>;

/** Tables with rows of people of which the file has nothing, and why. */
export const notInOwnFile: Readonly<Record<string, string>> = {
  view_events: 'what happened within visits, until it is folded into sums a day later',
  creator_viewers: 'sums of the visits',
  link_seen: 'sums of the visits',
  viewer_aliases: 'what creators call somebody for themselves',
  viewer_blocks: 'what creators note about somebody for themselves',
  viewer_pseudonyms: 'ids by which creators tell viewers apart',
  place_reservations: 'an hour long, while somebody pays',
  viewer_resume_codes: 'secrets',
  buyer_browsers: 'hashes of secrets',
  buyer_recovery_tokens: 'hashes of secrets',
  request_codes: 'a code that lives for minutes',
  pass_codes: 'a code that lives for minutes',
  gate_codes: 'a code that lives for minutes',
  data_codes: 'a code that lives for minutes',
  people_erasures: 'the page says it',
};

const names = Object.keys(ownListings) as (keyof typeof ownListings)[];
const everything = statement<Record<string, unknown[]>>(
  'people_own_file',
  `select ${names
    .map(
      (name) =>
        `(select coalesce(json_agg(r), '[]') from (${ownListings[name].select} limit ${mostRows}) r) as "${name}"`,
    )
    .join(',\n')}
where $1::uuid[] is not null and ($2::uuid is null or true) and ($3::text is null or true)`,
);

/** Reads everything that is kept of somebody. Of an address with an account what is mailed and written there is left to the account's export. */
export async function readOwnRows(
  tx: Pick<Tx, 'query'>,
  { viewerIds, buyerId, email, isAccount }: KnownPerson,
): Promise<Record<string, unknown[]>> {
  const [row] = await tx.query(everything, [viewerIds, buyerId, isAccount ? null : email]);
  return row ?? {};
}
