-- A partner's code, share and account. An application becomes a partner's row when it is approved; it belongs to the account that claims
-- it, whose confirmed address is the one that was applied with. From then on the account's address counts, and the one here is empty.
alter table affiliates
  add column user_id uuid unique references users on delete set null,
  add column code text unique check (code ~ '^[A-Z0-9]{6,12}$'),
  add column share_bps integer check (share_bps between 0 and 5000),
  add column note text not null default '' check (length(note) <= 500),
  add column decided_by uuid references users on delete set null,
  add column decided_at timestamptz,
  add column claimed_at timestamptz,
  add constraint partner_has_terms check (state in ('applied', 'rejected', 'closed') or (code is not null and share_bps is not null));
create index affiliates_email on affiliates (email);
create index affiliates_decided_by on affiliates (decided_by);
create policy own on affiliates for select to app_user using (user_id = (select app_uid()));
grant select on affiliates to app_user;

-- Somebody followed a partner's link: one row for each browser and partner. An estimate, with no address.
create table affiliate_clicks (
  id uuid primary key,
  affiliate_id uuid not null references affiliates on delete cascade,
  visitor_hash bytea not null check (length(visitor_hash) = 32),
  landing text not null check (length(landing) <= 200),
  utm jsonb,
  browser text not null check (length(browser) <= 40),
  at timestamptz not null,
  unique (affiliate_id, visitor_hash)
);
create index affiliate_clicks_at on affiliate_clicks (at);
create index affiliate_clicks_affiliate on affiliate_clicks (affiliate_id, at);
select wall('affiliate_clicks');

-- An account that came by a partner's code. An account has one partner at most, from its sign-up on.
create table affiliate_referrals (
  id uuid primary key,
  affiliate_id uuid not null references affiliates,
  user_id uuid unique references users on delete set null,
  source text not null check (source in ('link', 'code')),
  first_touch_at timestamptz not null,
  signed_up_at timestamptz not null,
  ends_at timestamptz not null,
  void_at timestamptz,
  void_reason text check (void_reason in ('same_person', 'spam', 'brand_ads', 'other')),
  void_note text not null default '' check (length(void_note) <= 500),
  check ((void_at is null) = (void_reason is null))
);
create index affiliate_referrals_affiliate on affiliate_referrals (affiliate_id, signed_up_at desc);
select wall('affiliate_referrals');

-- A run in which partners are paid, and what each of them gets in it: paid by hand, and confirmed line by line.
create table affiliate_runs (
  id uuid primary key,
  provider text not null check (provider in ('sandbox', 'stripe')),
  livemode boolean not null,
  begun_by uuid references users on delete set null,
  created_at timestamptz not null
);
create index affiliate_runs_created on affiliate_runs (created_at desc);
create index affiliate_runs_begun_by on affiliate_runs (begun_by);
select wall('affiliate_runs');

create table affiliate_payouts (
  id uuid primary key,
  run_id uuid not null references affiliate_runs,
  affiliate_id uuid not null references affiliates,
  amount_cents bigint not null check (amount_cents > 0),
  currency text not null check (currency ~ '^[a-z]{3}$'),
  state text not null default 'open' check (state in ('open', 'paid', 'canceled')),
  note text not null default '' check (length(note) <= 500),
  created_at timestamptz not null,
  settled_at timestamptz,
  settled_by uuid references users on delete set null,
  check ((state = 'open') = (settled_at is null))
);
create unique index affiliate_payouts_open on affiliate_payouts (affiliate_id, currency) where state = 'open';
create index affiliate_payouts_affiliate on affiliate_payouts (affiliate_id, created_at desc);
create index affiliate_payouts_run on affiliate_payouts (run_id);
create index affiliate_payouts_settled_by on affiliate_payouts (settled_by);
select wall('affiliate_payouts');

-- A partner's share of one paid bill. One that was paid and whose bill went back afterwards stays paid, and is taken from a later payout
-- (`recovered_by`).
create table commissions (
  id uuid primary key,
  provider text not null check (provider in ('sandbox', 'stripe')),
  livemode boolean not null,
  invoice_id text not null unique check (length(invoice_id) <= 255),
  referral_id uuid not null references affiliate_referrals,
  affiliate_id uuid not null references affiliates,
  amount_cents bigint not null check (amount_cents > 0),
  currency text not null check (currency ~ '^[a-z]{3}$'),
  state text not null default 'pending' check (state in ('pending', 'payable', 'paid', 'void')),
  created_at timestamptz not null,
  payable_at timestamptz not null,
  charge_id text check (length(charge_id) <= 255),
  paid_at timestamptz,
  reversed_at timestamptz,
  reversed_because text check (reversed_because in ('refunded', 'disputed', 'referral_void')),
  payout_id uuid references affiliate_payouts,
  recovered_by uuid references affiliate_payouts,
  check ((reversed_at is null) = (reversed_because is null)),
  check (state <> 'void' or reversed_at is not null),
  check ((state = 'paid') = (paid_at is not null))
);
create index commissions_affiliate on commissions (affiliate_id, created_at desc);
create index commissions_referral on commissions (referral_id);
create index commissions_pending on commissions (payable_at) where state = 'pending';
create index commissions_unnamed on commissions (created_at) where charge_id is null and reversed_at is null;
create index commissions_payout on commissions (payout_id);
create index commissions_recovered on commissions (recovered_by);
select wall('commissions');

alter table credit_lots drop constraint credit_lots_source_check;
alter table credit_lots add constraint credit_lots_source_check
  check (source in ('pack', 'suite', 'first_album', 'first_link', 'payouts', 'grant', 'returned', 'referral'));
