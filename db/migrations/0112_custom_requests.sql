-- What somebody asks a creator to make, and what becomes of it. Its money is an order like any other, held until it is delivered.
create table request_settings (
  user_id uuid primary key references users on delete cascade,
  is_on boolean not null default false,
  least_cents bigint not null default 1000 check (least_cents between 1000 and 50000),
  -- What she makes at a fixed price: [{"title": …, "cents": …}].
  price_list jsonb not null default '[]',
  days integer not null default 14 check (days between 1 and 30),
  wont_do text not null default '' check (length(wont_do) <= 500),
  most_open integer not null default 10 check (most_open between 1 and 10)
);
select wall('request_settings', 'user_id');

create table custom_requests (
  id uuid primary key,
  provider text not null,
  livemode boolean not null,
  creator_id uuid references users on delete set null,
  creator_name text not null,
  viewer_id uuid references viewers on delete set null,
  buyer_id uuid not null references buyers,
  -- Where it was asked for; null for her own page.
  link_id uuid references magic_links on delete set null,
  title text not null check (length(title) between 1 and 80),
  brief text not null check (length(brief) between 1 and 1500),
  kind text not null check (kind in ('photo', 'video', 'both')),
  quantity integer not null check (quantity between 1 and 20),
  length_minutes integer check (length_minutes between 1 and 60),
  wanted_by date,
  time_zone text not null,
  currency text not null,
  offered_cents bigint not null check (offered_cents between 1000 and 50000),
  agreed_cents bigint check (agreed_cents between 1000 and 50000),
  state text not null check (state in ('requested', 'quoted', 'paid', 'delivered', 'revision_requested', 'problem', 'released', 'declined', 'expired', 'refunded')),
  -- The creator proposed something else than what was asked for.
  is_counter boolean not null default false,
  -- Until when whoever is to act next can do so: the answer, the payment, or the buyer's word about a delivery.
  act_until timestamptz,
  due_at timestamptz,
  paid_at timestamptz,
  delivered_at timestamptz,
  closed_at timestamptz,
  was_revised boolean not null default false,
  -- Why it ended without being made, in a word of ours; the words of people stand with the events.
  end_reason text,
  order_id uuid references checkout_orders on delete set null,
  delivery_link_id uuid references magic_links on delete set null,
  delivery_album_id uuid references albums on delete set null,
  created_at timestamptz not null
);
create index custom_requests_of_creator on custom_requests (creator_id, created_at desc, id desc);
create index custom_requests_of_viewer on custom_requests (viewer_id);
create index custom_requests_of_buyer on custom_requests (buyer_id);
create index custom_requests_link on custom_requests (link_id);
create index custom_requests_order on custom_requests (order_id);
create index custom_requests_delivery_link on custom_requests (delivery_link_id);
create index custom_requests_delivery_album on custom_requests (delivery_album_id);
create index custom_requests_open on custom_requests (state, act_until) where closed_at is null;
select wall('custom_requests', 'creator_id', 'true', 'select');

create table custom_request_events (
  id bigint generated always as identity primary key,
  request_id uuid not null references custom_requests,
  who text not null check (who in ('buyer', 'creator', 'staff', 'system')),
  what text not null,
  text text not null default '' check (length(text) <= 500),
  amount_cents bigint,
  at timestamptz not null
);
create index custom_request_events_of on custom_request_events (request_id, id);
select wall('custom_request_events');
revoke update, delete on custom_request_events from app_system;
select append_only('custom_request_events');

-- A code that was mailed to who asks, for one browser and creator. Kept for minutes.
create table request_codes (
  id uuid primary key,
  creator_id uuid not null references users on delete cascade,
  browser_hash bytea not null check (length(browser_hash) = 32),
  email text not null check (length(email) <= 254),
  -- A keyed hash.
  code_hash bytea not null,
  tries integer not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  unique (creator_id, browser_hash)
);
create index request_codes_expires on request_codes (expires_at);
select wall('request_codes');

-- An order that is held names its request; without a reference, as each names the other.
alter table checkout_orders add column request_id uuid;
create unique index checkout_orders_of_request on checkout_orders (request_id) where state = 'pending' and request_id is not null;

-- That a creator gets what was held for her: once for each request.
create table held_releases (
  request_id uuid primary key references custom_requests,
  order_id uuid not null unique references checkout_orders,
  amount_cents bigint not null check (amount_cents > 0),
  fee_cents bigint not null check (fee_cents >= 0),
  state text not null default 'pending' check (state in ('pending', 'done')),
  transfer_id text unique,
  tries integer not null default 0,
  next_try_at timestamptz,
  last_error text,
  created_at timestamptz not null,
  done_at timestamptz
);
create index held_releases_due on held_releases (created_at) where state = 'pending';
select wall('held_releases');

-- A refund of a part is done when so much has gone back; null for all of it.
alter table refunds add column until_cents bigint;
