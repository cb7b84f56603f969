-- Money: whom it is paid to, what is bought, what goes back, and the books. Rows of one realm (provider, livemode) never meet
-- those of another.

create table user_stripe_accounts (
  user_id uuid not null references users on delete cascade,
  provider text not null check (provider in ('sandbox', 'stripe')),
  livemode boolean not null,
  acct_id text not null,
  status text not null default 'pending' check (status in ('pending', 'complete')),
  full_status text not null default 'pending' check (full_status in ('pending', 'complete', 'restricted', 'closed')),
  missing jsonb not null default '[]',
  connected_at timestamptz,
  synced_at timestamptz,
  synced_version integer not null default 0,
  created_at timestamptz not null,
  primary key (user_id, provider, livemode),
  unique (provider, acct_id)
);
select wall('user_stripe_accounts', 'user_id', 'true', 'select');

-- Who has paid, by the address that they gave; it proves nothing until it is confirmed.
create table buyers (
  id uuid primary key,
  email text not null unique check (length(email) <= 254),
  verified_at timestamptz,
  created_at timestamptz not null
);
select wall('buyers');

-- An order outlives the link, the viewer and the creator that it names: it is a receipt.
create table checkout_orders (
  id uuid primary key,
  provider text not null check (provider in ('sandbox', 'stripe')),
  livemode boolean not null,
  kind text not null check (kind in ('tip', 'album', 'bundle', 'fan_sub', 'platform_sub', 'request', 'credits')),
  state text not null default 'pending'
    check (state in ('pending', 'paid', 'partially_refunded', 'refunded', 'disputed', 'charged_back', 'expired', 'failed', 'canceled')),
  creator_id uuid references users on delete set null,
  link_id uuid references magic_links on delete set null,
  viewer_id uuid references viewers on delete set null,
  buyer_id uuid references buyers,
  acct_id text not null,
  amount_cents bigint not null check (amount_cents > 0),
  fee_cents bigint not null check (fee_cents between 0 and amount_cents),
  refunded_cents bigint not null default 0 check (refunded_cents between 0 and amount_cents),
  currency text not null check (currency ~ '^[a-z]{3}$'),
  message text not null default '' check (length(message) <= 200),
  is_anonymous boolean not null default false,
  policy_version integer,
  -- The words and the price that were shown before paying.
  terms jsonb not null default '{}',
  slug text,
  creator_name text not null default '',
  session_id text,
  payment_id text,
  charge_id text,
  expires_at timestamptz not null,
  paid_at timestamptz,
  opened_at timestamptz,
  -- Sandbox money that was retired opens nothing any more.
  retired_at timestamptz,
  synced_version integer not null default 0,
  created_at timestamptz not null,
  unique (provider, session_id),
  unique (provider, payment_id)
);
-- A double tap is one order.
create unique index checkout_orders_pending on checkout_orders (link_id, viewer_id, kind) where state = 'pending';
create index checkout_orders_creator on checkout_orders (creator_id, created_at desc, id desc);
create index checkout_orders_viewer on checkout_orders (link_id, viewer_id);
create index checkout_orders_of_viewer on checkout_orders (viewer_id);
create index checkout_orders_buyer on checkout_orders (buyer_id);
create index checkout_orders_charge on checkout_orders (charge_id);
create index checkout_orders_open on checkout_orders (created_at) where state = 'pending';
select wall('checkout_orders', 'creator_id', 'true', 'select');

-- While somebody pays for a link of few places, one of them is theirs.
create table place_reservations (
  order_id uuid primary key references checkout_orders on delete cascade,
  link_id uuid not null references magic_links on delete cascade,
  viewer_id uuid not null references viewers on delete cascade,
  unique (link_id, viewer_id)
);
create index place_reservations_viewer on place_reservations (viewer_id);
select wall('place_reservations');

create table receipts (
  order_id uuid primary key references checkout_orders on delete cascade,
  number bigint generated always as identity unique,
  at timestamptz not null
);
select wall('receipts');

