import { statement, type Tx } from '#engines/database/work.ts';
import type { DisputeEvidence, DisputeOutcome } from '#engines/payments/disputes.ts';
import type { Realm } from '#engines/payments/payments.ts';
import { feeColumns, owedColumn } from '../dispute-fees-store.ts';
import type { EvidenceFacts } from './evidence-facts.ts';

const iso = (moment: string) => `to_char(${moment} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;
/**
 * Visits of who has paid to what was paid for: a subscription opens more than the link at which it was begun, and a request is
 * delivered by a link of its own.
 */
const ofBuyer = `n.viewer_id = o.viewer_id and n.creator_id = o.creator_id
  and (o.kind = 'fan_sub' or n.link_id = coalesce(o.link_id, q.delivery_link_id))`;
/** When a request came to something for the first time, by who brought it there. */
const firstTime = (who: string, what: string) =>
  `(select ${iso('min(e.at)')} from custom_request_events e where e.request_id = q.id and e.who = '${who}' and e.what = '${what}')`;

/** The first month is paid at a checkout, the later ones by a bill. */
const isRenewal = `(o.kind = 'fan_sub' and o.session_id is null)`;
const firstOrder = `(select b.id from checkout_orders b where b.fan_subscription_id = o.fan_subscription_id and b.session_id is not null
    order by b.created_at limit 1)`;

const factsOf = statement<{ facts: EvidenceFacts }>(
  'dispute_facts',
  `select json_build_object('kind', o.kind, 'isOnPage', o.on_page, 'amountCents', o.amount_cents, 'currency', o.currency, 'orderedAt', ${iso('f.created_at')},
  'termsShown', f.terms_shown, 'isRenewal', ${isRenewal},
  'paidAt', ${iso('o.paid_at')}, 'receiptNumber', (select r.number from receipts r where r.order_id = o.id), 'creatorName', o.creator_name,
  'email', (select b.email from buyers b where b.id = o.buyer_id), 'policyVersion', o.policy_version,
  'policy', (select p.policy from link_policy_log p where p.link_id = o.link_id and p.version = o.policy_version),
  'devices', (select coalesce(json_agg(json_build_object('browser', v.ua_family, 'system', v.os_family, 'country', v.country,
      'since', ${iso('v.first_seen_at')}) order by v.first_seen_at), '[]')
    from (select * from viewer_devices n where n.viewer_id = o.viewer_id order by n.first_seen_at limit 10) v),
  'visits', (select coalesce(json_agg(json_build_object('startedAt', ${iso('s.started_at')}, 'watchMs', s.watch_ms, 'itemsSeen', s.items_seen,
      'country', s.country, 'browser', s.ua_family, 'system', s.os_family) order by s.started_at), '[]')
    from (select * from viewer_sessions n where ${ofBuyer} and n.started_at >= o.paid_at order by n.started_at limit 1000) s),
  'delivery', case when q.id is not null then json_build_object('deliveredAt', ${firstTime('creator', 'deliver')},
      'acceptedAt', ${firstTime('buyer', 'accept')}, 'countedAt', ${firstTime('system', 'released')}) end,
  'items', (select json_build_object('photos', count(distinct m.id) filter (where m.kind = 'photo'),
      'videos', count(distinct m.id) filter (where m.kind = 'video'), 'firstAt', ${iso('min(e.first_at)')}, 'lastAt', ${iso('max(e.last_at)')})
    from link_viewers n join deliveries e on e.grant_id = n.id join media m on m.id = e.media_id where ${ofBuyer} and e.last_at >= o.paid_at),
  'emails', (select coalesce(json_agg(json_build_object('subject', l.subject, 'state', l.state, 'at', ${iso('coalesce(l.sent_at, l.created_at)')})
      order by l.created_at), '[]')
    from (select m.* from mail_outbox m join buyers b on b.email = m.recipient where b.id = o.buyer_id and m.created_at >= coalesce(q.created_at, o.created_at)
      and (m.template in ('receipt', 'purchases', 'fan_renews', 'fan_payment_failed', 'fan_cancelled', 'fan_price', 'order_refunded', 'access_ends', 'access_ended')
        or (q.id is not null and m.template in ('request_sent', 'request_quoted', 'request_paid', 'request_delivered', 'request_ended'))) order by m.created_at limit 50) l)) as facts
