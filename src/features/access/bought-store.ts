import type { PaidTip } from './offer-steps.ts';
import type { GrantFact } from './rules.ts';

const isPaid = `o.state in ('paid', 'partially_refunded') and o.kind in ('tip', 'album', 'bundle')`;
const hasOpened = `o.terms @> '{"opens":true}'`;

/** Of the newest payment that opened the link. */
const newestOf = (column: string) =>
  `(array_agg(o.${column} order by o.paid_at desc, o.id desc) filter (where ${isPaid} and ${hasOpened}))[1]`;

/** All that is left of payment `o` is on its way back: it opens nothing any more. */
export const isReturning = `exists (select from refunds b where b.order_id = o.id and b.state = 'pending' and b.until_cents is null)`;

/** What viewer `v` has paid on link `l`, in the realm of $4 and $5. What came when its sale was over opens nothing. While a bank has one payment, that it has returned another says less. */
export const paidFrom = `left join lateral (
  select json_agg(o.amount_cents) filter (where ${isPaid} and o.kind = 'tip') as tips,
    json_agg(json_build_object('cents', o.amount_cents, 'offers', (select p.policy->'offers' from link_policy_log p
      where p.link_id = o.link_id and p.version = o.policy_version)) order by o.paid_at desc, o.id desc)
      filter (where ${isPaid} and o.kind = 'tip' and not ${hasOpened} and o.policy_version <> l.policy_version) as begun,
    ${newestOf('policy_version')} as bought_version,
    ${newestOf('opened_at')} as bought_opened_at, ${newestOf('visits_before')} as bought_visits, ${newestOf('watched_before_ms')} as bought_watched_ms,
    ${newestOf('lent_before_ms')} as bought_lent_ms,
    max(o.state) filter (where o.state in ('charged_back', 'disputed') and (o.kind = 'fan_sub' or ${hasOpened})) as payback
  from checkout_orders o where o.link_id = l.id and o.viewer_id = v.id and o.state in ('paid', 'partially_refunded', 'disputed', 'charged_back')
    and o.provider = $4 and o.livemode = $5 and o.retired_at is null and o.ended_at is null and (o.state in ('disputed', 'charged_back') or not ${isReturning})) t on true`;

/** The link delivers what viewer `v` asked and paid for. */
const isDelivery = 'exists (select from custom_requests q where q.delivery_link_id = l.id and q.viewer_id = v.id)';

/** The rules that a payment was made under; of a delivery those that its link was made with. */
export const boughtVersion = `case when t.bought_version is null and ${isDelivery}
    then (select min(p.version) from link_policy_log p where p.link_id = l.id) else t.bought_version end`;

export const paidColumns = `t.payback, exists (select from custom_requests q join checkout_orders o on o.id = q.order_id where q.delivery_link_id = l.id and o.state = 'disputed') as delivery_held,
  ${isDelivery} as is_delivery, t.tips, t.begun, ${boughtVersion} as bought_version, t.bought_opened_at, t.bought_visits, t.bought_watched_ms, t.bought_lent_ms`;

/** What was paid, and what the admission of this viewer has used up in all. */
export interface PaidRow {
  /** What became of a payment that had opened the link, where a bank has it. */
  payback: 'disputed' | 'charged_back' | null;
  /** The link delivers what was asked for, and a bank looks at its payment. */
  delivery_held: boolean;
  /** The link delivers what this viewer asked and paid for. */
  is_delivery: boolean;
  /** What this viewer has paid on this link and not been given back, in cents. */
  tips: number[] | null;
  /** Tips that were one step of an offer, under rules that have changed since; the newest first. */
  begun: PaidTip[] | null;
  /** Of the newest payment that opened the link: the version of the rules that it was made under. */
  bought_version: number | null;
  bought_opened_at: Date | null;
  /** What this viewer had used up when they first opened what they paid for. */
  bought_visits: number | null;
  bought_watched_ms: number | null;
  bought_lent_ms: number | null;
  visits: number | null;
  watched_ms: number | null;
  lent_ms: number | null;
}

/** Counted on one link for one viewer. */
export interface UsedUp {
  visits: number;
  watchedMs: number;
  lentMs: number;
}

/** A payment that opened the link, or that it delivers for, has bought what it shows, whatever its rules say later. */
export const boughtOf = ({ bought_version }: PaidRow, albums: readonly { albumId: string }[]): GrantFact[] =>
  bought_version === null ? [] : [{ albumIds: albums.map(({ albumId }) => albumId), source: 'purchase' }];

/** Whoever pays begins again: with the first look after it, and with nothing used up. */
export function usedBeforeOf(row: PaidRow): UsedUp {
  if (row.bought_version === null) return { visits: 0, watchedMs: 0, lentMs: 0 };
  if (row.bought_opened_at === null)
    return { visits: row.visits ?? 0, watchedMs: row.watched_ms ?? 0, lentMs: row.lent_ms ?? 0 };
  const { bought_visits, bought_watched_ms, bought_lent_ms } = row;
  return { visits: bought_visits ?? 0, watchedMs: bought_watched_ms ?? 0, lentMs: bought_lent_ms ?? 0 };
}
