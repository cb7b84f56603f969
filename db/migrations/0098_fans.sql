-- Subscribers: what a creator offers for a monthly price, and who has it.

create table fan_tiers (
  id uuid primary key,
  creator_id uuid not null references users on delete cascade,
  -- Three at most are offered at a time; one that was stopped has none.
  slot smallint check (slot between 1 and 3),
  name text not null check (length(name) between 1 and 40),
  -- What new subscribers pay; who subscribed before keeps their price until they agree to another.
  price_cents bigint not null check (price_cents between 500 and 4999),
  currency text not null default 'usd' check (currency ~ '^[a-z]{3}$'),
  benefits text not null default '' check (length(benefits) <= 300),
  -- Everything that the creator has and adds, or these albums.
  all_future boolean not null,
  album_ids uuid[] not null default '{}' check (cardinality(album_ids) <= 100),
  stopped_at timestamptz,
  created_at timestamptz not null,
  check (all_future = (cardinality(album_ids) = 0)),
  check ((slot is null) = (stopped_at is not null)),
  unique (creator_id, slot)
);
create index fan_tiers_creator on fan_tiers (creator_id, created_at, id);
select wall('fan_tiers', 'creator_id', 'true', 'select');

-- It outlives the tier, the viewer and the creator that it names as long as somebody may be charged for it.
create table fan_subscriptions (
  id uuid primary key,
  -- A free pass is a subscription that nobody pays for: it has no provider and does not renew.
  source text not null check (source in ('paid', 'pass')),
  provider text check (provider in ('sandbox', 'stripe')),
  livemode boolean,
  creator_id uuid references users on delete set null,
  creator_name text not null default '',
  viewer_id uuid references viewers on delete set null,
  buyer_id uuid references buyers,
  tier_id uuid references fan_tiers on delete set null,
  tier_name text not null default '',
  -- Where it was begun; null when that was no link.
  link_id uuid references magic_links on delete set null,
  subscription_id text,
  customer_id text,
  -- The provider's word; of a pass always 'active'.
  status text not null,
  is_paused boolean not null default false,
  -- What a month costs this subscriber.
  amount_cents bigint not null default 0 check (amount_cents >= 0),
  currency text not null default 'usd' check (currency ~ '^[a-z]{3}$'),
  period_start timestamptz,
  -- Of a pass its end; null for one without an end.
  period_end timestamptz,
  cancel_at_period_end boolean not null default false,
  -- The creator stopped the tier, so that only she can let it go on.
  stopped_at timestamptz,
  ended_at timestamptz,
  -- When a payment that failed is tried again.
  next_attempt_at timestamptz,
  card_brand text,
  card_last4 text,
  -- The order of the newest month that was paid: what became of its money decides whether it opens anything.
  paid_order_id uuid references checkout_orders on delete set null,
  reminded_at timestamptz,
  -- A higher price that this subscriber was told of.
  told_cents bigint,
  -- Test money that was retired opens nothing any more.
  retired_at timestamptz,
  tries integer not null default 0,
  next_try_at timestamptz,
  synced_at timestamptz,
  synced_version integer not null default 0,
  created_at timestamptz not null,
  check (source = 'pass' or (provider is not null and livemode is not null and subscription_id is not null and customer_id is not null)),
  unique (provider, subscription_id)
);
create index fan_subscriptions_viewer on fan_subscriptions (viewer_id, creator_id);
create index fan_subscriptions_creator on fan_subscriptions (creator_id, created_at desc, id desc);
create index fan_subscriptions_tier on fan_subscriptions (tier_id);
create index fan_subscriptions_buyer on fan_subscriptions (buyer_id);
create index fan_subscriptions_link on fan_subscriptions (link_id);
create index fan_subscriptions_order on fan_subscriptions (paid_order_id);
create index fan_subscriptions_running on fan_subscriptions (period_end) where ended_at is null and source = 'paid';
select wall('fan_subscriptions', 'creator_id', 'true', 'select');

-- Every month that is paid is an order with a receipt: the first is the checkout, the others are bills of the provider.
alter table checkout_orders
  add column tier_id uuid references fan_tiers on delete set null,
  add column fan_subscription_id uuid references fan_subscriptions on delete set null,
  add column invoice_id text;
create unique index checkout_orders_invoice on checkout_orders (provider, invoice_id);
create index checkout_orders_tier on checkout_orders (tier_id) where tier_id is not null;
create index checkout_orders_fan on checkout_orders (fan_subscription_id, paid_at desc) where fan_subscription_id is not null;

-- A double tap is one order, and so is a change of mind on a link; of one creator nobody subscribes twice at the same time.
drop index checkout_orders_pending;
create unique index checkout_orders_pending on checkout_orders (link_id, viewer_id, provider, livemode)
  where state = 'pending' and kind in ('tip', 'album', 'bundle', 'fan_sub');
create unique index checkout_orders_subscribing on checkout_orders (creator_id, viewer_id, provider, livemode)
  where state = 'pending' and kind = 'fan_sub';