from checkout_orders o left join custom_requests q on q.order_id = o.id
  left join checkout_orders f on f.id = case when ${isRenewal} then ${firstOrder} else o.id end where o.id = $1`,
);

/** What is known of a payment; undefined where its order is gone. */
export const findEvidenceFacts = async (tx: Tx, orderId: string): Promise<EvidenceFacts | undefined> =>
  (await tx.query(factsOf, [orderId]))[0]?.facts;

const kept = statement(
  'dispute_evidence_kept',
  `insert into dispute_evidence (dispute_id, facts, fields, was_opened, built_at) values ($1, $2, $3, $4, $5) on conflict do nothing`,
);

/** Keeps evidence as it was first built. */
export async function keepEvidence(
  tx: Tx,
  id: string,
  { facts, fields, isOpened, now }: { facts: EvidenceFacts; fields: DisputeEvidence; isOpened: boolean; now: Date },
): Promise<void> {
  await tx.query(kept, [id, JSON.stringify(facts), JSON.stringify(fields), isOpened, now]);
}

const dropped = statement(
  'dispute_evidence_dropped',
  `with more as (update disputes set evidence_attempts = evidence_attempts + 1 where id = $1)
delete from dispute_evidence where dispute_id = $1`,
);

/** Forgets what was built for an inquiry, with all that staff have said of it: a chargeback is answered again. */
export async function dropEvidence(tx: Tx, id: string): Promise<void> {
  await tx.query(dropped, [id]);
}

const unbuilt = statement<{ id: string; orderId: string }>(
  'dispute_evidence_unbuilt',
  `select d.id, d.order_id as "orderId" from disputes d where d.provider = $1 and d.livemode = $2 and d.order_id is not null
  and d.standing in ('warning', 'open') and not exists (select from dispute_evidence e where e.dispute_id = d.id) order by d.opened_at limit 100`,
);

/** Disputes for which no evidence has been built. */
export const listUnbuilt = (tx: Tx, { provider, livemode }: Realm) => tx.query(unbuilt, [provider, livemode]);

/** Evidence that was built, with how its dispute stands. */
export interface EvidenceRow {
  id: string;
  disputeId: string;
  orderId: string | null;
  /** Credits that a creator bought of the platform. */
  isPack: boolean;
  standing: DisputeOutcome;
  status: string;
  reason: string;
  amountCents: number;
  currency: string;
  dueBy: Date | null;
  openedAt: Date;
  submittedAt: Date | null;
  facts: EvidenceFacts | null;
  fields: DisputeEvidence | null;
  isOpened: boolean | null;
  builtAt: Date | null;
  objectedAt: Date | null;
  objection: string | null;
  wantedAt: Date | null;
  handedInAt: Date | null;
  refused: string | null;
  /** The attempt that comes next, or is the last. */
  attempt: number;
  /** Its creator's account has too little for what is to be taken back from it; once it was won, the platform's for what is given again. */
  isOwed: boolean;
  /** What its creator bears of the fee; null until it is decided. */
  borneCents: number | null;
  isFeeTaken: boolean;
  isFeeAwaited: boolean;
  isFeeReturned: boolean;
  /** Payments of the same viewer that were disputed, with this one. */
  ofViewer: number;
}

const columns = `d.id, d.dispute_id as "disputeId", d.order_id as "orderId",
  exists (select from credit_orders c where c.charge_id = d.charge_id and c.provider = d.provider and c.livemode = d.livemode) as "isPack", d.standing, d.status, d.reason, d.amount_cents as "amountCents", d.currency,
  d.due_by as "dueBy", d.opened_at as "openedAt", d.submitted_at as "submittedAt", e.facts, e.fields, e.was_opened as "isOpened",
  e.built_at as "builtAt", e.objected_at as "objectedAt", e.objection, e.wanted_at as "wantedAt", e.handed_in_at as "handedInAt", e.refused, d.evidence_attempts as attempt,
  d.borne_cents as "borneCents", ${owedColumn}, ${feeColumns},
  (select count(*)::int from disputes o where o.viewer_id = d.viewer_id) as "ofViewer"`;

const waiting = statement<EvidenceRow>(
  'dispute_evidence_waiting',
  `select ${columns} from disputes d join dispute_evidence e on e.dispute_id = d.id where d.provider = $1 and d.livemode = $2
  and d.standing in ('warning', 'open') and d.submitted_at is null and e.handed_in_at is null and e.refused is null
  and (d.next_try_at is null or d.next_try_at <= $3) order by d.due_by limit 200`,
);

/** What could still be submitted. */
export const listWaitingEvidence = (tx: Tx, { provider, livemode }: Realm, now: Date) =>
  tx.query(waiting, [provider, livemode, now]);

const listed = statement<EvidenceRow>(
  'disputes_listed',
  `select ${columns} from disputes d left join dispute_evidence e on e.dispute_id = d.id where d.provider = $1 and d.livemode = $2
