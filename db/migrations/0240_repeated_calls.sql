-- The sandbox remembers its answers to idempotency keys as the provider does: refusals as well, and each for a day or, of its newer
-- part, for thirty. Seconds of its own clock.
alter table sandbox_idempotency add column answered_at bigint not null default extract(epoch from now())::bigint;

-- Calls that must not be made twice: how often each was refused, by which its idempotency key is counted, and since when nobody
-- knows whether it was made.
create table provider_calls (
  provider text not null,
  livemode boolean not null,
  name text not null check (length(name) <= 200),
  refusals integer not null default 0 check (refusals >= 0),
  asked_at timestamptz,
  primary key (provider, livemode, name)
);
select wall('provider_calls');

-- What was asked for before may have been made: the provider's lists are read before it is asked for again.
insert into provider_calls (provider, livemode, name, refusals, asked_at)
select o.provider, o.livemode, 'release:' || h.request_id, 0, h.created_at from held_releases h join checkout_orders o on o.id = h.order_id where h.state = 'pending'
union all
select o.provider, o.livemode, 'refund:' || r.id, 0, r.created_at from refunds r join checkout_orders o on o.id = r.order_id where r.state = 'pending'
union all
select o.provider, o.livemode, 'refund-rev:' || r.id, 0, r.created_at from refunds r join checkout_orders o on o.id = r.order_id
where r.given_transfer_id is not null and r.given_reversal_id is null and r.state <> 'failed'
union all
select d.provider, d.livemode, 'disp-rev:' || d.dispute_id, 0, d.created_at from disputes d where d.back_cents > 0 and d.reversal_id is null
union all
select d.provider, d.livemode, 'disp-won:' || d.dispute_id, 0, d.created_at from disputes d where d.standing = 'won' and d.back_cents > 0 and d.retransfer_id is null
union all
select d.provider, d.livemode, 'disp-fee:' || d.dispute_id, d.fee_tries, d.created_at from disputes d where d.fee_asked_cents is not null and d.fee_payment_id is null
union all
select d.provider, d.livemode, 'disp-fee-back:' || d.dispute_id, 0, d.created_at from disputes d where d.fee_back_cents is not null and d.fee_back_id is null
union all
select p.provider, p.livemode, 'payout:' || p.id, 0, p.created_at from payouts p where p.state = 'created';
