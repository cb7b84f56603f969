-- Credits are prepaid units for what costs machine time beyond the plan. They are counted in the books beside money, in a currency
-- of their own, and money and credits never stand in one account or in one movement.
alter table ledger_accounts add constraint credits_stand_apart check ((currency = 'crd') = (key like 'credits:%'));
alter table ledger_transactions add constraint credits_move_apart check ((currency = 'crd') = (source_key like 'credits:%'));

-- Days are added up for earnings.
drop trigger day_kept on ledger_transactions;
create trigger day_kept after insert on ledger_transactions
  for each row when (new.owner_user_id is not null and new.currency <> 'crd') execute function add_to_ledger_day();

-- A pack that a creator buys of the platform.
create table credit_orders (
  id uuid primary key,
  provider text not null check (provider in ('sandbox', 'stripe')),
  livemode boolean not null,
  user_id uuid references users on delete set null,
  credits integer not null check (credits > 0),
  amount_cents bigint not null check (amount_cents > 0),
  currency text not null check (currency ~ '^[a-z]{3}$' and currency <> 'crd'),
  state text not null default 'pending'
    check (state in ('pending', 'paid', 'partially_refunded', 'refunded', 'disputed', 'charged_back', 'expired', 'failed')),
  session_id text,
  payment_id text,
  charge_id text,
  refunded_cents bigint not null default 0 check (refunded_cents between 0 and amount_cents),
  -- The unused part that she asked back, once, and what is paid for it.
  back_credits integer not null default 0 check (back_credits between 0 and credits),
  back_cents bigint not null default 0 check (back_cents between 0 and amount_cents),
  back_state text check (back_state in ('pending', 'succeeded', 'failed')),
  expires_at timestamptz not null,
  paid_at timestamptz,
  -- A change that the credits have not followed yet.
  is_unsettled boolean not null default false,
  synced_version integer not null default 0,
  created_at timestamptz not null,
  unique (provider, session_id),
  unique (provider, payment_id)
);
-- A double tap is one checkout.
create unique index credit_orders_open on credit_orders (user_id, provider, livemode) where state = 'pending';
create index credit_orders_user on credit_orders (user_id, created_at desc);
create index credit_orders_asked on credit_orders (created_at) where state = 'pending';
create index credit_orders_unsettled on credit_orders (created_at) where is_unsettled;
create index credit_orders_back on credit_orders (created_at) where back_state = 'pending';
select wall('credit_orders', 'user_id', 'true', 'select');

-- What is left of what was given or bought, in the order in which it is spent. The balance is the books'; all that is left adds up
-- to it, or to nothing where it is below zero.
create table credit_lots (
  id uuid primary key,
  provider text not null check (provider in ('sandbox', 'stripe')),
  livemode boolean not null,
  user_id uuid not null references users on delete cascade,
  source text not null check (source in ('pack', 'suite', 'first_album', 'first_link', 'payouts', 'grant', 'returned')),
  order_id uuid unique references credit_orders on delete set null,
  granted integer not null check (granted > 0),
  remaining integer not null check (remaining between 0 and granted),
  -- Of a pack: what went back with its money.
  taken_back integer not null default 0 check (taken_back between 0 and granted),
  -- How often that has changed.
  turns integer not null default 0,
  expires_at timestamptz,
  created_at timestamptz not null,
  check (source <> 'pack' or expires_at is null)
);
create index credit_lots_spent on credit_lots (user_id, expires_at, created_at, id) where remaining > 0;
create index credit_lots_user on credit_lots (user_id);
create index credit_lots_ending on credit_lots (expires_at) where remaining > 0 and expires_at is not null;
select wall('credit_lots', 'user_id', 'true', 'select');

-- What credits were spent for: the job that they paid, and the lots that they came from.
create table credit_debits (
  job_id uuid primary key,
  provider text not null check (provider in ('sandbox', 'stripe')),
  livemode boolean not null,
  user_id uuid not null references users on delete cascade,
  what text not null check (what in ('trace', 'storage')),
  credits integer not null check (credits > 0),
  lots jsonb not null,
  created_at timestamptz not null,
  -- It failed through our fault, and what it cost was given back.
  revoked_at timestamptz
);
create index credit_debits_user on credit_debits (user_id, created_at desc);
create index credit_debits_traces on credit_debits (created_at) where what = 'trace' and revoked_at is null;
select wall('credit_debits', 'user_id', 'true', 'select');

-- Storage beyond the plan, for a time.
create table storage_extras (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  bytes bigint not null check (bytes > 0),
  created_at timestamptz not null,
  ends_at timestamptz not null check (ends_at > created_at)
);
create index storage_extras_user on storage_extras (user_id, ends_at);
select wall('storage_extras', 'user_id', 'true', 'select');