order by d.settled_at is not null, d.due_by, d.opened_at desc, d.id limit $3 offset $4`,
);

/** Every dispute: those that are open first, by when they have to be answered. */
export const listDisputes = (tx: Tx, { provider, livemode }: Realm, limit: number, offset = 0) =>
  tx.query(listed, [provider, livemode, limit, offset]);

const byName = statement<EvidenceRow>(
  'dispute_evidence_by_name',
  `select ${columns} from disputes d left join dispute_evidence e on e.dispute_id = d.id where d.provider = $1 and d.livemode = $2 and d.dispute_id = $3`,
);

export const findEvidence = async (tx: Tx, { provider, livemode }: Realm, disputeId: string) =>
  (await tx.query(byName, [provider, livemode, disputeId]))[0];

const objected = statement<{ id: string }>(
  'dispute_objected',
  `update dispute_evidence set objected_at = $2, objection = $3, wanted_at = null where dispute_id = $1 and handed_in_at is null and objected_at is null
returning dispute_id as id`,
);

/** Staff do not want it submitted. @returns false when that is known, or it was submitted */
export const objectTo = async (tx: Tx, id: string, now: Date, note: string): Promise<boolean> =>
  (await tx.query(objected, [id, now, note])).length === 1;

const wanted = statement<{ id: string }>(
  'dispute_wanted',
  `update dispute_evidence set wanted_at = $2, objected_at = null, objection = '', refused = null where dispute_id = $1 and handed_in_at is null
returning dispute_id as id`,
);

/** Staff want it submitted now. @returns false when it was */
export const wantSubmitted = async (tx: Tx, id: string, now: Date): Promise<boolean> =>
  (await tx.query(wanted, [id, now])).length === 1;

const submitted = statement(
  'dispute_handed_in',
  `with answered as (
  update disputes set evidence_attempts = evidence_attempts + case when $3::text is null then 0 else 1 end where id = $1 and evidence_attempts = $4 returning id
)
update dispute_evidence e set handed_in_at = case when $3::text is null then $2::timestamptz end, refused = $3
from answered a where e.dispute_id = a.id`,
);

/** Notes that evidence was submitted, or why the provider did not take it; nothing where it was dropped meanwhile. */
export async function markSubmitted(
  tx: Tx,
  { id, attempt }: Pick<EvidenceRow, 'id' | 'attempt'>,
  now: Date,
  refused?: string,
): Promise<void> {
  await tx.query(submitted, [id, now, refused?.slice(0, 500) ?? null, attempt]);
}