create table refunds (
  id uuid primary key,
  order_id uuid not null references checkout_orders on delete cascade,
  creator_id uuid references users on delete set null,
  amount_cents bigint not null check (amount_cents > 0),
  reason text not null
    check (reason in ('duplicate', 'fraudulent', 'customer_request', 'access_revoked', 'not_delivered', 'satisfaction', 'dispute_prevention', 'platform_decision')),
  note text not null default '' check (length(note) <= 500),
  by_kind text not null check (by_kind in ('creator', 'staff', 'system')),
  by_user uuid,
  state text not null default 'pending' check (state in ('pending', 'succeeded', 'failed')),
  last_error text,
  settled_at timestamptz,
  created_at timestamptz not null
);
-- One at a time: a second tap finds the first.
create unique index refunds_pending on refunds (order_id) where state = 'pending';
create index refunds_order on refunds (order_id);
create index refunds_creator on refunds (creator_id);
select wall('refunds', 'creator_id', 'true', 'select');

-- What the provider has told. Only which object it was about is believed.
create table webhook_inbox (
  event_id text primary key,
  hook text not null,
  type text not null,
  object_id text not null,
  account_id text,
  provider text not null,
  livemode boolean not null,
  event_created_at timestamptz not null,
  received_at timestamptz not null,
  attempts integer not null default 0,
  next_attempt_at timestamptz not null,
  processed_at timestamptz,
  last_error text
);
create index webhook_inbox_due on webhook_inbox (next_attempt_at) where processed_at is null;
select wall('webhook_inbox');

create table reconciliation_runs (
  id uuid primary key,
  provider text not null,
  livemode boolean not null,
  started_at timestamptz not null,
  finished_at timestamptz,
  checked integer not null default 0,
  drift jsonb not null default '[]'
);
create index reconciliation_runs_at on reconciliation_runs (started_at desc);
select wall('reconciliation_runs');

-- The books: double entry, never changed. Assets and expenses are positive, liabilities and income negative.
create table ledger_accounts (
  id bigint generated always as identity primary key,
  provider text not null,
  livemode boolean not null,
  key text not null,
  kind text not null check (kind in ('asset', 'liability', 'income', 'expense', 'clearing', 'external')),
  owner_user_id uuid,
  currency text not null check (currency ~ '^[a-z]{3}$'),
  unique (key, currency, provider, livemode),
  unique (id, currency, provider, livemode)
);
create index ledger_accounts_owner on ledger_accounts (owner_user_id);
select wall('ledger_accounts', 'owner_user_id', 'true', 'select');
select append_only('ledger_accounts');

create table ledger_transactions (
  id bigint generated always as identity primary key,
  provider text not null,
  livemode boolean not null,
  source_key text not null,
  kind text not null,
  occurred_at timestamptz not null,
  available_at timestamptz not null,
  currency text not null,
  charge_id text,
  unique (source_key, provider, livemode),
  unique (id, currency, provider, livemode)
);
create index ledger_transactions_charge on ledger_transactions (charge_id);
create index ledger_transactions_at on ledger_transactions (occurred_at);

create table ledger_entries (
  id bigint generated always as identity primary key,
  transaction_id bigint not null,
  account_id bigint not null,
  provider text not null,
  livemode boolean not null,
  owner_user_id uuid,
  currency text not null,
  amount_cents bigint not null check (amount_cents <> 0),
  foreign key (transaction_id, currency, provider, livemode) references ledger_transactions (id, currency, provider, livemode),
  foreign key (account_id, currency, provider, livemode) references ledger_accounts (id, currency, provider, livemode)
);
create index ledger_entries_account on ledger_entries (account_id, id);
-- Without it the check of every transaction reads all entries.
create index ledger_entries_transaction on ledger_entries (transaction_id);
create index ledger_entries_owner on ledger_entries (owner_user_id, id);
select wall('ledger_entries', 'owner_user_id', 'true', 'select');
select append_only('ledger_entries');

select wall('ledger_transactions');
create policy own on ledger_transactions for select to app_user
  using (exists (select 1 from ledger_entries e where e.transaction_id = ledger_transactions.id));
grant select on ledger_transactions to app_user;
select append_only('ledger_transactions');

create function check_ledger_balance() returns trigger language plpgsql as $$
begin
  if (select coalesce(sum(amount_cents), 0) <> 0 or count(*) < 2 from ledger_entries where transaction_id = new.transaction_id) then
    raise exception 'ledger transaction % does not add up to zero', new.transaction_id using errcode = '23514';
  end if;
  return null;
end $$;
create constraint trigger balanced after insert on ledger_entries
  deferrable initially deferred for each row execute function check_ledger_balance();
