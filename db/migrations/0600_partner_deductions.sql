-- What of a partner's share has gone back, a row for each time: a bill may be given back in parts. What came off a payout stands in it
-- (`taken_by`); what came after its share was paid is taken off the next one.
create table affiliate_deductions (
  id uuid primary key,
  provider text not null check (provider in ('sandbox', 'stripe')),
  livemode boolean not null,
  affiliate_id uuid not null references affiliates,
  commission_id uuid not null references commissions,
  amount_cents bigint not null check (amount_cents > 0),
  currency text not null check (currency ~ '^[a-z]{3}$'),
  because text not null check (because in ('refunded', 'disputed', 'referral_void')),
  created_at timestamptz not null,
  taken_by uuid references affiliate_payouts
);
create index affiliate_deductions_affiliate on affiliate_deductions (affiliate_id, created_at desc);
create index affiliate_deductions_commission on affiliate_deductions (commission_id);
create index affiliate_deductions_taken on affiliate_deductions (taken_by);
select wall('affiliate_deductions');

-- How much of a share has gone back in all; `reversed_at` is when nothing was left of it.
alter table commissions add column returned_cents bigint not null default 0;
insert into affiliate_deductions (id, provider, livemode, affiliate_id, commission_id, amount_cents, currency, because, created_at, taken_by)
  select gen_random_uuid(), provider, livemode, affiliate_id, id, amount_cents, currency, reversed_because, reversed_at, recovered_by
  from commissions where reversed_at is not null and state <> 'void';
update commissions set returned_cents = amount_cents where reversed_at is not null;
alter table commissions
  drop column recovered_by,
  add constraint returned_is_a_part check (returned_cents between 0 and amount_cents),
  add constraint reversed_is_all check ((reversed_at is not null) = (returned_cents = amount_cents));

-- When a creator was told that all of a bill goes back: what went back is also noted where nobody here has asked for it.
alter table plan_invoices add column refund_told_at timestamptz;
update plan_invoices set refund_told_at = coalesce(paid_at, created_at) where refunded_cents > 0;
