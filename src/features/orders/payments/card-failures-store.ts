import { statement, type Tx } from '#engines/database/work.ts';
import type { CardFailure, Realm } from '#engines/payments/payments.ts';

type Source = Pick<Tx, 'query'>;

const noted = statement(
  'payment_failures_noted',
  `insert into payment_failures (provider, livemode, charge_id, order_id, link_id, viewer_id, card, at)
select $1, $2, n.charge_id, o.id, o.link_id, o.viewer_id, n.card, n.at
from checkout_orders o cross join unnest($4::text[], $5::text[], $6::timestamptz[]) as n (charge_id, card, at) where o.id = $3
on conflict (provider, charge_id) do nothing`,
);

/** Writes down which cards were declined for an order; those that stand there already change nothing. */
export async function noteFailures(
  tx: Tx,
  { provider, livemode }: Realm,
  orderId: string,
  failures: readonly CardFailure[],
): Promise<void> {
  const columns = [
    failures.map(({ chargeId }) => chargeId),
    failures.map(({ card }) => card ?? null),
    failures.map(({ at }) => at),
  ];
  await tx.query(noted, [provider, livemode, orderId, ...columns]);
}

/** Where something is paid: at a link, for a request, or with a creator themselves. */
export interface Counter {
  kind: 'link' | 'request' | 'page';
  /** Of the link, the request or the creator; null where they are gone. */
  id: string | null;
}

/** What is known of a browser and of a counter where somebody may be trying out cards. */
export interface CardTests {
  /** Different cards of this viewer that were declined lately, and when the last one was. */
  cards: number;
  lastCardAt: Date | null;
  /** Declined payments at this counter since the last one that was made there, and when the last one was. */
  inRow: number;
  lastInRowAt: Date | null;
}

// A month that is paid by itself is paid at no counter: it has no checkout.
const tests = statement<CardTests>(
  'card_tests',
  `select mine.cards, mine.last_at as "lastCardAt", row.count as "inRow", row.last_at as "lastInRowAt" from
  (select count(distinct f.card)::int as cards, max(f.at) as last_at from payment_failures f
    where f.viewer_id = $2 and f.provider = $3 and f.livemode = $4 and f.at > $5) mine,
  (select greatest(
    (select max(o.paid_at) from checkout_orders o where $6::text = 'link' and o.link_id = $1
      and o.session_id is not null and o.provider = $3 and o.livemode = $4),
    (select max(o.paid_at) from checkout_orders o where $6 = 'request' and o.request_id = $1
      and o.session_id is not null and o.provider = $3 and o.livemode = $4),
    (select max(o.paid_at) from checkout_orders o where $6 = 'page' and o.creator_id = $1 and o.link_id is null and o.request_id is null
      and o.session_id is not null and o.provider = $3 and o.livemode = $4)) as at) paid,
  lateral (select count(*)::int as count, max(f.at) as last_at from payment_failures f join checkout_orders o on o.id = f.order_id
    where f.provider = $3 and f.livemode = $4 and f.at > $5 and f.at > coalesce(paid.at, '-infinity')
      and (($6 = 'link' and f.link_id = $1) or ($6 = 'request' and o.request_id = $1)
        or ($6 = 'page' and o.creator_id = $1 and o.link_id is null and o.request_id is null))) row`,
);

/** @param viewerId of a browser that is known @param since what happened before is forgotten */
export async function findCardTests(
  tx: Source,
  { provider, livemode }: Realm,
  { counter, viewerId, since }: { counter: Counter; viewerId: string | undefined; since: Date },
): Promise<CardTests> {
  const [row] = await tx.query(tests, [counter.id, viewerId ?? null, provider, livemode, since, counter.kind]);
  return row ?? { cards: 0, lastCardAt: null, inRow: 0, lastInRowAt: null };
}

const swept = statement('payment_failures_swept', 'delete from payment_failures where at < $1');

/** Forgets what is too old to keep anybody from paying. */
export async function sweepFailures(tx: Source, before: Date): Promise<void> {
  await tx.query(swept, [before]);
}
