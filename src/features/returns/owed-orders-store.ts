/** SQL of whether order `o` was paid for access that can end, and is neither ended nor held. @param provider placeholder of each */
export const isPaidAccess = ({ provider, livemode }: { provider: string; livemode: string }): string =>
  `o.state in ('paid', 'partially_refunded') and o.ended_at is null and not o.on_page and o.request_id is null and o.provider = ${provider} and o.livemode = ${livemode} and o.retired_at is null`;

/** SQL of whether order `o` is owed back when its access ends at a moment: it was not opened by then, or was paid shortly before. */
export const isOwedAt = (at: string, withinMs: string): string =>
  `((o.kind <> 'fan_sub' and (o.opened_at is null or o.opened_at > ${at})) or ${at} - o.paid_at < ${withinMs} * interval '1 ms')`;

/** SQL of whether nobody withholds the refund of order `o`. */
export const isNotWithheld = 'not exists (select from withheld_refunds w where w.order_id = o.id)';
