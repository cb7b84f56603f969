-- The creators' own plan: who takes it, how it stands at the provider, and its bills. A trial that was begun before plans could be
-- taken stays as it is in `users`; whoever gives a card during it keeps its days.

create table plan_checkouts (
  id uuid primary key,
  provider text not null check (provider in ('sandbox', 'stripe')),
  livemode boolean not null,
  -- Known from the start, or only once the address is confirmed.
  user_id uuid references users on delete cascade,
  email text not null check (length(email) <= 254),
  state text not null default 'open' check (state in ('open', 'complete', 'expired', 'failed')),
  -- Days that are free; null when the first month is paid at once.
  trial_days integer check (trial_days > 0),
  amount_cents bigint not null check (amount_cents >= 0),
  currency text not null check (currency ~ '^[a-z]{3}$'),
  session_id text,
  subscription_id text,
  -- Of a secret that only the browser has which began it: the name of a checkout in an address opens nothing.
  browser_hash bytea,
  -- The email that proves the address was sent from the page to which the payer came back.
  mailed_at timestamptz,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  unique (provider, session_id)
);
-- A double tap is one checkout.
create unique index plan_checkouts_open_of_user on plan_checkouts (user_id, provider, livemode) where state = 'open';
create index plan_checkouts_user on plan_checkouts (user_id);
create index plan_checkouts_email on plan_checkouts (email) where user_id is null;
create index plan_checkouts_open on plan_checkouts (created_at) where state = 'open';
create index plan_checkouts_subscription on plan_checkouts (subscription_id);
select wall('plan_checkouts');

create table platform_subscriptions (
  id uuid primary key,
  provider text not null check (provider in ('sandbox', 'stripe')),
  livemode boolean not null,
  -- Nobody until the address by which it was taken is confirmed.
  user_id uuid references users on delete set null,
  checkout_id uuid references plan_checkouts on delete set null,
  subscription_id text not null,
  customer_id text not null,
  -- The provider's word.
  status text not null,
  is_paused boolean not null default false,
  amount_cents bigint not null,
  currency text not null,
  trial_end timestamptz,
  period_start timestamptz,
  period_end timestamptz,
  cancel_at_period_end boolean not null default false,
  ended_at timestamptz,
  -- The first time that money was taken for it.
  first_paid_at timestamptz,
  money_back_at timestamptz,
  card_brand text,
  card_last4 text,
  -- The renewal that was announced.
  reminded_of timestamptz,
  synced_at timestamptz not null,
  synced_version integer not null default 1,
  created_at timestamptz not null,
  unique (provider, subscription_id)
);
create index platform_subscriptions_user on platform_subscriptions (user_id, created_at desc);
create index platform_subscriptions_checkout on platform_subscriptions (checkout_id);
create index platform_subscriptions_running on platform_subscriptions (period_end) where ended_at is null;
select wall('platform_subscriptions', 'user_id', 'true', 'select');

create table plan_invoices (
  invoice_id text primary key,
  plan_id uuid not null references platform_subscriptions on delete cascade,
  number text,
  status text not null,
  amount_cents bigint not null,
  paid_cents bigint not null,
  refunded_cents bigint not null default 0,
  currency text not null,
  created_at timestamptz not null,
  paid_at timestamptz,
  next_attempt_at timestamptz,
  page_url text,
  -- Its receipt was sent.
  receipt_at timestamptz
);
create index plan_invoices_plan on plan_invoices (plan_id, created_at desc);
select wall('plan_invoices');

-- Somebody asks for the first payment back once, whatever becomes of the account afterwards.
create table plan_refunds (
  user_id uuid primary key references users on delete cascade,
  plan_id uuid not null references platform_subscriptions on delete cascade,
  invoice_id text not null,
  amount_cents bigint not null,
  currency text not null,
  settled_at timestamptz,
  created_at timestamptz not null
);
create index plan_refunds_plan on plan_refunds (plan_id);
create index plan_refunds_unsettled on plan_refunds (created_at) where settled_at is null;
select wall('plan_refunds');

-- What of the built-in provider happens by itself when its time has come, and which bills belong to a plan.
create index sandbox_objects_due on sandbox_objects (((hidden->>'due_at')::bigint)) where type = 'subscription';
create index sandbox_objects_hidden on sandbox_objects using gin (hidden jsonb_path_ops) where type = 'invoice';
