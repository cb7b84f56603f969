-- How a creator is paid out. The provider's own schedule is off: each payout is asked for, so one that is held is not made.
alter table user_stripe_accounts
  add payout_interval text not null default 'daily' check (payout_interval in ('daily', 'weekly', 'monthly', 'manual')),
  add schedule_stopped_at timestamptz;

create table payouts (
  id uuid primary key,
  user_id uuid references users on delete set null,
  provider text not null,
  livemode boolean not null,
  acct_id text not null,
  amount_cents bigint not null check (amount_cents > 0),
  currency text not null check (currency ~ '^[a-z]{3}$'),
  state text not null default 'created' check (state in ('created', 'in_transit', 'paid', 'failed', 'canceled')),
  -- Of one on schedule: the day where its creator is. One asked for by hand has none.
  day date,
  payout_id text,
  failure text,
  tries integer not null default 0,
  next_try_at timestamptz,
  created_at timestamptz not null,
  arrives_at timestamptz,
  settled_at timestamptz,
  unique (provider, payout_id),
  unique (acct_id, provider, livemode, day)
);
-- One at a time: a second tap finds the first.
create unique index payouts_created on payouts (acct_id, provider, livemode) where state = 'created';
create index payouts_open on payouts (created_at) where state in ('created', 'in_transit');
create index payouts_user on payouts (user_id, created_at desc);
select wall('payouts', 'user_id', 'true', 'select');

-- Why a creator is not paid out.
create table payout_holds (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  provider text not null,
  livemode boolean not null,
  code text not null
    check (code in ('ID_MISSING', 'BANK_REJECTED', 'REVIEW_NEW', 'DISPUTE_RATE', 'REPORT_OPEN', 'SANCTIONS')),
  -- What staff tells her.
  note text not null default '' check (length(note) <= 500),
  by_kind text not null check (by_kind in ('system', 'staff')),
  since timestamptz not null,
  expected_at timestamptz,
  ended_at timestamptz,
  ended_by text check (ended_by in ('system', 'staff')),
  check ((ended_at is null) = (ended_by is null))
);
create unique index payout_holds_open on payout_holds (user_id, provider, livemode, code) where ended_at is null;
create index payout_holds_since on payout_holds (since) where ended_at is null;
select wall('payout_holds', 'user_id', 'true', 'select');

-- What a creator says about it, and what is answered.
create table payout_appeals (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  provider text not null,
  livemode boolean not null,
  text text not null check (length(text) between 1 and 1000),
  created_at timestamptz not null,
  answer text check (length(answer) <= 1000),
  is_granted boolean,
  answered_at timestamptz,
  check ((answered_at is null) = (answer is null) and (answered_at is null) = (is_granted is null))
);
create unique index payout_appeals_open on payout_appeals (user_id, provider, livemode) where answered_at is null;
create index payout_appeals_user on payout_appeals (user_id, created_at desc);
select wall('payout_appeals', 'user_id', 'true', 'select');
